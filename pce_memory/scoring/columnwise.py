"""The formulas of `scoring.rerank` over whole columns; a law says that both give the same."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pce_memory.domain.vocabulary import CLAIM_KINDS, SCOPES, ClaimKind, Scope
from pce_memory.scoring import second_stage
from pce_memory.scoring.rerank import LEAST_SPREAD, Population

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]


class HalfLives(Protocol):
    """Whatever has a half-life for each kind and scope, in days."""

    @property
    def half_life_days(self) -> Callable[[ClaimKind, Scope], float]:
        """Return the half-life of a kind in a scope."""
        ...


def rerank_all(z: Floats, confidence: Floats, recency: Floats, quality: Floats | None) -> Floats:
    """Return g of every row: see `scoring.rerank.rerank`."""
    g = (0.6 + 0.4 * sigmoid_all(z)) * (0.5 + 0.5 * np.clip(confidence, 0.0, 1.0))
    g = g * (0.3 + 0.7 * np.clip(recency, 0.0, 1.0))
    return g if quality is None else g * (0.5 + 0.5 * np.clip(quality, 0.0, 1.0))


def sigmoid_all(x: Floats) -> Floats:
    """Return the logistic of every row; neither end overflows."""
    grown = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, grown) / (1.0 + grown)


def recency_all(age_days: Floats, half_life_days: Floats) -> Floats:
    """Return the recency of every row: see `scoring.rerank.recency_decay`."""
    lasting = np.where(half_life_days > 0, half_life_days, 1.0)
    fresh = np.exp2(-np.maximum(0.0, age_days) / lasting)
    return np.asarray(np.where(half_life_days > 0, fresh, 0.0), np.float64)


def decayed_all(measure: Floats, since: Floats, until: float, half_life_days: float) -> Floats:
    """Return measures that halve every half-life, brought to `until`: see the macro `decayed`."""
    days = np.maximum(until - since, 0.0) / 86_400.0
    return measure * np.exp2(-days / half_life_days)


def population_of(used: Floats, unused: int) -> Population:
    """Return the mean and sample deviation of utilities; `unused` more are 0.

    See `scoring.rerank.population`.
    """
    count = len(used) + unused
    if count == 0:
        return Population(0.0, 1.0)
    mean = float(used.sum()) / count
    if count == 1:
        return Population(mean, 1.0)
    squares = float(((used - mean) ** 2).sum()) + unused * mean * mean
    std = float(np.sqrt(squares / (count - 1)))
    return Population(mean, std if std > LEAST_SPREAD else 1.0)


def half_lives_of(kind: Codes, scope: Codes, weighing: HalfLives) -> Floats:
    """Return the half-life of every row; codes are places in the vocabularies, from 1."""
    table = np.ones((len(CLAIM_KINDS) + 1, len(SCOPES) + 1))
    for row, one in enumerate(CLAIM_KINDS, start=1):
        for column, other in enumerate(SCOPES, start=1):
            table[row, column] = weighing.half_life_days(one, other)
    return np.asarray(table[kind, scope], np.float64)


def above_unrelated_all(cosine: Floats, unrelated: float) -> Floats:
    """Return how far cosines are above unrelated: see `second_stage.above_unrelated`; NaN is 0."""
    above = (np.nan_to_num(cosine, nan=unrelated) - unrelated) / (1.0 - unrelated)
    return np.asarray(np.maximum(0.0, above), np.float64)


def relevance_all(
    cosine: Floats,
    words: tuple[Floats, Floats],
    period: Floats,
    *,
    asks: Flags,
    answers: Flags,
    timed: Flags,
) -> Floats:
    """Return the relevance of every row: see `scoring.second_stage.relevance`.

    `words` are the columns window and whole.
    """
    window, whole = words
    held = (1.0 - second_stage.WHOLE) * window + second_stage.WHOLE * whole
    total = second_stage.COSINE * cosine + second_stage.WINDOW * held
    total = total + second_stage.PERIOD * period
    total = total + second_stage.ASKS * asks + second_stage.ANSWERS * answers
    total = total + second_stage.TIMED * timed
    return np.asarray(np.clip(total / second_stage.MOST, 0.0, 1.0), np.float64)
