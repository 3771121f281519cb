"""Seed 003: its vectors, the decided edges, and what no series of scores can bring about."""

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pce_memory.critic.refine import is_stagnated, make_refinement_decision
from pce_memory.domain.model import parse
from pce_memory.domain.refinement import RefinementConfig, RefinementState
from pce_memory.scoring.noise import (
    determine_score_direction,
    is_score_change_significant,
    warnings_of,
)

POINTS = st.floats(0, 100)
NOISE = st.floats(0.1, 20)


@pytest.mark.parametrize(
    ("now", "before", "noise", "direction"),
    [
        (72, 70, 3, "stable"),
        (75, 70, 3, "improved"),
        (66, 70, 3, "degraded"),
        (73, 70, 3, "improved"),
        (67, 70, 3, "degraded"),
        (70, 70, 3, "stable"),
        (70, 70, 0.001, "stable"),
        (None, 70, 3, "unknown"),
        (70, None, 3, "unknown"),
        (None, None, 3, "unknown"),
        (math.nan, 70, 3, "unknown"),
        (math.inf, math.inf, 3, "unknown"),
    ],
)
def test_the_direction_of_a_change(now, before, noise, direction):
    assert determine_score_direction(now, before, noise).unwrap() == direction
    significant = is_score_change_significant(now, before, noise).unwrap()
    assert significant == (direction != "stable")


def test_three_is_the_usual_noise():
    assert determine_score_direction(72, 70).unwrap() == "stable"
    assert determine_score_direction(73, 70).unwrap() == "improved"


@pytest.mark.parametrize("noise", [0, -3, math.nan, math.inf])
def test_noise_is_above_nothing(noise):
    for given_ in (determine_score_direction, is_score_change_significant):
        assert given_(70, 70, noise).failure().code == "INVALID_PARAMETER"
    assert (
        parse(RefinementConfig, {"noise_threshold": noise}).failure().code == "INVALID_PARAMETER"
    )


@given(now=POINTS, before=POINTS, noise=NOISE)
def test_to_and_fro_are_opposite(now: float, before: float, noise: float) -> None:
    opposite = {"improved": "degraded", "degraded": "improved", "stable": "stable"}
    there = determine_score_direction(now, before, noise).unwrap()
    assert determine_score_direction(before, now, noise).unwrap() == opposite[there]


def decide(**state: object):
    made = RefinementState.model_validate({"is_acceptable": True, **state})
    return make_refinement_decision(made).unwrap()


@pytest.mark.parametrize(
    ("state", "decision", "reason"),
    [
        ({"attempt_count": 2, "score": 10}, "accept", "最大試行回数到達"),
        ({"attempt_count": 2, "is_acceptable": False}, "reject", "最大試行回数到達"),
        ({"score": None}, "accept", "スコア取得失敗"),
        ({"score": None, "is_acceptable": False}, "reject", "スコア取得失敗"),
        ({"score": None, "issues": ["A CRITICAL gap"]}, "reject", "スコア取得失敗"),
        ({"score": None, "issues": ["Circular dependency: a, b"]}, "reject", "スコア取得失敗"),
        ({"score": 85, "is_acceptable": False}, "accept", "targetScore達成"),
        ({"score": 72, "previous_score": 70}, "accept", "改善停滞（ノイズ範囲内）"),
        (
            {"score": 72, "previous_score": 70, "previous_decision": "reject"},
            "reject",
            "改善停滞（ノイズ範囲内）",
        ),
        (
            {"score": 72, "previous_score": 70, "is_acceptable": False},
            "replan",
            "改善停滞（ノイズ範囲内）",
        ),
        (
            {"score": 72, "previous_score": 70, "is_acceptable": False, "stable_replans": 1},
            "reject",
            "改善停滞（ノイズ範囲内）",
        ),
        ({"score": 66, "previous_score": 70}, "reject", "スコア劣化"),
        ({"score": 74, "previous_score": 70}, "accept", "改善停滞"),
        (
            {"score": 74, "previous_score": 70, "is_acceptable": False},
            "replan",
            "改善停滞（継続）",
        ),
        ({"score": 50, "is_acceptable": False}, "replan", "品質未達"),
        ({"score": 80, "suggestions": ["name the owner"]}, "replan", "targetScore未達"),
        ({"score": 80}, "accept", "品質OK"),
        ({"score": 80, "previous_score": 70}, "accept", "品質OK"),
    ],
)
def test_the_first_rule_that_holds_decides(state, decision, reason):
    found = decide(**state)
    assert (found.decision, found.reason) == (decision, reason)


def test_a_decision_records_the_noise_and_the_direction():
    found = decide(score=75, previous_score=60, suggestions=["x"], issues=["y"])
    assert (found.score_direction, found.noise_threshold) == ("improved", 3)
    assert (found.delta_threshold, found.delta_threshold_percent) == (5, 5)
    assert (found.current_score, found.previous_score) == (75, 60)
    assert found.feedback is not None
    assert (found.feedback.issues, found.feedback.suggestions) == (("y",), ("x",))
    assert decide(score=90).feedback is None


@pytest.mark.parametrize(
    ("score", "before", "stagnated"),
    [(75, 70, False), (74.9, 70, True), (60, 70, True), (50, 0, True), (5, None, False)],
)
def test_stagnation(score, before, stagnated):
    assert is_stagnated(score, before, RefinementConfig()) == stagnated


@pytest.mark.parametrize(
    ("keys", "odd"),
    [
        ({}, set()),
        ({"noise_threshold": 2}, set()),
        ({"noise_threshold": 1.9}, {"unusual"}),
        ({"noise_threshold": 5, "delta_threshold": 6}, set()),
        ({"noise_threshold": 5}, {"not_below_delta"}),
        ({"noise_threshold": 6}, {"unusual", "not_below_delta"}),
    ],
)
def test_unusual_noise_is_a_warning(keys, odd):
    assert set(warnings_of(RefinementConfig(**keys))) == odd


@given(scores=st.lists(POINTS | st.none(), min_size=1, max_size=12), acceptable=st.booleans())
def test_no_series_of_scores_goes_on_for_ever(
    scores: list[float | None], *, acceptable: bool
) -> None:
    previous, decision, stable = None, None, 0
    for attempt, score in enumerate(scores):
        found = decide(
            score=score,
            previous_score=previous,
            previous_decision=decision,
            stable_replans=stable,
            attempt_count=attempt,
            is_acceptable=acceptable,
        )
        if found.decision != "replan":
            return
        stable = stable + 1 if found.score_direction == "stable" else 0
        assert stable <= 1
        previous, decision = score, found.decision
    assert len(scores) <= 2


def test_what_is_no_state_or_no_config_is_told():
    nothing: Any = None
    for state, config, name in [
        (nothing, nothing, "state"),
        ({"is_acceptable": 3}, None, "state.is_acceptable"),
        (RefinementState(is_acceptable=True), {"target_score": -1}, "config.target_score"),
        (RefinementState(is_acceptable=True), 3, "config"),
    ]:
        given_state: Any = state
        given_config: Any = config
        found = make_refinement_decision(given_state, given_config)
        assert found.failure().name == name
