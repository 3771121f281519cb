"""The postings in memory: sorted by term, in a few parts that are merged as they grow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Places: TypeAlias = npt.NDArray[np.int32]

BYTES_A_POSTING: Final = 6


@dataclass(frozen=True, slots=True)
class Part:
    """Postings sorted by term, then place: each term once, with where its postings start."""

    terms: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    places: Places
    tf: npt.NDArray[np.uint16]

    def of(self, term: int) -> slice | None:
        """Return where the postings of a term stand."""
        at = int(np.searchsorted(self.terms, np.uint64(term)))
        if at == len(self.terms) or int(self.terms[at]) != term:
            return None
        return slice(int(self.starts[at]), int(self.starts[at + 1]))


def part_of(
    terms: npt.NDArray[np.uint64], places: npt.NDArray[np.int32], tf: npt.NDArray[np.uint16]
) -> Part:
    """Return postings as a part; they may come in any order."""
    if not _is_sorted(terms, places):
        order = np.lexsort((places, terms))
        terms, places, tf = terms[order], places[order], tf[order]
    new = np.ones(len(terms), np.bool_)
    new[1:] = terms[1:] != terms[:-1]
    firsts = np.flatnonzero(new)
    return Part(terms[firsts], np.append(firsts, len(terms)), places, tf)


def _is_sorted(terms: npt.NDArray[np.uint64], places: npt.NDArray[np.int32]) -> bool:
    same = terms[1:] == terms[:-1]
    return bool(np.all((terms[1:] > terms[:-1]) | (same & (places[1:] > places[:-1]))))


class Postings:
    """Parts from the largest to the smallest; the places of a later part are the later ones."""

    def __init__(self, parts: Sequence[Part] = ()) -> None:
        self.parts: tuple[Part, ...] = tuple(parts)

    @property
    def size(self) -> int:
        """How many postings there are."""
        return sum(len(part.places) for part in self.parts)

    def with_part(self, part: Part) -> "Postings":
        """Return the postings with a new part; parts of like size become one.

        So n additions cost n log n moves in all, and there are at most log n parts to look in.
        """
        parts = [*self.parts, part]
        while len(parts) > 1 and len(parts[-2].places) < 2 * len(parts[-1].places):
            last, before = parts.pop(), parts.pop()
            parts.append(_merged(before, last))
        return Postings(parts)

    def of(self, term: int) -> tuple[Places, npt.NDArray[np.uint16]]:
        """Return the places of the texts that hold a term, ascending, and how often each does."""
        found = [(part, where) for part in self.parts if (where := part.of(term)) is not None]
        if not found:
            return np.empty(0, np.int32), np.empty(0, np.uint16)
        if len(found) == 1:
            part, where = found[0]
            return part.places[where], part.tf[where]
        places = np.concatenate([part.places[where] for part, where in found])
        return places, np.concatenate([part.tf[where] for part, where in found])


def _merged(one: Part, other: Part) -> Part:
    """Return two parts as one in one pass over each: a term's later places follow its earlier."""
    terms = np.union1d(one.terms, other.terms)
    first, second = (np.searchsorted(terms, part.terms) for part in (one, other))
    sizes = np.zeros(len(terms), np.int64)
    sizes[first] = np.diff(one.starts)
    before = sizes[second]
    sizes[second] += np.diff(other.starts)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    size = int(starts[-1])
    merged = Part(terms, starts, np.empty(size, np.int32), np.empty(size, np.uint16))
    _lay(one, merged, starts[first])
    _lay(other, merged, starts[second] + before)
    return merged


def _lay(part: Part, merged: Part, starts: npt.NDArray[np.int64]) -> None:
    """Write the postings of a part where its terms are to start."""
    to = np.repeat(starts - part.starts[:-1], np.diff(part.starts)) + np.arange(len(part.places))
    merged.places[to], merged.tf[to] = part.places, part.tf
