"""Measures of a ranking, and the percentile of some times: pure."""

import math
from collections.abc import Iterable, Sequence


def recall(ranked: Sequence[str], wanted: frozenset[str], k: int) -> float:
    """Return which part of `wanted` is among the first `k`.

    >>> recall(["a", "b", "c"], frozenset("cd"), 2), recall(["a", "b", "c"], frozenset("cd"), 3)
    (0.0, 0.5)
    """
    return len(wanted.intersection(ranked[:k])) / len(wanted)


def ndcg(ranked: Sequence[str], wanted: frozenset[str], k: int) -> float:
    """Return the normalised discounted gain of the first `k`: 1 if all wanted come first.

    >>> ndcg(["a", "x"], frozenset("a"), 12), round(ndcg(["x", "a"], frozenset("a"), 12), 4)
    (1.0, 0.6309)
    """
    gain = sum(
        1 / math.log2(place + 1) for place, one in enumerate(ranked[:k], 1) if one in wanted
    )
    best = sum(1 / math.log2(place + 1) for place in range(1, min(k, len(wanted)) + 1))
    return gain / best


def reciprocal_rank(ranked: Sequence[str], wanted: frozenset[str]) -> float:
    """Return 1 / the rank of the first wanted one, 0 if there is none.

    >>> reciprocal_rank(["x", "a", "b"], frozenset("ab")), reciprocal_rank(["x"], frozenset("a"))
    (0.5, 0.0)
    """
    return next((1 / place for place, one in enumerate(ranked, 1) if one in wanted), 0.0)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` of the values do not pass.

    >>> percentile([1.0, 2.0, 3.0, 4.0], 0.5), percentile([1.0, 2.0, 3.0, 4.0], 0.95)
    (2.0, 4.0)
    """
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def distinct(turns: Iterable[str]) -> list[str]:
    """Return each turn once, at its first place.

    >>> distinct(["b", "a", "b"])
    ['b', 'a']
    """
    return list(dict.fromkeys(turns))
