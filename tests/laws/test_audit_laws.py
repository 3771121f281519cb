"""Every decision leaves a record: who, by what, under which policy; and none holds a word of it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml
from hypothesis import given, settings, strategies as st
from returns.result import Failure, Result

from pce_memory import Boundary, Memory, Provenance
from tests.conftest import DAY, START, rows, wipe
from tests.model import SCOPES, Rulebook
from tests.strategies import callers, claim_id, claims, sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pce_memory import Claim
    from pce_memory.domain.audit import AuditRecord
    from tests.conftest import FakeClock

LAW: Final = Rulebook(
    allow={"public": ("*",), "internal": ("answer:task",), "pii": ("tool:*",), "secret": ()},
    escalation={"public": None, "internal": None, "pii": "human_review", "secret": "deny"},
    days={"session": 9, "project": 40, "principle": math.inf},
)
OWNER: Final = Boundary(
    scope=SCOPES,
    allow=("answer:task", "tool:contact-lookup"),
    boundary_classes=("public", "internal", "pii"),
    actor="owner-1",
)
FEW: Final = max(5, settings().max_examples // 2)
"""Fewer examples of what takes longest."""
SECRET: Final = "sk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA"
PAYLOADS: Final = st.sampled_from(
    ["連絡は kyoko@example.com まで", f"The key is {SECRET}.", "Alice prefers dark mode.", "ok"]
)
TOOLS: Final = (
    "observe",
    "observe_many",
    "integrate",
    "distill",
    "activate",
    "search",
    "claim",
    "evidence",
    "context",
    "feedback",
    "validate",
    "reviews.list",
    "reviews.approve",
    "reviews.reject",
    "forget",
    "policy.apply",
)
DENIALS: Final = {"BOUNDARY_DENIED", "INVALID_SCOPE", "INVALID_BOUNDARY", "UNKNOWN_CLAIM"}
DECIDED: Final = {
    "observe": {"allowed", "redacted", "queued", "denied"},
    "integrate": {"allowed", "queued"},
    "validate": {"allowed", "redacted", "denied"},
    "activate": {"allowed", "redacted"},
    "search": {"allowed", "redacted"},
    "reviews.reject": {"denied"},
}
"""What may be decided where a call comes through; elsewhere it is allowed."""


@pytest.fixture
def memory(lasting: Memory) -> Memory:
    in_force(lasting, LAW)
    return lasting


def in_force(memory: Memory, policy: Rulebook) -> None:
    for table in ("policies", "policy_history"):
        memory.deps.db.execute(f"truncate {table}").unwrap()
    memory.deps.policy_store.apply(yaml.safe_dump(policy.document())).unwrap()


class Caller:
    """Does one of everything, with a text and under a boundary, and tells what was recorded."""

    def __init__(self, memory: Memory, boundary: Boundary, text: str) -> None:
        self.memory, self.boundary, self.text = memory, boundary, text
        self.version = 1

    def call(
        self, tool: str, given: Sequence[Claim]
    ) -> tuple[Result[Any, Any], list[AuditRecord]]:
        work = self.of(tool, given)
        before = rows(self.memory, "audit")
        result = work()
        after = self.memory.audit(limit=10_000)[::-1]
        return result, list(after[before:])

    def of(self, tool: str, given: Sequence[Claim]) -> Callable[[], Result[Any, Any]]:
        results, text = self.memory.results, self.text
        under: dict[str, Any] = {"boundary": self.boundary}
        one = given[0]
        pending, saved = "rev_none", "ac_none"
        if tool.startswith("reviews."):
            pending = next((it.id for it in self.memory.reviews.list()), pending)
        if tool == "context":
            saved = self.memory.activate(text, boundary=OWNER).active_context.id
        self.version += 1
        higher = yaml.safe_dump(replace(LAW, version=f"{self.version}.0.0").document())
        again = [it.model_copy(update={"tags": ("again",)}) for it in given[:2]]
        calls: dict[str, Callable[[], Result[Any, Any]]] = {
            "observe": lambda: results.observe(text, actor="alice", **under),
            "observe_many": lambda: results.observe_many([text, "Anna sings."], **under),
            "integrate": lambda: results.integrate(again, **under),
            "distill": lambda: results.distill(
                f"{text} 以上。",
                claim_ids=[one.id],
                provenance=Provenance(at="2025-06-15T15:06:40Z"),
                **under,
            ),
            "activate": lambda: results.activate(text, **under),
            "search": lambda: results.search(text, **under),
            "claim": lambda: results.claim(one.id, **under),
            "evidence": lambda: results.evidence(one.id, **under),
            "context": lambda: results.context(saved, **under),
            "feedback": lambda: results.feedback(one.id, "helpful", **under),
            "validate": lambda: results.validate(text, **under),
            "reviews.list": lambda: results.reviews.list(**under),
            "reviews.approve": lambda: results.reviews.approve(
                pending, reviewer="kyoko", note=None
            ),
            "reviews.reject": lambda: results.reviews.reject(pending, reviewer="kyoko", note=None),
            "forget": lambda: results.forget(claim_id=one.id, **under),
            "policy.apply": lambda: results.apply_policy(higher, approver="boss"),
        }
        return calls[tool]


corpora: Final = st.lists(claims(), min_size=2, max_size=5, unique_by=lambda one: one.text).map(
    lambda some: [
        one.model_copy(
            update={
                "id": claim_id(place),
                "boundary_class": "pii" if place == 1 else one.boundary_class,
            }
        )
        for place, one in enumerate(some)
    ]
)
CALLS: Final = st.lists(st.sampled_from(TOOLS), min_size=2, max_size=6)


@given(given=corpora, tools=CALLS, who=callers, text=PAYLOADS | sentences)
def test_every_call_leaves_a_record_without_a_word(
    memory: Memory, given: list[Claim], tools: list[str], who: Boundary, text: str
) -> None:
    fresh(memory, given)
    caller = Caller(memory, who, text)
    for tool in tools:
        version = memory.policy().version
        result, told = caller.call(tool, given)
        if isinstance(result, Failure):
            assert [one.decision for one in told] == ["denied"] * (
                result.failure().code in DENIALS
            )
        else:
            assert told
        if isinstance(result, Failure) or tool not in {"observe_many", "distill"}:
            assert {one.tool for one in told} <= {tool}
        recorded(told, tool, version, who, failed=isinstance(result, Failure))
    words = [text, SECRET, "kyoko@example.com", "Anna sings.", *(one.text for one in given)]
    dump = json.dumps(
        [one.model_dump(mode="json") for one in memory.audit(limit=10_000)], ensure_ascii=False
    )
    assert not [word for word in words if len(word) > 2 and word in dump]
    raw = repr(memory.deps.db.query("select * from audit").unwrap())
    assert not [word for word in words if len(word) > 2 and word in raw]
    assert all(
        digest.startswith("hmac-sha256:")
        for one in memory.audit(limit=10_000)
        for digest in one.digests.values()
    )


def fresh(memory: Memory, given: Sequence[Claim]) -> None:
    wipe(memory)
    in_force(memory, LAW)
    alive = [one.model_copy(update={"recency_anchor": START}) for one in given]
    memory.integrate(alive, boundary=OWNER)


def recorded(
    told: Sequence[AuditRecord], tool: str, version: str, who: Boundary, *, failed: bool
) -> None:
    """Check who, under which policy, when, and what may have been decided."""
    names = {"reviews.approve": "kyoko", "reviews.reject": "kyoko", "policy.apply": "boss"}
    for one in told:
        assert one.ts == START
        if tool == "policy.apply":
            assert (one.policy_version != version) is (not failed)
        else:
            assert one.policy_version == version
        if not failed:
            assert one.who == names.get(tool, who.actor)
            assert one.decision in DECIDED.get(one.tool, {"allowed"})
    assert len({one.id for one in told}) == len(told)


FILTERS: Final = st.fixed_dictionaries(
    {},
    optional={
        "who": st.sampled_from(["owner-1", "agent-7", "健二", "kyoko", "nobody"]),
        "tool": st.sampled_from([*TOOLS, "nothing"]),
        "decision": st.sampled_from(["allowed", "redacted", "queued", "denied"]),
        "policy_version": st.sampled_from(["1.0.0", "2.0.0"]),
        "since": st.sampled_from([START, START + 60, START + 120]),
        "until": st.sampled_from([START, START + 60, START + 120]),
        "limit": st.integers(1, 5),
    },
)


@settings(max_examples=FEW)
@given(
    given=corpora,
    tools=CALLS,
    who=callers,
    wanted=st.lists(FILTERS, min_size=1, max_size=5),
)
def test_filters_show_what_fits_the_newest_first(
    memory: Memory,
    clock: FakeClock,
    given: list[Claim],
    tools: list[str],
    who: Boundary,
    wanted: list[dict[str, Any]],
) -> None:
    clock.now = START
    fresh(memory, given)
    caller = Caller(memory, who, "dark mode")
    for tool in tools:
        caller.call(tool, given)
        clock.advance(30)
    every = memory.audit(limit=10_000)
    assert [one.ts for one in every] == sorted((one.ts for one in every), reverse=True)
    for some in wanted:
        assert list(memory.audit(**some)) == fitting(every, some)
    clock.now = START


def fitting(every: Sequence[AuditRecord], some: dict[str, Any]) -> list[AuditRecord]:
    same = ("who", "tool", "decision", "policy_version")
    found = [
        one
        for one in every
        if all(getattr(one, name) == some.get(name, getattr(one, name)) for name in same)
        and one.ts >= some.get("since", 0)
        and one.ts < some.get("until", math.inf)
    ]
    return found[: some.get("limit", 100)]


@given(
    waits=st.lists(st.sampled_from([1, 100, 200, 364]), min_size=1, max_size=5),
    days=st.sampled_from([None, 30, 365]),
)
def test_records_are_kept_as_long_as_the_policy_says(
    memory: Memory, clock: FakeClock, waits: list[int], days: int | None
) -> None:
    clock.now = START
    wipe(memory)
    for table in ("policies", "policy_history"):
        memory.deps.db.execute(f"truncate {table}").unwrap()
    kept = {"audit": "inf" if days is None else f"{days}d"}
    document = {**LAW.document(), "retention": kept}
    memory.deps.policy_store.apply(yaml.safe_dump(document)).unwrap()
    times: list[float] = []
    for wait in waits:
        memory.search("dark mode", boundary=OWNER)
        times.append(clock.now)
        clock.advance(days=wait)
    left = [at for at in times if days is None or at >= clock.now - days * DAY]
    assert memory.maintain().audit_swept == len(times) - len(left)
    assert [one.ts for one in memory.audit(limit=100)][::-1] == left
    clock.now = START


@given(name=st.sampled_from(["kyoko@example.com", "+81 90-1234-5678", "agent-7", "健二"]))
def test_a_name_that_is_personal_data_is_a_digest(memory: Memory, name: str) -> None:
    wipe(memory)
    memory.search("dark mode", boundary=OWNER.model_copy(update={"actor": name}))
    (one,) = memory.audit(who=name)
    personal = "@" in name or "+" in name
    assert (one.who == name) is not personal
    assert (name in one.model_dump_json()) is not personal


def test_a_dry_run_leaves_a_record(memory: Memory) -> None:
    wipe(memory)
    memory.observe("Kenji keeps the lantern in Nara.")
    assert memory.forget(query="lantern", dry_run=True).claims != ()
    assert memory.audit(limit=1)[0].tool == "forget"
