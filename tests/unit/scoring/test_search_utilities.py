"""Seed 000: every row of its tables, its own test cases, and the decided edge cases."""

import math
import sys
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import pytest
from pydantic import BaseModel
from returns.result import Failure, Success

from pce_memory.domain.ranking import (
    MergeConfig,
    QueryExpansionConfig,
    RankedItem,
    RankedLists,
    SearchWeights,
    SortOptions,
)
from pce_memory.errors import InvalidParameter, SearchFailed
from pce_memory.errors.search import (
    EmptyRankedLists,
    InvalidKValue,
    InvalidScore,
    InvalidThreshold,
    InvalidWeights,
    as_core,
)
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
    note: str = ""


def ranked(*ids: str) -> list[RankedItem]:
    return [RankedItem(one, place) for place, one in enumerate(ids, start=1)]


def hits(*pairs: tuple[str, float]) -> list[Hit]:
    return [Hit(one, score) for one, score in pairs]


SEED = RankedLists(ranked("a", "b"), ranked("b", "a"), ranked("a", "c"))


class TestRRF:
    def test_three_strategies(self):
        found = calculate_rrf_score(SEED, SearchWeights(0.35, 0.35, 0.30)).unwrap()
        assert [one.id for one in found] == ["a", "b", "c"]
        assert [one.rrf_score for one in found] == pytest.approx(
            [0.0163009, 0.0113829, 0.0048387], abs=5e-8
        )

    def test_the_worked_example(self):
        lists = RankedLists(ranked("a"), ranked("x", "a"), ranked("a"))
        best = calculate_rrf_score(lists).unwrap()[0]
        assert best.score_breakdown.keyword == pytest.approx(0.00574, abs=5e-6)
        assert best.score_breakdown.semantic == pytest.approx(0.00565, abs=5e-6)
        assert best.score_breakdown.graph == pytest.approx(0.00492, abs=5e-6)
        assert best.rrf_score == pytest.approx(0.01631, abs=1e-5)

    def test_one_strategy_of_weight_one(self):
        lists, weights = RankedLists(ranked("a")), SearchWeights(1.0, 0.0, 0.0)
        assert calculate_rrf_score(lists, weights, 60).unwrap()[0].rrf_score == 1 / 61

    def test_some_lists_empty(self):  # the seed's row says 0.00565, which is rank 2: decision 17
        found = calculate_rrf_score(RankedLists(semantic=ranked("a"))).unwrap()
        assert [one.id for one in found] == ["a"]
        assert found[0].rrf_score == pytest.approx(0.005738, abs=5e-7)
        assert found[0].score_breakdown.keyword == found[0].score_breakdown.graph == 0.0

    def test_all_lists_empty(self):
        error = calculate_rrf_score(RankedLists()).failure()
        assert (error, error.code) == (EmptyRankedLists(), "EMPTY_RANKED_LISTS")
        assert error.message == "すべての検索戦略の結果が空です"

    @pytest.mark.parametrize("k", [0, -1, 0.99, math.nan, math.inf])
    def test_k_below_one(self, k: float):
        error = calculate_rrf_score(RankedLists(ranked("a")), SearchWeights(1, 0, 0), k).failure()
        assert isinstance(error, InvalidKValue)
        assert (error.code, list(error.details)) == ("INVALID_K_VALUE", ["k"])

    def test_a_fraction_is_a_k(self):
        found = calculate_rrf_score(RankedLists(ranked("a")), SearchWeights(1, 0, 0), 1.5).unwrap()
        assert found[0].rrf_score == 1 / 2.5

    def test_weights_that_do_not_sum_to_one(self):
        error = calculate_rrf_score(
            RankedLists(ranked("a")), SearchWeights(0.5, 0.5, 0.5)
        ).failure()
        assert isinstance(error, InvalidWeights)
        assert error.code == "INVALID_WEIGHTS"
        assert error.message == "検索重みの合計は1.0である必要があります"
        assert error.details == {
            "weights": {"keyword": 0.5, "semantic": 0.5, "graph": 0.5},
            "sum": 1.5,
        }

    @pytest.mark.parametrize(
        ("weights", "usable"),
        [
            ((0.35, 0.35, 0.309), True),
            ((0.35, 0.35, 0.291), True),
            ((0.5, 0.5, 0.011), False),
            ((1.5, -0.5, 0.0), False),
            ((math.nan, 0.5, 0.5), False),
            ((math.inf, 0.0, 0.0), False),
        ],
    )
    def test_the_tolerance_and_the_sign_of_weights(self, weights, usable):
        found = calculate_rrf_score(SEED, SearchWeights(*weights))
        assert isinstance(found, Success) == usable

    def test_one_id_in_several_strategies_adds_up(self):
        lists = RankedLists(ranked("a"), ranked("a"))
        assert calculate_rrf_score(lists).unwrap()[0].rrf_score == pytest.approx(0.7 / 61)

    def test_a_strategy_of_weight_zero_still_shows_what_it_found(self):
        lists = RankedLists(ranked("a"), ranked("b"))
        found = calculate_rrf_score(lists, SearchWeights(1.0, 0.0, 0.0)).unwrap()
        assert [(one.id, one.rrf_score) for one in found] == [("a", 1 / 61), ("b", 0.0)]

    def test_what_a_list_names_twice_counts_at_its_better_rank(self):
        twice = RankedLists([RankedItem("a", 5), RankedItem("a", 2), RankedItem("a", 9)])
        once = RankedLists([RankedItem("a", 2)])
        assert calculate_rrf_score(twice) == calculate_rrf_score(once)

    @pytest.mark.parametrize("rank", [0, -3, 1.5, True, "1", None, math.nan])
    def test_a_rank_is_a_whole_number_from_one(self, rank):
        error = calculate_rrf_score(RankedLists([RankedItem("a", rank)])).failure()
        assert (type(error), error.code) == (InvalidParameter, "INVALID_PARAMETER")

    def test_weights_are_looked_at_first_then_k_then_the_lists(self):
        wrong = SearchWeights(1, 1, 1)
        assert calculate_rrf_score(RankedLists(), wrong, 0).failure().code == "INVALID_WEIGHTS"
        assert calculate_rrf_score(RankedLists(), None, 0).failure().code == "INVALID_K_VALUE"


