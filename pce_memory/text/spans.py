"""Pieces of a text that overlap, made into pieces that do not. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias, TypeVar


class Piece(Protocol):
    """Where something begins and where it has ended, as a named tuple has it."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it has ended."""
        ...


P = TypeVar("P", bound=Piece)
Rank: TypeAlias = tuple[int | str, ...]


def without_overlaps(
    found: Iterable[P], *, rank: Callable[[P], Rank], widen: Callable[[P, int, int], P]
) -> list[P]:
    """Return pieces in order; of those that overlap, the one of the lowest rank stays.

    A piece that sticks out of one that stays is taken with it: no part of a find is left standing.
    """
    kept: list[P] = []
    for one in sorted(found, key=rank):
        first = bisect_right(kept, one.start, key=_end)
        last = bisect_left(kept, one.end, key=_start)
        met = kept[first:last]
        if not met:
            kept.insert(first, one)
            continue
        best = min(met, key=rank)
        start, end = min(met[0].start, one.start), max(met[-1].end, one.end)
        kept[first:last] = [widen(best, start, end)]
    return kept


def _start(one: Piece) -> int:
    return one.start


def _end(one: Piece) -> int:
    return one.end
