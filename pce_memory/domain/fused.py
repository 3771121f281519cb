"""What lanes leave and what becomes of it: handles, fused runs, provenance, snippets, tuning."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeAlias, cast

from pydantic import Field, model_validator

from pce_memory.domain.fusion import (
    Band,
    BlendRunInput,
    FrontierPoint,
    Lane,
    LaneWeights,
    PiWeights,
    StructuralMetrics,
    Weight,
)
from pce_memory.domain.model import EpochSeconds, Finite, Model, Unit
from pce_memory.domain.policy_fusion import Boost, Rank
from pce_memory.domain.refinement import RefinementResult
from pce_memory.domain.representatives import Category, RepresentativesInput
from pce_memory.domain.stamped import Warned

Id: TypeAlias = Annotated[str, Field(min_length=1, max_length=128)]
Count: TypeAlias = Annotated[int, Field(ge=0)]
K_GRID = (10, 20, 30, 40, 50, 80, 100)


class RunHandle(Model):
    """What a lane left: for a lane run `run_id_lane` is the `run_id`.

    `hit_count` are the documents it lists; `meta` has lane_name, source, filters, `truncated`
    where more were found than `top_k`, `count_returned`, `took_ms`, and `warnings` where a lane by
    codes looked for a taxonomy that nothing which is seen has, or a tag of the boundary is one
    that no class is shown to by its name.
    """

    run_id: Id
    lane: Lane
    run_id_lane: Id
    hit_count: Count
    top_k: Annotated[int, Field(ge=1)]
    meta: Mapping[str, object] = {}

    @property
    def lane_name(self) -> str:
        """What the lane goes by, such as recall or precision."""
        return str(self.meta.get("lane_name", self.lane))

    def took(self, milliseconds: float) -> "RunHandle":
        """Return the handle of a run that took so long, by the memory's clock."""
        told = {"count_returned": self.hit_count, "took_ms": max(0.0, milliseconds)}
        return self.model_copy(update={"meta": {**self.meta, **told}})

    def warned(self, warnings: Sequence[str]) -> "RunHandle":
        """Return the handle with these warnings beside its own."""
        if not warnings:
            return self
        own = cast("Sequence[str]", self.meta.get("warnings", ()))
        told = {"warnings": list(dict.fromkeys((*own, *warnings)))}
        return self.model_copy(update={"meta": {**self.meta, **told}})

    def weighed(self, weight: float = 1.0) -> BlendRunInput:
        """Return this run as it is blended."""
        return BlendRunInput(lane=self.lane, run_id_lane=self.run_id_lane, weight=weight)


class TargetProfile(Model):
    """What each code of a taxonomy is worth: `{taxonomy: {code: weight}}`, as it stands."""

    codes: Mapping[str, Mapping[str, Weight]] = {}

    @model_validator(mode="before")
    @classmethod
    def _as_it_stands(cls, given: object) -> object:
        """Take the mapping itself: `{"fi": {...}}` is a profile."""
        if not isinstance(given, Mapping):
            return given
        named = cast("Mapping[object, object]", given)
        return named if set(named) == {"codes"} else {"codes": named}

    @property
    def fi(self) -> Mapping[str, float]:
        """The weights of the taxonomy fi, or of fi_norm."""
        return self.codes.get("fi", self.codes.get("fi_norm", {}))

    @property
    def ft(self) -> Mapping[str, float]:
        """The weights of the taxonomy ft."""
        return self.codes.get("ft", {})

    @property
    def total(self) -> float:
        """The sum of all weights."""
        return sum(weight for codes in self.codes.values() for weight in codes.values())


class FusionParams(Model):
    """Everything a fused run depends on beside the runs themselves.

    `representatives` are a part of what codes are aimed at, beside `target_profile`: a category
    counts its weight, 1 if `category_weights` has none. Of that a document gets the share of the
    category's codes that it carries, a code weighing as often as representatives carry it; a
    representative gets all of it.
    """

    runs: Annotated[tuple[BlendRunInput, ...], Field(min_length=1, max_length=64)]
    target_profile: TargetProfile = TargetProfile()
    weights: LaneWeights = LaneWeights()
    lane_weights: Mapping[str, Weight] = {}
    pi_weights: PiWeights = PiWeights()
    facet_terms: Mapping[str, tuple[str, ...]] = {}
    facet_weights: Mapping[str, Weight] = {}
    representatives: Annotated[tuple[RepresentativesInput, ...], Field(max_length=64)] = ()
    category_weights: Mapping[Category, Weight] = {}
    rrf_k: Rank = 60
    beta_fuse: Boost = 1.2
    k_grid: Annotated[tuple[int, ...], Field(max_length=64)] = K_GRID
    f_beta: Annotated[float, Field(gt=0, le=100)] = 1.0

    @property
    def made_of(self) -> tuple[str, ...]:
        """The ids of all runs it takes something from."""
        lanes = (one.run_id_lane for one in self.runs)
        return tuple(dict.fromkeys((*lanes, *(one.run_id for one in self.representatives))))


