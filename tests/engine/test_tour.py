"""What the README promises, on a real file: observe → activate → feedback, reopened."""

from collections.abc import Callable
from pathlib import Path

import pytest
from returns.result import Success

from pce_memory import Boundary, Claim, Entity, Memory, MemoryFault, Provenance, Relation
from pce_memory.domain.ids import EntityId, RelationId
from pce_memory.store import events, graph
from tests.conftest import DAY, FakeClock, rows

KEY = "sk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1Njc4OTA"


def test_the_whole_path_on_one_file(memory_at: Callable[..., Memory], tmp_path: Path) -> None:
    memory = memory_at("agent.duckdb")
    seen = memory.observe(
        f"Alice prefers dark mode. The API key is {KEY}.", source_type="chat", actor="alice"
    )
    assert seen.observation.content == "Alice prefers dark mode. The API key is [secret]."
    assert [claim.text for claim in seen.claims] == [
        "Alice prefers dark mode.",
        "The API key is [secret].",
    ]
    assert dict(seen.redactions) == {"secret": 1}
    assert seen.refused == ()
    context = memory.activate("what does Alice like?", top_k=5)
    first = context.items[0]
    assert first.claim.text == "Alice prefers dark mode."
    assert first.claim.origin_observation_id == seen.observation.id
    assert first.evidences[0].observation_id == seen.observation.id
    assert first.reason is not None
    assert context.policy_version == memory.policy().version
    assert context.boundary.allow == ("answer:task",)
    assert context.expires_at == memory.deps.clock() + DAY
    moved = memory.feedback(first.claim.id, "helpful")
    assert moved.updated.utility == pytest.approx(0.1)
    memory.close()
    again = memory_at("agent.duckdb")
    found = again.activate("what does Alice like?", top_k=5, include_meta=True).items[0]
    assert found.claim.id == first.claim.id
    assert found.score > first.score
    assert found.scores is not None
    assert found.scores.utility == pytest.approx(0.1)


def test_the_kinds_of_claims(memory: Memory) -> None:
    seen = memory.observe(
        "- [ ] Ship the release notes\n"
        "- Never commit secrets to the repository.\n"
        "- I prefer tabs over spaces.\n"
        "- The server runs in Tokyo."
    )
    assert [(claim.kind, claim.scope) for claim in seen.claims] == [
        ("task", "project"),
        ("policy_hint", "principle"),
        ("preference", "project"),
        ("fact", "project"),
    ]


def test_an_activation_is_kept_until_it_expires(memory: Memory, clock: FakeClock) -> None:
    _ = memory.observe("The staging server is in Osaka.", source_id="notes.md", actor="kenji")
    made = memory.activate("where is the staging server?")
    context, items = memory.context(made.active_context.id)
    assert context == made.active_context
    assert [item.claim_id for item in items] == [item.claim.id for item in made.items]
    assert context.scope == "principle"
    assert context.window == "2025-06-15T15:06:40Z/2025-06-15T15:06:40Z"
    assert context.provenance is not None
    assert context.provenance[0].actor == "kenji"
    clock.advance(days=1)
    failed = memory.results.context(made.active_context.id).failure()
    assert failed.message == "Search failed: active context expired"
    _ = memory.maintain()
    assert (rows(memory, "active_contexts"), rows(memory, "active_context_items")) == (0, 0)


def test_an_event_tells_ids_and_numbers_and_no_text(memory: Memory) -> None:
    seen = memory.observe("Maria's favourite tea is genmaicha.")
    made = memory.activate("favourite tea genmaicha")
    found = events.newest(limit=100)(memory.deps).unwrap()
    assert [event.topic for event in found[::-1]] == ["ingest", "integrate", "activate"] or {
        event.topic for event in found
    } == {"ingest", "integrate", "activate"}
    told = next(event.payload for event in found if event.topic == "activate")
    assert told["items"] == [item.claim.id for item in made.items] == [seen.claims[0].id]
    assert told["policy_version"] == "0.0.0-default"
    assert "genmaicha" not in str([event.payload for event in found])


def test_what_a_caller_knows_of_entities_is_linked(memory: Memory) -> None:
    service = Entity(id=EntityId("ent_1"), type="Artifact", name="Ledger")
    team = Entity(id=EntityId("ent_2"), type="Actor", name="Payments")
    owns = Relation(id=RelationId("rel_1"), src_id=team.id, dst_id=service.id, type="owns")
    seen = memory.observe(
        "Ledger stores all invoices. See [[Invoice Format]] and @kenji.",
        entities=[service, team],
        relations=[owns],
    )
    names = {
        entity.name
        for claim in seen.claims
        for entity in graph.entities_of(claim.id)(memory.deps).unwrap()
    }
    # What no claim names is linked to all: it was given as what the observation is about.
    assert {"Ledger", "Payments", "Invoice Format"} <= names
    edges = graph.relations_of(EntityId("ent_1"))(memory.deps).unwrap()
    assert [(edge.src_id, edge.type, edge.dst_id) for edge in edges] == [
        ("ent_2", "owns", "ent_1")
    ]
    again = memory.observe(
        "Ledger also stores refunds.",
        entities=[service.model_copy(update={"id": EntityId("ent_9")})],
    )
    linked = graph.entities_of(again.claims[0].id)(memory.deps).unwrap()
    assert [(entity.type, entity.name) for entity in linked] == [("Artifact", "Ledger")]


