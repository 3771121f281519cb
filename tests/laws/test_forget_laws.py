"""What is forgotten is gone from every byte of the file; everything else stays as it was."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings, strategies as st

from pce_memory import (
    Boundary,
    Claim,
    Entity,
    EntityId,
    Evidence,
    EvidenceId,
    ExtractionResult,
    Memory,
    Mention,
    Provenance,
)
from pce_memory.policy.indexed import indexed_text
from tests.conftest import START, CountingIds, FakeClock, wipe
from tests.model import SCOPES
from tests.policies import LASTING
from tests.strategies import claim_id, claims

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OWNER: Final = Boundary(
    scope=SCOPES,
    allow=("answer:task", "tool:contact-lookup"),
    boundary_classes=("public", "internal", "pii"),
)
REVIEWED: Final = LASTING.replace(
    "escalation: null\n  secret", "escalation: human_review\n  secret"
)
FORMS: Final = st.sampled_from(["claim_id", "observation_id", "actor", "query"])
FEW: Final = max(5, settings().max_examples // 2)
"""Fewer examples where each one writes files of its own."""

rare_words: Final = st.lists(
    st.text("bcdfghjklmnpqrstvwxz", min_size=9, max_size=14)
    | st.text("鱶鱚鰊鰰鱈鯱鰌鰍鱇鯣鯑鰄", min_size=4, max_size=7),
    min_size=12,
    max_size=12,
    unique=True,
).filter(lambda some: not any(a in b for a in some for b in some if a != b))
"""Words that stand in no other text, in two scripts."""


def opened(folder: str, ids: CountingIds, policy: str | None = LASTING) -> Memory:
    return Memory.open(
        Path(folder, "m.duckdb"), embedder="hashing", clock=FakeClock(), ids=ids, policy=policy
    )


def contents(folder: str) -> bytes:
    """Return every byte of a memory's files."""
    return b"\n".join(path.read_bytes() for path in sorted(Path(folder).iterdir()))


def holding(folder: str, words: Iterable[str]) -> list[str]:
    found = contents(folder)
    return [word for word in words if word.encode() in found]


def filled(memory: Memory, words: Sequence[str], *, twice: bool) -> tuple[str, str, str]:
    """Say the first words in every way there is; return a claim, an observation and its actor."""
    target, other = words[:6], words[6:]
    seen = memory.observe(
        f"Kenji keeps the {target[0]} beside {target[1]}.",
        actor=target[2],
        source_id=target[3],
        idempotency_key="k-1",
        provenance=Provenance(at="2025-06-15T15:06:40Z", actor=target[2], note=target[4]),
        entities=(Entity(id=EntityId("ent_1"), type="Concept", name=target[0]),),
    )
    claim = seen.claims[0]
    memory.observe(f"Maria keeps the {other[0]} beside {other[1]}.", actor=other[2])
    memory.distill(
        f"Of {target[5]} more is known.",
        claim_ids=[claim.id],
        provenance=Provenance(at="2025-06-15T15:06:40Z", note=target[4]),
        note=target[3],
    )
    if twice:
        again = memory.observe(f"Kenji, {target[0]}, {target[1]}: he keeps both.", actor=target[2])
        memory.feedback(again.claims[0].id, "duplicate", duplicate_of=claim.id)
    memory.activate(target[0])
    memory.feedback(claim.id, "helpful")
    return claim.id, seen.observation.id, target[2]


@settings(max_examples=FEW)
@given(words=rare_words, form=FORMS)
def test_no_byte_is_left_of_what_is_forgotten(words: list[str], form: str) -> None:
    with TemporaryDirectory() as folder:
        ids = CountingIds()
        with opened(folder, ids) as memory:
            claim, observation, actor = filled(memory, words, twice=form != "observation_id")
            assert set(holding(folder, words[:3])) == set(words[:3])
            wanted: dict[str, Any] = {
                "claim_id": claim,
                "observation_id": observation,
                "actor": actor,
                "query": words[0],
            }
            plan = memory.forget(dry_run=True, **{form: wanted[form]})
            done = memory.forget(**{form: wanted[form]})
            assert done == plan.model_copy(update={"dry_run": False, "compacted": True})
            still_there(memory, words[6:])
        assert holding(folder, words[:6]) == []
        assert sorted(path.name for path in Path(folder).iterdir()) == ["m.duckdb"]
        with opened(folder, ids, None) as memory:
            still_there(memory, words[6:])
            assert words[0] not in repr(memory.search(words[0], k=100))


