"""Hostile input is answered with a clear error, and nothing is lost or changed."""

import pytest

from pce_memory import Feedback, InvariantDefinition, Memory
from tests.conftest import rows, tables

BLANK = "Invalid content: it is empty; an observation needs some text"


def counts(memory: Memory) -> dict[str, int]:
    return {table: rows(memory, table) for table in tables(memory)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", BLANK),
        (" \t\r\n\u3000", BLANK),
        (
            "a\0b",
            "Invalid content: it has a NUL or a lone surrogate at character 1; take it out",
        ),
        (
            "ok \udc80",
            "Invalid content: it has a NUL or a lone surrogate at character 3; take it out",
        ),
        (
            "x" * ((1 << 20) + 1),
            "Invalid content: it is 1048577 bytes long; the policy allows 1048576; split it",
        ),
    ],
)
def test_content_that_cannot_be_taken(memory: Memory, content: str, message: str) -> None:
    _ = memory.observe("Something is there already.")
    before = counts(memory)
    assert memory.results.observe(content).failure().message == message
    assert counts(memory) == before


def test_twenty_thousand_claims_are_taken(memory: Memory) -> None:
    seen = memory.results.observe("\n".join(f"fact no {n}" for n in range(2_000)))
    assert len(seen.unwrap().claims) == 2_000


@pytest.mark.parametrize(
    "content",
    [
        "\u202eright to left\u202c override is kept",
        "zero\u200bwidth\u200djoined words are kept",
        "قرأت الكتاب في المكتبة",
        "משתמשים מעדיפים מצב כהה",
        "👩‍👩‍👧‍👦 is a family of four",
        "e\u0301" * 50,
        "﷽ " * 20 + "is one sign",
        "".join(f"w{n}" for n in range(12_000)),
    ],
)
def test_odd_text_is_kept_as_it_is_and_found(memory: Memory, content: str) -> None:
    seen = memory.observe(content)
    assert seen.observation.content == content
    assert seen.claims
    assert "".join("".join(c.text for c in seen.claims).split()) == "".join(content.split())
    assert memory.activate(content[:200]).items


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda m: m.results.activate("q" * 100_000), "INVALID_PARAMETER"),
        (lambda m: m.results.activate("q", top_k=0), "INVALID_PARAMETER"),
        (lambda m: m.results.activate("q", top_k=101), "INVALID_PARAMETER"),
        (lambda m: m.results.activate("q", scope=["everything"]), "INVALID_PARAMETER"),
        (lambda m: m.results.activate(None), "INVALID_PARAMETER"),
        (lambda m: m.results.search("q", k=-1), "INVALID_PARAMETER"),
        (lambda m: m.results.observe(b"bytes \xff"), "INVALID_PARAMETER"),
        (lambda m: m.results.observe("text", source_type="rumour"), "INVALID_PARAMETER"),
        (lambda m: m.results.observe("text", tags=["two words"]), "INVALID_PARAMETER"),
        (lambda m: m.results.observe("text", tags=["t"] * 33), "INVALID_PARAMETER"),
        (lambda m: m.results.observe("text", source_id="a/../b"), "INVALID_PARAMETER"),
        (lambda m: m.results.observe("text", actor="a\0b"), "INVALID_PARAMETER"),
        (lambda m: m.results.observe("text", observed_at=-1.0), "INVALID_PARAMETER"),
        (lambda m: m.results.observe("text", observed_at=1e300), "INVALID_PARAMETER"),
        (lambda m: m.results.observe("text", observed_at=float("nan")), "INVALID_PARAMETER"),
        (lambda m: m.results.observe("text", colour="red"), "INVALID_PARAMETER"),
        (lambda m: m.results.feedback("nonsense", "helpful"), "INVALID_ID"),
        (lambda m: m.results.feedback("clm_", "helpful"), "INVALID_ID"),
        (lambda m: m.results.feedback("clm_" + "x" * 65, "helpful"), "INVALID_ID"),
        (lambda m: m.results.feedback(7, "helpful"), "INVALID_ID"),
        (lambda m: m.results.feedback("clm_1", "lovely"), "INVALID_PARAMETER"),
        (
            lambda m: m.results.feedback("clm_1", "helpful", score=float("nan")),
            "INVALID_PARAMETER",
        ),
        (lambda m: m.results.feedback("clm_1", "helpful", score=1.5), "INVALID_PARAMETER"),
        (lambda m: m.results.feedback("clm_1", "helpful", ts=-5.0), "INVALID_PARAMETER"),
        (lambda m: m.results.feedback("clm_1", "helpful", feedback_id="x"), "INVALID_ID"),
        (lambda m: m.results.claim("ac_1"), "INVALID_ID"),
        (lambda m: m.results.context("clm_1"), "INVALID_ID"),
        (lambda m: m.results.context("ac_none"), "SEARCH_FAILED"),
        (lambda m: m.results.apply_policy("\t: not yaml ["), "INVALID_POLICY"),
        (lambda m: m.results.apply_policy(""), "INVALID_POLICY"),
        (lambda m: m.results.distill("text", claim_ids=["clm_1"]), "INVALID_PARAMETER"),
    ],
)
def test_arguments_that_cannot_be_used(memory: Memory, call, code: str) -> None:
    _ = memory.observe("Something is there already.")
    before = counts(memory)
    error = call(memory).failure()
    assert error.code == code
    assert error.message
    assert error.remedy
    assert counts(memory) == before


@pytest.mark.parametrize(
    ("signal", "score", "reason"),
    [
        ("helpful", -0.5, "the signal helpful takes a score above 0"),
        ("helpful", 0.0, "the signal helpful takes a score above 0"),
        ("harmful", 0.5, "the signal harmful takes a score below 0"),
        ("outdated", 0.5, "the signal outdated takes a score below 0"),
    ],
)
def test_a_score_must_agree_with_its_signal(
    memory: Memory, signal: str, score: float, reason: str
) -> None:
    claim = memory.observe("The lift is out of order.").claims[0]
    given = Feedback.model_validate(
        {"id": "fb_1", "claim_id": claim.id, "ts": 0, "signal": signal, "score": score}
    )
    failed = memory.results.feedback_many([given]).failure()
    assert failed.message == f"Invalid score: {reason}"


def test_feedback_from_the_future_is_refused(memory: Memory) -> None:
    claim = memory.observe("The lift works again.").claims[0]
    now = memory.deps.clock()
    assert memory.feedback(claim.id, "helpful", ts=now + 299).claim_id == claim.id
    failed = memory.results.feedback(claim.id, "helpful", ts=now + 301).failure()
    assert failed.message == "Invalid ts: it is more than 5 minutes in the future"


def test_a_bad_item_of_many_stops_nothing(memory: Memory) -> None:
    done = memory.observe_many(
        ["One good thing.", "", {"content": "Another good thing."}, {"text": "no content"}, "\0"]
    )
    assert done.claims_created == 2
    assert [(one.index, one.code) for one in done.failed] == [
        (1, "INVALID_PARAMETER"),
        (3, "INVALID_PARAMETER"),
        (4, "INVALID_PARAMETER"),
    ]


def test_a_rule_that_does_not_compile_is_a_fault_of_the_boundary(memory: Memory) -> None:
    bad = InvariantDefinition(name="broken", applies_to=("*",), rule="claim.kind ==")
    boundary = memory.results.boundary.model_copy(update={"invariants": (bad,)})
    for made in (
        memory.results.observe("Some text here.", boundary=boundary),
        memory.results.activate("text", boundary=boundary),
    ):
        assert made.failure().code == "INVALID_BOUNDARY"
