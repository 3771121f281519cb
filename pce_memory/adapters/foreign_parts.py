"""Objects of others: what they have, and what they give back, which may be a Result or plain."""

from __future__ import annotations

from typing import cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.raised import RAISED
from pce_memory.errors import InvalidParameter, MemoryFault


def part_of(given: object, part: str, what: str) -> Result[object, InvalidParameter]:
    """Return a part of what is given as `what`; None where it has none.

    It may be a property of theirs, which may raise anything.
    """
    try:
        return Success(getattr(given, part, None))
    except MemoryFault as fault:
        error = fault.error
        if isinstance(error, InvalidParameter):
            return Failure(error)
        return Failure(InvalidParameter(what, error.message))
    except RAISED as fault:
        return Failure(InvalidParameter(what, f"its {part} raised {type(fault).__name__}"))


def an_object(given: object, what: str) -> Result[None, InvalidParameter]:
    """Return a failure where a class is given as `what`, and not an object of it."""
    if isinstance(given, type):
        reason = f"{given.__name__} is a class; give an object of it"
        return Failure(InvalidParameter(what, reason))
    return Success(None)


def opened(given: object) -> Result[object, object]:
    """Return a Result as it is, and what was given plainly as a Success."""
    return cast("Result[object, object]", given) if isinstance(given, Result) else Success(given)
