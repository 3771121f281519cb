"""Every decision leaves a record of who, what, under which policy and why; never of the text."""

import json
from typing import Any

import pytest

from pce_memory import Memory
from pce_memory.domain.boundary import Boundary
from tests.conftest import DAY, START, FakeClock, rows
from tests.engine.test_reviews import CONTACTS, claim

HELPER = Boundary(
    scope=("session", "project", "principle"),
    allow=("answer:task",),
    boundary_classes=("public", "internal"),
    actor="helper",
)


def told(memory: Memory, **wanted) -> list[tuple[str, str, str | None]]:
    return [(one.tool, one.decision, one.who) for one in memory.audit(**wanted)]


def test_each_operation_is_told(memory: Memory) -> None:
    seen = memory.observe("Call me at 090-1234-5678. The lamp is green.", boundary=HELPER)
    _ = memory.activate("lamp", boundary=HELPER)
    _ = memory.search("lamp", boundary=HELPER)
    _ = memory.claim(seen.claims[0].id, boundary=HELPER)
    _ = memory.evidence(seen.claims[0].id, boundary=HELPER)
    _ = memory.feedback(seen.claims[0].id, "helpful", boundary=HELPER)
    _ = memory.validate("write to a@example.com", boundary=HELPER)
    assert told(memory)[::-1] == [
        ("observe", "redacted", "helper"),
        ("activate", "allowed", "helper"),
        ("search", "allowed", "helper"),
        ("claim", "allowed", "helper"),
        ("evidence", "allowed", "helper"),
        ("feedback", "allowed", "helper"),
        ("validate", "redacted", "helper"),
    ]
    first = memory.audit(tool="observe")[0]
    assert first.counts == {"claims": 2, "queued": 0, "refused": 0, "phone": 1}
    assert (first.policy_version, first.scopes, first.classes) == (
        "0.0.0-default",
        ("project",),
        ("internal",),
    )


NO_TAG = (
    "the boundary covers no tag of the query; it has answer:task, and the policy knows "
    "answer:task, tool:*, tool:contact-lookup"
)


def test_a_denial_says_why(memory: Memory) -> None:
    _ = memory.results.activate("x", allow=["tool:unknown"], boundary=HELPER)
    _ = memory.results.claim("clm_none", boundary=HELPER)
    _ = memory.results.activate(
        "x",
        scope=["project"],
        boundary={  # type: ignore[arg-type]
            "scope": ["session"],
            "allow": ["answer:task"],
            "boundary_classes": ["public"],
        },
    )
    found = [(one.tool, one.decision, one.reason) for one in memory.audit()]
    assert found == [
        ("activate", "denied", "INVALID_SCOPE"),
        ("claim", "denied", "UNKNOWN_CLAIM"),
        ("activate", "denied", NO_TAG),
    ]


def test_it_never_holds_a_text(memory: Memory) -> None:
    words = ("quixotrope", "zanzibar", "nebuchadnezzar", "someone@example.com")
    _ = memory.observe("The quixotrope spins.", actor="zanzibar", boundary=HELPER)
    _ = memory.activate("nebuchadnezzar quixotrope")
    _ = memory.validate("zanzibar is nebuchadnezzar, someone@example.com")
    _ = memory.results.integrate([claim(text="The quixotrope, a zanzibar.")])
    _ = memory.forget(query="quixotrope")
    held = json.dumps([one.model_dump(mode="json") for one in memory.audit()])
    held += str(memory.deps.db.query("select * from audit").unwrap())
    held += str(memory.deps.db.query("select * from events").unwrap())
    assert [word for word in words if word in held] == []
    assert '"query": "hmac-sha256:' in held


def test_an_actor_that_is_an_address_is_told_as_a_digest(memory: Memory) -> None:
    mail = "someone@example.com"
    _ = memory.activate("x", boundary=HELPER.model_copy(update={"actor": mail}))
    (one,) = memory.audit(who=mail)
    assert one.who is not None
    assert one.who.startswith("hmac-sha256:")
    refused = memory.results.activate(
        "x", boundary=HELPER.model_copy(update={"actor": "AKIAIOSFODNN7EXAMPLE"})
    )
    assert refused.failure().code == "INVALID_PARAMETER"


def test_it_is_asked_by_time_tool_decision_and_who(memory: Memory, clock: FakeClock) -> None:
    _ = memory.activate("x", boundary=HELPER)
    clock.advance(10)
    _ = memory.integrate([claim()], boundary=CONTACTS)
    assert told(memory, since=START + 10) == [("integrate", "queued", "clerk")]
    assert told(memory, until=START + 10) == [("activate", "allowed", "helper")]
    assert told(memory, decision="queued") == [("integrate", "queued", "clerk")]
    assert told(memory, who="helper", tool="integrate") == []
    assert told(memory, policy_version="9.9.9") == []
    assert len(memory.audit(limit=1)) == 1
    for wrong in ({"limit": 0}, {"decision": "maybe"}, {"nobody": 1}):
        assert memory.results.audit(**wrong).failure().code == "INVALID_PARAMETER"


def test_old_records_are_swept(memory: Memory, clock: FakeClock) -> None:
    _ = memory.activate("x")
    clock.advance(365 * DAY)
    assert memory.maintain().audit_swept == 0
    clock.advance(1)
    assert memory.maintain().audit_swept == 1
    assert rows(memory, "audit") == 0


@pytest.mark.parametrize("text", ["Fact one stands.", "Call 090-1234-5678 now."])
def test_a_memory_that_is_only_read_tells_nothing(memory_at, text: str) -> None:
    memory = memory_at()
    _ = memory.observe(text)
    memory.close()
    reading = memory_at(read_only=True)
    assert len(reading.search("")) == 1
    assert len(reading.audit()) == 1


def test_every_result_names_the_policy_it_was_made_under(memory: Memory) -> None:
    seen = memory.observe("The lamp is green.")
    results: list[Any] = [
        seen,
        memory.observe_many(["The door is red."]),
        memory.integrate([claim()], boundary=CONTACTS),
        memory.activate("lamp"),
        memory.feedback(seen.claims[0].id, "helpful"),
        memory.validate("hello"),
        memory.explain(seen.claims[0].id),
        memory.reviews.list()[0],
        memory.decay(),
        memory.maintain(),
        memory.forget(query="door"),
        memory.audit()[0],
    ]
    assert [one.policy_version for one in results] == ["0.0.0-default"] * len(results)
