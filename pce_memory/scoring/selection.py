"""Results as lists: each once, merged, sorted, cut at a threshold (seed 000 §3.3–3.8).

What returns a Result takes anything and never raises. `deduplicate_results` and
`sort_by_relevance` take any results with scores; a strategy or a direction that there is none of
is a ValueError. Results may be objects or plain mappings: what comes out is what went in.
"""

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cmp_to_key
from itertools import chain
from numbers import Real
from typing import Any, TypeAlias, TypeVar, cast

from returns.result import Failure, Result, Success

from pce_memory.domain.ranking import (
    DeduplicationStrategy,
    Direction,
    HasScore,
    MergeConfig,
    Scored,
    SortOptions,
)
from pce_memory.domain.records import kind_of, or_value_error, record_of
from pce_memory.errors import InvalidParameter
from pce_memory.errors.search import InvalidScore, InvalidThreshold
from pce_memory.result import collect
from pce_memory.scoring.given import (
    chosen,
    faults,
    id_faults,
    listed,
    number_of,
    one_of,
    part_of,
    score_of,
    seen,
)
from pce_memory.scoring.rescored import rescored

T = TypeVar("T", bound=Scored)
S = TypeVar("S", bound=HasScore)
MergeError: TypeAlias = InvalidParameter | InvalidScore
FilterError: TypeAlias = InvalidThreshold | InvalidScore | InvalidParameter


def deduplicate_results(
    results: Sequence[T], strategy: DeduplicationStrategy = "max_score"
) -> list[T]:
    """Return each id once, highest score first; equal scores in the order they came.

    max_score keeps the best of an id, first and last that one; sum_score gives the first the sum
    of the scores, which may exceed 1: of finite scores, the highest float at most. Another
    strategy is a ValueError.
    """
    chosen("strategy", strategy, DeduplicationStrategy)
    return _deduplicated(results, strategy, _within_floats)


def _deduplicated(
    results: Sequence[T],
    strategy: DeduplicationStrategy,
    summed: Callable[[Sequence[HasScore]], float],
) -> list[T]:
    groups: dict[str, list[T]] = {}
    for one in results:
        groups.setdefault(_id_of(one), []).append(one)
    return sort_by_relevance([_chosen(group, strategy, summed) for group in groups.values()])


def _chosen(
    group: list[T],
    strategy: DeduplicationStrategy,
    summed: Callable[[Sequence[HasScore]], float],
) -> T:
    match strategy:
        case "first":
            return group[0]
        case "last":
            return group[-1]
        case "max_score":
            return max(group, key=_height)
        case "sum_score":
            return group[0] if len(group) == 1 else rescored(group[0], summed(group))


def _total(group: Sequence[HasScore]) -> float:
    # fsum gives one sum in any order, and refuses what sum takes for inf or nan.
    scores = [_as_float(_score_of(one)) for one in group]
    try:
        return math.fsum(scores)
    except (OverflowError, ValueError):
        return sum(scores)


def _within_floats(group: Sequence[HasScore]) -> float:
    # A sum of numbers is a number: infinity is none, and a filter or a merge would refuse it.
    total = _total(group)
    if math.isinf(total) and all(math.isfinite(_as_float(_score_of(one))) for one in group):
        return math.copysign(sys.float_info.max, total)
    return total


def _as_float(score: float) -> float:
    try:
        return float(score)
    except OverflowError:  # a whole number beyond every float
        return math.inf if score > 0 else -math.inf


def sort_by_relevance(
    results: Sequence[S], options: SortOptions[S] | Mapping[str, object] | None = None
) -> list[S]:
    """Return a new list, sorted by score, highest first unless told otherwise, and stable.

    The tie breaker orders equal scores in either direction alike. What is no number comes last.
    Another direction than asc and desc is a ValueError.
    """
    how = _options(options)
    chosen("direction", how.direction, Direction)
    downwards = how.direction == "desc"

    def compared(one: S, other: S) -> int:
        left, right = _height(one), _height(other)
        if left != right:
            return -1 if (left > right) is downwards else 1
        return 0 if how.tie_breaker is None else _sign(how.tie_breaker(one, other))

    numbers = [one for one in results if not _is_nan(_score_of(one))]
    rest = [one for one in results if _is_nan(_score_of(one))]
    return sorted(numbers, key=cmp_to_key(compared)) + rest