class TestNormalize:
    @pytest.mark.parametrize(
        ("given", "wanted"),
        [
            ([], []),
            ([0.5], [1.0]),
            ([-3.0], [1.0]),
            ([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
            ([0.5, 0.5], [0.5, 0.5]),
            ([5.0, 5.0], [5.0, 5.0]),
            ([0.0, 0.5, 1.0], [0.0, 0.5, 1.0]),
            ([-1.0, 0.0, 1.0], [0.0, 0.5, 1.0]),
            ([0.0, 50.0, 100.0], [0.0, 0.5, 1.0]),
            ([0.2, 0.8, 0.5], [0.0, 1.0, 0.5]),
            ([0.8, 0.2, 0.5], [1.0, 0.0, 0.5]),
            ([0.0, 1.0, 3.0], [0.0, 0.3333333333, 1.0]),
            ([-1.7e308, 0.0, 1.7e308], [0.0, 0.5, 1.0]),
        ],
    )
    def test_every_row(self, given, wanted):
        before = list(given)
        assert normalize_scores(given).unwrap() == wanted
        assert given == before

    @pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
    def test_what_is_no_finite_number_is_refused(self, wrong):
        error = normalize_scores([0.1, wrong]).failure()
        assert (type(error), error.code) == (InvalidScore, "INVALID_SCORE")


class TestDeduplicate:
    @pytest.mark.parametrize(
        ("given", "strategy", "wanted"),
        [
            ([("a", 0.8), ("b", 0.6)], "max_score", [("a", 0.8), ("b", 0.6)]),
            ([("a", 0.8), ("a", 0.6), ("a", 0.4)], "max_score", [("a", 0.8)]),
            ([], "max_score", []),
            ([("a", 0.3), ("a", 0.4)], "sum_score", [("a", 0.7)]),
            ([("a", 0.8), ("a", 0.6), ("b", 0.7)], "max_score", [("a", 0.8), ("b", 0.7)]),
            ([("a", 0.6), ("a", 0.8), ("b", 0.7)], "first", [("b", 0.7), ("a", 0.6)]),
            ([("a", 0.8), ("b", 0.7), ("a", 0.6)], "last", [("b", 0.7), ("a", 0.6)]),
            ([("a", 0.8), ("a", 0.7)], "sum_score", [("a", 1.5)]),
        ],
    )
    def test_every_row(self, given, strategy, wanted):
        found = deduplicate_results(hits(*given), strategy)
        assert [one.id for one in found] == [one for one, _ in wanted]
        assert [one.score for one in found] == pytest.approx([score for _, score in wanted])

    def test_a_sum_keeps_the_rest_of_the_first(self):
        found = deduplicate_results([Hit("a", 0.3, "one"), Hit("a", 0.4, "two")], "sum_score")
        assert (found[0].note, type(found[0])) == ("one", Hit)

    def test_scores_without_end_are_summed_too(self):
        found = deduplicate_results(hits(("a", math.inf), ("a", -math.inf)), "sum_score")
        assert math.isnan(found[0].score)

    @pytest.mark.parametrize("score", [1e308, 1.7e308, -1e308])
    def test_a_sum_of_numbers_is_a_number(self, score):
        found = deduplicate_results(hits(("a", score), ("a", score)), "sum_score")
        assert found[0].score == math.copysign(sys.float_info.max, score)

    def test_results_of_any_type_are_given_back_as_they_were(self):
        class Model(BaseModel):
            id: str
            score: float
            tags: list[str] = []

        class Named(NamedTuple):
            id: str
            score: float

        class Plain:
            def __init__(self, name: str, score: float) -> None:
                self.id, self.score = name, score

        for made in (Model(id="a", score=0.5, tags=["x"]), Named("a", 0.5), Plain("a", 0.5)):
            found = deduplicate_results([made, made], "sum_score")
            assert type(found[0]) is type(made)
            assert (found[0].score, made.score) == (1.0, 0.5)


DICTIONARY = {
    "ja": {
        "機械学習": {"synonyms": ["ML", "machine learning"], "related": ["AI"]},
        "機械": {"synonyms": ["マシン"]},
    },
    "en": {
        "AI": {"synonyms": ["artificial intelligence"], "related": ["machine learning", "LLM"]},
        "machine learning": {"synonyms": ["ML", "ml", "Machine Learning"], "related": ["AI"]},
        "learning": {"synonyms": ["study"], "related": []},
        "c++": {"synonyms": ["cpp"]},
    },
}


class TestExpand:
    @pytest.mark.parametrize(
        ("query", "config"),
        [
            ("", QueryExpansionConfig()),
            ("AI", QueryExpansionConfig(include_synonyms=False, include_related=False)),
            ("AI", QueryExpansionConfig(max_expansions=0)),
            ("AI", QueryExpansionConfig(max_expansions=-1)),
            ("AI", QueryExpansionConfig(language="ja")),
            ("nothing known", QueryExpansionConfig()),
        ],
    )
    def test_rows_that_expand_to_nothing(self, query, config):
        found = expand_query(query, config, DICTIONARY)
        assert (found.original, found.expanded) == (query, ())
        assert (found.metadata.synonym_count, found.metadata.related_count) == (0, 0)

    def test_the_example(self):
        found = expand_query("機械学習", QueryExpansionConfig(3, language="ja"), DICTIONARY)
        assert found.expanded == ("ML", "machine learning", "マシン")

    def test_synonyms_come_before_related_words_and_are_counted(self):
        found = expand_query("AI", None, DICTIONARY)
        assert found.expanded == ("artificial intelligence", "machine learning", "LLM")
        assert (found.metadata.synonym_count, found.metadata.related_count) == (1, 2)

    def test_terms_in_a_sentence_the_longest_first(self):
        found = expand_query("How does Ｍachine  Learning work?", None, DICTIONARY)
        assert found.expanded == ("ML", "study", "AI")  # "Machine Learning" stands in it already

    def test_a_query_is_not_an_expansion_of_itself(self):
        found = expand_query("ml", None, {"en": {"ML": {"synonyms": ["ML", "ml", "Ml."]}}})
        assert found.expanded == ("Ml.",)

    def test_a_part_of_a_word_is_no_term(self):
        assert expand_query("the aircraft", None, DICTIONARY).expanded == ()
        assert expand_query("in C++ 20", None, DICTIONARY).expanded == ("cpp",)

    def test_terms_of_japanese_need_no_spaces(self):
        config = QueryExpansionConfig(language="ja")
        found = expand_query("新しい機械学習の本", config, DICTIONARY)
        assert found.expanded == ("ML", "machine learning", "マシン", "AI")

    def test_without_a_dictionary_there_is_nothing(self):
        assert expand_query("AI").expanded == ()


class TestCrag:
    @pytest.mark.parametrize(
        ("relevance", "verdict", "needs"),
        [
            (0.85, "correct", False),
            (0.8, "correct", False),
            (0.7, "correct", False),
            (0.6999, "ambiguous", True),
            (0.5, "ambiguous", True),
            (0.3001, "ambiguous", True),
            (0.3, "incorrect", True),
            (0.2, "incorrect", True),
            (0.0, "incorrect", True),
            (1.0, "correct", False),
        ],
    )
    def test_every_row(self, relevance, verdict, needs):
        found = calculate_crag_score(relevance, 0.9).unwrap()
        assert (found.relevance, found.needs_web_search) == (verdict, needs)
        assert (found.confidence, found.refined_query) == (0.9, None)

    @pytest.mark.parametrize("wrong", [-0.01, 1.01, math.nan, math.inf])
    def test_scores_outside_their_range(self, wrong):
        for given in ((wrong, 0.5), (0.5, wrong)):
            assert calculate_crag_score(*given).failure().code == "INVALID_SCORE"


class TestMerge:
    SETS: Final[list[list[Hit]]] = [hits(("a", 0.9), ("b", 0.5)), hits(("b", 0.7), ("c", 0.2)), []]

    @pytest.mark.parametrize(
        ("config", "wanted"),
        [
            (None, [("a", 0.9), ("b", 0.7), ("c", 0.2)]),
            (MergeConfig(max_results=0), []),
            (MergeConfig(max_results=2), [("a", 0.9), ("b", 0.7)]),
            (MergeConfig(min_score=0.7), [("a", 0.9), ("b", 0.7)]),
            (MergeConfig("first"), [("a", 0.9), ("b", 0.5), ("c", 0.2)]),
            (MergeConfig("sum_score", max_results=1), [("b", 1.2)]),
            (MergeConfig("sum_score", min_score=1.0), [("b", 1.2)]),
        ],
    )
    def test_each_once_then_filtered_then_cut(self, config, wanted):
        found = merge_search_results(self.SETS, config).unwrap()
        assert [one.id for one in found] == [one for one, _ in wanted]
        assert [one.score for one in found] == pytest.approx([score for _, score in wanted])

    def test_nothing(self):
        assert merge_search_results([]).unwrap() == []

    def test_bounds_that_are_none(self):
        wrong = merge_search_results(self.SETS, MergeConfig(max_results=-1))
        assert wrong.failure().code == "INVALID_PARAMETER"
        wrong = merge_search_results(self.SETS, MergeConfig(min_score=math.nan))
        assert wrong.failure().code == "INVALID_SCORE"
        assert merge_search_results([hits(("a", math.nan))]).failure().code == "INVALID_SCORE"


class TestSort:
    def test_highest_first_in_a_new_list(self):
        given = hits(("a", 0.5), ("b", 0.8), ("c", 0.3))
        before = list(given)
        assert [one.score for one in sort_by_relevance(given)] == [0.8, 0.5, 0.3]
        assert given == before

    def test_lowest_first(self):
        given = hits(("a", 0.5), ("b", 0.8), ("c", 0.3))
        found = sort_by_relevance(given, SortOptions("asc"))
        assert [one.id for one in found] == ["c", "a", "b"]

    def test_equal_scores_stay_as_they_are_or_go_by_the_tie_breaker(self):
        given = hits(("b", 0.5), ("c", 0.5), ("a", 0.5), ("z", 0.9))
        assert [one.id for one in sort_by_relevance(given)] == ["z", "b", "c", "a"]

        def by_name(one: Hit, other: Hit) -> int:
            return (one.id > other.id) - (one.id < other.id)

        down = sort_by_relevance(given, SortOptions(tie_breaker=by_name))
        up = sort_by_relevance(given, SortOptions("asc", by_name))
        assert [one.id for one in down] == ["z", "a", "b", "c"]
        assert [one.id for one in up] == ["a", "b", "c", "z"]

    def test_what_is_no_number_comes_last(self):
        given = hits(("a", math.nan), ("b", -math.inf), ("c", 0.1))
        assert [one.id for one in sort_by_relevance(given)] == ["c", "b", "a"]
        assert [one.id for one in sort_by_relevance(given, SortOptions("asc"))] == ["b", "c", "a"]


class TestFilter:
    @pytest.mark.parametrize(
        ("scores", "threshold", "kept"),
        [
            ([0.8, 0.6], 0.5, [0.8, 0.6]),
            ([0.3, 0.2], 0.5, []),
            ([0.5], 0.5, [0.5]),
            ([0.1], 0.0, [0.1]),
            ([0.9], 1.0, []),
            ([0.6, 0.4, 0.8], 0.5, [0.6, 0.8]),
        ],
    )
    def test_every_row(self, scores, threshold, kept):
        given = [Hit(str(place), score) for place, score in enumerate(scores)]
        assert [one.score for one in filter_by_threshold(given, threshold).unwrap()] == kept

    @pytest.mark.parametrize("threshold", [1.5, -0.1, math.nan, math.inf])
    def test_a_threshold_outside_its_range_even_for_nothing(self, threshold):
        error = filter_by_threshold([], threshold).failure()
        assert isinstance(error, InvalidThreshold)
        assert error.code == "INVALID_THRESHOLD"
        assert error.message == "閾値は0.0〜1.0の範囲である必要があります"
        assert list(error.details) == ["threshold"]

    def test_a_score_that_is_no_number(self):
        assert filter_by_threshold(hits(("a", math.nan)), 0.5).failure().code == "INVALID_SCORE"


@dataclass
class Everything:
    errors: list[object] = field(
        default_factory=lambda: [
            InvalidWeights({"keyword": 2.0}),
            EmptyRankedLists(),
            InvalidKValue(0.0),
            InvalidThreshold(2.0),
            InvalidScore("score", math.nan),
        ]
    )


@pytest.mark.parametrize("error", Everything().errors, ids=lambda error: error.code)
def test_every_error_says_what_was_wanted_and_joins_the_engines(error):
    assert error.message
    assert error.remedy != "Report this."
    assert as_core(error, "what was asked") == SearchFailed("what was asked", error.code)
    assert "asked" not in repr(as_core(error, "what was asked"))
    refused = InvalidParameter("rank", "0 is not")
    assert as_core(refused) is refused


def test_failures_are_values():
    assert isinstance(filter_by_threshold([], 2.0), Failure)
