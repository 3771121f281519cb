"""The tuning loop: suggest, weigh anew, keep or go back; a change counts beyond its noise.

A change that is made for the codes to agree is judged by whether they do, for Fproxy hardly moves
where the lanes agree little; Fproxy may not fall beyond the noise then. The rest is judged by it.
Where such a change does not help as a whole, what of it lifts by codes is tried alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from returns.result import Result, Success

from pce_memory.critic.refine import make_refinement_decision
from pce_memory.deps import CoreDeps
from pce_memory.domain.fused import Measure, Suggestion, TuningResult, TuningStep
from pce_memory.domain.fusion import StructuralMetrics
from pce_memory.domain.records import model_of
from pce_memory.domain.refinement import (
    RefinementConfig,
    RefinementResult,
    RefinementState,
    ScoreDirection,
)
from pce_memory.engine.fusion.fused import fused_run, mutate
from pce_memory.engine.fusion.provenance import provenance
from pce_memory.engine.ready import Ready
from pce_memory.errors import CoreError, StoreError
from pce_memory.result import reader
from pce_memory.scoring.noise import determine_score_direction
from pce_memory.scoring.suggesting import (
    is_good,
    measure_of,
    part_of,
    points_of,
    suggest_mutation,
)
from pce_memory.store import events

Stopped: TypeAlias = Literal[
    "healthy", "no_suggestion", "noise", "degraded", "attempts", "accepted"
]


@dataclass(frozen=True, slots=True)
class _State:
    """The best run so far, how it does, what was tried, and what is left to try of the last."""

    run_id: str
    metrics: StructuralMetrics
    steps: tuple[TuningStep, ...] = ()
    stopped: Stopped | None = None
    advice: str = ""
    refused: Stopped | None = None
    left: Suggestion | None = None


@reader
def tune(
    deps: CoreDeps,
    run_id: str,
    ready: Ready,
    *,
    config: RefinementConfig | Mapping[str, object] | None,
) -> Result[TuningResult, CoreError]:
    """Return the best of at most so many mutations of a fused run, and the run itself.

    A change counts, and it ends, as `config` says, else as the policy in force does.
    """
    return Result.do(
        TuningResult(
            run_id=done.run_id,
            steps=done.steps,
            metrics=done.metrics,
            stopped=done.stopped or "attempts",
            advice=done.advice,
        )
        for how in model_of(
            "config",
            ready.policy.refinement.for_tuning if config is None else config,
            RefinementConfig,
        )
        for run in fused_run(deps, run_id, ready)
        for first in Success(_State(run_id, StructuralMetrics.model_validate(run.metrics)))
        for done in _tuned(deps, first, ready, how)
    )


def _tuned(
    deps: CoreDeps, state: _State, ready: Ready, config: RefinementConfig
) -> Result[_State, CoreError]:
    for _ in range(config.max_refinement_attempts):
        tried = _once(deps, state, ready, config)
        after = tried.value_or(None)
        if after is None or after.stopped is not None:
            return tried
        state = after
    stopped: Stopped = "healthy" if is_good(state.metrics) else "attempts"
    return Success(_ended(state, state.refused or stopped))


def _once(
    deps: CoreDeps, state: _State, ready: Ready, config: RefinementConfig
) -> Result[_State, CoreError]:
    def suggested(shares: Mapping[str, float]) -> Result[_State, CoreError]:
        suggestion = state.left or suggest_mutation(state.metrics, shares)
        if suggestion.delta is None:
            why: Stopped = "healthy" if suggestion.pattern == "healthy" else "no_suggestion"
            return Success(_ended(state, why, suggestion.advice))
        if any(step.delta == suggestion.delta.said for step in state.steps):
            return Success(_ended(state, "no_suggestion", "what is suggested was tried"))
        return _tried(deps, state, suggestion, ready, config)

    return Result.do(
        after
        for known in provenance(state.run_id, ready, top_k_lane=1, top_k_code=1)(deps)
        for after in suggested(known.lane_contributions.aggregate)
    )


def _ended(state: _State, why: Stopped, advice: str = "") -> _State:
    return _State(state.run_id, state.metrics, state.steps, why, advice)


def _tried(
    deps: CoreDeps, state: _State, suggestion: Suggestion, ready: Ready, config: RefinementConfig
) -> Result[_State, CoreError]:
    delta = suggestion.delta
    if delta is None:
        return Success(state)
    measure = measure_of(suggestion.pattern)
    return Result.do(
        _judged(state, suggestion, made.run_id, made.metrics, decision, whole)
        for made in mutate(state.run_id, delta, ready, top_k=1)(deps)
        for decision in make_refinement_decision(
            RefinementState(
                is_acceptable=is_good(made.metrics),
                score=points_of(made.metrics, measure),
                previous_score=points_of(state.metrics, measure),
                stable_replans=int(state.refused == "noise"),
            ),
            # Attempts are counted by the loop, and to the state none was made yet.
            config,
        )
        for whole in determine_score_direction(
            points_of(made.metrics, "Fproxy"),
            points_of(state.metrics, "Fproxy"),
            config.noise_threshold,
        )
        for _ in _event(deps, decision, made.run_id, ready, measure)
    )


def _event(
    deps: CoreDeps, decision: RefinementResult, run_id: str, ready: Ready, measure: Measure
) -> Result[None, StoreError]:
    """Leave an event of two runs that were compared, with the threshold and the direction."""
    payload = {
        "tuned": run_id,
        "measure": measure,
        "before": decision.previous_score,
        "after": decision.current_score,
        "score_direction": decision.score_direction,
        "noise_threshold": decision.noise_threshold,
        "decision": decision.decision,
    }
    return events.record("fusion", payload, policy_version=ready.policy.version)(deps)


def _judged(
    state: _State,
    suggestion: Suggestion,
    run_id: str,
    metrics: StructuralMetrics,
    decision: RefinementResult,
    whole: ScoreDirection,
) -> _State:
    """Keep what improved beyond the noise and made the whole no worse; else go back.

    It ends there, if no part of what was suggested is left to try.
    """
    fell = "degraded" in {decision.score_direction, whole}
    improved = decision.score_direction == "improved" and not fell
    step = _step(state, suggestion, (run_id, metrics), decision, kept=improved)
    steps = (*state.steps, step)
    if not improved:
        why: Stopped = "degraded" if fell else "noise"
        left = part_of(suggestion)
        back = _State(state.run_id, state.metrics, steps, refused=why, left=left)
        return back if left is not None else _ended(back, why)
    # Codes may agree as well as is aimed at, and the whole be poor still.
    done = decision.decision == "accept" and (step.measure == "Fproxy" or is_good(metrics))
    return _State(run_id, metrics, steps, "accepted" if done else None)


def _step(
    state: _State,
    suggestion: Suggestion,
    made: tuple[str, StructuralMetrics],
    decision: RefinementResult,
    *,
    kept: bool,
) -> TuningStep:
    run_id, metrics = made
    return TuningStep.model_validate(
        {
            "pattern": suggestion.pattern,
            "delta": {} if suggestion.delta is None else suggestion.delta.said,
            "run_id": run_id,
            "measure": measure_of(suggestion.pattern),
            "before": decision.previous_score,
            "after": decision.current_score,
            "fproxy_before": points_of(state.metrics, "Fproxy"),
            "fproxy_after": points_of(metrics, "Fproxy"),
            "kept": kept,
            "decision": decision,
        }
    )
