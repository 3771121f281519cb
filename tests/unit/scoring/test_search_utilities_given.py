"""What the search utilities do with what is out of their types: a failure, and which."""

import json
import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from pce_memory.adapters.expansions import load_expansions
from pce_memory.domain.ranking import (
    MergeConfig,
    QueryExpansionConfig,
    RankedItem,
    RankedLists,
    SearchWeights,
    SortOptions,
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

SECRET = "hunter2 is the password"
NO_NUMBERS: list[Any] = [None, SECRET, True, 10**400, -(10**400), math.nan, math.inf, [], {}, 1j]
NO_LISTS: list[Any] = [None, SECRET, b"ab", 3, {"a": 1}, {1.0}, object()]


class Hit(NamedTuple):
    id: Any
    score: Any


@dataclass(frozen=True)
class Unset:
    id: str
    score: float = field(init=False, default=0.5)


def refused(result: Any) -> tuple[str, str]:
    """Return the code and where, of an error that shows no text that was given."""
    error = result.failure()
    said = f"{error!r} {error.message} {json.dumps(error.details)}"
    assert SECRET not in said
    assert len(said) < 1000
    return error.code, getattr(error, "name", "")


@pytest.mark.parametrize("wrong", NO_NUMBERS)
class TestNoNumber:
    def test_as_a_score(self, wrong):
        assert refused(normalize_scores([0.5, wrong])) == ("INVALID_SCORE", "score")
        assert refused(filter_by_threshold([Hit("a", wrong)], 0.5)) == ("INVALID_SCORE", "score")
        assert refused(merge_search_results([[Hit("a", wrong)]])) == ("INVALID_SCORE", "score")
        assert refused(calculate_crag_score(wrong, 0.5)) == ("INVALID_SCORE", "relevance_score")
        assert refused(calculate_crag_score(0.5, wrong)) == ("INVALID_SCORE", "confidence_score")

    def test_as_a_threshold_a_weight_or_k(self, wrong):
        lists = RankedLists([RankedItem("a", 1)])
        assert refused(filter_by_threshold([], wrong))[0] == "INVALID_THRESHOLD"
        assert refused(calculate_rrf_score(lists, None, wrong))[0] == "INVALID_K_VALUE"
        weights = SearchWeights(wrong, 0.5, 0.5)
        assert refused(calculate_rrf_score(lists, weights))[0] == "INVALID_WEIGHTS"

    def test_as_a_rank_or_a_bound(self, wrong):
        found = calculate_rrf_score(RankedLists(semantic=[RankedItem("a", wrong)]))
        assert refused(found) == ("INVALID_PARAMETER", "semantic.0.rank")
        if wrong is not None:  # no bound
            least = MergeConfig(min_score=wrong)
            assert refused(merge_search_results([], least)) == ("INVALID_SCORE", "min_score")
        if wrong is not None and wrong != 10**400:
            most = MergeConfig(max_results=wrong)
            assert refused(merge_search_results([], most)) == ("INVALID_PARAMETER", "max_results")


@pytest.mark.parametrize("wrong", NO_LISTS, ids=lambda one: type(one).__name__)
def test_no_list(wrong):
    given = "INVALID_PARAMETER"
    assert refused(normalize_scores(wrong)) == (given, "scores")
    assert refused(filter_by_threshold(wrong, 0.5)) == (given, "results")
    assert refused(merge_search_results(wrong)) == (given, "result_sets")
    assert refused(merge_search_results([wrong])) == (given, "result_sets.0")
    assert refused(calculate_rrf_score(RankedLists(graph=wrong))) == (given, "graph")
    name = "ranked_lists.a" if isinstance(wrong, dict) else "ranked_lists"
    assert refused(calculate_rrf_score(wrong)) == (given, name)


def test_a_generator_is_no_list_and_is_not_taken_for_an_empty_one():
    lists = RankedLists(keyword=(RankedItem(one, 1) for one in "ab"))  # type: ignore[arg-type]
    assert refused(calculate_rrf_score(lists)) == ("INVALID_PARAMETER", "keyword")
    assert refused(normalize_scores(iter([1.0, 2.0]))) == ("INVALID_PARAMETER", "scores")  # type: ignore[arg-type]
    results = (Hit("a", one) for one in (0.1, 0.9))
    assert refused(filter_by_threshold(results, 0.5)) == ("INVALID_PARAMETER", "results")  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [None, 5, ["a"], {}])
