"""The second stage: how well a candidate answers, by a few things that are known of it.

No model is asked. The weights were learned by `benchmarks/learn_rerank.py`, and stand here as
numbers.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for a candidate, or against it.

    `cosine` is in [0, 1], 0 for what is unrelated or has no vector. `window` is the share of the
    words asked for that stand in it or around it, `whole` how well the document fits that it is of
    (else as `window`), `period` how well its time agrees with the times that are named: all in
    [0, 1]. It `asks` where it is a question itself, `answers` where what
    was said before it asks, and is `timed` where a time is asked for and it names one.
    """

    cosine: float
    window: float
    whole: float
    period: float
    asks: bool
    answers: bool
    timed: bool


COSINE: Final = 1.0
WINDOW: Final = 1.0
WHOLE: Final = 0.25
"""This part of what the window counts is counted by the whole document instead."""
PERIOD: Final = 0.40
ASKS: Final = -0.25
ANSWERS: Final = 0.06
TIMED: Final = 0.20

MOST: Final = COSINE + WINDOW + PERIOD + ANSWERS + TIMED


def above_unrelated(cosine: float, unrelated: float) -> float:
    """Return how far a cosine is above that of unrelated texts, 0 to 1.

    Models differ: of one model unrelated texts stand at right angles, of another at 0.73.

    >>> above_unrelated(0.5, 0.0), above_unrelated(0.9, 0.8), above_unrelated(0.3, 0.8)
    (0.5, 0.5, 0.0)
    """
    return max(0.0, (cosine - unrelated) / (1.0 - unrelated))


def relevance(signs: Signs) -> float:
    """Return how well a candidate answers, in [0, 1]: a weighted sum of its signs.

    >>> all_there = Signs(1.0, 1.0, 1.0, 1.0, asks=False, answers=True, timed=True)
    >>> round(relevance(all_there), 9), relevance(Signs(0.0, 0.0, 0.0, 0.0, True, False, False))
    (1.0, 0.0)
    """
    words = (1.0 - WHOLE) * signs.window + WHOLE * signs.whole
    total = COSINE * signs.cosine + WINDOW * words + PERIOD * signs.period
    total += ASKS * signs.asks + ANSWERS * signs.answers + TIMED * signs.timed
    return min(1.0, max(0.0, total / MOST))