def still_there(memory: Memory, words: Sequence[str]) -> None:
    """Check that what others said is whole, and is found."""
    found = memory.activate(words[0]).items[0]
    assert found.claim.text == f"Maria keeps the {words[0]} beside {words[1]}."
    assert [one.provenance.actor for one in found.evidences if one.provenance] == [words[2]]
    rows = memory.deps.db.query("select content from observations where content is not null")
    assert [row["content"] for row in rows.unwrap()] == [found.claim.text]


@settings(max_examples=FEW)
@given(words=rare_words, how=st.sampled_from(["reject", "expire"]))
def test_no_byte_is_left_of_what_is_rejected_or_over(words: list[str], how: str) -> None:
    with TemporaryDirectory() as folder:
        clock, ids = FakeClock(), CountingIds()
        path = Path(folder, "m.duckdb")
        with Memory.open(path, embedder="hashing", clock=clock, ids=ids) as memory:
            one = as_claim(1, f"Kenji keeps the {words[0]} beside {words[1]}.", "pii")
            note = Evidence(
                id=EvidenceId("evd_x"),
                claim_id=one.id,
                method="manual",
                note=words[2],
                snippet=words[3],
            )
            entity = Entity(id=EntityId("ent_x"), type="Concept", name=words[4])
            given = ExtractionResult(
                claims=(one,),
                evidences=(note,),
                entities=(entity,),
                mentions=(Mention(claim_id=one.id, entity_id=entity.id),),
            )
            assert memory.integrate(given, boundary=OWNER).queued == (one.id,)
            memory.observe(f"Maria keeps the {words[6]} beside {words[7]}.", actor=words[8])
            if how == "reject":
                review = memory.reviews.list()[0]
                memory.reviews.reject(review.id, reviewer="kyoko", note="not for us")
            else:
                clock.advance(days=121)
                memory.observe(f"Maria keeps the {words[6]} beside {words[7]}.", actor=words[8])
                assert memory.maintain().claims_expired >= 1
            assert memory.compact()
            assert [item.claim.text for item in memory.activate(words[6]).items] == [
                f"Maria keeps the {words[6]} beside {words[7]}."
            ]
        assert holding(folder, words[:5]) == []


def as_claim(number: int, text: str, boundary_class: str = "internal") -> Claim:
    return Claim.model_validate(
        {
            "id": claim_id(number),
            "text": text,
            "kind": "fact",
            "scope": "project",
            "boundary_class": boundary_class,
            "origin_observation_id": "obs_elsewhere",
            "created_at": START,
            "updated_at": START,
        }
    )


# --- in RAM: what a dry run tells, what stays, and the index

corpora: Final = st.lists(claims(), min_size=2, max_size=8, unique_by=lambda one: one.text).map(
    lambda some: [
        one.model_copy(update={"id": claim_id(number)}) for number, one in enumerate(some, 1)
    ]
)
ACTS: Final = st.lists(
    st.tuples(
        st.sampled_from(["observe", "duplicate", "distill", "forget", "merge", "helpful"]),
        st.integers(0, 50),
        st.integers(0, 50),
    ),
    max_size=8,
)


def lived(memory: Memory, given: Sequence[Claim], acts: Sequence[tuple[str, int, int]]) -> None:
    """Put claims into an empty memory, and let some things happen to them."""
    wipe(memory)
    memory.integrate(given, boundary=OWNER)
    for act, first, second in acts:
        there = sorted(item.claim.id for item in memory.search("", k=100, boundary=OWNER))
        if not there:
            return
        one, other = there[first % len(there)], there[second % len(there)]
        if act == "observe":
            memory.observe(
                given[first % len(given)].text, actor=f"actor{second % 2}", boundary=OWNER
            )
        elif act == "duplicate":
            memory.results.feedback(one, "duplicate", duplicate_of=other, boundary=OWNER)
        elif act == "distill":
            memory.results.distill(
                f"Summary {first} of {second}.",
                claim_ids=list(dict.fromkeys((one, other))),
                scope="principle",
                provenance=Provenance(at="2025-06-15T15:06:40Z"),
                boundary=OWNER,
            )
        elif act == "forget":
            memory.forget(claim_id=one, derived=bool(second % 2), boundary=OWNER)
        elif act == "merge":
            again = given[first % len(given)].model_copy(
                update={"id": claim_id(10_000 + first * 100 + second), "tags": ("again",)}
            )
            memory.results.integrate([again], boundary=OWNER)
        else:
            memory.feedback(one, "helpful", boundary=OWNER)


