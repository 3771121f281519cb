"""Seed 000 beyond its tables: bounds, monotony, idempotence, and no say of order or of input."""

import copy
import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st
from returns.result import Failure, Success

from pce_memory.domain.ranking import (
    MergeConfig,
    QueryExpansionConfig,
    RankedItem,
    RankedLists,
    SearchWeights,
    SortOptions,
)
from pce_memory.scoring.noise import determine_score_direction, is_score_change_significant
from pce_memory.scoring.normalize import normalize_scores
from pce_memory.scoring.reciprocal import calculate_rrf_score
from pce_memory.scoring.relevance import calculate_crag_score
from pce_memory.scoring.selection import (
    deduplicate_results,
    filter_by_threshold,
    merge_search_results,
    sort_by_relevance,
)
from pce_memory.text.expansion import expand_query


@dataclass(frozen=True)
class Hit:
    id: str
    score: float
    place: int = 0


FINITE = st.floats(allow_nan=False, allow_infinity=False)
UNITS = st.floats(0, 1)
IDS = st.sampled_from("abcdefgh")
HITS = st.lists(st.builds(Hit, IDS, FINITE, st.integers(0, 99)), max_size=12)
STRATEGIES = st.sampled_from(["max_score", "sum_score", "first", "last"])
RANKS = st.lists(st.builds(RankedItem, IDS, st.integers(1, 50)), max_size=8)
LISTS = st.builds(RankedLists, RANKS, RANKS, RANKS)
SHARES = st.tuples(UNITS, UNITS, UNITS).filter(lambda parts: sum(parts) > 1e-6)
WEIGHTS = SHARES.map(lambda parts: SearchWeights(*(one / sum(parts) for one in parts)))
KS = st.floats(1, 1000)


def scores(lists: RankedLists, weights: SearchWeights, k: float) -> dict[str, float]:
    found = calculate_rrf_score(lists, weights, k).value_or([])
    return {one.id: one.rrf_score for one in found}


@given(lists=LISTS, weights=WEIGHTS, k=KS)
def test_the_order_of_the_strategies_and_of_their_items_says_nothing(
    lists: RankedLists, weights: SearchWeights, k: float
) -> None:
    turned = RankedLists(lists.graph[::-1], lists.keyword[::-1], lists.semantic[::-1])
    with_them = SearchWeights(weights.graph, weights.keyword, weights.semantic)
    assert scores(turned, with_them, k) == scores(lists, weights, k)


@given(lists=LISTS, weights=WEIGHTS, k=KS)
def test_scores_are_bounded_sorted_and_the_sum_of_their_parts(
    lists: RankedLists, weights: SearchWeights, k: float
) -> None:
    found = calculate_rrf_score(lists, weights, k).value_or([])
    everything = [*lists.keyword, *lists.semantic, *lists.graph]
    assert {one.id for one in found} == {one.id for one in everything}
    assert all(one.rrf_score >= other.rrf_score for one, other in pairwise(found))
    for one in found:
        parts = one.score_breakdown
        assert one.rrf_score == pytest.approx(parts.keyword + parts.semantic + parts.graph)
        assert 0 <= one.rrf_score <= 1 / (k + 1) + 1e-12


@given(lists=LISTS, weights=WEIGHTS, k=KS, name=IDS)
def test_a_better_rank_never_lowers_a_score(
    lists: RankedLists, weights: SearchWeights, k: float, name: str
) -> None:
    better = RankedLists([*lists.keyword, RankedItem(name, 1)], lists.semantic, lists.graph)
    before = scores(lists, weights, k)
    after = scores(better, weights, k)
    assert after[name] >= before.get(name, 0.0)
    assert {**after, name: 0.0} == {**before, name: 0.0}


@given(given_=st.lists(FINITE, max_size=20))
def test_normal_scores_are_in_0_to_1_in_their_order_and_normal_once_more(
    given_: list[float],
) -> None:
    before = list(given_)
    normal = normalize_scores(given_).unwrap()
    assert given_ == before
    assert len(normal) == len(given_)
    if len(set(given_)) > 1:
        assert (min(normal), max(normal)) == (0.0, 1.0)
        assert normalize_scores(normal).unwrap() == normal
    for one, other in zip(given_, normal, strict=True):
        for second, beside in zip(given_, normal, strict=True):
            assert not (one < second and other > beside)


