"""Runs of lanes and what becomes of them (seed 004 §5)."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.model import Finite, Model, Unit

Lane: TypeAlias = Literal["fulltext", "semantic", "original_dense", "code", "graph"]
Band: TypeAlias = Literal["ok", "fair", "warn"]

Weight: TypeAlias = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]


class PiWeights(Model):
    """What codes, facets and lanes count in π(d)."""

    code: Annotated[Weight, Field(description="Codes of the target profile.")] = 0.4
    facet: Annotated[Weight, Field(description="Terms of the facets.")] = 0.3
    lane: Annotated[Weight, Field(description="The share of the runs that found it.")] = 0.3


class LaneWeights(Model):
    """What a run counts by its lane."""

    fulltext: Annotated[Weight, Field(description="A run by words.")] = 1.0
    semantic: Annotated[Weight, Field(description="A run by meaning.")] = 0.8
    original_dense: Annotated[Weight, Field(description="A run by raw texts' meaning.")] = 0.8
    graph: Annotated[Weight, Field(description="A run over entities.")] = 0.5
    code: Annotated[Weight, Field(description="A run by codes.")] = 0.3


class StructuralMetrics(Model):
    """What the structure of a fused run says of its quality, each in [0, 1].

    LAS: how far the lanes agree. CCW: how far the codes of the top agree. S_shape: how much of the
    score of the top lies in its first three. F_struct: the F-score of LAS and CCW. Fproxy: that,
    lowered where the first three have more than a healthy share.
    """

    LAS: Unit
    CCW: Unit
    S_shape: Unit
    F_struct: Unit
    Fproxy: Unit


class FrontierPoint(Model):
    """How a ranking cut at k does by π alone: P* and R* of it, and their F-score."""

    k: Annotated[int, Field(ge=1)]
    precision: Unit
    recall: Unit
    f_beta: Finite


class BlendRunInput(Model):
    """One run to blend: of which lane, and what it counts. A lane's name is that of its run."""

    lane: Lane
    run_id_lane: Annotated[str, Field(min_length=1, max_length=128)]
    weight: Weight = 1.0
    lane_name: Annotated[str, Field(min_length=1, max_length=128)] | None = None
