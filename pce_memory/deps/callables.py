"""Functions that a caller hands over: that they can be called as they will be is seen at entry."""

from collections.abc import Sequence
from inspect import Parameter, signature
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps.raised import RAISED
from pce_memory.errors import InvalidParameter

DONE: Final = ("done",)
DONE_OF_TOTAL: Final = ("done", "total")
PLACE_AND_OUTCOME: Final = ("place", "outcome")
TEXT: Final = ("text",)
TEXTS: Final = ("texts",)
QUERY_AND_TEXTS: Final = ("query", "texts")

_IN_ORDER: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def takes(function: object, count: int) -> bool:
    """Return whether something can be called with so many arguments by their place.

    What does not tell its signature, as some functions written in C, is taken to.

    >>> takes(lambda: 0, 1), takes(lambda done: 0, 1), takes(print, 2), takes([].append, 2)
    (False, True, True, False)
    """
    if not callable(function):
        return False
    try:
        shape = signature(function)
    except RAISED:  # it asks the object, which may raise anything
        return True
    known = shape.parameters.values()
    in_order = [one for one in known if one.kind in _IN_ORDER]
    needed = sum(one.default is Parameter.empty for one in in_order)
    is_open = any(one.kind is Parameter.VAR_POSITIONAL for one in known)
    by_name = any(
        one.kind is Parameter.KEYWORD_ONLY and one.default is Parameter.empty for one in known
    )
    return not by_name and needed <= count and (is_open or count <= len(in_order))


def function_of(
    name: str, given: object, arguments: Sequence[str], *, called: str | None = None
) -> Result[None, InvalidParameter]:
    """Return a failure unless something can be called with these arguments.

    `called` is what it is called, where it is not the parameter itself but a part of it.

    >>> function_of("progress", lambda: 0, DONE).failure().message
    'Invalid progress: it is called as progress(done), and takes other arguments'
    """
    if not callable(given):
        reason = f"it is a {type(given).__name__}; give something that can be called"
        return Failure(InvalidParameter(name, reason))
    if takes(given, len(arguments)):
        return Success(None)
    call = f"{called or name}({', '.join(arguments)})"
    reason = f"it is called as {call}, and takes other arguments"
    return Failure(InvalidParameter(name, reason))


def callback(name: str, given: object, arguments: Sequence[str]) -> Result[None, InvalidParameter]:
    """Return a failure unless what is to be told of a run is None, or can be called with it."""
    return Success(None) if given is None else function_of(name, given, arguments)
