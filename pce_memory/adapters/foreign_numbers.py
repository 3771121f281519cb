"""Numbers of others' code: Python's, numpy's and torch's, and nothing that only looks like one."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable


def number_of(one: object) -> float:
    """Return a real number as a float; raise TypeError of anything else, truth values included.

    What is given may run code of others here, which may raise anything.
    """
    plain = plainly(one)
    if isinstance(plain, bool) or not isinstance(plain, Real):
        raise TypeError("this is no number")
    return float(plain)


def plainly(given: object) -> object:
    """Return an array as lists, a number of numpy or torch as one of Python."""
    tolist = getattr(given, "tolist", None)
    return cast("Callable[[], object]", tolist)() if callable(tolist) else given
