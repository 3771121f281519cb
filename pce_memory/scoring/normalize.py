"""Bring the scores of the lanes to [0, 1]."""

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

from returns.result import Result

from pce_memory.errors import InvalidParameter
from pce_memory.errors.search import InvalidScore
from pce_memory.result import collect
from pce_memory.scoring.given import listed, score_of

TextNormalizer: TypeAlias = Literal["max", "minmax"]
ScoresError: TypeAlias = InvalidScore | InvalidParameter


def normalize_text_scores(
    bm25_scores: Sequence[float], *, how: TextNormalizer = "max"
) -> list[float]:
    """Return BM25 scores in [0, 1]: divided by the largest, or spread from least to largest.

    With `minmax` a single score, or equal ones, become 1: the best match is never the worst.

    >>> normalize_text_scores([2.0, 4.0])
    [0.5, 1.0]
    >>> normalize_text_scores([2.0, 3.0, 4.0], how="minmax")
    [0.0, 0.5, 1.0]
    >>> normalize_text_scores([3.0], how="minmax")
    [1.0]
    """
    usable = [score if math.isfinite(score) and score > 0 else 0.0 for score in bm25_scores]
    top = max(usable, default=0.0)
    if top <= 0:
        return [0.0 for _ in usable]
    return spread(usable) if how == "minmax" else [score / top for score in usable]


def spread(scores: Sequence[float]) -> list[float]:
    """Return scores spread from 0, the least, to 1, the largest; equal ones become 1.

    >>> spread([0.2, 0.3, 0.4]), spread([0.5])
    ([0.0, 0.4999999999999999, 1.0], [1.0])
    """
    low, top = min(scores, default=0.0), max(scores, default=0.0)
    if low == top:
        return [1.0 for _ in scores]
    return [(score - low) / (top - low) for score in scores]


def normalize_cosine(cos_sim: float) -> float:
    """Return a cosine in [-1, 1] as a score in [0, 1]; rounding beyond the ends is cut off.

    >>> normalize_cosine(0.0), normalize_cosine(1.0000001), normalize_cosine(-1.0)
    (0.5, 1.0, 0.0)
    """
    return min(1.0, max(0.0, (cos_sim + 1.0) / 2.0))


def normalize_scores(scores: Sequence[float]) -> Result[list[float], ScoresError]:
    """Return scores spread from 0 to 1 in their order, rounded to 1e-10 (seed 000 §3.2).

    One alone becomes 1; equal ones stay as they are, whatever they are.

    >>> normalize_scores([0, 50, 100]).unwrap(), normalize_scores([0.5]).unwrap()
    ([0.0, 0.5, 1.0], [1.0])
    >>> normalize_scores([0.5, "high"]).failure().details
    {'name': 'score', 'score': 'a str'}
    """
    return Result.do(
        _spread_as_given(numbers)
        for given in listed("scores", scores)
        for numbers in collect(score_of("score", one) for one in given)
    )


def _spread_as_given(scores: Sequence[float]) -> list[float]:
    low, top = min(scores, default=0.0), max(scores, default=0.0)
    if len(scores) == 1:
        return [1.0]
    if low == top:
        return list(scores)
    # The distance of the largest numbers is more than a float holds: halve them first.
    part = 1.0 if math.isfinite(top - low) else 0.5
    width = top * part - low * part
    return [round((one * part - low * part) / width, 10) for one in scores]
