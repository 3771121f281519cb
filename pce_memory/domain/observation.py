"""The raw observation: what an agent saw, before anything is believed."""

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field, StringConstraints

from pce_memory.domain.ids import ObservationIdField
from pce_memory.domain.model import EpochSeconds, Model
from pce_memory.domain.provenance import Provenance
from pce_memory.domain.vocabulary import BoundaryClass, SourceType

StoreMode: TypeAlias = Literal["raw", "redact", "digest_only"]

Tag: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[\w\-:.@/=]+$", max_length=256)]
"""A word, or key=value, or key:value."""


def _no_parent_segments(value: str) -> str:
    if ".." in value.replace("\\", "/").split("/"):
        raise ValueError("must not contain '..' segments")
    return value


SourceId: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=2048), AfterValidator(_no_parent_segments)
]
"""Where an observation stands in its source: a path, a URL or a message id."""

Actor: TypeAlias = Annotated[str, Field(min_length=1, max_length=512)]

Tags: TypeAlias = Annotated[tuple[Tag, ...], Field(max_length=32)]


class Observation(Model):
    """One thing seen. `content` is None once it was scrubbed or kept as a digest only."""

    id: ObservationIdField
    source_type: SourceType
    source_id: SourceId | None = None
    content: str | None
    actor: Actor | None = None
    tags: Tags | None = None
    created_at: EpochSeconds
    observed_at: EpochSeconds | None = None
    expires_at: EpochSeconds | None = None
    boundary_class: BoundaryClass = "internal"
    content_digest: str | None = None
    content_length: Annotated[int, Field(ge=0)] | None = None
    store_mode: StoreMode = "redact"
    provenance: Provenance | None = None
