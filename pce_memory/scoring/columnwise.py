"""The formulas of `scoring.rerank` over whole columns; a law says that both give the same."""

import numpy as np
import numpy.typing as npt

from pce_memory.scoring.rerank import LEAST_SPREAD, Population

Floats = npt.NDArray[np.float64]


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
    return np.exp2(-np.maximum(0.0, age_days) / half_life_days)


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
