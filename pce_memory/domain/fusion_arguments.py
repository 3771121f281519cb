"""The keyword arguments of `memory.fusion`, typed once for both styles of calling."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from pce_memory.domain.boundary import Boundary
from pce_memory.domain.document import FeatureScope
from pce_memory.domain.filters import Condition
from pce_memory.domain.fused import TargetProfile
from pce_memory.domain.fusion import LaneWeights, PiWeights
from pce_memory.domain.lanes import Collection, SemanticStyle, Sort
from pce_memory.domain.representatives import Representatives, RepresentativesInput


class LaneFields(TypedDict, total=False):
    """How a lane searches.

    lane_name: precision asks for every word and quoted phrase; recall, or any other, for any word.
    filters: conditions that go before the ranking. top_k: at most so many; 500.
    collection: claims or documents. field_boosts: what the fields of documents count by words.
    feature_scope: only documents that have one of its fields; each has one vector all the same.
    semantic_style: original_dense has the semantic lane compare whole observations; default.
    hops: how far the graph lane walks; 1. sort: score, or a field such as created_at, dates.filing
    or attributes.pages; {"by": field, "order": "asc"} ascends.
    boundary: instead of the memory's own.
    """

    lane_name: str | None
    filters: Sequence[Condition | Mapping[str, object]]
    top_k: int
    collection: Collection
    field_boosts: Mapping[str, float] | None
    feature_scope: FeatureScope
    semantic_style: SemanticStyle
    hops: int
    sort: Sort | str | Mapping[str, str]
    boundary: Boundary | None


class BlendFields(TypedDict, total=False):
    """How runs are blended; the policy's section `fusion` where left out.

    target_profile: what codes are worth. weights: of a run by its lane; lane_weights: by its
    lane_name. pi_weights: of codes, facets and lanes in π(d). facet_terms: terms by facet;
    facet_weights: what a facet counts; 1. representatives: what `register_representatives` left;
    category_weights: what a category of them counts; 1. rrf_k, beta_fuse, k_grid, f_beta: see the
    manual. top_k: so many documents are told; 100. boundary: instead of the memory's own.
    """

    target_profile: TargetProfile | Mapping[str, Mapping[str, float]]
    weights: LaneWeights | Mapping[str, float]
    lane_weights: Mapping[str, float]
    pi_weights: PiWeights | Mapping[str, float]
    facet_terms: Mapping[str, Sequence[str]]
    facet_weights: Mapping[str, float]
    representatives: Sequence[Representatives | RepresentativesInput | Mapping[str, object]]
    category_weights: Mapping[str, float]
    rrf_k: float
    beta_fuse: float
    k_grid: Sequence[int]
    f_beta: float
    top_k: int
    boundary: Boundary | None


class PeekFields(TypedDict, total=False):
    """Which snippets of a run.

    offset, or cursor, which the page before gave. limit, or count: at most so many; 30, 100 at
    the most.
    fields: these, or all. per_field_chars: how long. budget_bytes: at most so many in UTF-8.
    boundary: instead of the memory's own.
    """

    offset: int
    cursor: str | None
    limit: int
    count: int
    fields: Sequence[str]
    per_field_chars: Mapping[str, int]
    budget_bytes: int
    boundary: Boundary | None
