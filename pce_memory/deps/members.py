"""What a port of the host's has, and what it lacks."""

from collections.abc import Iterable, Mapping

from pce_memory.deps.raised import RAISED
from pce_memory.errors import InvalidParameter, MemoryFault


def has(given: object, name: str) -> bool:
    """Return whether an object has a member; what a protocol class declares is none."""
    if name not in getattr(given, "__dict__", ()):
        for kind in type(given).__mro__:
            if name in vars(kind):
                return not vars(kind).get("_is_protocol", False)
    try:
        return getattr(given, name, None) is not None
    except RAISED:
        return True  # a property of the host's, which is there and fails


def declared(protocol: type) -> tuple[str, ...]:
    """Return the members that a protocol asks for."""
    return tuple(name for name in vars(protocol) if not name.startswith("_"))


def check_members(ports: Mapping[str, tuple[object, Iterable[str]]]) -> None:
    """Raise one error that names every port with the members that it lacks.

    A record is made by a constructor, which has no Result to return.
    """
    lacking = {
        name: [member for member in members if not has(port, member)]
        for name, (port, members) in ports.items()
    }
    told = [
        f"{name} ({type(ports[name][0]).__name__}) has no {', '.join(members)}"
        for name, members in lacking.items()
        if members
    ]
    if told:
        raise MemoryFault(InvalidParameter("deps", "; ".join(told)))


__all__ = ["check_members", "declared", "has"]
