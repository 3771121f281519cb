"""Accept, replan or reject over a series of scores; a change counts beyond its noise. Pure."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from returns.result import Result

from pce_memory.domain.records import model_of
from pce_memory.domain.refinement import (
    RefinementConfig,
    RefinementDecision,
    RefinementFeedback,
    RefinementResult,
    RefinementState,
    ScoreDirection,
)
from pce_memory.errors import InvalidParameter
from pce_memory.scoring.noise import determine_score_direction

Verdict: TypeAlias = tuple[RefinementDecision, str]

GRAVE: Final = ("critical", "duplicate task id", "circular dependency")
"""An issue that says one of these rejects a result whose score is missing."""


def make_refinement_decision(
    state: RefinementState | Mapping[str, object],
    config: RefinementConfig | Mapping[str, object] | None = None,
) -> Result[RefinementResult, InvalidParameter]:
    """Return whether to take a result, try again, or give it up, and why (seed 003 §3).

    The first rule that holds decides: attempts are used up; the score is missing; the target is
    reached; the change is within the noise; it is worse beyond the noise; it stagnates; it is not
    acceptable; there are suggestions; else it is taken. Two replans within the noise never follow
    each other. Plain mappings of the fields do as well.
    """
    return Result.do(
        _result(known, how, direction)
        for known in model_of("state", state, RefinementState)
        for how in model_of(
            "config", RefinementConfig() if config is None else config, RefinementConfig
        )
        for direction in determine_score_direction(
            known.score, known.previous_score, how.noise_threshold
        )
    )


def _result(
    state: RefinementState, how: RefinementConfig, direction: ScoreDirection
) -> RefinementResult:
    decision, reason = next(_verdicts(state, how, direction))
    told = RefinementFeedback(issues=state.issues, suggestions=state.suggestions)
    return RefinementResult(
        decision=decision,
        reason=reason,
        score_direction=direction,
        noise_threshold=how.noise_threshold,
        delta_threshold=how.delta_threshold,
        delta_threshold_percent=how.delta_threshold_percent,
        feedback=told if decision == "replan" else None,
        attempt_count=state.attempt_count,
        suggestion_replan_count=state.suggestion_replan_count,
        current_score=state.score,
        previous_score=state.previous_score,
    )


def _verdicts(
    state: RefinementState, how: RefinementConfig, direction: ScoreDirection
) -> Iterator[Verdict]:
    """Yield the verdict of every rule that holds, the first first; the last always does."""
    by_acceptance: RefinementDecision = "accept" if state.is_acceptable else "reject"
    if state.attempt_count >= how.max_refinement_attempts:
        yield by_acceptance, "最大試行回数到達"
    if state.score is None:
        yield "reject" if _is_grave(state) else by_acceptance, "スコア取得失敗"
        return
    if state.score >= how.target_score:
        yield "accept", "targetScore達成"
    if direction == "stable":
        yield _within_noise(state), "改善停滞（ノイズ範囲内）"
    if direction == "degraded":
        yield "reject", "スコア劣化"
    if is_stagnated(state.score, state.previous_score, how):
        yield (("accept", "改善停滞") if state.is_acceptable else ("replan", "改善停滞（継続）"))
    if not state.is_acceptable:
        yield "replan", "品質未達"
    if state.suggestions:
        yield "replan", "targetScore未達"
    yield "accept", "品質OK"


def _is_grave(state: RefinementState) -> bool:
    return any(word in issue.lower() for issue in state.issues for word in GRAVE)


def _within_noise(state: RefinementState) -> RefinementDecision:
    """Return the decision on a result that is as good as the one before: that one's, if it was."""
    if state.previous_decision in {"accept", "reject"}:
        return state.previous_decision or "reject"
    if state.is_acceptable:
        return "accept"
    return "replan" if state.stable_replans == 0 else "reject"


def is_stagnated(score: float, previous: float | None, how: RefinementConfig) -> bool:
    """Return whether a score improved by less than the thresholds, in points or in percent."""
    if previous is None:
        return False
    improvement = score - previous
    percent = improvement / previous * 100.0 if previous > 0 else 0.0
    return improvement < how.delta_threshold or percent < how.delta_threshold_percent
