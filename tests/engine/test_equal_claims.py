"""Of equal claims a caller sees one: in what was kept before, under each filter, in what a write tells."""

from typing import Any, Final

import pytest

from pce_memory import (
    Boundary,
    Claim,
    Memory,
    ObservationId,
    Provenance,
)
from pce_memory.domain.ids import ClaimId
from tests.conftest import START

TEXTS: Final = ("Release day is Thursday.", "健二さんは窓側の席を好む。")
ALL: Final = Boundary(
    scope=("session", "project", "principle"),
    allow=("answer:task",),
    boundary_classes=("public", "internal"),
)
PRINCIPLE: Final = ALL.model_copy(update={"scope": ("principle",)})
PROJECT: Final = ALL.model_copy(update={"scope": ("project",)})


def claim(number: int, scope: str, text: str = TEXTS[0], **fields: object) -> Claim:
    return Claim.model_validate(
        {
            "id": ClaimId(f"clm_{number}"),
            "text": text,
            "kind": "fact",
            "scope": scope,
            "boundary_class": "internal",
            "origin_observation_id": ObservationId(f"obs_{number}"),
            "created_at": START,
            "updated_at": START,
            **fields,
        }
    )


def others(memory: Memory) -> None:
    memory.integrate(
        [
            claim(10, "project", "Another release day is planned."),
            claim(11, "principle", "The lamp is green on release days."),
            claim(12, "project", "窓側の席は寒い。", kind="task", tags=("seat",)),
        ]
    )


def later(memory: Memory, text: str = TEXTS[0]) -> None:
    """Write the claim that is shown instead from now on, by somebody who sees no other."""
    memory.integrate([claim(2, "principle", text)], boundary=PRINCIPLE)


class TestWhatWasKept:
    """It follows to the equal claim that is shown now, at its rank."""

    @pytest.fixture(params=TEXTS)
    def text(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    @pytest.fixture
    def stocked(self, memory: Memory, text: str) -> Memory:
        memory.integrate([claim(1, "project", text)], boundary=PROJECT)
        others(memory)
        return memory

    def test_an_active_context(self, stocked: Memory, text: str) -> None:
        kept = stocked.activate(text).active_context.id
        before = stocked.context(kept)
        later(stocked, text)
        after = stocked.context(kept)
        assert [item.claim_id for item in after[1]] == [
            "clm_2" if item.claim_id == "clm_1" else item.claim_id for item in before[1]
        ]
        assert [(item.rank, item.score) for item in after[1]] == [
            (item.rank, item.score) for item in before[1]
        ]
        assert stocked.context(kept, boundary=PROJECT)[1][0].claim_id == "clm_1"

    def test_a_context_is_distilled_from_it(self, stocked: Memory, text: str) -> None:
        kept = stocked.activate(text, top_k=1).active_context.id
        later(stocked, text)
        done = stocked.distill(
            "Release days are known.",
            active_context_id=kept,
            scope="principle",
            provenance=Provenance(at="2025-06-15T15:06:40Z"),
        )
        told: Any = stocked.claim(done.created[0])
        assert told.derived_from == ("clm_2",)

    @pytest.mark.parametrize("lane", ["fulltext", "semantic", "original_dense"])
    def test_a_run(self, stocked: Memory, text: str, lane: str) -> None:
        fusion = stocked.fusion
        run = getattr(fusion, f"rrf_search_{lane}_raw")(text).run_id
        before = fusion.peek_snippets(run).snippets
        assert "clm_1" in {one.doc_id for one in before}
        later(stocked, text)
        after = fusion.peek_snippets(run).snippets
        assert [(one.doc_id, one.rank) for one in after] == [
            ("clm_2" if one.doc_id == "clm_1" else one.doc_id, one.rank) for one in before
        ]
        mine = fusion.peek_snippets(run, boundary=ALL).snippets
        assert [one.doc_id for one in mine] == [one.doc_id for one in after]

    def test_a_blend_and_what_is_made_of_it(self, stocked: Memory, text: str) -> None:
        fusion = stocked.fusion
        lanes = [fusion.rrf_search_fulltext_raw(text), fusion.rrf_search_semantic_raw(text)]
        blend = fusion.rrf_blend_frontier(lanes)
        typical = fusion.register_representatives(["clm_1"], "typical")
        before = fusion.get_provenance(blend.run_id)
        later(stocked, text)
        after = fusion.get_provenance(blend.run_id)
        assert after.lane_contributions.aggregate == before.lane_contributions.aggregate
        assert fusion.peek_snippets(blend.run_id).snippets[0].doc_id == "clm_2"
        wanted = [
            ("clm_2" if one.doc_id == "clm_1" else one.doc_id, one.rank, one.score)
            for one in blend.ranked_docs
        ]
        assert wanted[0][0] == "clm_2"
        for again in (fusion.rrf_mutate_run(blend.run_id), fusion.rrf_blend_frontier(lanes)):
            assert [(one.doc_id, one.rank, one.score) for one in again.ranked_docs] == wanted
        assert fusion.rrf_blend_frontier(lanes, representatives=[typical]).ranked_docs[
            0
        ].doc_id == ("clm_2")
