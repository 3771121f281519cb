"""The score after a reranker: what it judged stands in the upper half, all else in the lower."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def reranked_scores(said: Floats, before: Floats, *, threshold: float, weight: float) -> Floats:
    """Return the score of every row; `said` is in [0, 1], or NaN where nothing was asked.

    With b = (before - t) / (1 - t) it is t + (1 - t) (1 + w said + (1 - w) b) / 2 for what was
    judged, and t + (1 - t) b / 2 for the others. So it stays in [t, 1], what was judged is above
    what was not, and the others keep their order. A halved range is the price of that: a score
    says the same however many others there are.

    >>> said, before = np.array([0.2, 0.9, np.nan]), np.array([0.9, 0.8, 0.7])
    >>> reranked_scores(said, before, threshold=0.0, weight=1.0).tolist()
    [0.6, 0.95, 0.35]
    """
    room = 1.0 - threshold
    if room <= 0.0:
        return np.full(len(before), 1.0)
    rest = np.clip((before - threshold) / room, 0.0, 1.0)
    upper = 0.5 + (weight * said + (1.0 - weight) * rest) / 2.0
    placed = np.where(np.isnan(said), rest / 2.0, upper)
    return np.asarray(np.minimum(1.0, threshold + room * placed), np.float64)