class RankedDoc(Model):
    """One document of a ranking; ranks count from 1.

    `doc_id` is what its source calls it, `pub_id` its external id or the claim's id. `lane_scores`
    has what each lane gives it, by lane_name, and `run_scores` what each run does, by run id: the
    sum of either is the RRF part of the score. `source` is
    claims, documents, or the name of a backend, whose documents no boundary of ours has seen.
    """

    rank: Annotated[int, Field(ge=1)]
    doc_id: str
    pub_id: str
    app_id: str | None = None
    score: Finite
    lane_scores: Mapping[str, Finite] = {}
    run_scores: Mapping[str, Finite] = {}
    source: str = "claims"
    metadata: Mapping[str, object] = {}


class FusionResult(Warned):
    """A fused run: the first of its documents, how its structure does, what made it.

    `warnings` has a sentence for each taxonomy of the profile that nothing which is seen has, and
    for each tag of the boundary that no class is shown to by its name.
    """

    run_id: Id
    ranked_docs: tuple[RankedDoc, ...]
    total_docs: Count
    metrics: StructuralMetrics
    health: Mapping[str, Band]
    frontier: tuple[FrontierPoint, ...]
    params: FusionParams
    parent: str | None = None
    history: tuple[str, ...] = ()
    expires_at: EpochSeconds


class LaneRequest(Model):
    """One lane of a search over many: which tool, of which lane, with which arguments."""

    lane_name: Id
    tool: str
    lane: Lane
    params: Mapping[str, object] = {}


class LaneOutcome(Model):
    """What became of one lane."""

    lane_name: str
    status: Literal["success", "partial", "error"]
    handle: RunHandle | None = None
    code_summary: Mapping[str, tuple[str, ...]] = {}
    error_code: str | None = None
    error_message: str | None = None


class MultilaneResult(Model):
    """What became of every lane, in order: one that failed stops none."""

    lanes: tuple[LaneOutcome, ...]
    success_count: Count
    error_count: Count
    took_ms_total: Finite
    trace_id: str | None = None

    @property
    def handles(self) -> tuple[RunHandle, ...]:
        """The runs that were left."""
        return tuple(one.handle for one in self.lanes if one.handle is not None)


class LaneContributions(Model):
    """What each lane_name gives to the RRF part: of all documents, and of each of the first."""

    aggregate: Mapping[str, Unit] = {}
    per_doc: Mapping[str, Mapping[str, Unit]] = {}


class RunProvenance(Model):
    """Where a run comes from. Only of a fused run there are contributions and metrics.

    `code_freqs` counts how many documents carry a code. `lineage` has the runs before it, oldest
    first, and itself. What was searched for stands in `config_snapshot` only for who searched.
    """

    run_id: Id
    kind: Literal["lane", "fusion", "representatives"]
    code_freqs: Mapping[str, Mapping[str, int]]
    lane_contributions: LaneContributions = LaneContributions()
    metrics: StructuralMetrics | None = None
    health: Mapping[str, Band] = {}
    lineage: tuple[str, ...]
    config_snapshot: Mapping[str, object]
    target_profile: TargetProfile


Pattern: TypeAlias = Literal[
    "healthy", "low_recall", "low_precision", "semantic_dominance", "approach_imbalance"
]


Measure: TypeAlias = Literal["Fproxy", "CCW"]


class MutateDelta(Model):
    """What a mutation overwrites: absolute values, joined key by key.

    A facet's terms are overwritten as a whole; a facet without terms counts no more.
    """

    weights: Mapping[Lane, Weight] | None = None
    lane_weights: Mapping[str, Weight] | None = None
    pi_weights: Mapping[Literal["code", "facet", "lane"], Weight] | None = None
    facet_terms: Mapping[str, tuple[str, ...]] | None = None
    facet_weights: Mapping[str, Weight] | None = None
    category_weights: Mapping[Category, Weight] | None = None
    runs: Mapping[str, Weight] | None = None
    rrf_k: Rank | None = None
    beta_fuse: Boost | None = None

    @property
    def said(self) -> Mapping[str, object]:
        """Only what it says."""
        return self.model_dump(mode="json", exclude_none=True)


class Suggestion(Model):
    """What the structure of a run suggests; without a delta, `advice` says what else to do."""

    pattern: Pattern
    delta: MutateDelta | None = None
    advice: str = ""


class TuningStep(Model):
    """One mutation that was tried, and what was measured; the decision has the threshold used.

    `before` and `after` are the `measure` that judged it, on 0 to 100, and so are those of Fproxy,
    which must not have fallen beyond the noise.
    """

    pattern: Pattern
    delta: Mapping[str, object]
    run_id: Id
    measure: Measure
    before: Finite
    after: Finite
    fproxy_before: Finite
    fproxy_after: Finite
    kept: bool
    decision: RefinementResult


class TuningResult(Model):
    """The run that is best, and how it came about; `stopped` says why no more was tried."""

    run_id: Id
    steps: tuple[TuningStep, ...]
    metrics: StructuralMetrics
    stopped: Literal["healthy", "no_suggestion", "noise", "degraded", "attempts", "accepted"]
    advice: str = ""