def rows_of(memory: Memory, statement: str) -> list[dict[str, Any]]:
    return [dict(row) for row in memory.deps.db.query(statement).unwrap()]


def state(memory: Memory) -> dict[str, dict[str, Any]]:
    """Return each claim with its terms, its vector and its evidence, and each observation."""
    spaces = rows_of(memory, "select generation from vector_spaces where status = 'active'")
    vectors = {
        row["row_id"]: tuple(row["embedding"])
        for row in rows_of(memory, f"select * from vectors_{spaces[0]['generation']}")
    }
    terms: dict[int, list[tuple[int, int, int]]] = {}
    for row in rows_of(memory, "select * from postings order by term_hash"):
        terms.setdefault(row["row_id"], []).append((row["term_hash"], row["tf"], row["dl"]))
    told = {
        row["id"]: {
            **row,
            "terms": terms.pop(row["row_id"], []),
            "vector": vectors.pop(row["row_id"]),
        }
        for row in rows_of(memory, "select * from claims")
    }
    # Nothing of a claim that is not there is left in the index.
    assert (terms, vectors) == ({}, {})
    said = {row["id"]: row for row in rows_of(memory, "select * from observations")}
    return {"claims": told, "observations": said}


@given(given=corpora, acts=ACTS, form=FORMS, which=st.integers(0, 50), derived=st.booleans())
def test_a_dry_run_tells_all_that_is_erased_and_nothing_else_is(
    memory: Memory,
    given: list[Claim],
    acts: list[tuple[str, int, int]],
    form: str,
    which: int,
    derived: bool,
) -> None:
    lived(memory, given, acts)
    before = state(memory)
    wanted = wanted_of(before, form, which)
    if wanted is None:
        return
    how: dict[str, Any] = {form: wanted, "derived": derived}
    plan = memory.forget(dry_run=True, **how)
    assert state(memory) == before
    done = memory.forget(**how)
    assert plan == done.model_copy(update={"dry_run": True})
    after = state(memory)
    assert set(done.claims) == set(before["claims"]) - set(after["claims"])
    assert set(done.derived) <= set(done.claims)
    for one, row in after["claims"].items():
        if row != before["claims"][one]:
            borne_out_by_others(memory, before["claims"][one], row, after, set(done.observations))
    for one, row in after["observations"].items():
        same = row == before["observations"][one]
        assert same or (one in done.observations and row["content"] is None)
    assert set(done.claims) <= {one.subject_id for one in memory.erasures()}
    texts = [before["claims"][one]["text"] for one in done.claims]
    assert all(memory.erasures(text)[0].subject == "claim" for text in texts)


MOVED: Final = {"changed", "origin_observation_id", "said_at", "stream", "saying"}
"""What of a claim tells which observation it came from."""
BY_SPEAKER: Final = {"said_by", "token_count", "embedded", "terms", "vector"}
"""What of a claim tells who said it: its speaker counts as a word of it."""


def borne_out_by_others(
    memory: Memory,
    old: dict[str, Any],
    new: dict[str, Any],
    after: dict[str, dict[str, Any]],
    forgotten: set[str],
) -> None:
    """Check that a claim which stays became that of the eldest observation that still says it."""
    differing = {column for column in new if new[column] != old[column]}
    assert old["origin_observation_id"] in forgotten
    left = [
        after["observations"][row["observation_id"]]
        for row in rows_of(memory, "select claim_id, observation_id from evidence")
        if row["claim_id"] == new["id"] and row["observation_id"] is not None
    ]
    assert forgotten.isdisjoint(row["id"] for row in left)
    eldest = min(left, key=lambda row: (row["observed_at"], row["id"]))
    assert (new["origin_observation_id"], new["said_by"], new["said_at"]) == (
        eldest["id"],
        eldest["actor"],
        eldest["observed_at"],
    )
    by_another = new["said_by"] != old["said_by"]
    assert differing <= MOVED | (BY_SPEAKER if by_another else set())


