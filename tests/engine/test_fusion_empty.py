"""A lane that finds nothing says why, of what its caller sees and of nothing else."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from returns.result import Result, Success

from pce_memory import Memory, RunHandle
from pce_memory.deps.backend import BackendDocument, BackendHit
from tests.embedders import Outage


class Empty:
    """A backend that never finds anything."""

    def fulltext_search(self, *_: Any) -> Result[tuple[BackendHit, ...], Any]:
        return Success(())

    def semantic_search(self, *_: Any) -> Result[tuple[BackendHit, ...], Any]:
        return Success(())

    def get_document(self, *_: Any) -> Result[BackendDocument | None, Any]:
        return Success(None)


@pytest.fixture
def three(memory: Memory) -> Memory:
    for text in (
        "Atlas talks to Gateway Seven.",
        "Gateway Seven was restarted on Monday.",
        "Atlas is the billing service.",
    ):
        _ = memory.observe(text)
    return memory


def test_a_graph_without_entities_says_so(three: Memory):
    run = three.fusion.rrf_search_graph_raw("What does Atlas talk to?")
    assert run.hit_count == 0
    assert run.meta["empty"] == (
        "no entity is linked to the visible claims that fit the query best"
    )


LANES: Mapping[str, tuple[Callable[[Any, Any], RunHandle], str]] = {
    "recall": (
        lambda fusion, how: fusion.rrf_search_fulltext_raw("zeppelin", **how),
        "no visible {noun} holds a word that is asked for",
    ),
    "precision": (
        lambda fusion, how: fusion.rrf_search_fulltext_raw(
            "atlas zeppelin", lane_name="precision", **how
        ),
        "no visible {noun} holds every word that is asked for",
    ),
    "phrase": (
        lambda fusion, how: fusion.rrf_search_fulltext_raw(
            '"atlas gateway"', lane_name="precision", **how
        ),
        "no visible {noun} holds every word that is asked for and every quoted phrase",
    ),
    "left out": (
        lambda fusion, how: fusion.rrf_search_fulltext_raw("billing -atlas", **how),
        "no visible {noun} holds a word that is asked for and nothing that is left out",
    ),
    "no word": (
        lambda fusion, how: fusion.rrf_search_fulltext_raw("?!", **how),
        "the query has no word to look for",
    ),
    "code": (
        lambda fusion, how: fusion.rrf_search_code_raw({"tag": {"none": 1.0}}, **how),
        "no visible {noun} carries one of the codes that are asked for",
    ),
}


@pytest.mark.parametrize("collection", ["claims", "documents"])
@pytest.mark.parametrize("name", LANES)
def test_every_lane_says_what_it_lacks(three: Memory, name: str, collection: str):
    _ = three.add_documents([{"pub_id": "1", "title": "Atlas is the billing service."}])
    ask, reason = LANES[name]
    run = ask(three.fusion, {"collection": collection})
    noun = collection.removesuffix("s")
    assert (run.hit_count, run.meta["empty"]) == (0, reason.format(noun=noun))


@pytest.mark.parametrize("collection", ["claims", "documents"])
@pytest.mark.parametrize("lane", ["fulltext", "semantic", "original_dense", "code"])
def test_a_boundary_that_shows_nothing_is_the_reason(memory: Memory, lane: str, collection: str):
    ask = getattr(memory.fusion, f"rrf_search_{lane}_raw")
    run = ask({"tag": {"x": 1.0}} if lane == "code" else "atlas", collection=collection)
    noun = collection.removesuffix("s")
    assert (run.hit_count, run.meta["empty"]) == (0, f"the boundary shows no {noun}")


def test_a_graph_that_sees_nothing_has_nowhere_to_begin(memory: Memory):
    run = memory.fusion.rrf_search_graph_raw("atlas")
    assert run.meta["empty"] == "no visible claim fits the query by words or by meaning"


def test_filters_that_leave_nothing_are_the_reason(three: Memory):
    none = [{"field": "kind", "include_values": ["task"]}]
    run = three.fusion.rrf_search_semantic_raw("atlas", filters=none)
    assert run.meta["empty"] == "the boundary and the filters leave no claim"


@pytest.mark.parametrize("collection", ["claims", "documents"])
@pytest.mark.parametrize("lane", ["semantic", "original_dense"])
def test_without_vectors_the_lanes_of_meaning_say_so(memory_at, lane: str, collection: str):
    embedder = Outage()
    memory = memory_at(embedder=embedder)
    _ = memory.observe("Atlas is the billing service.")
    embedder.down = True
    run = getattr(memory.fusion, f"rrf_search_{lane}_raw")("atlas", collection=collection)
    assert (run.hit_count, run.meta["empty"]) == (0, "the embedder gave no vector")


def test_a_backend_that_finds_nothing_is_named_as_the_reason(memory: Memory):
    run = memory.fusion.over("shelf", Empty()).rrf_search_fulltext_raw("atlas")
    assert run.meta["empty"] == "the backend found nothing"


def test_what_is_found_has_no_reason(three: Memory):
    assert "empty" not in three.fusion.rrf_search_fulltext_raw("atlas").meta
