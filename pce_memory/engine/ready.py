"""What every operation begins with: a usable boundary, the policy in force, a working clock."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, TypeVar, cast

from returns.result import Failure, Result, Success

from pce_memory.domain.boundary import Boundary
from pce_memory.domain.model import parse
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.errors import CoreError, InvalidParameter, MemoryFault
from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.secrecy import storable

T = TypeVar("T")


# An id as this memory makes them, or a short number: no key is as short.
_PLAIN: Final = re.compile(r"[a-z]{1,8}_[0-9a-f]{1,16}")


class Ready(NamedTuple):
    """The policy in force, and the boundary of a call."""

    policy: Policy
    boundary: Boundary


def default_boundary() -> Boundary:
    """Return what a memory works under if nothing else is said: all scopes, public and internal.

    The policy's invariants hold under any boundary; they need not be named here.
    """
    return Boundary(scope=SCOPES, allow=("answer:task",), boundary_classes=("public", "internal"))


def as_boundary(given: object, instead: Boundary) -> Result[Boundary, InvalidParameter]:
    """Return a boundary: the one given, one made of a mapping, or another instead of None."""
    if given is None:
        return Success(instead)
    if isinstance(given, Boundary):
        return _told_safely(given)
    if isinstance(given, Mapping):
        return Result.do(
            limits
            for limits in parse(Boundary, cast("Mapping[str, object]", given))
            for _ in _told_safely(limits)
        )
    reason = f"it is a {type(given).__name__}; give a Boundary, or a mapping of its fields"
    return Failure(InvalidParameter("boundary", reason))


def _told_safely(boundary: Boundary) -> Result[Boundary, InvalidParameter]:
    """Return a boundary if what audit records tell of it holds no secret."""
    rules = [one.model_dump() for one in boundary.invariants]
    return storable(actor=boundary.actor, invariants=rules).map(lambda _: boundary)


def settled(work: Callable[[], Result[T, CoreError]]) -> Result[T, CoreError]:
    """Return what `work` returns; a fault of a host's clock, ids or tokenizer is one too."""
    try:
        return work()
    except MemoryFault as fault:
        return Failure(fault.error)


def all_are(kind: type[T], values: object, name: str) -> Result[tuple[T, ...], InvalidParameter]:
    """Return the values of a list or tuple, if every one is of a kind."""
    if not isinstance(values, (list, tuple)):
        reason = f"it is a {type(values).__name__}; give a list"
        return Failure(InvalidParameter(name, reason))
    items = cast("tuple[object, ...]", values)
    for place, value in enumerate(items):
        if not isinstance(value, kind):
            reason = f"item {place} is a {type(value).__name__}, not a {kind.__name__}"
            return Failure(InvalidParameter(name, reason))
    return Success(tuple(value for value in items if isinstance(value, kind)))


def truth(name: str, value: object) -> Result[bool, InvalidParameter]:
    """Return a value if it is True or False."""
    if isinstance(value, bool):
        return Success(value)
    reason = f"it is a {type(value).__name__}; give True or False"
    return Failure(InvalidParameter(name, reason))


def keyless(ids: Iterable[str], name: str) -> Result[None, InvalidParameter]:
    """Return a failure if an id that is to be stored is a key or token behind its prefix."""
    if any(
        detect(one.partition("_")[2], SECRET_KINDS) for one in ids if not _PLAIN.fullmatch(one)
    ):
        reason = "it holds a secret, which is never stored; choose another"
        return Failure(InvalidParameter(name, reason))
    return Success(None)
