"""The section of a policy that says how runs of lanes are kept and blended."""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from pydantic import Field

from pce_memory.domain.fusion import LaneWeights, PiWeights, Weight
from pce_memory.domain.model import Model
from pce_memory.domain.policy_boundary import Duration, Name

Rank: TypeAlias = Annotated[float, Field(ge=1, le=1e6, allow_inf_nan=False)]
Boost: TypeAlias = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]


def _by_name() -> dict[str, float]:
    return {"recall": 1.0, "precision": 1.0, "semantic": 0.8}


class Fusion(Model):
    """How runs of lanes are kept and blended."""

    rrf_k: Annotated[Rank, Field(description="A rank counts weight / (rrf_k + rank).")] = 60
    beta_fuse: Annotated[
        Boost, Field(description="How strongly π(d) boosts: RRF (1 + beta_fuse π).")
    ] = 1.2
    weights: Annotated[LaneWeights, Field(description="What a run counts by its lane.")] = (
        LaneWeights()
    )
    lane_weights: Mapping[Name, Weight] = Field(
        default_factory=_by_name,
        description="What a run counts by its lane_name; the map is taken whole: a name left out "
        "of it counts 1.",
        json_schema_extra={"default": {"recall": 1.0, "precision": 1.0, "semantic": 0.8}},
    )
    pi_weights: Annotated[
        PiWeights, Field(description="What codes, facets and lanes count in π(d).")
    ] = PiWeights()
    run_ttl: Annotated[
        Duration, Field(description="How long a run, and what was searched for, is kept.")
    ] = "12h"
