"""What a caller may not see cannot change what he sees, and narrowing only ever takes away."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml
from hypothesis import given, settings, strategies as st
from pydantic import BaseModel
from returns.result import Failure, Result

from pce_memory import (
    Boundary,
    Claim,
    IntegrationResult,
    InvariantDefinition,
    Memory,
    Provenance,
)
from tests.conftest import DAY, START, wipe
from tests.model import SCOPES, Rulebook
from tests.strategies import callers, claim_id, claims, sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.conftest import FakeClock

FEW: Final = max(5, settings().max_examples // 2)
"""Fewer examples of what takes longest."""
OWNER: Final = Boundary(
    scope=SCOPES,
    allow=("answer:task", "tool:contact-lookup", "ops"),
    boundary_classes=("public", "internal", "pii"),
)
READER: Final = Boundary(
    scope=("session", "project"),
    allow=("answer:task",),
    boundary_classes=("public", "internal"),
    invariants=(
        InvariantDefinition(name="sure", applies_to=("*",), rule="claim.confidence >= 0.1"),
    ),
)
"""Who looks in these laws; he has a rule of his own."""
LAW: Final = Rulebook(
    allow={"public": ("*",), "internal": ("answer:task",), "pii": ("tool:*",), "secret": ()},
    escalation={"public": None, "internal": None, "pii": None, "secret": "deny"},
    days={"session": 9, "project": 40, "principle": math.inf},
    rules=((("project",), 'claim.kind != "task"'),),
)
REVIEWING: Final = replace(LAW, escalation={**LAW.escalation, "public": "human_review"})
PROVENANCE: Final = Provenance(at="2025-06-15T15:06:40Z")
QUERIES: Final = st.one_of(
    st.just(""),
    sentences,
    st.sampled_from(["Alice", "dark mode", "金曜日", "deploy on Fridays", "レート制限"]),
)
ALPHAS: Final = st.sampled_from([0.0, 0.65, 1.0])
"""By words alone, hybrid, by meaning alone."""


def seen_claim(number: int, one: Claim) -> Claim:
    """Return a claim that the reader sees."""
    fields = {
        "id": claim_id(number),
        "kind": "fact" if one.kind == "task" else one.kind,
        "scope": "project" if one.scope == "principle" else one.scope,
        "confidence": max(one.confidence, 0.1),
        "recency_anchor": START - (one.created_at % (8 * DAY)),
        "tags": (),
    }
    return one.model_copy(update=fields)


HIDING: Final[dict[str, dict[str, object]]] = {
    "scope": {"scope": "principle"},
    "class": {"boundary_class": "pii"},
    "own rule": {"confidence": 0.05},
    "rule": {"kind": "task", "scope": "session"},
    "ttl": {"recency_anchor": START - 41 * DAY},
    "review": {"boundary_class": "public"},
    "tombstone": {},
}
"""What keeps a claim from the reader, by name, and what it has to be like."""

corpora: Final = st.lists(claims(), min_size=1, max_size=8, unique_by=lambda one: one.text).map(
    lambda some: [seen_claim(number, one) for number, one in enumerate(some, start=1)]
)
hidden_corpora: Final = st.lists(
    st.tuples(claims(), st.sampled_from(sorted(HIDING))), min_size=1, max_size=8
)


def in_force(memory: Memory, policy: Rulebook, alpha: float = 0.65, *, k: int = 48) -> None:
    """Put a policy in force from nothing: with the threshold at 0 a look shows all it may."""
    for table in ("policies", "policy_history"):
        memory.deps.db.execute(f"truncate {table}").unwrap()
    document = policy.document()
    hybrid = {"alpha": alpha, "k_txt": k, "k_vec": k}
    document["retrieval"] = {"threshold": 0.0, "hybrid": hybrid}
    memory.deps.policy_store.apply(yaml.safe_dump(document)).unwrap()


def stocked(memory: Memory, shown: Sequence[Claim], alpha: float) -> None:
    wipe(memory)
    in_force(memory, LAW, alpha)
    memory.integrate(shown, boundary=OWNER)


def hide(memory: Memory, shown: Sequence[Claim], others: Sequence[tuple[Claim, str]]) -> list[str]:
    """Add claims that the reader does not see; return their ids."""
    texts = {one.text for one in shown}
    ids: list[str] = []
    for number, (one, why) in enumerate(others, start=1_001):
        if one.text in texts:
            continue
        texts.add(one.text)
        named = seen_claim(number, one).model_copy(update=HIDING[why])
        added(memory, named, why)
        ids.append(named.id)
    return ids


def added(memory: Memory, one: Claim, why: str) -> None:
    if why == "rule":
        # It came in as a task of a session, and was merged into the project.
        memory.integrate([one], boundary=OWNER)
        memory.deps.db.execute(
            "update claims set scope = 'project' where id = $id", {"id": one.id}
        ).unwrap()
        return
    if why == "review":
        memory.deps.db.execute("update policies set version = '0.0.1'").unwrap()
        memory.deps.policy_store.apply(yaml.safe_dump(REVIEWING.document())).unwrap()
        assert memory.integrate([one], boundary=OWNER).queued == (one.id,)
        memory.deps.db.execute("delete from policies where version = '1.0.0'").unwrap()
        memory.deps.db.execute("update policies set version = '1.0.0'").unwrap()
        return
    memory.integrate([one], boundary=OWNER)
    if why == "tombstone":
        other = one.model_copy(
            update={"id": f"{one.id}f", "text": f"{one.text} 別", "scope": "principle"}
        )
        memory.integrate([other.model_copy(update={"content_hash": None})], boundary=OWNER)
        memory.feedback(one.id, "duplicate", duplicate_of=other.id, boundary=OWNER)


def told(value: object) -> object:
    """Return what a result tells, but for the ids and times that every call has anew."""
    if isinstance(value, Result):
        return (
            ("failure", value.failure().code)
            if isinstance(value, Failure)
            else told(value.unwrap())
        )
    if isinstance(value, BaseModel):
        return told(value.model_dump(mode="json"))
    if isinstance(value, dict):
        return {
            key: told(one)
            for key, one in value.items()
            if key not in {"ac_id", "id"} or str(one).startswith("clm_")
        }
    if isinstance(value, (list, tuple)):
        return [told(one) for one in value]
    return value


def looks(memory: Memory, query: str) -> object:
    """Return everything a reader can ask for: with every score, exactly."""
    found = memory.activate(query, top_k=100, include_meta=True, boundary=READER)
    few = memory.activate(query, top_k=2, include_meta=True, boundary=READER)
    kept = memory.context(found.active_context.id, boundary=READER)
    return told([found, few, kept, memory.search(query, k=100, boundary=READER)])


@given(shown=corpora, others=hidden_corpora, query=QUERIES, alpha=ALPHAS)
def test_invisible_claims_change_no_look(
    memory: Memory, shown: list[Claim], others: list[tuple[Claim, str]], query: str, alpha: float
) -> None:
    stocked(memory, shown, alpha)
    before = looks(memory, query)
    ids = hide(memory, shown, others)
    # The law is about claims that are hidden indeed: the reader finds none of them, by no look.
    everything = memory.search("", k=100, boundary=READER)
    assert {item.claim.id for item in everything} == {one.id for one in shown}
    assert looks(memory, query) == before
    if ids:
        memory.forget(claim_id=ids[0])
        assert looks(memory, query) == before


NEW: Final = claims().map(lambda one: seen_claim(5_001, one))


def writes(memory: Memory, shown: Sequence[Claim], new: Claim) -> list[Callable[[], Any]]:
    """Return what a reader may write, each with what it tells."""
    first = shown[0]
    return [
        lambda: memory.results.integrate([new], boundary=READER),
        lambda: memory.results.observe(new.text, boundary=READER).map(
            lambda seen: (len(seen.claims), seen.refused, seen.redactions)
        ),
        lambda: memory.results.feedback(first.id, "helpful", boundary=READER),
        lambda: memory.results.feedback(first.id, "duplicate", boundary=READER),
        lambda: memory.results.forget(query=first.text, dry_run=True, boundary=READER),
        lambda: memory.results.distill(
            f"{first.text} それで。", claim_ids=[first.id], provenance=PROVENANCE, boundary=READER
        ).map(lambda done: [len(ids) for ids in (done.created, done.merged, done.queued)]),
    ]


@settings(max_examples=FEW)
@given(shown=corpora, others=hidden_corpora, new=NEW, which=st.integers(0, 5))
def test_invisible_claims_change_nothing_that_writing_tells(
    memory: Memory, shown: list[Claim], others: list[tuple[Claim, str]], new: Claim, which: int
) -> None:
    stocked(memory, shown, 0.65)
    before = told(writes(memory, shown, new)[which]())
    stocked(memory, shown, 0.65)
    hide(memory, [*shown, new], others)
    assert told(writes(memory, shown, new)[which]()) == before


@given(
    shown=corpora, new=NEW, why=st.sampled_from(["scope", "class", "own rule", "ttl", "review"])
)
def test_a_hidden_claim_of_the_same_text_is_as_good_as_none(
    memory: Memory, shown: list[Claim], new: Claim, why: str
) -> None:
    others = [one for one in shown if one.text != new.text]
    stocked(memory, others, 0.65)
    before = memory.integrate([new], boundary=READER)
    stocked(memory, others, 0.65)
    added(memory, new.model_copy(update={"id": claim_id(7_001), **HIDING[why]}), why)
    # One that comes to light again has an id of its own; but for that nothing differs.
    assert shape(memory.integrate([new], boundary=READER)) == shape(before)


def shape(done: IntegrationResult) -> dict[str, object]:
    counts = {name: len(ids) for name, ids in done.model_dump().items()}
    return {**counts, "like": [(one.existing_id, one.similarity) for one in done.similar_existing]}


@given(given=corpora, wide=callers, data=st.data())
def test_a_narrower_boundary_or_query_sees_less(
    memory: Memory, given: list[Claim], wide: Boundary, data: st.DataObject
) -> None:
    stocked(memory, given, 0.65)
    reached = ids_of(memory, wide)
    for name, parts in (("scope", SCOPES), ("boundary_classes", ("public", "internal", "pii"))):
        fewer = data.draw(st.sets(st.sampled_from(parts), min_size=1))
        kept = tuple(one for one in getattr(wide, name) if one in fewer)
        if kept:
            assert ids_of(memory, wide.model_copy(update={name: kept})) <= reached
    tags = data.draw(
        st.lists(st.sampled_from(["answer:task", "tool:x", "ops", "*", "tool:*"]), min_size=1)
    )
    scope = data.draw(st.sampled_from(SCOPES))
    assert ids_of(memory, wide, allow=tags) <= reached
    assert ids_of(memory, wide, scope=(scope,)) <= reached
    rule = InvariantDefinition(name="more", applies_to=("*",), rule="claim.confidence > 0.5")
    stricter = wide.model_copy(update={"invariants": (*wide.invariants, rule)})
    assert ids_of(memory, stricter) <= reached


def ids_of(memory: Memory, boundary: Boundary, **narrow: Any) -> set[str]:
    found = memory.results.activate("", top_k=100, boundary=boundary, **narrow)
    return (
        set() if isinstance(found, Failure) else {item.claim.id for item in found.unwrap().items}
    )


@given(given=corpora, query=QUERIES, writer=callers, reader=callers)
def test_a_context_read_again_tells_the_reader_his_own_part(
    memory: Memory, given: list[Claim], query: str, writer: Boundary, reader: Boundary
) -> None:
    stocked(memory, given, 0.65)
    made = memory.results.activate(query, top_k=100, boundary=writer)
    if isinstance(made, Failure):
        return
    items = made.unwrap().items
    mine = ids_of(memory, reader)
    again = memory.results.context(made.unwrap().active_context.id, boundary=reader)
    if isinstance(again, Failure):
        assert mine == set()
        return
    context, left = again.unwrap()
    assert [one.claim_id for one in left] == [it.claim.id for it in items if it.claim.id in mine]
    assert [one.rank for one in left] == list(range(1, len(left) + 1))
    if not ids_of(memory, writer) <= mine:
        # Something that weighed in the scores is hidden from this reader.
        assert {one.score for one in left} <= {None}
    elif writer == reader:
        assert [one.score for one in left] == [it.score for it in items]
    hidden = {one.id for one in given} - mine
    assert not [one for one in hidden if one in context.model_dump_json()]


@pytest.mark.parametrize("act", ["distill", "replay"])
def test_an_id_that_was_told_to_one_is_not_told_to_another(memory: Memory, act: str) -> None:
    wipe(memory)
    in_force(memory, LAW)
    hidden = seen_claim(1, hidden_one("Alice prefers dark mode.")).model_copy(
        update={"boundary_class": "pii"}
    )
    memory.integrate([hidden], boundary=OWNER)
    if act == "distill":
        memory.integrate([seen_claim(2, hidden_one("Kenji likes tea."))], boundary=OWNER)
        found = memory.activate("", boundary=OWNER)
        told_to: Any = memory.results.distill(
            "Tea and Kenji.",
            active_context_id=found.active_context.id,
            provenance=PROVENANCE,
            boundary=READER,
        )
    else:
        text = "alice prefers dark mode!"
        first = memory.observe(text, idempotency_key="k", boundary=OWNER)
        assert [one.existing_id for one in first.integration.similar_existing] == [hidden.id]
        told_to = memory.results.observe(text, idempotency_key="k", boundary=READER)
    assert hidden.id not in repr(told_to)


def hidden_one(text: str) -> Claim:
    fields: dict[str, Any] = {
        "id": claim_id(1),
        "text": text,
        "kind": "fact",
        "scope": "project",
        "boundary_class": "internal",
        "origin_observation_id": "obs_1",
        "created_at": START,
        "updated_at": START,
    }
    return Claim.model_validate(fields)


def test_what_a_claim_was_made_of_is_told_by_id_and_no_more(memory: Memory) -> None:
    wipe(memory)
    in_force(memory, LAW)
    source = seen_claim(1, hidden_one("Kenji likes tea."))
    memory.integrate([source], boundary=OWNER)
    made = memory.distill(
        "Kenji and tea.",
        claim_ids=[source.id],
        scope="principle",
        provenance=PROVENANCE,
        boundary=OWNER,
    ).created[0]
    principles = OWNER.model_copy(update={"scope": ("principle",)})
    # An id says that there was a source, which being derived says already.
    assert memory.claim(made, boundary=principles).derived_from == (source.id,)
    refused = memory.results.claim(source.id, boundary=principles).failure()
    assert refused.code == "UNKNOWN_CLAIM"


def test_tags_that_hold_personal_data_leave_by_no_door(memory: Memory, clock: FakeClock) -> None:
    wipe(memory)
    in_force(memory, LAW)
    one = hidden_one("Kenji likes tea.").model_copy(update={"tags": ("ui", "bob@example.com")})
    memory.integrate([one], boundary=OWNER)
    results = [
        memory.observe(one.text, idempotency_key="k", boundary=READER).claims,
        memory.observe(one.text, idempotency_key="k", boundary=READER).claims,
        (memory.claim(one.id, boundary=READER),),
        [item.claim for item in memory.search("", boundary=READER)],
    ]
    assert [[claim.tags for claim in found] for found in results] == [[("ui",)]] * 4
