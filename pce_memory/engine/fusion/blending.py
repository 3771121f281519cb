"""Runs become one ranking: weighted RRF, boosted by codes, facets and lanes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.fused import FusionParams
from pce_memory.domain.fusion import BlendRunInput, FrontierPoint, StructuralMetrics
from pce_memory.engine.fusion.boosts import pi_code, pi_facet
from pce_memory.engine.fusion.opened import Floats, Keys, Opened, of_kind
from pce_memory.engine.fusion.representatives import categorized
from pce_memory.engine.fusion.telling import Coded, coded_of
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.result import collect, reader
from pce_memory.scoring import blend as scoring
from pce_memory.scoring.blend import Blended, WeighedRun
from pce_memory.scoring.structure import TOP, frontier, structural_metrics
from pce_memory.store.codes import Codes

TAXONOMIES: Final = ("fi_norm", "fi", "entity", "ft", "ipc", "cpc", "tag", "kind")
"""CCW is taken over the first of these that the documents of the top carry."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Documents in the order of their scores; `parts` has what each run gives each."""

    keys: Keys
    scores: Floats
    pi: Floats
    parts: Floats


@dataclass(frozen=True, slots=True)
class Fused:
    """What runs are blended into.

    `coded` has the codes of the first documents, as many as were asked for, and of the top.
    """

    order: Columns
    runs: tuple[BlendRunInput, ...]
    metrics: StructuralMetrics
    coded: Coded

    def points(self, params: FusionParams) -> tuple[FrontierPoint, ...]:
        """Return how the ranking does by π when it is cut."""
        return frontier(self.order.pi.tolist(), params.k_grid, beta=params.f_beta)

    def run_scores(self, first: int) -> list[Mapping[str, float]]:
        """Return what each run gives to each of the first documents, by run id."""
        return self._sums([one.run_id_lane for one in self.runs], first)

    def lane_scores(self, first: int) -> list[Mapping[str, float]]:
        """Return what each lane gives to each of the first documents, by lane_name."""
        return self._sums([one.lane_name or one.lane for one in self.runs], first)

    def _sums(self, names: Sequence[str], first: int) -> list[Mapping[str, float]]:
        rows: list[list[float]] = self.order.parts[:first].tolist()
        sums: list[Mapping[str, float]] = []
        for row in rows:
            of_names: dict[str, float] = {}
            for name, part in zip(names, row, strict=True):
                if part > 0:
                    of_names[name] = of_names.get(name, 0.0) + part
            sums.append(of_names)
        return sums


def named(params: FusionParams, found: Opened) -> Result[FusionParams, CoreError]:
    """Return the parameters with what the runs say themselves.

    That is the lane_name of every run, each of the lane it is said to be, and the category of all
    representatives.
    """

    def one(given: BlendRunInput) -> Result[BlendRunInput, CoreError]:
        return Result.do(
            given.model_copy(update={"lane_name": given.lane_name or run.lane_name})
            for run in of_kind(found.runs[given.run_id_lane].run, "lane")
            for _ in _of_lane(given, run.lane)
        )

    ids = [given.run_id_lane for given in params.runs]
    if len(set(ids)) < len(ids):
        return Failure(InvalidParameter("runs", "a run stands in it twice"))
    return Result.do(
        params.model_copy(update={"runs": lanes, "representatives": typical})
        for lanes in collect(one(given) for given in params.runs)
        for typical in categorized(params.representatives, found)
    )


def _of_lane(given: BlendRunInput, lane: str | None) -> Result[None, InvalidParameter]:
    if given.lane == lane:
        return Success(None)
    return Failure(InvalidParameter("runs", f"a run is said to be of {given.lane}, not {lane}"))


@reader
def fuse(
    deps: CoreDeps, params: FusionParams, found: Opened, *, coded: int = TOP
) -> Result[Fused, CoreError]:
    """Return the blend of runs that are open, with the codes of the first; nothing is searched."""
    listed = [found.runs[one.run_id_lane] for one in params.runs]
    weighed = [
        WeighedRun(one.keys, _weight(given, params))
        for given, one in zip(params.runs, listed, strict=True)
    ]
    blended = scoring.blend(weighed, params.rrf_k)
    return Result.do(
        fused
        for code in pi_code(params, found, blended.keys)(deps)
        for facet in pi_facet(params, found, blended.keys)(deps)
        for order in Success(_order(params, blended, (code, facet)))
        for known in coded_of(order.keys[: max(coded, TOP)].tolist(), found.seqs)(deps)
        for fused in Success(_fused(params, order, [one.keys for one in listed], known))
    )


def _weight(given: BlendRunInput, params: FusionParams) -> float:
    by_lane: float = getattr(params.weights, given.lane)
    return given.weight * by_lane * params.lane_weights.get(given.lane_name or given.lane, 1.0)


def _order(params: FusionParams, blended: Blended, boosts: tuple[Floats, Floats]) -> Columns:
    pi = scoring.pi_of(*boosts, blended.found_by, params.pi_weights)
    scores = scoring.boosted(blended.rrf, pi, params.beta_fuse)
    order = scoring.ranked(scores, blended.keys)
    return Columns(blended.keys[order], scores[order], pi[order], blended.parts[order])


def _fused(params: FusionParams, order: Columns, lanes: Sequence[Keys], known: Coded) -> Fused:
    tops = [[str(key) for key in keys[:TOP].tolist()] for keys in lanes]
    top: list[int] = order.keys[:TOP].tolist()
    found = _of_top([known.codes[key] for key in top if key in known.codes])
    metrics = structural_metrics(tops, found, order.scores.tolist())
    return Fused(order, params.runs, metrics, known)


def _of_top(known: Sequence[Codes]) -> list[str]:
    """Return the codes of the first taxonomy that occurs, as often as they occur."""
    for taxonomy in TAXONOMIES:
        found = [code for some in known for code in some.get(taxonomy, ())]
        if found:
            return found
    return []


def soonest(found: Opened, ids: Sequence[str]) -> float:
    """Return when the first of some runs expires: what is made of them lives no longer."""
    return min(found.runs[one].run.expires_at for one in ids)
