"""The best of many numbers, ties by place: the order SQL gives with `order by x desc, row_id`."""

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]


def best(scores: Scores, limit: int) -> Places:
    """Return the places of the `limit` highest scores, highest first, the lower place first.

    >>> best(np.array([1.0, 3.0, 3.0, 2.0]), 2).tolist()
    [1, 2]
    """
    if limit <= 0:
        return np.empty(0, np.int64)
    if limit >= len(scores):
        kept = np.arange(len(scores))
    else:
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        above = np.flatnonzero(scores > least)
        level = np.flatnonzero(scores == least)[: limit - len(above)]
        kept = np.sort(np.concatenate([above, level]))
    return kept[np.argsort(-scores[kept], kind="stable")]
