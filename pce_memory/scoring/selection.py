"""Results as lists: each once, merged, sorted, cut at a threshold (seed 000 §3.3–3.8)."""

import math
from collections.abc import Iterable, Sequence
from functools import cmp_to_key
from itertools import chain
from typing import TypeVar

from returns.result import Failure, Result, Success

from pce_memory.domain.ranking import (
    DeduplicationStrategy,
    HasScore,
    MergeConfig,
    Scored,
    SortOptions,
)
from pce_memory.errors import InvalidParameter
from pce_memory.errors.search import InvalidScore, InvalidThreshold
from pce_memory.scoring.rescored import rescored

T = TypeVar("T", bound=Scored)
S = TypeVar("S", bound=HasScore)


def deduplicate_results(
    results: Sequence[T], strategy: DeduplicationStrategy = "max_score"
) -> list[T]:
    """Return each id once, highest score first; equal scores in the order they came.

    max_score keeps the best of an id, first and last that one; sum_score gives the first the sum
    of the scores, which may exceed 1.
    """
    groups: dict[str, list[T]] = {}
    for one in results:
        groups.setdefault(one.id, []).append(one)
    return sort_by_relevance([_chosen(group, strategy) for group in groups.values()])


def _chosen(group: list[T], strategy: DeduplicationStrategy) -> T:
    match strategy:
        case "first":
            return group[0]
        case "last":
            return group[-1]
        case "sum_score" if len(group) > 1:
            return rescored(group[0], _total([one.score for one in group]))
        case _:
            return max(group, key=_height)


def _total(scores: Sequence[float]) -> float:
    # fsum gives one sum in any order, and refuses what sum takes for inf or nan.
    try:
        return math.fsum(scores)
    except (OverflowError, ValueError):
        return sum(scores)


def sort_by_relevance(results: Sequence[S], options: SortOptions[S] | None = None) -> list[S]:
    """Return a new list, sorted by score, highest first unless told otherwise, and stable.

    The tie breaker orders equal scores in either direction alike. What is no number comes last.
    """
    how: SortOptions[S] = options or SortOptions()
    downwards = how.direction == "desc"

    def compared(one: S, other: S) -> int:
        left, right = _height(one), _height(other)
        if left != right:
            return _sign(right - left if downwards else left - right)
        return 0 if how.tie_breaker is None else _sign(how.tie_breaker(one, other))

    numbers = [one for one in results if not math.isnan(one.score)]
    rest = [one for one in results if math.isnan(one.score)]
    return sorted(numbers, key=cmp_to_key(compared)) + rest


def _height(one: HasScore) -> float:
    return -math.inf if math.isnan(one.score) else one.score


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def filter_by_threshold(
    results: Sequence[S], threshold: float
) -> Result[list[S], InvalidThreshold | InvalidScore]:
    """Return what has the threshold's score or more, in its order; the threshold is in [0, 1]."""
    if not 0.0 <= threshold <= 1.0:
        return Failure(InvalidThreshold(threshold))
    wrong = _not_finite(results)
    if wrong is not None:
        return Failure(wrong)
    return Success([one for one in results if one.score >= threshold])


def merge_search_results(
    result_sets: Sequence[Sequence[T]], config: MergeConfig | None = None
) -> Result[list[T], InvalidParameter | InvalidScore]:
    """Return the results of several sources as one list: each once, filtered, cut, best first."""
    how = config or MergeConfig()
    if how.max_results is not None and how.max_results < 0:
        return Failure(InvalidParameter("max_results", f"{how.max_results} is below 0"))
    if how.min_score is not None and not math.isfinite(how.min_score):
        return Failure(InvalidScore("min_score", how.min_score))
    every = list(chain.from_iterable(result_sets))
    wrong = _not_finite(every)
    if wrong is not None:
        return Failure(wrong)
    merged = deduplicate_results(every, how.deduplication_strategy)
    least = -math.inf if how.min_score is None else how.min_score
    return Success([one for one in merged if one.score >= least][: how.max_results])


def _not_finite(results: Iterable[HasScore]) -> InvalidScore | None:
    wrong = next((one.score for one in results if not math.isfinite(one.score)), None)
    return None if wrong is None else InvalidScore("score", wrong)
