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
    places: Sequence[int], scores: Sequence[float], likeness: Matrix, *, mmr: Mmr, limit: int
) -> list[int]:
    """Return `limit` of the places, chosen one by one by maximal marginal relevance, in order.

    λ score - (1 - λ) max likeness to what is chosen, likeness as (cosine + 1) / 2. What is chosen
    is shown in the order of the scores, so these never rise down the list.

    >>> alike = np.array([[1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])
    >>> by_mmr([0, 1, 2], [0.9, 0.8, 0.7], alike, mmr=Mmr(relevance=0.5), limit=2)
    [0, 2]
    """
    near = np.nan_to_num((likeness + 1.0) / 2.0)
    left, chosen = list(places), list[int]()
    while left and len(chosen) < limit:
        worth = [
            mmr.relevance * scores[place]
            - (1.0 - mmr.relevance) * float(near[place, chosen].max(initial=0.0))
            for place in left
        ]
        chosen.append(left.pop(int(np.argmax(worth))))
    return sorted(chosen)
