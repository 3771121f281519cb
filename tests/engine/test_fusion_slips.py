"""Slips of who calls `memory.fusion` and `explain`: each is told, and none weighs or finds nothing."""

from typing import Any

import pytest

from pce_memory import Memory, MemoryFault, errors
from pce_memory.deps.backend import BackendHit

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
    @pytest.mark.parametrize("name", ["", " ", "claims", "documents", None, 5, "x" * 129, SECRET])
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
