"""Claims: assertions drawn from observations, the unit of memory."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, StringConstraints, model_validator

from pce_memory.domain.ids import ClaimIdField, ObservationIdField
from pce_memory.domain.model import EpochSeconds, Finite, Model, Unit
from pce_memory.domain.observation import Tags
from pce_memory.domain.vocabulary import BoundaryClass, ClaimKind, Scope

ContentHash: TypeAlias = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
ClaimStatus: TypeAlias = Literal["active", "review", "tombstone"]

MAX_CLAIM_CHARS = 5_000


class ClaimBase(Model):
    """What a claim and a derived claim share.

    `recency` is in [0, 1] and is computed from `recency_anchor`, never stored as a truth;
    `utility` is unbounded and moved by the critic only.
    """

    id: ClaimIdField
    text: Annotated[str, Field(min_length=1, max_length=MAX_CLAIM_CHARS)]
    kind: ClaimKind
    scope: Scope
    boundary_class: BoundaryClass
    quality: Unit = 0.5
    confidence: Unit = 0.5
    utility: Finite = 0.0
    recency: Unit = 1.0
    content_hash: ContentHash | None = None
    created_at: EpochSeconds
    updated_at: EpochSeconds
    recency_anchor: EpochSeconds | None = None
    tags: Tags = ()
    status: ClaimStatus = "active"
    superseded_by: ClaimIdField | None = None


class Claim(ClaimBase):
    """An assertion drawn from one observation."""

    origin_observation_id: ObservationIdField
    derived_from: tuple[ClaimIdField, ...] = ()


class DerivedClaim(ClaimBase):
    """An assertion drawn from other claims: it needs an origin or a derivation."""

    origin_observation_id: ObservationIdField | None = None
    derived_from: tuple[ClaimIdField, ...]

    @model_validator(mode="after")
    def _has_a_source(self) -> Self:
        if self.origin_observation_id is None and not self.derived_from:
            raise ValueError("needs origin_observation_id or a non-empty derived_from")
        return self


AnyClaim: TypeAlias = Claim | DerivedClaim


def anchor_of(claim: AnyClaim) -> float:
    """Return the time a claim's recency counts from."""
    return claim.created_at if claim.recency_anchor is None else claim.recency_anchor