def test_an_id_is_a_text(wrong):
    found = merge_search_results([[], [Hit("a", 0.5), Hit(wrong, 0.5)]])
    assert refused(found) == ("INVALID_PARAMETER", "result_sets.1.1")
    lists = RankedLists([RankedItem("a", 1), RankedItem(wrong, 2)])
    assert refused(calculate_rrf_score(lists)) == ("INVALID_PARAMETER", "keyword.1")


def test_a_sum_beyond_every_float_is_no_score():
    most = [[Hit("a", 1.7e308)], [Hit("a", 1.7e308)]]
    assert refused(merge_search_results(most, MergeConfig("sum_score"))) == (
        "INVALID_SCORE",
        "sum_score",
    )
    assert merge_search_results(most).unwrap() == [Hit("a", 1.7e308)]


def test_results_that_take_no_other_score_have_no_sum():
    twice = [[Unset("a")], [Unset("a")]]
    found = merge_search_results(twice, MergeConfig("sum_score"))
    assert refused(found) == ("INVALID_PARAMETER", "result_sets")


def test_equal_scores_are_floats():
    found = normalize_scores([5, 5]).unwrap()
    assert (found, [type(one) for one in found]) == ([5.0, 5.0], [float, float])


def test_numbers_of_others_and_arrays_are_taken():
    assert normalize_scores(np.array([1, 2, 3], np.float32)).unwrap() == [0.0, 0.5, 1.0]  # type: ignore[arg-type]
    assert normalize_scores([Fraction(1, 2), np.int64(1)]).unwrap() == [0.0, 1.0]  # type: ignore[list-item]


class TestNoSuchChoice:
    """What is no choice is never another one: a failure, or where no Result is returned an error.

    Only the language of an expansion has an answer: a dictionary without it expands nothing.
    """

    @pytest.mark.parametrize("wrong", ["max", "", "SUM_SCORE", None, 3, ["first"]])
    def test_strategy(self, wrong):
        known = "give one of max_score, sum_score, first, last"
        with pytest.raises(ValueError, match=known):
            deduplicate_results([], wrong)
        found: Any = merge_search_results([], MergeConfig(wrong))
        assert refused(found) == ("INVALID_PARAMETER", "deduplication_strategy")
        assert known in found.failure().message

    @pytest.mark.parametrize("wrong", ["up", "DESC", None, ["asc"]])
    def test_direction(self, wrong):
        with pytest.raises(ValueError, match="give one of asc, desc"):
            sort_by_relevance([], SortOptions(wrong))

    @pytest.mark.parametrize("wrong", ["fr", "", None])
    def test_language(self, wrong):
        words = {"en": {"lamp": {"synonyms": ["light"]}}}
        assert expand_query("lamp", QueryExpansionConfig(language=wrong), words).expanded == ()


class TestTotal:
    def test_whole_numbers_beyond_every_float_have_an_order_and_a_sum(self):
        some = [Hit("a", 10**400), Hit("b", 0.5), Hit("c", -(10**400)), Hit("a", 1.0)]
        assert [one.id for one in sort_by_relevance(some)] == ["a", "a", "b", "c"]
        assert [one.id for one in deduplicate_results(some)] == ["a", "b", "c"]
        assert deduplicate_results(some, "sum_score")[0].score == math.inf

    def test_a_place_is_not_spent_on_what_the_query_says(self):
        words = {"en": {"deploy": {"synonyms": ["Release", "ship"], "related": ["the release"]}}}
        one = QueryExpansionConfig(max_expansions=1)
        assert expand_query("deploy the  RELEASE", one, words).expanded == ("ship",)
        assert expand_query("deploy the releases", one, words).expanded == ("Release",)

    def test_nor_in_japanese(self):
        words = {"ja": {"機械学習": {"synonyms": ["学習", "ML"]}}}
        one = QueryExpansionConfig(max_expansions=1, language="ja")
        assert expand_query("機械学習の本", one, words).expanded == ("ML",)

    def test_a_full_stop_is_no_part_of_the_last_word(self):
        words = {"en": {"deploy": {"synonyms": ["ship"]}, "node.js": {"synonyms": ["node"]}}}
        assert expand_query("When do we deploy.", None, words).expanded == ("ship",)
        assert expand_query("We use node.js.", None, words).expanded == ("node",)


