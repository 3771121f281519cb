"""Seed 6.4: what the critic promises for any feedback on any claim."""

import pytest
from hypothesis import given, strategies as st

from pce_memory import Claim, CriticUpdateResult, Feedback, Memory
from pce_memory.domain.ids import FeedbackId
from tests.conftest import DAY, FakeClock, rows, wipe
from tests.strategies import START, claims, signals

SCORES = st.none() | st.floats(0.01, 1)
AGES = st.floats(0, 400)


def judged(
    memory: Memory, claim: Claim, signal: str, score: float | None = None
) -> CriticUpdateResult:
    wipe(memory)
    _ = memory.integrate([claim])
    signed = None if score is None else score if signal == "helpful" else -score
    given = Feedback.model_validate(
        {
            "id": "fb_1",
            "claim_id": claim.id,
            "ts": memory.deps.clock(),
            "signal": signal,
            "score": signed,
        }
    )
    return memory.feedback_many([given])[0]


@given(claim=claims(), score=SCORES, age=AGES)
def test_helpful_never_lowers_a_claim(
    memory: Memory, clock: FakeClock, claim: Claim, score: float | None, age: float
) -> None:  # 001 §6.4 P1, also long after the claim was made
    clock.now = START + age * DAY
    result = judged(memory, claim, "helpful", score)
    assert result.updated.utility >= result.previous.utility
    assert result.updated.confidence >= result.previous.confidence
    assert result.updated.recency == 1.0


@given(claim=claims(), score=SCORES, age=AGES)
def test_harmful_lowers_a_claim(
    memory: Memory, clock: FakeClock, claim: Claim, score: float | None, age: float
) -> None:  # 001 §6.4 P2: strict, unless confidence is 0 already
    clock.now = START + age * DAY
    result = judged(memory, claim, "harmful", score)
    assert result.updated.utility < result.previous.utility
    assert (
        result.updated.confidence < result.previous.confidence or result.previous.confidence == 0
    )


@given(claim=claims(), signal=signals, score=SCORES)
def test_measures_stay_in_their_ranges(
    memory: Memory, claim: Claim, signal: str, score: float | None
) -> None:  # 001 §6.4 P3
    result = judged(memory, claim, signal, score)
    assert 0 <= result.updated.confidence <= 1
    assert 0 <= result.updated.recency <= 1


@given(claim=claims(), signal=signals)
def test_the_same_feedback_counts_once(memory: Memory, claim: Claim, signal: str) -> None:
    """G1: replay is idempotent, and says what was done the first time."""
    first = judged(memory, claim, signal)
    before = memory.deps.db.query("select utility, confidence, quality from claims").unwrap()
    again = memory.feedback_many(
        [
            Feedback.model_validate(
                {"id": "fb_1", "claim_id": claim.id, "ts": memory.deps.clock(), "signal": signal}
            )
        ]
    )
    assert again == (first,)
    assert rows(memory, "feedback") == 1
    assert memory.deps.db.query("select utility, confidence, quality from claims").unwrap() == (
        before
    )


@given(claim=claims(), days=st.lists(st.floats(0, 90), min_size=1, max_size=4))
def test_decay_in_steps_is_decay_in_one(
    memory: Memory, clock: FakeClock, claim: Claim, days: list[float]
) -> None:
    """G1: decay(a) after decay(b) is decay(a + b), and twice at one moment is once."""
    clock.now = START
    wipe(memory)
    _ = memory.integrate([claim])
    for step in days:
        clock.advance(days=step)
        _ = memory.decay()
    assert memory.decay().claims == 0
    row = memory.deps.db.query("select utility, quality from claims").unwrap()[0]
    elapsed = (clock.now - START) / DAY
    assert row["utility"] == pytest.approx(claim.utility * 0.5 ** (elapsed / 30), abs=1e-9)
    assert row["quality"] == pytest.approx(claim.quality * 0.5 ** (elapsed / 120), abs=1e-9)


@given(claim=claims(), days=st.floats(0, 90))
def test_decay_moves_no_ranking(
    memory: Memory, clock: FakeClock, claim: Claim, days: float
) -> None:
    """A query reads measures as they stand: a decay run writes down what it would read."""
    clock.now = START
    wipe(memory)
    _ = memory.integrate([claim])
    clock.advance(days=days)
    before = memory.claim(claim.id)
    _ = memory.decay()
    after = memory.claim(claim.id)
    assert after.utility == pytest.approx(before.utility, abs=1e-12)
    assert after.quality == pytest.approx(before.quality, abs=1e-12)


def test_a_failure_leaves_no_trace(memory: Memory, clock: FakeClock) -> None:
    failed = memory.results.feedback("clm_ghost", "harmful").failure()
    assert (failed.code, failed.message) == ("UNKNOWN_CLAIM", "Claim clm_ghost not found")
    assert rows(memory, "feedback") == 0


def test_a_batch_is_all_or_nothing_in_the_order_of_its_times(memory: Memory) -> None:
    seen = memory.observe("Kenji likes green tea.")
    claim_id = seen.claims[0].id
    now = memory.deps.clock()

    def said(number: int, signal: str, ts: float, of: str = claim_id) -> Feedback:
        return Feedback.model_validate(
            {"id": f"fb_{number}", "claim_id": of, "ts": ts, "signal": signal}
        )

    late, early = said(1, "harmful", now), said(2, "helpful", now - 10)
    done = memory.feedback_many([late, early])
    assert [one.updated.utility for one in done] == pytest.approx([-0.1, 0.1], abs=1e-6)
    failed = memory.results.feedback_many(
        [said(3, "helpful", now), said(4, "helpful", now, "clm_x")]
    )
    assert failed.failure().code == "UNKNOWN_CLAIM"
    assert rows(memory, "feedback") == 2
    assert FeedbackId("fb_3") not in {
        row["id"] for row in memory.deps.db.query("select id from feedback").unwrap()
    }
