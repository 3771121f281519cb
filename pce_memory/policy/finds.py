"""Finds of a text that overlap, made into finds that do not."""

from collections.abc import Sequence
from typing import NamedTuple

from pce_memory.text import spans


class Find(NamedTuple):
    """Something found: text[start:end], what stands there then, and what it goes by."""

    start: int
    end: int
    replace: str
    name: str


def without_overlaps(found: Sequence[Find]) -> list[Find]:
    """Return finds in order, the longer first where two overlap, then the one given earlier.

    One that sticks out of a longer one is taken with it: no part of a find is left standing.

    >>> mail, sign = Find(0, 9, "[email]", "email"), Find(2, 3, " at ", "sign")
    >>> [one.name for one in without_overlaps([sign, mail])]
    ['email']
    >>> without_overlaps([Find(0, 5, "[a]", "a"), Find(4, 7, "[b]", "b")])
    [Find(start=0, end=7, replace='[a]', name='a')]
    """
    return spans.without_overlaps(found, rank=_length, widen=_widened)


def _length(one: Find) -> tuple[int, ...]:
    return (one.start - one.end,)


def _widened(one: Find, start: int, end: int) -> Find:
    return one._replace(start=start, end=end)