def test_distilling_promotes_into_a_slower_scope(memory: Memory, clock: FakeClock) -> None:
    one = memory.observe("The nightly build failed on Monday.").claims[0]
    two = memory.observe("The nightly build failed on Tuesday.").claims[0]
    said = Provenance(at="2025-06-15T15:00:00Z", actor="maria", note="retro")
    done = memory.distill(
        "The nightly build is unreliable.",
        claim_ids=[one.id, two.id],
        provenance=said,
        scope="principle",
    )
    claim = memory.claim(done.created[0])
    assert claim.scope == "principle"
    assert claim.derived_from == (one.id, two.id)
    known = memory.evidence(claim.id)
    assert {e.observation_id for e in known} == {
        None,
        one.origin_observation_id,
        two.origin_observation_id,
    }
    slower = memory.results.distill("x", claim_ids=[claim.id], provenance=said, scope="session")
    assert slower.failure().message == (
        "Invalid scope: session is faster than principle, the scope of a source"
    )
    late = Provenance(at="2025-06-15T15:20:00Z")
    failed = memory.results.distill("x", claim_ids=[one.id], provenance=late).failure()
    assert failed.message == "Invalid provenance: its time is more than 5 minutes from now"
    context = memory.activate("nightly build")
    from_context = memory.distill(
        "Nightly builds fail early in the week.",
        active_context_id=context.active_context.id,
        provenance=said,
    )
    made = memory.claim(from_context.created[0])
    assert set(made.derived_from) == {item.claim.id for item in context.items}


def test_a_query_may_only_narrow(memory: Memory) -> None:
    _ = memory.observe("The office closes at six.")
    project_only = Boundary(
        scope=("project",), allow=("answer:task",), boundary_classes=("internal",)
    )
    found = memory.activate("office", boundary=project_only, scope=["project", "session"])
    assert found.active_context.scope == "project"
    assert (found.boundary.scope, found.boundary.boundary_classes) == (("project",), ("internal",))
    failed = memory.results.activate("office", boundary=project_only, scope=["session"]).failure()
    assert failed.message == "Invalid scope: session. Allowed: project"
    denied = memory.results.activate("office", allow=["tool:contact-lookup"]).failure()
    assert denied.code == "BOUNDARY_DENIED"


def test_the_token_budget_of_a_scope_cuts_and_says_so(memory: Memory) -> None:
    policy = (
        'version: "2.0.0"\nscopes:\n  project: {max_tokens: 30}\nboundary_classes:\n'
        '  public: {allow: ["*"]}\n  internal: {allow: ["answer:task"]}\n'
        "  pii: {allow: []}\n  secret: {allow: []}\n"
    )
    assert memory.apply_policy(policy) == "2.0.0"
    for number in range(8):
        _ = memory.observe(f"Server number {number} is in rack {number} of the data centre.")
    found = memory.activate("which rack is the server in?")
    assert found.cut_by == "tokens"
    assert 0 < len(found.items) < 8


def test_both_styles_say_the_same(memory: Memory) -> None:
    with pytest.raises(MemoryFault) as raised:
        _ = memory.claim("clm_unknown")
    assert raised.value.error == memory.results.claim("clm_unknown").failure()
    seen = memory.observe("Water boils at 100 degrees.")
    claim = memory.results.claim(seen.claims[0].id)
    assert claim == Success(memory.claim(seen.claims[0].id))
    assert isinstance(claim.unwrap(), Claim)


def test_search_ranks_as_activate_does_and_keeps_nothing(memory: Memory) -> None:
    _ = memory.observe("Trains to Kyoto leave every ten minutes. The museum is closed on Mondays.")
    hits = memory.search("trains to Kyoto", k=1)
    assert hits[0].claim.text == "Trains to Kyoto leave every ten minutes."
    assert rows(memory, "active_contexts") == 0
    items = memory.activate("trains to Kyoto", top_k=1).items
    assert [(i.claim.id, i.score) for i in items] == [(i.claim.id, i.score) for i in hits]


def test_an_empty_query_lists_by_standing(memory: Memory) -> None:
    seen = memory.observe("One thing is here. Another thing is there. A third one is gone.")
    _ = memory.feedback(seen.claims[2].id, "helpful")
    _ = memory.feedback(seen.claims[0].id, "harmful")
    found = memory.activate("  ")
    assert [item.claim.text for item in found.items] == [
        "A third one is gone.",
        "Another thing is there.",
        "One thing is here.",
    ]
    assert str(found.items[0].reason).startswith("query=empty")


def test_observations_are_scrubbed_after_their_time(memory: Memory, clock: FakeClock) -> None:
    seen = memory.observe("The meeting room is called Fuji.", actor="alice", source_id="a.md")
    clock.advance(days=31)
    assert memory.maintain().observations_scrubbed == 1
    row = memory.deps.db.query("select * from observations").unwrap()[0]
    assert (row["content"], row["actor"], row["source_id"]) == (None, None, None)
    assert row["content_length"] == 32
    assert memory.claim(seen.claims[0].id).text == "The meeting room is called Fuji."
