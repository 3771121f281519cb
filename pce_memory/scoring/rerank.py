"""What a claim is worth beside its match: utility, confidence and recency, as one factor g."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

LEAST_SPREAD: Final = 1e-9
"""Below this a standard deviation is rounding, not a difference."""


class Population(NamedTuple):
    """The mean and standard deviation of the utilities a claim is compared with."""

    mean: float
    std: float


def sigmoid(x: float) -> float:
    """Return the logistic of x; neither end overflows.

    >>> sigmoid(0.0), sigmoid(-1000.0), sigmoid(1000.0)
    (0.5, 0.0, 1.0)
    """
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    grown = math.exp(x)
    return grown / (1.0 + grown)


def rerank(
    utility: float, confidence: float, recency: float, *, quality: float | None = None
) -> float:
    """Return g in [0.09, 1]; `utility` is the z-score, the others are cut to [0, 1].

    g = (0.6 + 0.4 sigmoid(utility)) (0.5 + 0.5 confidence) (0.3 + 0.7 recency), and times
    (0.5 + 0.5 quality) where a quality is given. It grows with each argument.

    >>> rerank(0.0, 0.5, 1.0)
    0.6000000000000001
    >>> [round(rerank(z, c, r), 6) for z, c, r in [(2, .9, 1), (1, .72, .93), (0, .5, .5)]]
    [0.904703, 0.729877, 0.39]
    """
    g = (0.6 + 0.4 * sigmoid(utility)) * (0.5 + 0.5 * _unit(confidence))
    g *= 0.3 + 0.7 * _unit(recency)
    return g if quality is None else g * (0.5 + 0.5 * _unit(quality))


def recency_decay(age_days: float, half_life_days: float) -> float:
    """Return 0.5 ** (age / half-life) in [0, 1]; the future counts as now, no half-life as 0.

    >>> [round(recency_decay(days, 120), 6) for days in (30, 120, 365)]
    [0.840896, 0.5, 0.121441]
    >>> recency_decay(-3, 14), recency_decay(7, 0), recency_decay(float("nan"), 14)
    (1.0, 0.0, 0.0)
    """
    if not half_life_days > 0 or math.isnan(age_days):
        return 0.0
    return math.exp2(-max(0.0, age_days) / half_life_days)


def population(utilities: Sequence[tuple[float, int]]) -> Population:
    """Return the mean and sample deviation of (utility, how many claims have it) pairs.

    The result does not depend on the order of the pairs. No spread, or fewer than two claims,
    gives a deviation of 1.

    >>> population([(0.0, 3), (0.1, 1)])
    Population(mean=0.025, std=0.05)
    >>> population([(0.3, 7)])
    Population(mean=0.3, std=1.0)
    """
    count = sum(times for _, times in utilities)
    if count == 0:
        return Population(0.0, 1.0)
    if len(utilities) == 1:
        return Population(utilities[0][0], 1.0)
    mean = math.fsum(utility * times for utility, times in utilities) / count
    squares = math.fsum((utility - mean) ** 2 * times for utility, times in utilities)
    std = math.sqrt(squares / (count - 1))
    return Population(mean, std if std > LEAST_SPREAD else 1.0)


def z_score(utility: float, among: Population) -> float:
    """Return how many deviations a utility stands above the mean.

    >>> z_score(0.1, Population(0.0, 0.05))
    2.0
    """
    return (utility - among.mean) / among.std


def _unit(x: float) -> float:
    return min(1.0, max(0.0, x))