class TestExpandQuery:
    WORDS: ClassVar[Any] = {"en": {"deploy": {"synonyms": ["release"], "related": ("ship",)}}}

    @pytest.mark.parametrize("wrong", [None, 3, b"deploy", ["deploy"]])
    def test_a_query_is_a_text(self, wrong):
        with pytest.raises(ValueError, match="Invalid query: it is"):
            expand_query(wrong, dictionary=self.WORDS)

    @pytest.mark.parametrize("wrong", [3, "en", ["en"]])
    def test_a_config_is_one(self, wrong):
        with pytest.raises(ValueError, match="give a QueryExpansionConfig"):
            expand_query("deploy", wrong, self.WORDS)

    @pytest.mark.parametrize("most", [1.5, None, "5", True])
    def test_how_many_is_a_whole_number(self, most):
        with pytest.raises(ValueError, match="Invalid max_expansions"):
            expand_query("deploy", QueryExpansionConfig(max_expansions=most), self.WORDS)

    @pytest.mark.parametrize("language", [None, 3, ["en"]])
    def test_a_language_of_no_kind_expands_nothing(self, language):
        assert (
            expand_query("deploy", QueryExpansionConfig(language=language), self.WORDS).expanded
            == ()
        )

    @pytest.mark.parametrize(
        "words",
        [
            3,
            SECRET,
            [SECRET],
            {"en": None},
            {"en": [SECRET]},
            {3: {}},
            {"en": {3: {}}},
            {"en": {SECRET: None}},
            {"en": {SECRET: [SECRET]}},
            {"en": {"deploy": {"synonyms": None}}},
            {"en": {"deploy": {"synonyms": SECRET}}},
            {"en": {"deploy": {"related": SECRET}}},
            {"en": {SECRET: {"synonyms": [SECRET, None]}}},
        ],
    )
    def test_a_dictionary_is_one(self, words):
        with pytest.raises(ValueError, match="Invalid dictionary") as raised:
            expand_query("deploy", dictionary=words)
        assert SECRET not in str(raised.value)

    def test_what_is_right_is_expanded(self):
        assert expand_query("deploy", None, self.WORDS).expanded == ("release", "ship")
        assert (
            expand_query("deploy", QueryExpansionConfig(max_expansions=-1), self.WORDS).expanded
            == ()
        )
        assert expand_query("deploy").expanded == ()


class TestLoadExpansions:
    def test_the_packaged_words_expand(self):
        words = load_expansions().unwrap()
        assert "release" in expand_query("the deploy failed", dictionary=words).expanded

    def test_those_of_a_file_come_first(self, tmp_path):
        file = tmp_path / "ours.yaml"
        _ = file.write_text("{language: en, groups: [{same: [deploy, heave]}]}", "utf-8")
        words = load_expansions(file).unwrap()
        assert expand_query("deploy", dictionary=words).expanded[0] == "heave"
        assert expand_query("database", dictionary=words).expanded

    @pytest.mark.parametrize("wrong", [["nowhere.yaml"], [3], [None], ["a\0b"], ["x.yaml"] * 17])
    def test_what_is_no_file_is_told(self, wrong):
        assert refused(load_expansions(*wrong)) == ("INVALID_PARAMETER", "paths")
