"""Where a run comes from: the codes of its documents, what each lane gives, its lineage."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.fused import LaneContributions, RunProvenance
from pce_memory.engine.fusion.blending import Fused, fuse
from pce_memory.engine.fusion.fused import health_of, params_of
from pce_memory.engine.fusion.opened import Listed, Opened, is_of, opened
from pce_memory.engine.fusion.telling import Looking, Told, as_json, told
from pce_memory.engine.ready import Ready
from pce_memory.errors import CoreError
from pce_memory.result import reader
from pce_memory.scoring.suggesting import target_profile_of
from pce_memory.store.runs import Run

CODED: Final = 1_000
"""The codes of so many of the first documents are counted."""


@reader
def provenance(
    deps: CoreDeps, run_id: str, ready: Ready, *, top_k_lane: int, top_k_code: int
) -> Result[RunProvenance, CoreError]:
    """Return where a run comes from, as a boundary sees it now."""
    return Result.do(
        result
        for found in opened(deps, [run_id], ready)
        for listed in Success(found.runs[run_id])
        for freqs in _frequencies(deps, listed, found, ready, top_k_code)
        for fused in _fused_again(deps, listed, ready)
        for shares in _contributions(deps, fused, ready, top_k_lane)
        for metrics in Success(_measured(fused))
        for result in Success(
            _provenance(listed.run, freqs, shares, metrics, mine=is_of(deps, listed.run, ready))
        )
    )


def _frequencies(
    deps: CoreDeps, listed: Listed, found: Opened, ready: Ready, top: int
) -> Result[Mapping[str, Mapping[str, int]], CoreError]:
    keys: list[int] = listed.keys[:CODED].tolist()

    def counted(some: Sequence[Told]) -> Mapping[str, Mapping[str, int]]:
        counts: dict[str, Counter[str]] = {}
        for one in some:
            for taxonomy, codes in one.codes.items():
                counts.setdefault(taxonomy, Counter()).update(set(codes))
        return {name: dict(_most(count, top)) for name, count in sorted(counts.items())}

    return told(keys, Looking(found.view, ready.policy, found.seqs))(deps).map(counted)


def _most(counts: Counter[str], top: int) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:top]


def _fused_again(
    deps: CoreDeps, listed: Listed, ready: Ready
) -> Result[tuple[Opened, Fused] | None, CoreError]:
    """Return a blend, of what may be seen of its runs today; of a lane run nothing."""
    if listed.run.kind != "fusion":
        return Success(None)
    params = params_of(listed.run)
    return Result.do(
        (found, fused)
        for found in opened(deps, params.made_of, ready)
        for fused in fuse(params, found)(deps)
    )


def _measured(again: tuple[Opened, Fused] | None) -> Mapping[str, object] | None:
    """Return the metrics of what may be seen: those a blend was kept with count what was."""
    return None if again is None else as_json(again[1].metrics)


def _contributions(
    deps: CoreDeps, again: tuple[Opened, Fused] | None, ready: Ready, top: int
) -> Result[LaneContributions, CoreError]:
    """Return what each lane gives; for a lane run nothing."""
    if again is None:
        return Success(LaneContributions())
    found, fused = again
    names = [one.lane_name or one.lane for one in fused.runs]
    return Result.do(
        LaneContributions(
            aggregate=_shares(names, fused.order.parts.sum(axis=0).tolist()),
            per_doc={
                one.doc_id: _shares(names, fused.order.parts[place_of[one.key]].tolist())
                for one in first
            },
        )
        for place_of in Success(
            {key: at for at, key in enumerate(fused.order.keys[:top].tolist())}
        )
        for first in told(list(place_of), Looking(found.view, ready.policy, found.seqs))(deps)
    )


def _shares(names: Sequence[str], parts: Sequence[float]) -> Mapping[str, float]:
    """Return which share of a sum each name has; equal names are one."""
    whole = sum(parts)
    sums: dict[str, float] = dict.fromkeys(names, 0.0)
    for name, part in zip(names, parts, strict=True):
        sums[name] += part / whole if whole > 0 else 0.0
    return {name: min(1.0, share) for name, share in sums.items()}


def _provenance(
    run: Run,
    freqs: Mapping[str, Mapping[str, int]],
    shares: LaneContributions,
    metrics: Mapping[str, object] | None,
    *,
    mine: bool,
) -> RunProvenance:
    # What somebody asked for is told to him only: words, codes, filters and facets.
    asked = {"query": run.query, **run.params, **(run.recipe or {})} if mine else {}
    shown = {"lane": run.lane, "lane_name": run.lane_name, "source": run.source, **asked}
    snapshot = {name: value for name, value in shown.items() if value is not None}
    return RunProvenance.model_validate(
        {
            "run_id": run.run_id,
            "kind": run.kind,
            "code_freqs": freqs,
            "lane_contributions": shares,
            "metrics": metrics,
            "health": health_of(metrics or {}),
            "lineage": (*run.history, run.run_id),
            "config_snapshot": {**snapshot, "policy_version": run.policy_version},
            "target_profile": target_profile_of(freqs),
        }
    )
