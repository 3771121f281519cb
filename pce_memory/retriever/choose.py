"""Which of the ranked are shown: not what is said already, and where asked, what differs. Pure."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pce_memory.domain.policy_tuning import Mmr

Matrix: TypeAlias = npt.NDArray[np.float64]


def different(likeness: Matrix, *, similar: float) -> list[int]:
    """Return the places, best first, of those that are less like each better one than `similar`.

    `likeness` has the cosines of the ranked to each other, NaN where one has no vector.

    >>> different(np.array([[1.0, 0.98, 0.2], [0.98, 1.0, 0.2], [0.2, 0.2, 1.0]]), similar=0.95)
    [0, 2]
    """
    kept: list[int] = []
    for place in range(len(likeness)):
        # A comparison with NaN is false: without a vector nothing is like anything.
        if not (likeness[place, kept] >= similar).any():
            kept.append(place)
    return kept


def by_mmr(
    places: Sequence[int], scores: Sequence[float], likeness: Matrix, *, mmr: Mmr
) -> tuple[list[int], list[float]]:
    """Return the places in the order of maximal marginal relevance, and what each was worth.

    Chosen one by one, each is worth λ score - (1 - λ) max likeness to what is chosen before it,
    likeness as (cosine + 1) / 2. That never rises down the list, for a further choice can only
    lower what the rest are worth.

    >>> alike = np.array([[1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])
    >>> order, worth = by_mmr([0, 1, 2], [0.9, 0.8, 0.7], alike, mmr=Mmr(relevance=0.5))
    >>> order, [round(one, 9) for one in worth]
    ([0, 2, 1], [0.45, 0.35, -0.1])
    """
    near = np.nan_to_num((likeness + 1.0) / 2.0)
    rows = np.asarray(places, np.int64)
    relevance = mmr.relevance * np.asarray(scores, np.float64)[rows]
    nearest = np.zeros(len(rows))
    left = np.ones(len(rows), np.bool_)
    order, worths = list[int](), list[float]()
    for _ in range(len(rows)):
        worth = np.where(left, relevance - (1.0 - mmr.relevance) * nearest, -np.inf)
        best = int(np.argmax(worth))
        left[best] = False
        nearest = np.maximum(nearest, near[rows, rows[best]])
        order.append(int(rows[best]))
        worths.append(float(worth[best]))
    return order, worths
