"""Weighted reciprocal rank fusion of runs, and the boost π(d) (seed 004), in columns. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from pce_memory.domain.fusion import PiWeights

Keys: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]

WIDE: Final = 8
"""Over a range of so many times as many keys, a table of the range is more work than a sort."""


@dataclass(frozen=True, slots=True)
class WeighedRun:
    """The keys of one run, best first, each once, and what a rank of it counts."""

    keys: Keys
    weight: float


@dataclass(frozen=True, slots=True)
class Blended:
    """Every document of some runs: a row of `parts` has what each run gives it.

    `rrf` is the sum of a row, `listed` how many of the runs list it, whatever they weigh.
    """

    keys: Keys
    parts: Floats
    rrf: Floats
    listed: Keys

    @property
    def found_by(self) -> Floats:
        """Return the share of the runs that hold each document: π_lane."""
        runs = self.parts.shape[1]
        return np.asarray(self.listed / max(runs, 1), np.float64)


def blend(runs: Sequence[WeighedRun], k: float) -> Blended:
    """Return the documents of runs with Σ weight / (k + rank), ranks from 1; order is not told.

    What a weight of 0 leaves of a run is its documents, with nothing; it lists them all the same.
    """
    keys, rows = distinct(np.concatenate([*(run.keys for run in runs), np.empty(0, np.int64)]))
    parts = np.zeros((len(keys), len(runs)))
    start = 0
    for column, run in enumerate(runs):
        ranks = np.arange(1, len(run.keys) + 1)
        parts[rows[start : start + len(run.keys)], column] = run.weight / (k + ranks)
        start += len(run.keys)
    # Summed from the least on, so that the order of the runs says nothing, to the last digit.
    rrf = np.sort(parts, axis=1).sum(axis=1)
    return Blended(keys, parts, rrf, np.bincount(rows, minlength=len(keys)))


def distinct(every: Keys) -> tuple[Keys, Keys]:
    """Return the keys that occur, ascending, and for each place which of them it holds.

    Keys of one store lie close together: a table of their range takes a tenth of a sort.
    """
    least = int(every.min()) if len(every) else 0
    span = int(every.max()) - least + 1 if len(every) else 0
    if span > WIDE * len(every):
        keys, rows = np.unique(every, return_inverse=True)
        return keys, rows.astype(np.int64)
    shifted = every - least
    there = np.zeros(span, np.bool_)
    there[shifted] = True
    return np.flatnonzero(there) + least, (np.cumsum(there, dtype=np.int64) - 1)[shifted]


def joined_ranks(keys: Keys, lanes: Sequence[tuple[float, Floats]], k: float) -> Floats:
    """Return the weighted RRF of each key over lanes, as a share of the most it can be.

    A lane has a weight and a score for each key, NaN where it does not list it; 1 is the first
    rank in every lane. That is what a threshold on [0, 1] can be asked of.
    """
    runs: list[WeighedRun] = []
    for weight, scores in lanes:
        listed = np.flatnonzero(~np.isnan(scores))
        best = listed[ranked(scores[listed], keys[listed])]
        runs.append(WeighedRun(keys[best], weight))
    blended = blend(runs, k)
    most = sum(weight for weight, _ in lanes) / (k + 1.0)
    found = np.zeros(len(keys))
    place = np.searchsorted(keys, blended.keys, sorter=(order := np.argsort(keys)))
    found[order[place]] = blended.rrf
    return found / most if most > 0 else found


def pi_code(hit_weight: Floats, full_weight: Floats, total: float) -> Floats:
    """Return π_code: the share of the target's weight that a document's codes have, at most 1.

    A code that is hit in full counts a tenth of its weight more. Without a target it is 0.
    """
    if total <= 0:
        return np.zeros(len(hit_weight))
    return np.clip((hit_weight + 0.1 * full_weight) / total, 0.0, 1.0)


def pi_facet(coverage: Floats, weights: Sequence[float]) -> Floats:
    """Return π_facet: the mean of how far each facet's terms stand in a document, by weight.

    `coverage` has a row for a document and a column for a facet.
    """
    total = sum(weights)
    if total <= 0:
        return np.zeros(len(coverage))
    return np.clip(coverage @ np.asarray(weights, np.float64) / total, 0.0, 1.0)


def pi_of(code: Floats, facet: Floats, lane: Floats, weights: PiWeights) -> Floats:
    """Return π(d) in [0, 1]: .4 π_code + .3 π_facet + .3 π_lane, with the weights given."""
    total = weights.code * code + weights.facet * facet + weights.lane * lane
    return np.clip(total, 0.0, 1.0)


def boosted(rrf: Floats, pi: Floats, beta: float) -> Floats:
    """Return the final score: RRF (1 + β π)."""
    return np.asarray(rrf * (1.0 + beta * pi), np.float64)


def ranked(score: Floats, keys: Keys) -> Keys:
    """Return the places of the documents, highest score first, equal ones by key."""
    if (np.diff(keys) > 0).all():
        # In the order of their keys already, as `blend` has them: half a sort is enough.
        return np.argsort(-score, kind="stable").astype(np.int64)
    return np.lexsort((keys, -score)).astype(np.int64)
