"""Plain mappings as input of the search utilities: taken as our own nouns are, or refused."""

from typing import Any, ClassVar

import pytest
from returns.result import Success

from pce_memory import (
    MergeConfig,
    QueryExpansionConfig,
    RankedItem,
    RankedLists,
    RefinementConfig,
    RefinementState,
    SearchWeights,
    SortOptions,
    calculate_crag_score,
    calculate_rrf_score,
    deduplicate_results,
    expand_query,
    filter_by_threshold,
    make_refinement_decision,
    merge_search_results,
    normalize_scores,
    sort_by_relevance,
)

SECRET = "hunter2 is the password"
LAMPS: list[dict[str, Any]] = [
    {"id": "a", "score": 0.9, "title": "灯り"},
    {"id": "b", "score": 0.4, "title": "lamp"},
    {"id": "a", "score": 0.2, "title": "again"},
]


def refused(result: Any) -> tuple[str, str]:
    error = result.failure()
    assert SECRET not in f"{error!r} {error.message} {error.details}"
    return error.code, getattr(error, "name", "")


class TestRankedLists:
    OURS = RankedLists(
        keyword=[RankedItem("a", 1), RankedItem("b", 2)],
        semantic=[RankedItem("b", 1), RankedItem("a", 2)],
        graph=[RankedItem("a", 1), RankedItem("c", 2)],
    )

    def test_lists_and_items_as_the_seed_writes_them(self):
        plain = {
            "keyword": [{"id": "a", "rank": 1}, {"id": "b", "rank": 2}],
            "semantic": [{"id": "b", "rank": 1}, {"id": "a", "rank": 2}],
            "graph": [{"id": "a", "rank": 1}, {"id": "c", "rank": 2}],
        }
        assert calculate_rrf_score(plain) == calculate_rrf_score(self.OURS)

    def test_an_item_without_a_rank_has_that_of_its_place(self):
        plain: Any = {
            "keyword": [{"id": "a", "score": 1}, {"id": "b", "score": 0.5}],
            "semantic": [{"id": "b"}, {"id": "a"}],
            "graph": [{"id": "a", "text": "灯り"}, {"id": "c", "original_score": 0.1}],
        }
        assert calculate_rrf_score(plain) == calculate_rrf_score(self.OURS)

    def test_one_strategy_is_enough(self):
        found = calculate_rrf_score({"keyword": [{"id": "a", "score": 1}]}).unwrap()
        assert [(one.id, one.rrf_score) for one in found] == [("a", 0.35 / 61)]

    def test_weights(self):
        plain = {"keyword": 0.5, "semantic": 0.5, "graph": 0.0}
        ours = SearchWeights(0.5, 0.5, 0.0)
        assert calculate_rrf_score(self.OURS, plain) == calculate_rrf_score(self.OURS, ours)
        assert refused(calculate_rrf_score(self.OURS, {"keyword": 1.0}))[0] == "INVALID_WEIGHTS"

    @pytest.mark.parametrize(
        ("wrong", "name"),
        [
            ({"vector": []}, "ranked_lists.vector"),
            ({"keyword": "a"}, "keyword"),
            ({"keyword": [{"score": 1}]}, "keyword.0"),
            ({"keyword": [{"id": "a"}, {"id": 3}]}, "keyword.1"),
            ({"keyword": [{"id": "a", "rank": 0}]}, "keyword.0.rank"),
            ({"graph": [{"id": "a", "rank": "1"}]}, "graph.0.rank"),
            ({"keyword": [{"id": "a", "score": SECRET}]}, "keyword.0.score"),
        ],
    )
    def test_what_is_wrong_is_named(self, wrong: Any, name: str):
        assert refused(calculate_rrf_score(wrong)) == ("INVALID_PARAMETER", name)

    def test_a_key_that_may_be_anything_is_not_shown(self):
        wrong: Any = {SECRET: []}
        assert refused(calculate_rrf_score(wrong))[0] == "INVALID_PARAMETER"
        number: Any = {3: []}
        assert refused(calculate_rrf_score(number)) == (
            "INVALID_PARAMETER",
            "ranked_lists.an int",
        )
        assert refused(calculate_rrf_score(self.OURS, {"words": 1.0})) == (
            "INVALID_PARAMETER",
            "weights.words",
        )


