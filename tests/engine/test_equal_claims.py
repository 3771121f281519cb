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
from tests.conftest import START, FakeClock

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


class TestWhatAWriteTells:
    """A new claim is like the equal claim that its writer sees."""

    @pytest.mark.parametrize(
        ("text", "like"),
        [
            (TEXTS[0], TEXTS[0].upper()),
            (TEXTS[0], f"Our {TEXTS[0][0].lower()}{TEXTS[0][1:]}"),
            (TEXTS[1], f"「{TEXTS[1]}」"),
        ],
    )
    def test_similar_claims(self, memory: Memory, text: str, like: str) -> None:
        memory.integrate([claim(1, "project", text)], boundary=PROJECT)
        others(memory)
        later(memory, text)
        for number, boundary, named in ((20, ALL, "clm_2"), (21, PROJECT, "clm_1")):
            new = claim(number, "project", like)
            done = memory.integrate([new], boundary=boundary)
            assert done.created == (new.id,)
            assert [one.existing_id for one in done.similar_existing] == [named]
            memory.forget(claim_id=new.id)
        new = claim(22, "principle", like)
        done = memory.integrate([new], boundary=PRINCIPLE)
        assert [one.existing_id for one in done.similar_existing] == ["clm_2"]


FILTERS: Final[dict[str, list[dict[str, Any]]]] = {
    "none": [],
    "kind": [{"field": "kind", "op": "eq", "value": "fact"}],
    "kind of the other": [{"field": "kind", "op": "eq", "value": "task"}],
    "tag": [{"field": "tags", "include_values": ["shown"]}],
    "tag of the other": [{"field": "tags", "include_values": ["seat"]}],
    "no tag": [{"lop": "not", "field": "tags", "include_values": ["seat"]}],
    "time": [{"field": "created_at", "op": "<=", "value": START}],
    "time of the other": [{"field": "created_at", "op": ">=", "value": START + 30}],
    "ids": [{"field": "id", "op": "in", "value": ["clm_2", "clm_10", "clm_12"]}],
    "id of the other": [{"field": "id", "op": "in", "value": ["clm_1", "clm_11"]}],
    "scope": [{"field": "scope", "op": "eq", "value": "principle"}],
    "scope of the other": [{"field": "scope", "op": "eq", "value": "project"}],
}


class TestUnderAFilter:
    """What is not shown counts nowhere: not in what is found, nor in the statistics of scores."""

    @pytest.mark.parametrize("mirror_memory", [0, "1GB"])
    @pytest.mark.parametrize("text", TEXTS)
    def test_an_equal_that_is_not_shown_counts_for_nothing(
        self, text: str, mirror_memory: int | str
    ) -> None:
        told = []
        for with_equal in (True, False):
            with Memory.open(
                ":memory:", embedder="hashing", clock=FakeClock(), mirror_memory=mirror_memory
            ) as memory:
                if with_equal:
                    fields = {"kind": "task", "tags": ("seat",), "created_at": START + 60}
                    hidden = claim(1, "project", text, **fields)
                    memory.integrate([hidden], boundary=PROJECT)
                memory.integrate(
                    [claim(2, "principle", text, tags=("shown",))], boundary=PRINCIPLE
                )
                others(memory)
                told.append({name: found(memory, text, some) for name, some in FILTERS.items()})
                if with_equal:
                    mine = memory.search(text, boundary=PROJECT)
                    assert "clm_1" in {item.claim.id for item in mine}
        shadowed, alone = told
        assert shadowed == alone
        assert "clm_2" in {doc for doc, _ in alone["kind"]["fulltext"]}
        for name in ("kind of the other", "tag of the other", "id of the other"):
            assert "clm_2" not in {doc for doc, _ in alone[name]["fulltext"]}


def found(
    memory: Memory, text: str, filters: list[dict[str, Any]]
) -> dict[str, list[tuple[str, float]]]:
    """Return what each lane finds, with its scores."""
    lanes = {}
    for lane in ("fulltext", "semantic", "original_dense"):
        search = getattr(memory.fusion, f"rrf_search_{lane}_raw")
        run = search(text, filters=filters, boundary=ALL).run_id
        rows = memory.deps.db.query(
            "select claims.id, score from run_docs join runs on runs.seq = run_seq "
            "join claims on claims.row_id = key where run_id = $run order by place",
            {"run": run},
        ).unwrap()
        lanes[lane] = [(str(row["id"]), float(row["score"])) for row in rows]
    return lanes
