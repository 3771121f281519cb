"""Fused runs: blend runs, and weigh a blend anew."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.fused import (
    FusionParams,
    FusionResult,
    MutateDelta,
    RankedDoc,
)
from pce_memory.domain.fusion import Band, LaneWeights, PiWeights
from pce_memory.domain.policy import seconds
from pce_memory.engine.fusion.blending import Fused, fuse, named, soonest
from pce_memory.engine.fusion.lacking import profile_without
from pce_memory.engine.fusion.opened import Opened, is_of, of_kind, opened, reached
from pce_memory.engine.fusion.telling import Looking, Told, as_json, told
from pce_memory.engine.fusion.weighing import all_weigh
from pce_memory.engine.ready import Ready
from pce_memory.errors import CoreError, InvalidParameter, RunNotFound
from pce_memory.policy.boundary import narrowed_to
from pce_memory.result import reader
from pce_memory.scoring.structure import band_of
from pce_memory.store import audit, events, runs
from pce_memory.store.audit import decided
from pce_memory.store.runs import Run


@dataclass(frozen=True, slots=True)
class Made:
    """What a fused run is made of: its parameters, and what it is a mutation of."""

    params: FusionParams
    found: Opened
    base: Run | None = None
    delta: Mapping[str, object] | None = None


@reader
def blend(
    deps: CoreDeps, params: FusionParams, ready: Ready, *, top_k: int
) -> Result[FusionResult, CoreError]:
    """Return, and keep, the blend of runs; the first `top_k` of it are told."""
    return Result.do(
        result
        for found in opened(deps, params.made_of, ready)
        for whole in named(params, found)
        for _ in all_weigh(whole, ready.policy)
        for result in _kept(deps, Made(whole, found), ready, top_k)
    )


@reader
def mutate(
    deps: CoreDeps, base_run_id: str, delta: MutateDelta, ready: Ready, *, top_k: int
) -> Result[FusionResult, CoreError]:
    """Return, and keep, a fused run with some parameters overwritten; nothing is searched.

    Only who made a run weighs it anew: its parameters tell what was aimed at.
    """
    return Result.do(
        result
        for base in fused_run(deps, base_run_id, ready)
        for _ in (Success(None) if is_of(deps, base, ready) else Failure(RunNotFound(base_run_id)))
        for params in mutated(params_of(base), delta)
        for _ in all_weigh(_as_said(params, delta), ready.policy)
        for found in opened(deps, params.made_of, ready)
        for result in _kept(deps, Made(params, found, base, _kept_of(delta)), ready, top_k)
    )


def _as_said(params: FusionParams, delta: MutateDelta) -> FusionParams:
    """Return parameters with no other weights by name than those that a delta says."""
    return params.model_copy(
        update={
            "lane_weights": delta.lane_weights or {},
            "category_weights": delta.category_weights or {},
            "facet_weights": delta.facet_weights or {},
        }
    )


def _kept_of(delta: MutateDelta) -> Mapping[str, object]:
    """Return a delta as it is kept: without terms, which the parameters have already."""
    said = dict(delta.said)
    if delta.facet_terms is not None:
        said["facet_terms"] = sorted(delta.facet_terms)
    return said


def fused_run(deps: CoreDeps, run_id: str, ready: Ready) -> Result[Run, CoreError]:
    """Return a fused run that the boundary reaches."""
    return Result.do(
        run for _, (found,) in reached(deps, [run_id], ready) for run in of_kind(found, "fusion")
    )


def params_of(run: Run) -> FusionParams:
    """Return the parameters a fused run was made with."""
    recipe = run.recipe or {}
    return FusionParams.model_validate(recipe["params"])


def mutated(params: FusionParams, delta: MutateDelta) -> Result[FusionParams, InvalidParameter]:
    """Return parameters with the values of a delta in their place, key by key."""
    by_run = dict(delta.runs or {})
    known = {one.run_id_lane for one in params.runs}
    if unknown := sorted(set(by_run) - known):
        return Failure(InvalidParameter("runs", f"{len(unknown)} of them are not blended in it"))
    runs_now = tuple(
        one.model_copy(update={"weight": by_run.get(one.run_id_lane, one.weight)})
        for one in params.runs
    )
    weights = params.weights.model_dump() | dict(delta.weights or {})
    pi_weights = params.pi_weights.model_dump() | dict(delta.pi_weights or {})
    changes: dict[str, object] = {
        "runs": runs_now,
        "weights": LaneWeights.model_validate(weights),
        "lane_weights": {**params.lane_weights, **(delta.lane_weights or {})},
        "pi_weights": PiWeights.model_validate(pi_weights),
        "facet_terms": {**params.facet_terms, **(delta.facet_terms or {})},
        "facet_weights": {**params.facet_weights, **(delta.facet_weights or {})},
        "category_weights": {**params.category_weights, **(delta.category_weights or {})},
    }
    for name in ("rrf_k", "beta_fuse"):
        if (value := getattr(delta, name)) is not None:
            changes[name] = value
    return Success(params.model_copy(update=changes))


def _kept(deps: CoreDeps, made: Made, ready: Ready, top_k: int) -> Result[FusionResult, CoreError]:
    return Result.do(
        result
        for fused in fuse(made.params, made.found, coded=top_k)(deps)
        for run in Success(_run(deps, made, fused, ready))
        for docs in _ranked(deps, fused, made.found, ready, top_k)
        for aim in Success(made.params.target_profile)
        for lacks in profile_without(deps, aim, fused.order.keys, made.found.view)
        for result in Success(_result(run, made, fused, docs, lacks))
        for _ in deps.db.transaction(partial(_save, deps, run, made, fused, ready))
    )


def _run(deps: CoreDeps, made: Made, fused: Fused, ready: Ready) -> Run:
    # A blend is weighed anew by its codes and facets: these are kept as they were given.
    now, base = deps.clock(), made.base
    last = soonest(made.found, made.params.made_of)
    return Run(
        run_id=deps.ids("fusion-"),
        kind="fusion",
        params={},
        recipe={"params": as_json(made.params), "delta": made.delta},
        metrics=cast("Mapping[str, float]", as_json(fused.metrics)),
        parent=None if base is None else base.run_id,
        history=() if base is None else (*base.history, base.run_id),
        policy_version=ready.policy.version,
        created_at=now,
        expires_at=min(now + seconds(ready.policy.fusion.run_ttl), last),
        documents=len(fused.order.keys),
    )


def _save(
    deps: CoreDeps, run: Run, made: Made, fused: Fused, ready: Ready
) -> Result[None, CoreError]:
    reach = narrowed_to(ready.boundary, made.found.view.narrowed)
    payload = {"runs": len(made.params.runs), "documents": run.documents, **(run.metrics or {})}
    tool = "fusion.blend" if made.base is None else "fusion.mutate"
    counts = {"documents": run.documents}
    decision = decided(tool, "allowed", ready.boundary, ready.policy, counts=counts)
    return Result.do(
        None
        for _ in runs.insert(run, reach, {"key": fused.order.keys, "score": fused.order.scores})(
            deps
        )
        for _ in events.record("fusion", payload, policy_version=ready.policy.version)(deps)
        for _ in audit.record([decision])(deps)
    )


def _ranked(
    deps: CoreDeps, fused: Fused, found: Opened, ready: Ready, top_k: int
) -> Result[tuple[RankedDoc, ...], CoreError]:
    keys: list[int] = fused.order.keys[:top_k].tolist()
    scores: list[float] = fused.order.scores[:top_k].tolist()
    place_of = {key: place for place, key in enumerate(keys)}
    by_run, by_lane = fused.run_scores(top_k), fused.lane_scores(top_k)

    def doc(rank: int, one: Told) -> RankedDoc:
        place = place_of[one.key]
        return RankedDoc(
            rank=rank,
            doc_id=one.doc_id,
            pub_id=one.pub_id,
            app_id=one.app_id,
            score=scores[place],
            lane_scores=by_lane[place],
            run_scores=by_run[place],
            source=one.source,
            metadata={name: list(some) for name, some in one.codes.items()},
        )

    return told(keys, Looking(found.view, ready.policy, found.seqs), coded=fused.coded)(deps).map(
        lambda some: tuple(doc(rank, one) for rank, one in enumerate(some, start=1))
    )


def _result(
    run: Run, made: Made, fused: Fused, docs: tuple[RankedDoc, ...], lacks: tuple[str, ...]
) -> FusionResult:
    return FusionResult(
        run_id=run.run_id,
        ranked_docs=docs,
        total_docs=run.documents,
        metrics=fused.metrics,
        health=health_of(as_json(fused.metrics)),
        frontier=fused.points(made.params),
        params=made.params,
        parent=run.parent,
        history=run.history,
        expires_at=run.expires_at,
        warnings=lacks,
    )


def health_of(metrics: Mapping[str, object]) -> Mapping[str, Band]:
    """Return how healthy each metric is."""
    return {name: band_of(name, float(str(value))) for name, value in metrics.items()}
