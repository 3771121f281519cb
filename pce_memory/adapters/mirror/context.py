"""How well a candidate and what was said around it cover the words that are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from pce_memory.adapters.mirror.columns import Columns
from pce_memory.adapters.mirror.masks import Mask
from pce_memory.adapters.mirror.passages import NONE, Passages
from pce_memory.adapters.mirror.words import TermHits

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

OWN: Final = 1.0
SAME_PASSAGE: Final = 0.9
BEFORE: Final = (0.8, 0.7, 0.6)
AFTER: Final = (0.5, 0.4, 0.3)
"""What a word counts that stands in the claim, beside it, or so many passages before or after."""


def window_cover(
    candidates: Places,
    hits: Sequence[TermHits],
    weight: float,
    around: Places,
    heads: npt.NDArray[np.int32],
) -> Floats:
    """Return for each candidate the share of what is asked that stands in it or around it, 0 to 1.

    sum over terms of idf² * nearness / sum of idf²; `weight` is the sum of the idf² of every term
    that is asked for, found or not. `around` has the heads of the passages around: a row for a
    candidate, a column for each of `WINDOW`.
    """
    cover = np.zeros(len(candidates))
    for hit in hits:
        own = _holds(hit.places, candidates)
        passages = _holds(np.unique(heads[hit.places]), around)
        near = (passages * NEARNESS).max(axis=1, initial=0.0)
        cover += hit.idf**2 * np.where(own, OWN, near)
    return cover / weight if weight > 0 else cover


@dataclass(frozen=True, slots=True)
class Documents:
    """Passages by their heads, ascending: the BM25 of each as a whole, and its visible claims."""

    heads: Places
    scores: Floats
    claims: Places


def whole_cover(window: Floats, around: Places, documents: Documents) -> Floats:
    """Return for each candidate how well the whole document fits that it is of, 0 to 1.

    That is the document's BM25 over that of the best: how often a word stands in it counts, and
    how long it is, which the window knows nothing of. What is said in a conversation, or by
    itself, is no document: there it is the window.
    """
    of_candidate = np.searchsorted(documents.heads, around[:, 0])
    best = float(documents.scores.max(initial=0.0))
    several = documents.claims[of_candidate] > 1
    is_document = several & (around[:, 1:] == NONE).all(axis=1)
    if best <= 0:
        return window
    return np.where(is_document, documents.scores[of_candidate] / best, window)


NEARNESS: Final = np.array([SAME_PASSAGE, *BEFORE, *AFTER])


def passages_around(
    heads: Places, passages: Passages, columns: Columns, visible_heads: Mask
) -> Places:
    """Return the heads of a candidate's passage, of three before it and three after it; or -1."""
    found = [heads]
    for forward, steps in ((False, len(BEFORE)), (True, len(AFTER))):
        at = heads
        for _ in range(steps):
            at = passages.neighbours(at, columns, visible_heads, forward=forward)
            found.append(at)
    return np.stack(found, axis=1)


def _holds(ascending: npt.NDArray[np.int32], wanted: Places) -> Mask:
    """Return which of the wanted places are among those; -1 never is."""
    if not len(ascending):
        return np.zeros(wanted.shape, np.bool_)
    at = np.searchsorted(ascending, wanted)
    at[at == len(ascending)] = 0
    held: Mask = (ascending[at] == wanted) & (wanted != NONE)
    return held
