"""What a lane is asked."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from pce_memory.domain.document import FeatureScope
from pce_memory.domain.filters import Condition, FieldName
from pce_memory.domain.fused import TargetProfile
from pce_memory.domain.fusion import Lane, Weight
from pce_memory.domain.model import Model

Collection: TypeAlias = Literal["claims", "documents"]
SemanticStyle: TypeAlias = Literal["default", "original_dense"]
"""What the semantic lane compares: claims, or what whole observations mean."""
TopK: TypeAlias = Annotated[int, Field(ge=1, le=10_000)]

TOOLS: Final[Mapping[str, Lane]] = {
    "rrf_search_fulltext_raw": "fulltext",
    "rrf_search_semantic_raw": "semantic",
    "rrf_search_original_dense_raw": "original_dense",
    "rrf_search_graph_raw": "graph",
    "rrf_search_code_raw": "code",
}
"""Which lane each tool is of."""

NAMES: Final[Mapping[Lane, str]] = {"fulltext": "recall"}
"""What a lane goes by if it is not named; others go by themselves."""


class Sort(Model):
    """What the hits of a lane stand in the order of: `by` is score or a field of filters.

    `sort="created_at"` is `{"by": "created_at", "order": "desc"}`.
    """

    by: FieldName = "score"
    order: Literal["asc", "desc"] = "desc"

    @property
    def is_usual(self) -> bool:
        """Whether it is the order of the scores, best first."""
        return (self.by, self.order) == ("score", "desc")


def _as_sort(given: object) -> object:
    return {"by": given} if isinstance(given, str) else given


class LaneAsk(Model):
    """What a lane looks for, where, and how many it may find.

    `lane_name`: precision asks for every word and every quoted phrase, any other for any word.
    `filters` go before the ranking. `field_boosts` and `feature_scope` are for documents: each
    has one vector, so a feature scope compares no other text. It narrows to the documents that
    have one of its fields, and the run's meta says `narrowed_to` which. `codes` are what the code
    lane looks for, `hops` how far the graph lane walks. `sort` is the order of the run, and so
    what a rank of it counts: by words and codes it orders all that matches, at most 10 000, before
    `top_k` is cut; in the other lanes the nearest `top_k`.
    """

    query: str = ""
    lane_name: Annotated[str, Field(min_length=1, max_length=128)] | None = None
    filters: Annotated[tuple[Condition, ...], Field(max_length=64)] = ()
    top_k: TopK = 500
    collection: Collection = "claims"
    field_boosts: Mapping[str, Weight] | None = None
    feature_scope: FeatureScope = "wide"
    semantic_style: SemanticStyle = "default"
    codes: TargetProfile = TargetProfile()
    hops: Annotated[int, Field(ge=1, le=4)] = 1
    sort: Annotated[Sort, BeforeValidator(_as_sort)] = Sort()

    def name_of(self, lane: Lane) -> str:
        """Return what the lane goes by."""
        return self.lane_name or NAMES.get(lane, lane)