@given(found=HITS, strategy=STRATEGIES)
def test_each_id_is_once_and_once_more_changes_nothing(found: list[Hit], strategy: str) -> None:
    before = copy.deepcopy(found)
    once = deduplicate_results(found, strategy)  # type: ignore[arg-type]
    assert found == before
    assert sorted(one.id for one in once) == sorted({one.id for one in found})
    assert all(one.score >= other.score for one, other in pairwise(once))
    assert deduplicate_results(once, strategy) == once  # type: ignore[arg-type]


@given(found=HITS)
def test_the_best_of_an_id_is_at_least_any_of_it(found: list[Hit]) -> None:
    best = {one.id: one.score for one in deduplicate_results(found, "max_score")}
    assert all(best[one.id] >= one.score for one in found)


@given(found=HITS, direction=st.sampled_from(["asc", "desc"]))
def test_sorting_keeps_everything_and_what_is_equal_in_its_order(
    found: list[Hit], direction: str
) -> None:
    placed = [Hit(one.id, one.score, place) for place, one in enumerate(found)]
    done = sort_by_relevance(placed, SortOptions(direction))  # type: ignore[arg-type]
    assert sorted(done, key=lambda one: one.place) == placed
    for one, other in pairwise(done):
        assert one.score >= other.score if direction == "desc" else one.score <= other.score
        assert one.score != other.score or one.place < other.place
    assert sort_by_relevance(done, SortOptions(direction)) == done  # type: ignore[arg-type]


@given(found=HITS, low=UNITS, high=UNITS)
def test_a_higher_threshold_keeps_less(found: list[Hit], low: float, high: float) -> None:
    least, most = sorted([low, high])
    wide = filter_by_threshold(found, least).unwrap()
    assert wide == [one for one in found if one in wide]
    assert filter_by_threshold(wide, most) == filter_by_threshold(found, most)
    assert all(one.score >= least for one in wide)


@given(sets=st.lists(HITS, max_size=4), strategy=STRATEGIES, most=st.integers(0, 6), least=UNITS)
def test_merging_is_deduplicating_then_filtering_then_cutting(
    sets: list[list[Hit]], strategy: str, most: int, least: float
) -> None:
    before = copy.deepcopy(sets)
    how = MergeConfig(strategy, most, least)  # type: ignore[arg-type]
    merged = merge_search_results(sets, how).unwrap()
    every = [one for some in sets for one in some]
    once = deduplicate_results(every, strategy)  # type: ignore[arg-type]
    assert merged == filter_by_threshold(once, least).unwrap()[:most]
    assert sets == before


@given(relevance=UNITS, other=UNITS, confidence=UNITS)
def test_more_relevance_is_never_a_worse_verdict(
    relevance: float, other: float, confidence: float
) -> None:
    order = ["incorrect", "ambiguous", "correct"]
    low, high = (
        calculate_crag_score(one, confidence).unwrap() for one in sorted([relevance, other])
    )
    assert order.index(low.relevance) <= order.index(high.relevance)
    assert low.needs_web_search == (low.relevance != "correct")
    assert low.confidence == confidence


WORDS = st.sampled_from(["ai", "AI", "ML", "機械学習", "学習", "c++", "log in", "サーバー"])
ENTRIES = st.fixed_dictionaries(
    {}, optional={"synonyms": st.lists(WORDS, max_size=4), "related": st.lists(WORDS, max_size=4)}
)
DICTIONARIES = st.dictionaries(
    st.sampled_from(["en", "ja"]), st.dictionaries(WORDS, ENTRIES, max_size=5)
)
QUERIES = st.lists(WORDS | st.text(max_size=5), max_size=4).map(" ".join)


