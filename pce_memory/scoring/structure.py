"""What the structure of a fused run says of its quality (seed 004 §5): no judgement is needed."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from itertools import combinations
from typing import Final

from pce_memory.domain.fusion import Band, FrontierPoint, StructuralMetrics

TOP: Final = 50
"""So many of each list are looked at."""
HEALTHY: Final = 0.35
"""Up to this share of the score, the first three are no worse for it."""
FEW: Final = 20
"""Of fewer documents the shape says little: what equal scores would give is taken off."""
FIRST: Final = 3
"""So many are what S_shape compares with the whole."""
STEEP, FLAT = 0.5, 0.15
"""A S_shape above the one is a warning, from the other on it is ok."""

BANDS: Final[Mapping[str, tuple[float, float]]] = {
    "LAS": (0.4, 0.3),
    "CCW": (0.5, 0.3),
    "F_struct": (0.4, 0.3),
    "Fproxy": (0.5, 0.4),
}
"""From the first number on a metric is ok; below the second it is a warning."""


def lane_agreement(lanes: Sequence[AbstractSet[str]]) -> float:
    """Return LAS: the mean Jaccard index of every two lanes; 0 for fewer than two, or empty ones.

    >>> round(lane_agreement([{"a", "b", "c", "d"}, {"b", "c", "e"}, {"a", "c", "f"}]), 4)
    0.3333
    """
    pairs = [
        len(one & other) / len(one | other) if one | other else 0.0
        for one, other in combinations(lanes, 2)
    ]
    return math.fsum(pairs) / len(pairs) if pairs else 0.0


def class_consistency(codes: Iterable[str]) -> float:
    """Return CCW: 1 - H / log n over the n codes that occur; 0 without codes, 1 for a single one.

    >>> round(class_consistency("xxxy"), 6), class_consistency("xy"), class_consistency("xx")
    (0.188722, 0.0, 1.0)
    """
    counts = Counter(codes)
    total = counts.total()
    if len(counts) <= 1:
        return float(len(counts))
    shares = (count / total for count in counts.values())
    entropy = -math.fsum(share * math.log(share) for share in shares)
    return min(1.0, max(0.0, 1.0 - entropy / math.log(len(counts))))


def score_shape(scores: Sequence[float]) -> float:
    """Return S_shape: the share of the first three in the scores of the top; 0 for fewer.

    >>> score_shape([3.0, 1.0, 1.0, 5 / 3, 5 / 3, 5 / 3])
    0.5
    """
    top = scores[:TOP]
    whole = math.fsum(top)
    if len(top) < FIRST or whole <= 0:
        return 0.0
    return min(1.0, max(0.0, math.fsum(top[:FIRST]) / whole))


def structural_f(las: float, ccw: float, *, beta: float = 1.0) -> float:
    """Return F_struct: (1 + b²) LAS CCW / (b² LAS + CCW); 0 where both are 0.

    >>> round(structural_f(0.45, 0.62), 6)
    0.521495
    """
    below = beta**2 * las + ccw
    return (1 + beta**2) * las * ccw / below if below > 0 else 0.0


def fusion_proxy(f_struct: float, s_shape: float) -> float:
    """Return Fproxy: F_struct lowered by how far S_shape is beyond what is healthy.

    >>> round(fusion_proxy(0.521495, 0.28), 4), round(fusion_proxy(0.5484, 0.62), 4)
    (0.5215, 0.3206)
    """
    return f_struct * (1.0 - max(0.0, (s_shape - HEALTHY) / (1.0 - HEALTHY)))


def adjusted_shape(s_shape: float, documents: int) -> float:
    """Return S_shape as Fproxy takes it: of few documents, what equal scores would give is off."""
    n = min(TOP, documents)
    if n >= FEW:
        return s_shape
    # Of three alone, the first three are all.
    if n <= FIRST:
        return 0.0
    flat = FIRST / n
    return max(0.0, (s_shape - flat) / (1.0 - flat))


def structural_metrics(
    lanes: Sequence[Sequence[str]], codes: Iterable[str], scores: Sequence[float]
) -> StructuralMetrics:
    """Return every metric of a fused run.

    `lanes` has the ids of each run, best first; `codes` every code of the documents of the top, as
    often as it occurs; `scores` the scores of the fused run, highest first.
    """
    las = lane_agreement([frozenset(ids[:TOP]) for ids in lanes])
    ccw = class_consistency(codes)
    shape = score_shape(scores)
    f_struct = structural_f(las, ccw)
    return StructuralMetrics(
        LAS=las,
        CCW=ccw,
        S_shape=shape,
        F_struct=f_struct,
        Fproxy=fusion_proxy(f_struct, adjusted_shape(shape, len(scores))),
    )


def band_of(name: str, value: float) -> Band:
    """Return how healthy a metric is."""
    if name == "S_shape":
        if value > STEEP:
            return "warn"
        return "ok" if FLAT <= value <= HEALTHY else "fair"
    fine, poor = BANDS[name]
    if value >= fine:
        return "ok"
    return "warn" if value < poor else "fair"


def frontier(
    pi: Sequence[float], k_grid: Sequence[int], *, beta: float = 1.0
) -> tuple[FrontierPoint, ...]:
    """Return how the ranking does by π when it is cut at each k: P*, R* and Fβ*.

    `pi` is in the order of the ranking. P* = the sum of π of the first k / k, R* = that / the sum
    of all; where every π is 0 each counts 1. A k beyond the end is the end, and each comes once.
    """
    worth = list(pi) if any(pi) else [1.0] * len(pi)
    whole = math.fsum(worth)
    cuts = sorted({min(k, len(worth)) for k in k_grid if k > 0} - {0})
    return tuple(_point(k, math.fsum(worth[:k]), whole, beta) for k in cuts)


def _point(k: int, gained: float, whole: float, beta: float) -> FrontierPoint:
    precision, recall = min(1.0, gained / k), min(1.0, gained / whole)
    return FrontierPoint(
        k=k, precision=precision, recall=recall, f_beta=structural_f(precision, recall, beta=beta)
    )
