"""Words that stand for those asked for: each counts a part of what the asked word would count."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from pce_memory.adapters.mirror.columns import Columns
from pce_memory.adapters.mirror.context import window_cover
from pce_memory.adapters.mirror.masks import Seen
from pce_memory.adapters.mirror.postings import Postings
from pce_memory.adapters.mirror.words import TermHits, bm25, bm25_idf, hits_of
from pce_memory.deps import Wider

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class WiderHits:
    """A word that is asked for, and the visible texts that hold a word that stands for it.

    `own` are the postings of the asked word, `own_scores` their BM25 at the `places` of those
    texts. `scores` is what each would have if its word were the asked one: the BM25 of the best of
    its words, but no more than any text has that holds the asked word. `idf2` is the sum of the
    idf² of the asked word's terms.
    """

    own: Sequence[TermHits]
    own_scores: Floats
    places: Places
    scores: Floats
    idf2: float
    weight: float


def wider_hits(
    postings: Postings, wider: Sequence[Wider], columns: Columns, seen: Seen
) -> list[WiderHits]:
    """Return what stands for words that are asked for, where a visible text has any of it."""
    found = (_wider(postings, one, columns, seen) for one in wider)
    return [one for one in found if len(one.places)]


def _wider(postings: Postings, wider: Wider, columns: Columns, seen: Seen) -> WiderHits:
    own = hits_of(postings, wider.asked, seen)
    scores = np.zeros(len(columns))
    for word in wider.words:
        hits = hits_of(postings, word, seen)
        holders = _holders(hits, len(word))
        if len(holders):
            scores[holders] = np.maximum(scores[holders], bm25(hits, columns, seen)[holders])
    places = np.flatnonzero(scores).astype(np.int32)
    own_scores = bm25(own, columns, seen)
    absent = len(wider.asked) - len(own)
    idfs = [*(hit.idf for hit in own), *[bm25_idf(seen.count, 0)] * absent]
    holding = _holders(own, len(wider.asked))
    # A text of mean length that holds a word once has the idf of its terms as its BM25.
    most = float(own_scores[holding].min()) if len(holding) else sum(idfs)
    return WiderHits(
        own=own,
        own_scores=own_scores[places],
        places=places,
        scores=np.minimum(scores[places], most),
        idf2=sum(idf**2 for idf in idfs),
        weight=wider.weight,
    )


def _holders(hits: Sequence[TermHits], terms: int) -> Places:
    """Return the places of the texts that hold every one of so many terms."""
    if not hits or len(hits) < terms:
        return np.empty(0, np.int32)
    return reduce(_both, (hit.places for hit in hits))


def _both(one: Places, other: Places) -> Places:
    return np.intersect1d(one, other, assume_unique=True)


def raised(scores: Floats, wider: Sequence[WiderHits]) -> tuple[Floats, Floats]:
    """Return BM25 with what stands for words, weighed; and as if these were the words themselves.

    What a text has of the asked word itself counts if it is more.
    """
    weighed, whole = scores.copy(), scores.copy()
    for one in wider:
        weighed[one.places] += np.maximum(0.0, one.weight * one.scores - one.own_scores)
        whole[one.places] += np.maximum(0.0, one.scores - one.own_scores)
    return weighed, whole


def widened_cover(
    cover: Floats,
    candidates: npt.NDArray[np.int64],
    wider: Sequence[WiderHits],
    weight: float,
    around: npt.NDArray[np.int64],
    heads: Places,
) -> Floats:
    """Return the window cover with what stands for words: see `window_cover`."""
    if weight <= 0:
        return cover
    wide = cover.copy()
    for one in wider:
        stand_in = [TermHits(one.places, one.scores, 1.0)]
        near = window_cover(candidates, stand_in, 1.0, around, heads)
        own = window_cover(candidates, one.own, weight, around, heads)
        wide += np.maximum(0.0, one.weight * near * one.idf2 / weight - own)
    # Words of a query may share a term, which then would count twice.
    return np.minimum(1.0, wide)