@given(
    query=QUERIES,
    dictionary=DICTIONARIES,
    most=st.integers(-1, 8),
    language=st.sampled_from(["en", "ja"]),
    synonyms=st.booleans(),
    related=st.booleans(),
)
def test_expansions_are_of_the_dictionary_each_once_and_never_the_query(
    query: str,
    dictionary: dict[str, dict[str, dict[str, list[str]]]],
    most: int,
    language: str,
    *,
    synonyms: bool,
    related: bool,
) -> None:
    how = QueryExpansionConfig(most, synonyms, related, language)  # type: ignore[arg-type]
    before = copy.deepcopy(dictionary)
    found = expand_query(query, how, dictionary)
    assert dictionary == before
    near, far = found.metadata.synonym_count, found.metadata.related_count
    assert near + far == len(found.expanded) <= max(0, most)
    assert near == 0 or synonyms
    assert far == 0 or related
    folded = [one.casefold() for one in found.expanded]
    assert len(set(folded)) == len(folded)
    assert query.casefold() not in folded
    entries = dictionary.get(language, {}).values()
    known = {word for one in entries for words in one.values() for word in words}
    assert {*found.expanded} <= known
    fewer = expand_query(query, QueryExpansionConfig(2, synonyms, related, language), dictionary)  # type: ignore[arg-type]
    assert fewer.expanded == found.expanded[:2] or most < 2


# Whatever JSON can say, and numbers that only Python has; also where a list or a noun should be.
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    # Rarely drawn, and beyond every float.
    | st.sampled_from([10**400, -(10**400), 2**53 + 1]),
    lambda inside: (
        st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=4), inside, max_size=3)
    ),
    max_leaves=8,
)
ANY_HITS = st.lists(st.builds(Hit, JSON, JSON) | JSON, max_size=4) | JSON
ANY_RANKS = st.lists(st.builds(RankedItem, JSON, JSON) | JSON, max_size=4) | JSON


def is_answered(result: object) -> None:
    """Fail unless a Result, of which an error says what was wrong in few words."""
    assert isinstance(result, (Success, Failure))
    if isinstance(result, Failure):
        error = result.failure()
        assert error.code.startswith("INVALID_") or error.code == "EMPTY_RANKED_LISTS"
        assert len(error.message) < 200
        assert len(repr(error)) < 500
        json.dumps(error.details)


@given(
    lists=st.builds(RankedLists, ANY_RANKS, ANY_RANKS, ANY_RANKS) | JSON,
    weights=st.builds(SearchWeights, JSON, JSON, JSON) | WEIGHTS | st.none() | JSON,
    k=JSON | KS,
)
def test_whatever_is_fused_is_fused_or_refused(lists: Any, weights: Any, k: Any) -> None:
    is_answered(calculate_rrf_score(lists, weights, k))


@given(scores=st.lists(JSON, max_size=4) | JSON, relevance=JSON | UNITS, confidence=JSON | UNITS)
def test_whatever_is_a_score_is_taken_or_refused(
    scores: Any, relevance: Any, confidence: Any
) -> None:
    is_answered(normalize_scores(scores))
    is_answered(calculate_crag_score(relevance, confidence))


@given(now=JSON | UNITS, before=JSON | UNITS, noise=JSON | UNITS)
def test_whatever_is_compared_is_compared_or_refused(now: Any, before: Any, noise: Any) -> None:
    is_answered(determine_score_direction(now, before, noise))
    is_answered(is_score_change_significant(now, before, noise))


@given(
    sets=st.lists(ANY_HITS, max_size=3) | JSON,
    config=st.builds(MergeConfig, STRATEGIES | JSON, JSON, JSON) | st.none() | JSON,
    threshold=JSON | UNITS,
)
def test_whatever_is_merged_is_merged_or_refused(sets: Any, config: Any, threshold: Any) -> None:
    is_answered(merge_search_results(sets, config))
    is_answered(filter_by_threshold(sets, threshold))
    for one in sets if isinstance(sets, list) else ():
        is_answered(filter_by_threshold(one, threshold))


@given(found=st.lists(st.builds(Hit, IDS, st.floats() | st.integers() | st.just(10**400))))
def test_any_numbers_have_an_order(found: list[Hit]) -> None:
    for strategy in ("max_score", "sum_score", "first", "last"):
        once = deduplicate_results(found, strategy)
        assert {one.id for one in once} == {one.id for one in found}
    assert len(sort_by_relevance(found)) == len(found)