class TestResults:
    def test_filter(self):
        plain: Any = LAMPS
        assert filter_by_threshold(plain, 0.4) == Success(LAMPS[:2])

    def test_sort(self):
        plain: Any = LAMPS
        assert [one["score"] for one in sort_by_relevance(plain, {"direction": "asc"})] == [
            0.2,
            0.4,
            0.9,
        ]
        assert sort_by_relevance(plain, {"direction": "asc"}) == sort_by_relevance(
            plain, SortOptions("asc")
        )

    def test_deduplicate(self):
        plain: Any = LAMPS
        assert deduplicate_results(plain) == LAMPS[:2]
        assert deduplicate_results(plain, "last") == [LAMPS[1], LAMPS[2]]
        summed = deduplicate_results(plain, "sum_score")
        assert summed[0] == {"id": "a", "score": pytest.approx(1.1), "title": "灯り"}
        assert LAMPS[0]["score"] == 0.9

    def test_merge(self):
        sets: Any = [LAMPS[:1], LAMPS[1:]]
        config = {"max_results": 1, "min_score": 0.3}
        assert merge_search_results(sets, config) == Success(LAMPS[:1])
        assert merge_search_results(sets, config) == merge_search_results(
            sets, MergeConfig(max_results=1, min_score=0.3)
        )

    @pytest.mark.parametrize(
        ("wrong", "fault"),
        [
            ({"id": "a"}, ("INVALID_PARAMETER", "results.0")),
            ({"id": "a", "score": SECRET}, ("INVALID_SCORE", "score")),
        ],
    )
    def test_a_result_without_a_score_is_named(self, wrong: Any, fault: tuple[str, str]):
        assert refused(filter_by_threshold([wrong], 0.5)) == fault
        merged = refused(merge_search_results([[wrong]]))
        assert merged == (fault[0], fault[1].replace("results.0", "result_sets.0.0"))
        with pytest.raises(ValueError, match=r"Invalid results\.score: it is") as raised:
            sort_by_relevance([wrong])
        assert SECRET not in str(raised.value)

    def test_a_result_without_an_id_is_named(self):
        wrong: Any = [{"score": 0.5}]
        assert refused(merge_search_results([wrong])) == ("INVALID_PARAMETER", "result_sets.0.0")
        with pytest.raises(ValueError, match=r"Invalid results\.id: it is None; give a text"):
            deduplicate_results(wrong)

    def test_a_config_with_a_strange_or_a_wrong_field_is_named(self):
        given = "INVALID_PARAMETER"
        assert refused(merge_search_results([], {"limit": 1})) == (given, "config.limit")
        assert refused(merge_search_results([], {"max_results": "1"})) == (given, "max_results")
        assert refused(merge_search_results([], {"deduplication_strategy": "max"})) == (
            given,
            "deduplication_strategy",
        )
        with pytest.raises(ValueError, match=r"Invalid options\.order: there is none of that"):
            sort_by_relevance([], {"order": "asc"})
        with pytest.raises(ValueError, match="give one of asc, desc"):
            sort_by_relevance([], {"direction": "up"})


class TestTheOthers:
    WORDS: ClassVar[Any] = {"ja": {"機械学習": {"synonyms": ["ML"], "related": ["AI"]}}}

    def test_expand(self):
        plain = {"language": "ja", "max_expansions": 1}
        ours = QueryExpansionConfig(language="ja", max_expansions=1)
        assert expand_query("機械学習", plain, self.WORDS) == expand_query(
            "機械学習", ours, self.WORDS
        )
        assert expand_query("機械学習", plain, self.WORDS).expanded == ("ML",)

    def test_expand_names_what_is_wrong(self):
        with pytest.raises(ValueError, match=r"Invalid config\.most: there is none of that name"):
            expand_query("x", {"most": 5}, self.WORDS)
        with pytest.raises(ValueError, match="Invalid max_expansions"):
            expand_query("x", {"max_expansions": "5"}, self.WORDS)

    def test_scores_are_numbers_and_no_mapping(self):
        wrong: Any = {"score": 1}
        assert refused(normalize_scores(wrong)) == ("INVALID_PARAMETER", "scores")
        assert refused(normalize_scores([wrong])) == ("INVALID_SCORE", "score")
        assert refused(calculate_crag_score(wrong, 0.5)) == ("INVALID_SCORE", "relevance_score")

    def test_decide(self):
        plain = {"is_acceptable": True, "score": 72, "previous_score": 70, "attempt_count": 1}
        ours = RefinementState(is_acceptable=True, score=72, previous_score=70, attempt_count=1)
        for threshold in (1, 3):
            config = {"noise_threshold": threshold}
            decided = make_refinement_decision(plain, config).unwrap()
            assert (
                decided
                == make_refinement_decision(
                    ours, RefinementConfig(noise_threshold=threshold)
                ).unwrap()
            )
            assert decided.score_direction == ("improved" if threshold == 1 else "stable")

    def test_decide_names_what_is_wrong(self):
        state = {"is_acceptable": True}
        given = "INVALID_PARAMETER"
        assert refused(make_refinement_decision({"score": 1})) == (given, "state.is_acceptable")
        assert refused(make_refinement_decision(state, {"noise_threshold": 0})) == (
            given,
            "config.noise_threshold",
        )
        assert refused(make_refinement_decision(state, {"noise": 3}))[0] == given
        number: Any = 3
        assert refused(make_refinement_decision(number)) == (given, "state")
