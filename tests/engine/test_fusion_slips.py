"""Slips of who calls `memory.fusion` and `explain`: each is told, and none weighs or finds nothing."""

import math
from typing import Any

import pytest

from pce_memory import Memory, MemoryFault, errors
from pce_memory.deps.backend import BackendHit
from tests.conftest import rows

SECRET = "AKIA" + "IOSFODNN7" + "ABCDEFG"


class Shelf:
    def fulltext_search(self, *_: object) -> list[BackendHit]:
        return [BackendHit("x", 1.0)]

    def semantic_search(self, *_: object) -> list[BackendHit]:
        return []

    def get_document(self, *_: object) -> None:
        return None


def refused(result: Any) -> tuple[str, str]:
    """Return what was wrong, where and why."""
    error = result.failure()
    assert isinstance(error, errors.InvalidParameter)
    return error.name, error.reason


@pytest.fixture
def blended(memory: Memory) -> str:
    _ = memory.observe("The lamp hangs in the hall.")
    lanes = memory.fusion
    runs = [
        lanes.rrf_search_fulltext_raw("lamp"),
        lanes.rrf_search_fulltext_raw("hall", lane_name="rooms"),
    ]
    return lanes.rrf_blend_frontier(runs, lane_weights={"rooms": 2.0, "precision": 1.1}).run_id


class TestOver:
    @pytest.mark.parametrize(
        "name",
        [
            "",
            " ",
            "claims",
            "Claims",
            " claims",
            "ＤＯＣＵＭＥＮＴＳ\n",
            "documents",
            None,
            5,
            "x" * 129,
            SECRET,
        ],
    )
    def test_a_backend_is_called_something_of_its_own(self, memory: Memory, name: Any):
        over = memory.results.fusion.over(name, Shelf())
        outcomes: list[Any] = [
            over.search_fulltext("lamp"),
            over.rrf_search_semantic_raw("lamp"),
            over.register_representatives(["x"], "A"),
        ]
        for one in outcomes:
            where, why = refused(one)
            assert where == "name"
            assert SECRET not in why
        with pytest.raises(MemoryFault, match="INVALID_PARAMETER"):
            memory.fusion.over(name, Shelf())

    def test_what_it_may_not_be_called_is_said(self, memory: Memory):
        found = memory.results.fusion.over("documents", Shelf()).search_fulltext("lamp")
        assert "claims and documents are this memory's own" in refused(found)[1]

    def test_it_has_no_collections(self, memory: Memory):
        over = memory.results.fusion.over("shelf", Shelf())
        found = over.search_fulltext("lamp", collection="documents")
        assert refused(found) == ("collection", "a backend of the host's has none; leave it out")
        assert over.search_fulltext("lamp").unwrap() == ("x",)

    @pytest.mark.parametrize("wrong", ["", "papers", None, 5])
    def test_a_collection_that_there_is_none_of(self, memory: Memory, wrong: Any):
        found = memory.results.fusion.search_fulltext("lamp", collection=wrong)
        assert refused(found) == ("collection", "Input should be 'claims' or 'documents'")


class TestWeights:
    @pytest.mark.parametrize(
        ("aim", "name", "there"),
        [
            ({"lane_weights": {"reacll": 2.0}}, "lane_weights", "recall"),
            ({"facet_weights": {"A": 2.0}}, "facet_weights", "none"),
            ({"facet_terms": {"B": ["x"]}, "facet_weights": {"A": 1.0}}, "facet_weights", "B"),
            ({"category_weights": {"A": 2.0}}, "category_weights", "none"),
        ],
    )
    def test_of_nothing_in_a_blend(self, memory: Memory, aim: Any, name: str, there: str):
        _ = memory.observe("The lamp hangs in the hall.")
        run = memory.fusion.rrf_search_fulltext_raw("lamp")
        where, why = refused(memory.results.fusion.rrf_blend_frontier([run], **aim))
        assert where == name
        assert why.endswith(f"is not in this blend; give a weight for what is: {there}")

    @pytest.mark.parametrize(
        ("delta", "name", "there"),
        [
            ({"lane_weights": {"rooms": 1.0, "room": 2.0}}, "lane_weights", "recall, rooms"),
            ({"category_weights": {"A": 2.0}}, "category_weights", "none"),
        ],
    )
    def test_of_nothing_in_a_mutation(
        self, memory: Memory, blended: str, delta: Any, name: str, there: str
    ):
        where, why = refused(memory.results.fusion.rrf_mutate_run(blended, delta))
        assert where == name
        assert why.endswith(f"give a weight for what is: {there}")

    def test_of_a_category_that_there_is_another_of(self, memory: Memory):
        claim = memory.observe("The lamp hangs in the hall.").claims[0]
        run = memory.fusion.rrf_search_fulltext_raw("lamp")
        typical = memory.fusion.register_representatives([claim.id], "A")
        blend = memory.results.fusion.rrf_blend_frontier
        _ = blend([run], representatives=[typical], category_weights={"A": 2.0}).unwrap()
        found = blend([run], representatives=[typical], category_weights={"B": 2.0})
        assert refused(found)[1].endswith("give a weight for what is: A")

    def test_of_lanes_that_the_policy_and_suggestions_name(self, memory: Memory, blended: str):
        for name in ("recall", "precision", "semantic", "graph", "code", "rooms"):
            delta = {"lane_weights": {name: 1.5}}
            assert memory.fusion.rrf_mutate_run(blended, delta).history == (blended,)

    @pytest.mark.parametrize("name", ["weights", "pi_weights"])
    def test_by_names_that_are_fixed(self, memory: Memory, blended: str, name: str):
        aim: Any = {name: {"reacll": 1.0}}
        runs = [memory.fusion.rrf_search_fulltext_raw("lamp")]
        where, why = refused(memory.results.fusion.rrf_blend_frontier(runs, **aim))
        known = "fulltext, semantic, original_dense, graph, code"
        assert where == name
        assert why.endswith(known if name == "weights" else "code, facet, lane")
        assert refused(memory.results.fusion.rrf_mutate_run(blended, aim))[0].startswith(name)


