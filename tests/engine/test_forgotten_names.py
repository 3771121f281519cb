"""What reviewers wrote and the ids that callers made up go with what is forgotten."""

from typing import Any

import pytest

from pce_memory import Memory, MemoryFault
from pce_memory.domain.extraction import ExtractionResult
from pce_memory.domain.ids import EvidenceId
from pce_memory.domain.provenance import Evidence
from tests.engine.raw_search import places
from tests.engine.test_forgotten_places import STAYS, WAYS, WORD, by, way_of
from tests.engine.test_reviews import CONTACTS, claim


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("verdict", ["approve", "reject"])
def test_a_word_goes_from_what_a_reviewer_wrote(memory: Memory, verdict: str, way: str) -> None:
    """Of a claim that was rejected nothing tells any more whose it was, but its review."""
    seen = memory.observe("ok", actor="bob")
    first, second = claim(), claim(2, "Hanako lives behind the mill.")
    why = Evidence(
        id=EvidenceId("evd_1"),
        claim_id=first.id,
        observation_id=seen.observation.id,
        method="llm",
        provenance=by(),
    )
    told = ExtractionResult(claims=(first, second), evidences=(why,))
    _ = memory.integrate(told, boundary=CONTACTS)
    review_of = {review.claim_id: review for review in memory.reviews.list()}
    own, others = review_of[first.id], review_of[second.id]
    _ = getattr(memory.reviews, verdict)(own.id, reviewer="kim", note=f"as {WORD} said")
    _ = memory.reviews.reject(others.id, reviewer="kim", note="no use")
    known = {
        "query": WORD,
        "claim_id": own.claim_id,
        "observation_id": seen.observation.id,
        "actor": "bob",
    }
    wanted: dict[str, Any] = {way: known[way]}
    assert places(memory, WORD) == ["reviews"]
    planned = memory.forget(**wanted, dry_run=True)
    done = memory.forget(**wanted)
    assert planned.others == done.others == (verdict == "reject" or way == "query")
    assert places(memory, WORD) == []
    notes = {review.id: review.note for review in memory.reviews.list(status=None)}
    assert notes == {own.id: None, others.id: "no use"}


def test_a_boundary_forgets_no_note_of_a_reviewer(memory: Memory) -> None:
    _ = memory.integrate([claim()], boundary=CONTACTS)
    (review,) = memory.reviews.list()
    _ = memory.reviews.reject(review.id, reviewer="kim", note=f"as {WORD} said")
    for boundary in (CONTACTS, memory.results.boundary):
        with pytest.raises(MemoryFault, match="clm_1"):
            _ = memory.forget(claim_id="clm_1", boundary=boundary)
    with pytest.raises(MemoryFault, match="clm_2"):
        _ = memory.forget(claim_id="clm_2")
    assert places(memory, WORD) == ["reviews"]


@pytest.mark.parametrize("way", WAYS)
def test_a_word_goes_from_ids_that_callers_made_up(memory: Memory, way: str) -> None:
    seen = memory.observe("It was restarted.", actor="bob")
    stays = memory.observe(STAYS, actor="alice").claims[0].id
    _ = memory.feedback(seen.claims[0].id, "helpful", feedback_id=f"fb_{WORD}_1")
    _ = memory.judge(seen.claims[0].id, score=80, judgement_id=f"jdg_{WORD}-1")
    if way == "query":  # also where the claim stays
        _ = memory.feedback(stays, "helpful", feedback_id=f"fb_{WORD}_2")
        _ = memory.feedback(stays, "helpful", feedback_id="fb_2")
        _ = memory.judge(stays, score=70, judgement_id=f"jdg_{WORD}-2")
    assert places(memory, WORD) == ["feedback", "judgements"]
    done = memory.forget(**way_of(way, WORD, seen))
    assert done.claims == (() if way == "query" else (seen.claims[0].id,))
    assert done.others == (4 if way == "query" else 0)
    assert places(memory, WORD) == []
    assert memory.claim(stays).text == STAYS
    assert len(memory.deps.db.query("select id from feedback").unwrap()) == (way == "query")
