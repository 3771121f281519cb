"""Reviews: a decision lets in exactly one claim or erases it, is made once, and by one alone."""

from __future__ import annotations

import math
from threading import Barrier, Thread
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml
from hypothesis import given, strategies as st
from returns.result import Failure, Result, Success

from pce_memory import Boundary, Claim, Memory
from tests.conftest import START, tables, wipe
from tests.model import SCOPES, Rulebook
from tests.strategies import callers, claim_id, claims

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.conftest import FakeClock

OWNER: Final = Boundary(
    scope=SCOPES,
    allow=("answer:task", "tool:contact-lookup", "ops"),
    boundary_classes=("public", "internal", "pii"),
)
LAW: Final = Rulebook(
    allow={"public": ("*",), "internal": ("answer:task",), "pii": ("tool:*",), "secret": ()},
    escalation={"public": None, "internal": None, "pii": "human_review", "secret": "deny"},
    days={"session": 9, "project": 40, "principle": math.inf},
)
VERDICTS: Final = st.lists(st.sampled_from(["approve", "reject", "wait"]), min_size=8, max_size=8)

corpora: Final = st.lists(claims(), min_size=2, max_size=8, unique_by=lambda one: one.text).map(
    lambda some: [
        one.model_copy(
            update={
                "id": claim_id(number),
                "boundary_class": "pii" if number % 2 else one.boundary_class,
                "recency_anchor": START,
            }
        )
        for number, one in enumerate(some, start=1)
    ]
)
"""Claims of which every other one has to wait for a human."""


@pytest.fixture
def memory(lasting: Memory) -> Memory:
    """A memory under a policy that keeps personal data for a human to see first."""
    for table in ("policies", "policy_history"):
        lasting.deps.db.execute(f"truncate {table}").unwrap()
    lasting.deps.policy_store.apply(yaml.safe_dump(LAW.document())).unwrap()
    return lasting


def stocked(memory: Memory, given: Sequence[Claim]) -> set[str]:
    """Integrate claims into an empty memory; return the ids of those that wait."""
    wipe(memory)
    done = memory.integrate(given, boundary=OWNER)
    assert set(done.queued) == {one.id for one in given if one.boundary_class == "pii"}
    return set(done.queued)


def seen(memory: Memory, boundary: Boundary) -> set[str]:
    found = memory.results.search("", k=100, boundary=boundary)
    return set() if isinstance(found, Failure) else {one.claim.id for one in found.unwrap()}


def dump(memory: Memory) -> str:
    return "".join(
        repr(memory.deps.db.query(f'select * from "{table}"').unwrap()) for table in tables(memory)
    )


@given(given=corpora, verdicts=VERDICTS, who=callers)
def test_a_decision_is_about_one_claim_and_made_once(
    memory: Memory, given: list[Claim], verdicts: list[str], who: Boundary
) -> None:
    waiting = stocked(memory, given)
    before = seen(memory, who)
    would = {one.claim_id for one in memory.reviews.list(boundary=who)}
    assert would <= waiting
    assert before.isdisjoint(waiting)
    let_in, erased = set(), []
    for review, verdict in zip(memory.reviews.list(), verdicts, strict=False):
        if verdict == "wait":
            continue
        decide = getattr(memory.reviews, verdict)
        assert decide(review.id, reviewer="kyoko", note="looked at").claim_id == review.claim_id
        if verdict == "approve":
            let_in.add(review.claim_id)
        else:
            erased.append(next(one for one in given if one.id == review.claim_id))
        for again in (memory.results.reviews.approve, memory.results.reviews.reject):
            assert again(review.id, reviewer="maria").failure().code == "INVALID_PARAMETER"
    assert seen(memory, who) == before | (let_in & would)
    left = waiting - let_in - {one.id for one in erased}
    assert {one.claim_id for one in memory.reviews.list()} == left
    text = dump(memory)
    assert not [one.text for one in erased if one.text in text]
    assert all(
        memory.results.claim(one.id, boundary=OWNER).failure().code == "UNKNOWN_CLAIM"
        for one in erased
    )


