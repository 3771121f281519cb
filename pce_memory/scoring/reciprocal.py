"""Reciprocal rank fusion of named strategies (seed 000 §3.1)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.domain.ranking import (
    RankedItem,
    RankedLists,
    RRFResult,
    ScoreBreakdown,
    SearchWeights,
)
from pce_memory.errors import InvalidParameter
from pce_memory.errors.search import EmptyRankedLists, InvalidKValue, InvalidWeights

DEFAULT_K: Final = 60.0
TOLERANCE: Final = 0.01
"""How far the sum of weights may be from 1; not quite so far."""

RRFError = InvalidWeights | InvalidKValue | EmptyRankedLists | InvalidParameter


def calculate_rrf_score(
    ranked_lists: RankedLists, weights: SearchWeights | None = None, k: float = DEFAULT_K
) -> Result[list[RRFResult], RRFError]:
    """Return what the strategies found, fused: the sum of weight / (k + rank), highest first.

    Ranks count from 1; what a list names twice counts at its better rank. Equal scores come in the
    order of their ids. Checked in this order: weights (0 or more, their sum 1 within 0.01), k (1
    or more, fractions allowed), that a list is not empty, ranks.

    >>> found = RankedLists(keyword=[RankedItem("a", 1)], semantic=[RankedItem("a", 2)])
    >>> round(calculate_rrf_score(found).unwrap()[0].rrf_score, 6)
    0.011383
    """
    given = asdict(weights or SearchWeights())
    lists = {"keyword": ranked_lists.keyword, "semantic": ranked_lists.semantic}
    lists["graph"] = ranked_lists.graph
    if not _usable(given):
        return Failure(InvalidWeights(given))
    if not (math.isfinite(k) and k >= 1):
        return Failure(InvalidKValue(k))
    if not any(lists.values()):
        return Failure(EmptyRankedLists())
    wrong = next((one for items in lists.values() for one in items if not _ranks(one)), None)
    if wrong is not None:
        return Failure(InvalidParameter("rank", f"{wrong.rank!r} is not a whole number from 1"))
    return Success(_fused(lists, given, k))


def _usable(weights: Mapping[str, float]) -> bool:
    values = weights.values()
    finite = all(math.isfinite(one) and one >= 0 for one in values)
    return finite and abs(sum(values) - 1.0) < TOLERANCE


def _ranks(item: RankedItem) -> bool:
    return type(item.rank) is int and item.rank >= 1


def _fused(
    lists: Mapping[str, Sequence[RankedItem]], weights: Mapping[str, float], k: float
) -> list[RRFResult]:
    best: dict[str, dict[str, int]] = {}
    for name, items in lists.items():
        for item in items:
            ranks = best.setdefault(item.id, {})
            ranks[name] = min(item.rank, ranks.get(name, item.rank))
    fused = [
        _result(id_, {name: weights[name] / (k + rank) for name, rank in ranks.items()})
        for id_, ranks in best.items()
    ]
    return sorted(fused, key=lambda one: (-one.rrf_score, one.id))


def _result(id_: str, parts: Mapping[str, float]) -> RRFResult:
    # fsum gives one sum whatever the order of the strategies.
    return RRFResult(id_, math.fsum(parts.values()), ScoreBreakdown(**parts))
