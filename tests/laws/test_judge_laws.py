"""Seed 003 over claims: what any series of scores from outside can and cannot bring about."""

import pytest
from hypothesis import given, strategies as st

from pce_memory import Claim, Judgement, Memory
from pce_memory.domain.refinement import RefinementConfig
from pce_memory.scoring.judged import what_counts
from tests.conftest import START, FakeClock, rows, wipe
from tests.strategies import claims

POINTS = st.floats(0, 100)
SERIES = st.lists(POINTS | st.none(), min_size=1, max_size=6)
GIVEN = st.lists(POINTS, min_size=1, max_size=6)
CONFIGS = st.builds(RefinementConfig, noise_threshold=st.floats(0.1, 20), quality_threshold=POINTS)
OPPOSITE = {
    "improved": "degraded",
    "degraded": "improved",
    "helpful": "harmful",
    "harmful": "helpful",
}


@given(now=POINTS, before=POINTS, config=CONFIGS)
def test_to_and_fro_are_opposite(now: float, before: float, config: RefinementConfig) -> None:
    there, back = (what_counts(*pair, config).unwrap() for pair in ((now, before), (before, now)))
    assert back.direction == OPPOSITE.get(there.direction, there.direction)
    assert back.signal == OPPOSITE.get(str(there.signal), there.signal)
    assert (back.weight, back.counted) == (there.weight, there.counted)
    assert there.counted == (abs(now - before) >= config.noise_threshold)


@given(scores=SERIES, config=CONFIGS)
def test_a_series_amounts_to_the_way_it_went(
    scores: list[float | None], config: RefinementConfig
) -> None:
    last, moved = None, 0.0
    for score in scores:
        found = what_counts(score, last, config).unwrap()
        assert 0 <= found.weight <= 1
        moved += found.weight if found.signal == "helpful" else -found.weight
        last = score if found.counted else last
    went = 0.0 if last is None else last - config.quality_threshold
    assert 100 * moved == pytest.approx(went, abs=1e-9)


def fresh(memory: Memory, clock: FakeClock, claim: Claim) -> None:
    clock.now = START
    wipe(memory)
    _ = memory.integrate([claim])


def measures(memory: Memory) -> list[dict[str, object]]:
    wanted = "utility, confidence, quality, recency_anchor, decayed_at, updated_at, changed"
    return [dict(row) for row in memory.deps.db.query(f"select {wanted} from claims").unwrap()]


def judged(memory: Memory, claim: Claim, scores: list[float]) -> list[Judgement]:
    return [
        memory.judge(claim.id, score=score, judgement_id=f"jdg_{place}")
        for place, score in enumerate(scores)
    ]


@given(
    claim=claims(), first=st.floats(5, 95), off=st.lists(st.floats(-2.99, 2.99), max_size=5),
    days=st.floats(0, 90),
)  # fmt: skip
def test_noise_leaves_the_numbers_as_they_are(
    memory: Memory, clock: FakeClock, claim: Claim, first: float, off: list[float], days: float
) -> None:
    fresh(memory, clock, claim)
    _ = memory.judge(claim.id, score=first)
    before = measures(memory)
    clock.advance(days=days)
    for one in off:
        done = memory.judge(claim.id, score=first + one)
        assert (done.score_direction, done.previous_score) == ("stable", first)
        assert done.updated == done.previous
    assert measures(memory) == before


@given(claim=claims(), scores=GIVEN, data=st.data())
def test_replaying_gives_the_same_numbers(
    memory: Memory, clock: FakeClock, claim: Claim, scores: list[float], data: st.DataObject
) -> None:
    fresh(memory, clock, claim)
    done = judged(memory, claim, scores)
    before = measures(memory)
    for place in data.draw(st.permutations(range(len(scores)))):
        assert memory.judge(claim.id, judgement_id=f"jdg_{place}") == done[place]
    assert (measures(memory), rows(memory, "judgements")) == (before, len(scores))
    # The same again from the beginning.
    fresh(memory, clock, claim)
    assert judged(memory, claim, scores) == done


@given(claim=claims(), scores=GIVEN)
def test_a_score_moves_a_claim_the_way_it_went(
    memory: Memory, clock: FakeClock, claim: Claim, scores: list[float]
) -> None:
    fresh(memory, clock, claim)
    for done in judged(memory, claim, scores):
        assert 0 <= done.updated.confidence <= 1
        assert done.updated.recency == done.previous.recency
        gained = done.updated.utility - done.previous.utility
        if done.score_direction == "improved":
            assert gained > 0
        if done.score_direction == "degraded":
            assert gained < 0
        if not done.counted:
            assert done.updated == done.previous