@given(given=corpora, verdicts=VERDICTS)
def test_reviewers_at_once_are_one_winner(
    memory: Memory, given: list[Claim], verdicts: list[str]
) -> None:
    stocked(memory, given)
    review = memory.reviews.list()[0]
    acts = [one for one in verdicts if one != "wait"][:4] or ["approve"]
    outcomes: list[tuple[str, Result[Any, Any]]] = []
    start = Barrier(len(acts))

    def decide(act: str, number: int) -> None:
        start.wait()
        decided = getattr(memory.results.reviews, act)(review.id, reviewer=f"r{number}")
        outcomes.append((act, decided))

    threads = [Thread(target=decide, args=(act, number)) for number, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    won = [act for act, outcome in outcomes if isinstance(outcome, Success)]
    assert len(outcomes) == len(acts)
    assert len(won) == 1
    told = memory.reviews.list(status=None)
    status = next(one.status for one in told if one.id == review.id)
    assert status == ("approved" if won == ["approve"] else "rejected")
    assert (review.claim_id in seen(memory, OWNER)) == (won == ["approve"])
    decisions = [
        one for one in memory.audit() if one.tool in {"reviews.approve", "reviews.reject"}
    ]
    assert [one.tool for one in decisions] == [f"reviews.{won[0]}"]


@given(one=claims(), other=claims(), again=st.sampled_from(["pii", "internal", "public"]))
def test_what_was_let_in_stays_when_it_is_seen_again(
    memory: Memory, one: Claim, other: Claim, again: Any
) -> None:
    first = one.model_copy(
        update={"id": claim_id(1), "boundary_class": "pii", "recency_anchor": START}
    )
    stocked(memory, [first])
    memory.reviews.approve(memory.reviews.list()[0].id, reviewer="kyoko")
    same = other.model_copy(
        update={
            "id": claim_id(2),
            "text": one.text,
            "content_hash": None,
            "boundary_class": again,
        }
    )
    done = memory.integrate([same], boundary=OWNER)
    assert done.queued == ()
    assert seen(memory, OWNER) == {first.id}
    assert memory.claim(first.id, boundary=OWNER).boundary_class == "pii"
    assert memory.reviews.list() == ()


@given(given=corpora, which=st.integers(0, 7))
def test_a_class_that_a_merge_raises_goes_into_the_queue(
    memory: Memory, given: list[Claim], which: int
) -> None:
    waiting = stocked(memory, given)
    open_ones = [one for one in given if one.id not in waiting]
    if not open_ones:
        return
    one = open_ones[which % len(open_ones)]
    again = one.model_copy(update={"id": claim_id(99), "boundary_class": "pii"})
    assert memory.integrate([again], boundary=OWNER).queued == (one.id,)
    assert one.id not in seen(memory, OWNER)
    assert {it.claim_id for it in memory.reviews.list()} == waiting | {one.id}
    assert len(memory.reviews.list()) == len(waiting) + 1


@given(given=corpora, who=callers, limit=st.integers(1, 3))
def test_a_limit_counts_only_what_a_boundary_would_show(
    memory: Memory, given: list[Claim], who: Boundary, limit: int
) -> None:
    stocked(memory, given)
    every = memory.reviews.list(boundary=who)
    assert memory.reviews.list(boundary=who, limit=limit) == every[:limit]


@given(given=corpora)
def test_what_waits_past_its_time_is_withdrawn(
    memory: Memory, clock: FakeClock, given: list[Claim]
) -> None:
    clock.now = START
    waiting = stocked(memory, given)
    over = {one.id for one in given if one.scope != "principle"}
    clock.advance(days=41)
    assert {one.overdue for one in memory.reviews.list()} <= {True}
    assert memory.maintain().claims_expired == len(over)
    assert {one.claim_id for one in memory.reviews.list()} == waiting - over
    withdrawn = memory.reviews.list(status="withdrawn")
    assert {one.claim_id for one in withdrawn} == waiting & over
    for review in withdrawn:
        refused = memory.results.reviews.approve(review.id, reviewer="kyoko")
        assert refused.failure().code == "INVALID_PARAMETER"
    clock.now = START
