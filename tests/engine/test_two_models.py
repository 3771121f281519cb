"""Two models of one dimension in one file: their vectors are never compared, and never mixed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from returns.result import Result, Success

from pce_memory import (
    Boundary,
    Claim,
    CoreDeps,
    Memory,
    NewObservation,
    Query,
    create_core_module,
    or_raise,
)
from pce_memory.adapters.embedders import HashingEmbedder
from pce_memory.domain.model import parse
from pce_memory.engine.documents import add_documents
from pce_memory.engine.many import Watch
from pce_memory.engine.observe import observe
from pce_memory.engine.ready import default_boundary
from pce_memory.errors import EmbedderMismatch
from pce_memory.integrator import integrate_bulk
from pce_memory.retriever import lane_hits
from pce_memory.retriever.lanes import question
from pce_memory.store.visibility import view
from tests.conftest import rows, tables
from tests.embedders import safe

BOUNDARY: Boundary = default_boundary()


class Other(HashingEmbedder):
    """A model of another name, with as many dimensions."""

    model_id = "other"


def given(memory: Memory) -> Claim:
    now = memory.deps.clock()
    return Claim.model_validate(
        {
            "id": "clm_1",
            "text": "Ann drinks green tea.",
            "kind": "fact",
            "scope": "project",
            "boundary_class": "internal",
            "origin_observation_id": "obs_1",
            "created_at": now,
            "updated_at": now,
        }
    )


def as_item(content: str) -> NewObservation:
    return or_raise(parse(NewObservation, {"content": content}))


CALLS: dict[str, Callable[[Memory, CoreDeps], Result[Any, Any]]] = {
    "retriever": lambda m, deps: create_core_module(deps).retriever(
        Query(q="coffee"), BOUNDARY, m.policy()
    ),
    "retriever, nothing asked": lambda m, deps: create_core_module(deps).retriever(
        Query(q=""), BOUNDARY, m.policy()
    ),
    "integrator": lambda m, deps: create_core_module(deps).integrator(
        [given(m)], BOUNDARY, m.policy()
    ),
    "integrator, vectors given": lambda m, deps: integrate_bulk(
        [given(m)], {given(m).id: [1.0] + [0.0] * 255}, BOUNDARY, m.policy()
    )(deps),
    "observe": lambda m, deps: observe(as_item("Ann drinks green tea."), BOUNDARY, m.policy())(
        deps
    ),
    "observe, embedded before": lambda m, deps: observe(
        as_item("Bob drinks coffee at noon."), BOUNDARY, m.policy()
    )(deps),
    "documents, write": lambda m, deps: add_documents(
        deps,
        iter([Success({"fields": {"title": "Green tea"}})]),
        BOUNDARY,
        m.policy(),
        watch=Watch(),
    ),
    "documents, read": lambda m, deps: question("coffee", m.policy())(deps),
    "lane": lambda m, deps: lane_hits.original_dense(
        "coffee", or_raise(view(BOUNDARY, m.policy())(deps)).visible, m.policy(), top_k=3
    )(deps),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_another_model_of_the_same_dimension_is_refused(
    memory: Memory, call: Callable[[Memory, CoreDeps], Result[Any, Any]]
):
    _ = memory.observe("Bob drinks coffee at noon.")
    _ = memory.add_documents([{"fields": {"title": "Coffee"}}])
    before = {table: rows(memory, table) for table in tables(memory)}
    own = memory.deps.embedding
    other = safe(Other(dimension=own.dimension))
    refused = call(memory, replace(memory.deps, embedding=other)).failure()
    assert refused == EmbedderMismatch(
        f"{own.model_id} {own.version} ({own.dimension} dimensions)",
        f"other {own.version} ({own.dimension} dimensions)",
    )
    assert {table: rows(memory, table) for table in tables(memory)} == before


def test_the_same_model_in_another_object_is_the_same(memory: Memory):
    _ = memory.observe("Bob drinks coffee at noon.")
    same = safe(HashingEmbedder(dimension=memory.deps.embedding.dimension))
    deps = replace(memory.deps, embedding=same)
    found = create_core_module(deps).retriever(Query(q="coffee"), BOUNDARY, memory.policy())
    assert [one.claim.text for one in or_raise(found).items] == ["Bob drinks coffee at noon."]


def test_a_memory_of_another_version_of_a_model_is_refused(memory: Memory):
    class Newer(HashingEmbedder):
        version = "another"

    deps = replace(memory.deps, embedding=safe(Newer(dimension=memory.deps.embedding.dimension)))
    refused = create_core_module(deps).retriever(Query(q="coffee"), BOUNDARY, memory.policy())
    assert isinstance(refused.failure(), EmbedderMismatch)