def _options(given: object) -> "SortOptions[Any]":
    plain: SortOptions[Any] = SortOptions()
    return or_value_error(record_of("options", plain if given is None else given, type(plain)))


def _is_nan(score: float) -> bool:
    return score != score  # noqa: PLR0124 - math.isnan takes no whole number beyond every float


def _height(one: HasScore) -> float:
    score = _score_of(one)
    return -math.inf if _is_nan(score) else score


def _score_of(one: HasScore) -> float:
    """Return the score of a result; a plain mapping has to have a number."""
    return or_value_error(_number_in(one)) if isinstance(one, Mapping) else one.score


def _number_in(given: object) -> Result[float, InvalidParameter]:
    score = part_of(given, "score")
    if not isinstance(score, bool) and isinstance(score, Real):
        return Success(cast("float", score))
    return Failure(InvalidParameter("results.score", f"it is {kind_of(score)}; give a number"))


def _id_of(one: Scored) -> str:
    """Return the id of a result; a plain mapping has to have a text."""
    return or_value_error(_text_in(one)) if isinstance(one, Mapping) else one.id


def _text_in(given: object) -> Result[str, InvalidParameter]:
    id_ = part_of(given, "id")
    if isinstance(id_, str):
        return Success(id_)
    return Failure(InvalidParameter("results.id", f"it is {kind_of(id_)}; give a text"))


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def filter_by_threshold(results: Sequence[S], threshold: float) -> Result[list[S], FilterError]:
    """Return what has the threshold's score or more, in its order; the threshold is in [0, 1]."""
    least = number_of(threshold)
    if least is None or not 0.0 <= least <= 1.0:
        return Failure(InvalidThreshold(seen(threshold)))

    return Result.do(
        [one for one in cast("Sequence[S]", given) if _score_of(one) >= least]
        for given in listed("results", results)
        for _ in _fine(faults(given))
    )


def merge_search_results(
    result_sets: Sequence[Sequence[T]],
    config: MergeConfig | Mapping[str, object] | None = None,
) -> Result[list[T], MergeError]:
    """Return the results of several sources as one list: each once, filtered, cut, best first."""
    return Result.do(
        [one for one in merged if _score_of(one) >= least][: how.max_results]
        for how in record_of("config", MergeConfig() if config is None else config, MergeConfig)
        for least in _least(how)
        for every in _every(result_sets)
        for merged in _once(cast("Sequence[T]", every), how)
    )


def _least(how: MergeConfig) -> Result[float, MergeError]:
    """Return the least score to be kept, if all that a config says can be."""
    return Result.do(
        least
        for _ in one_of(
            "deduplication_strategy", how.deduplication_strategy, DeduplicationStrategy
        )
        for _ in _bound(how.max_results)
        for least in (
            Success(-math.inf) if how.min_score is None else score_of("min_score", how.min_score)
        )
    )


def _bound(given: object) -> Result[None, InvalidParameter]:
    if given is None or (type(given) is int and given >= 0):
        return Success(None)
    return Failure(InvalidParameter("max_results", "give a whole number from 0, or None for all"))


def _every(given: object) -> Result[Sequence[object], MergeError]:
    """Return the results of all sets, if each has an id and a score."""

    def whole(name: str, one: object) -> Result[Sequence[object], MergeError]:
        return Result.do(
            some
            for some in listed(name, one)
            for _ in _fine(chain(id_faults(some, name), faults(some, name)))
        )

    return Result.do(
        tuple(chain.from_iterable(sets))
        for outer in listed("result_sets", given)
        for sets in collect(whole(f"result_sets.{place}", one) for place, one in enumerate(outer))
    )


def _fine(wrong: Iterator[MergeError]) -> Result[None, MergeError]:
    first = next(wrong, None)
    return Success(None) if first is None else Failure(first)


def _once(every: Sequence[T], how: MergeConfig) -> Result[list[T], MergeError]:
    """Return each result once, if their sums are numbers and their type takes one."""
    try:
        merged = _deduplicated(every, how.deduplication_strategy, _total)
    except (
        AttributeError,
        TypeError,
        ValueError,
    ):  # a type of the caller's that nothing is set of
        reason = f"{kind_of(every[0])} cannot be copied with another score"
        return Failure(InvalidParameter("result_sets", reason))
    scores = map(_score_of, merged)
    beyond = next((score for score in scores if number_of(score) is None), None)
    if beyond is not None:
        return Failure(InvalidScore("sum_score", seen(beyond)))
    return Success(merged)