def wanted_of(before: dict[str, dict[str, Any]], form: str, which: int) -> str | None:
    claims_there, said = sorted(before["claims"]), sorted(before["observations"])
    if form == "claim_id":
        return claims_there[which % len(claims_there)] if claims_there else None
    if form == "observation_id":
        return said[which % len(said)] if said else None
    return "actor1" if form == "actor" else "dark mode"


@settings(max_examples=FEW)
@given(given=corpora, acts=ACTS)
def test_the_index_is_that_of_the_texts(
    memory: Memory, given: list[Claim], acts: list[tuple[str, int, int]]
) -> None:
    lived(memory, given, acts)
    # Seen again after it was forgotten, a claim is found by who said it now.
    for row in state(memory)["claims"].values():
        level, by = row["boundary_class"], row["said_by"]
        text = indexed_text(row["text"], level, memory.policy(), said_by=by)
        assert row["token_count"] == len(memory.deps.tokenizer.terms(text))
        anew = memory.deps.embedding.embed(text).unwrap()
        assert row["vector"] == pytest.approx(tuple(anew), abs=1e-6)


@settings(max_examples=FEW)
@given(given=corpora, acts=ACTS)
def test_every_text_can_be_said_again(
    memory: Memory, given: list[Claim], acts: list[tuple[str, int, int]]
) -> None:
    lived(memory, given, acts)
    there = {row["id"] for row in rows_of(memory, "select id from claims")}
    into = rows_of(
        memory, "select superseded_by as id from claims where superseded_by is not null"
    )
    assert {row["id"] for row in into} <= there
    for one in given:
        assert memory.observe(one.text, boundary=OWNER).refused == ()


LANTERN: Final = "Kenji keeps the lantern in Nara."


def test_a_text_that_was_refused_once_is_forgotten_too(memory: Memory) -> None:
    wipe(memory)
    memory.observe(LANTERN)
    public = OWNER.model_copy(update={"boundary_classes": ("public",)})
    assert len(memory.observe(LANTERN, boundary=public).refused) == 1
    memory.forget(query="lantern")
    assert said(memory) == [None, None]


def test_a_duplicate_is_forgotten_wherever_it_was_said(memory: Memory) -> None:
    wipe(memory)
    one = memory.observe(LANTERN).claims[0]
    memory.observe(LANTERN)
    other = memory.observe("Maria keeps the ladder in Kobe.").claims[0]
    memory.feedback(one.id, "duplicate", duplicate_of=other.id)
    memory.forget(query="lantern")
    assert LANTERN not in said(memory)


def said(memory: Memory) -> list[str | None]:
    return [
        row["content"] for row in rows_of(memory, "select content from observations order by id")
    ]


def test_a_claim_said_twice_is_that_of_the_second_when_the_first_is_forgotten(
    lasting: Memory, clock: FakeClock
) -> None:
    for text in (LANTERN, "健二は奈良で提灯を守る。"):
        first = lasting.observe(text, actor="Kenji")
        clock.advance(60)
        second = lasting.observe(text, actor="Kenji")
        clock.advance(60)
        lasting.observe(text, actor="Kenji")
        before = state(lasting)["claims"]
        done = lasting.forget(observation_id=first.observation.id)
        assert (done.claims, done.observations) == ((), (first.observation.id,))
        after = state(lasting)["claims"]
        moved = after.pop(first.claims[0].id)
        stood = before.pop(first.claims[0].id)
        assert after == before
        assert moved["origin_observation_id"] == second.observation.id
        assert moved["said_at"] > stood["said_at"]
        assert {column for column in moved if moved[column] != stood[column]} <= MOVED


def test_claims_that_become_those_of_one_observation_share_a_saying(lasting: Memory) -> None:
    told = f"{LANTERN} Maria keeps the ladder in Kobe."
    first = lasting.observe(told, actor="Kenji")
    second = lasting.observe(told, actor="Kenji")
    lasting.forget(observation_id=first.observation.id)
    rows = state(lasting)["claims"].values()
    assert {row["origin_observation_id"] for row in rows} == {second.observation.id}
    assert [len(rows), len({row["saying"] for row in rows})] == [2, 1]
