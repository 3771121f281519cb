"""Bring the scores of the lanes to [0, 1]."""

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

TextNormalizer: TypeAlias = Literal["max", "minmax"]


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
