"""Reciprocal rank fusion of named strategies (seed 000 §3.1)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, cast

from returns.result import Failure, Result, Success

from pce_memory.domain.ranking import (
    RankedItem,
    RankedLists,
    RRFResult,
    ScoreBreakdown,
    SearchWeights,
)
from pce_memory.domain.records import kind_of, record_of
from pce_memory.errors import InvalidParameter
from pce_memory.errors.search import EmptyRankedLists, InvalidKValue, InvalidWeights
from pce_memory.result import collect
from pce_memory.scoring.given import (
    id_faults,
    listed,
    number_of,
    seen,
    weights_seen,
)

DEFAULT_K: Final = 60.0
TOLERANCE: Final = 0.01
"""How far the sum of weights may be from 1; not quite so far."""

STRATEGIES: Final = tuple(one.name for one in fields(RankedLists))
LAST_RANK: Final = 2**53

RRFError = InvalidWeights | InvalidKValue | EmptyRankedLists | InvalidParameter


def calculate_rrf_score(
    ranked_lists: RankedLists | Mapping[str, Sequence[RankedItem | Mapping[str, object]]],
    weights: SearchWeights | Mapping[str, float] | None = None,
    k: float = DEFAULT_K,
) -> Result[list[RRFResult], RRFError]:
    """Return what the strategies found, fused: the sum of weight / (k + rank), highest first.

    Ranks count from 1; what a list names twice counts at its better rank. Equal scores come in the
    order of their ids. Checked in this order: weights (0 or more, their sum 1 within 0.01), k (1
    or more, fractions allowed), that the lists are lists and one is not empty, ids and ranks. A
    generator is no list: it would be read once.

    Plain mappings do as well, of lists, of weights and of items: an item that says no rank has
    that of its place in the list, and `score` is another word for `original_score`.

    >>> found = RankedLists(keyword=[RankedItem("a", 1)], semantic=[RankedItem("a", 2)])
    >>> round(calculate_rrf_score(found).unwrap()[0].rrf_score, 6)
    0.011383
    >>> plain = {"keyword": [{"id": "a", "score": 0.9}], "semantic": [{"id": "b"}, {"id": "a"}]}
    >>> calculate_rrf_score(plain).unwrap() == calculate_rrf_score(
    ...     RankedLists([RankedItem("a", 1)], [RankedItem("b", 1), RankedItem("a", 2)])
    ... ).unwrap()
    True
    """
    return Result.do(
        _fused(lists, usable, number)
        for shares in record_of(
            "weights", SearchWeights() if weights is None else weights, SearchWeights
        )
        for usable in _weights_of(shares)
        for number in _k_of(k)
        for lists in _lists_of(ranked_lists)
    )


def _weights_of(given: SearchWeights) -> Result[Mapping[str, float], InvalidWeights]:
    said: dict[str, object] = {name: getattr(given, name) for name in STRATEGIES}
    numbers = {name: number_of(one) for name, one in said.items()}
    known = {name: one for name, one in numbers.items() if one is not None and one >= 0}
    if len(known) < len(said) or abs(sum(known.values()) - 1.0) >= TOLERANCE:
        return Failure(InvalidWeights(weights_seen(said)))
    return Success(known)


def _k_of(given: object) -> Result[float, RRFError]:
    k = number_of(given)
    return Failure(InvalidKValue(seen(given))) if k is None or k < 1 else Success(k)


def _lists_of(given: object) -> Result[Mapping[str, Sequence[RankedItem]], RRFError]:
    return Result.do(
        lists
        for ranked in record_of("ranked_lists", given, RankedLists)
        for some in collect(_items(name, getattr(ranked, name)) for name in STRATEGIES)
        for lists in _usable(dict(zip(STRATEGIES, some, strict=True)))
    )


def _items(name: str, given: object) -> Result[Sequence[object], InvalidParameter]:
    """Return a list with an item of ours for each that is a plain mapping."""
    return Result.do(
        items
        for some in listed(name, given)
        for items in collect(
            _item(f"{name}.{place}", place, cast("Mapping[str, object]", one))
            if isinstance(one, Mapping)
            else Success(one)
            for place, one in enumerate(some)
        )
    )


def _item(name: str, place: int, given: Mapping[str, object]) -> Result[object, InvalidParameter]:
    score = given.get("original_score", given.get("score"))
    if score is not None and number_of(score) is None:
        reason = f"it is {kind_of(score)}; give a number"
        return Failure(InvalidParameter(f"{name}.score", reason))
    item = {"id": given.get("id"), "rank": given.get("rank", place + 1), "original_score": score}
    return Success(RankedItem(**cast("Mapping[str, Any]", item)))


def _usable(
    lists: Mapping[str, Sequence[object]],
) -> Result[Mapping[str, Sequence[RankedItem]], RRFError]:
    if not any(len(items) for items in lists.values()):
        return Failure(EmptyRankedLists())
    wrong = next((fault for name, items in lists.items() for fault in _faults(name, items)), None)
    if wrong is not None:
        return Failure(wrong)
    return Success(cast("Mapping[str, Sequence[RankedItem]]", lists))


def _faults(name: str, items: Sequence[object]) -> Iterator[InvalidParameter]:
    yield from id_faults(items, name)
    for place, item in enumerate(items):
        rank: object = getattr(item, "rank", None)
        # Beyond this a float holds no whole number for sure, and far beyond none at all.
        if type(rank) is not int or not 1 <= rank <= LAST_RANK:
            yield InvalidParameter(f"{name}.{place}.rank", "give a whole number from 1 to 2**53")


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
