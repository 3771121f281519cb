"""Finds of a text that overlap, made into finds that do not."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple


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
    kept: list[Find] = []
    for one in sorted(found, key=lambda find: find.start - find.end):
        first = bisect_right(kept, one.start, key=lambda find: find.end)
        last = bisect_left(kept, one.end, key=lambda find: find.start)
        met = kept[first:last]
        if not met:
            kept.insert(first, one)
            continue
        longest = max(met, key=lambda find: find.end - find.start)
        start, end = min(met[0].start, one.start), max(met[-1].end, one.end)
        kept[first:last] = [longest._replace(start=start, end=end)]
    return kept
