"""BM25 over the postings in memory, of visible claims only; sql/macros has the same formulas."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pce_memory.adapters.mirror.columns import Columns
from pce_memory.adapters.mirror.masks import Seen
from pce_memory.adapters.mirror.postings import Postings

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class TermHits:
    """The visible texts that hold a term, how often each does, and the term's weight."""

    places: Places
    tf: Floats
    idf: float


def hits_of(postings: Postings, terms: Sequence[int], seen: Seen) -> list[TermHits]:
    """Return the visible postings of each term, ascending by term; `n` and `df` count these."""
    found: list[TermHits] = []
    for term in sorted(set(terms)):
        places, tf = postings.of(term)
        shown = seen.mask[places]
        places, tf = places[shown], tf[shown]
        if len(places):
            idf = float(bm25_idf(seen.count, len(places)))
            found.append(TermHits(places, tf.astype(np.float64), idf))
    return found


def bm25_idf(n: int, df: int) -> float:
    """Return the weight of a term that `df` of `n` texts hold: log10, as the SQL macro has it."""
    return float(np.log10((n - df + 0.5) / (df + 0.5) + 1.0))


def bm25(hits: Sequence[TermHits], columns: Columns, seen: Seen) -> Floats:
    """Return the BM25 of every claim, 0 where none of the terms stands (k1 = 1.2, b = 0.75)."""
    scores = np.zeros(len(columns), np.float64)
    mean = seen.mean_length or 1.0  # 0 where no claim says how long it is: a file somebody edited
    for hit in hits:
        length = columns.dl[hit.places] / mean
        scores[hit.places] += bm25_terms(hit.idf, hit.tf, length)
    return scores


def bm25_terms(idf: float, tf: Floats, length: Floats) -> Floats:
    """Return what a term adds to texts; `length` is over the mean of all."""
    return np.asarray(idf * (tf * 2.2) / (tf + 1.2 * (0.25 + 0.75 * length)), np.float64)


def frequencies(hit: TermHits, claims: npt.NDArray[np.int64]) -> Floats:
    """Return how often each of some claims holds a term."""
    at = np.searchsorted(hit.places, claims)
    at[at == len(hit.places)] = 0
    return np.where(hit.places[at] == claims, hit.tf[at], 0.0)