class TestProvenance:
    @pytest.mark.parametrize("name", ["top_k_lane", "top_k_code"])
    @pytest.mark.parametrize("wrong", ["x", math.nan, -1, -2, 0, 1.5, True, None, 10_001])
    def test_how_much_is_told(self, memory: Memory, blended: str, name: str, wrong: Any):
        how: Any = {name: wrong}
        where, why = refused(memory.results.fusion.get_provenance(blended, **how))
        assert (where, why) == (name, "give a whole number from 1 to 10000")
        with pytest.raises(MemoryFault, match="INVALID_PARAMETER"):
            memory.fusion.get_provenance(blended, **how)

    @pytest.mark.parametrize("wrong", [{}, None, 3])
    def test_a_profile_is_of_a_provenance(self, memory: Memory, wrong: Any):
        with pytest.raises(MemoryFault, match="INVALID_PARAMETER"):
            memory.fusion.build_target_profile(wrong)

    @pytest.mark.parametrize("top", ["x", -1, None, 2.0])
    def test_how_many_codes_a_profile_has(self, memory: Memory, blended: str, top: Any):
        known = memory.fusion.get_provenance(blended)
        _ = memory.fusion.build_target_profile(known, top=1)
        with pytest.raises(MemoryFault, match="Invalid top: give a whole number from 1"):
            memory.fusion.build_target_profile(known, top=top)

    def test_a_suggestion_is_of_metrics(self, memory: Memory, blended: str):
        metrics = memory.fusion.get_provenance(blended).metrics
        assert metrics is not None
        _ = memory.fusion.suggest_mutation(metrics, {"semantic": 0.5})
        nothing: Any = None
        with pytest.raises(MemoryFault, match="INVALID_PARAMETER"):
            memory.fusion.suggest_mutation(nothing)
        shares: list[Any] = [{"semantic": "x"}, {"semantic": math.nan}, {"semantic": None}]
        for wrong in shares:
            with pytest.raises(MemoryFault, match=r"Invalid contributions\.semantic"):
                memory.fusion.suggest_mutation(metrics, wrong)
        wrong_whole: list[Any] = ["x", [], 3]
        for wrong in wrong_whole:
            with pytest.raises(MemoryFault, match="Invalid contributions:"):
                memory.fusion.suggest_mutation(metrics, wrong)


class TestTrace:
    @pytest.mark.parametrize("wrong", [3, b"x", "x" * 129, "x" * 100_000, "\ud800", "a\0", SECRET])
    def test_what_may_not_be_kept_is_refused_before_a_lane_runs(self, memory: Memory, wrong: Any):
        _ = memory.observe("The lamp hangs in the hall.")
        lane = {
            "lane_name": "recall",
            "tool": "search_fulltext",
            "lane": "fulltext",
            "params": {"query": "lamp"},
        }
        search = memory.results.fusion.run_multilane_search
        before = rows(memory, "runs")
        for lanes in ([], [lane]):
            where, why = refused(search(lanes, trace_id=wrong))
            assert where == "trace_id"
            assert SECRET not in why
        assert rows(memory, "runs") == before
        with pytest.raises(MemoryFault, match="INVALID_PARAMETER"):
            memory.fusion.run_multilane_search([lane], trace_id=wrong)
        assert search([lane], trace_id="x" * 128).unwrap().trace_id == "x" * 128


class TestLanesThatCountNothing:
    def test_a_run_without_weight_lists_what_it_lists(self, memory: Memory):
        _ = memory.observe("The lamp hangs in the hall.")
        lanes = memory.fusion
        runs = [lanes.rrf_search_fulltext_raw("lamp"), lanes.rrf_search_semantic_raw("lamp")]
        only_lanes: Any = {"code": 0.0, "facet": 0.0, "lane": 1.0}
        found = lanes.rrf_blend_frontier(
            runs, weights={"semantic": 0.0}, pi_weights=only_lanes, beta_fuse=1.0
        )
        first = found.ranked_docs[0]
        # Both list it: π is 1, and the score twice what the lane that counts gives.
        assert first.score == pytest.approx(2 * sum(first.lane_scores.values()))


class TestExplain:
    @pytest.mark.parametrize("query", [(), ("lamp",)])
    def test_a_document_is_not_explained_and_what_to_ask_is_said(
        self, memory: Memory, query: tuple[str, ...]
    ):
        _ = memory.add_documents([{"pub_id": "JP1", "title": "Lamp"}])
        there = memory.publication("JP1").id
        for one in (there, "doc_0000000000000000"):  # whether it is there is not told
            found = memory.results.explain(*query, one)  # type: ignore[call-overload]
            where, why = refused(found)
            assert where == "claim_id"
            assert why.startswith("it is the id of a document, and claims alone are explained; ")
            assert "publication(id, 'id')" in why
        assert memory.publication(there, "id").id == there
