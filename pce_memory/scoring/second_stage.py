"""The second stage: how well a candidate answers, by a few things that are known of it.

No model is asked. The weights were learned by `benchmarks/learn_rerank.py`, and stand here as
numbers.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for a candidate, or against it.

    `cosine` is in [-1, 1], 0 where there is no vector. `window` is the share of the words asked
    for that stand in it or around it, `period` how well its time agrees with the times that are
    named: both in [0, 1]. It `asks` where it is a question itself, `answers` where what was said
    before it asks, and is `timed` where a time is asked for and it names one.
    """

    cosine: float
    window: float
    period: float
    asks: bool
    answers: bool
    timed: bool


COSINE: Final = 10.51
WINDOW: Final = 10.18
PERIOD: Final = 4.1
ASKS: Final = -2.67
ANSWERS: Final = 0.66
TIMED: Final = 1.9

MOST: Final = COSINE + WINDOW + PERIOD + ANSWERS + TIMED


def relevance(signs: Signs) -> float:
    """Return how well a candidate answers, in [0, 1]: a weighted sum of its signs.

    >>> all_there = Signs(1.0, 1.0, 1.0, asks=False, answers=True, timed=True)
    >>> round(relevance(all_there), 9), relevance(Signs(0.0, 0.0, 0.0, True, False, False))
    (1.0, 0.0)
    """
    total = COSINE * max(0.0, signs.cosine) + WINDOW * signs.window + PERIOD * signs.period
    total += ASKS * signs.asks + ANSWERS * signs.answers + TIMED * signs.timed
    return min(1.0, max(0.0, total / MOST))
