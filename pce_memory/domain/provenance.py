"""Where a thing came from: provenance and evidence."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator

from pce_memory.domain.ids import ClaimIdField, EvidenceIdField, ObservationIdField
from pce_memory.domain.model import EpochSeconds, Model
from pce_memory.domain.vocabulary import EvidenceMethod, SourceType


class GitSource(Model):
    """A commit that a thing came from."""

    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{7,40}$")]
    repo: Annotated[str, Field(min_length=1, max_length=2048)]
    url: str | None = None
    files: tuple[str, ...] | None = None


class Provenance(Model):
    """Who said it, when and where: `at` is ISO 8601 with a zone."""

    at: Annotated[str, Field(max_length=64)]
    actor: str | None = None
    git: GitSource | None = None
    url: str | None = None
    note: str | None = None
    signed: bool | None = None

    @field_validator("at")
    @classmethod
    def _has_a_zone(cls, value: str) -> str:
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError("must be an ISO 8601 time such as 2026-01-31T09:30:00Z") from None
        if moment.tzinfo is None:
            raise ValueError("must name its time zone, such as Z or +09:00")
        return value


class Evidence(Model):
    """One reason to believe a claim: an observation, and how the claim was drawn from it."""

    id: EvidenceIdField
    claim_id: ClaimIdField
    observation_id: ObservationIdField | None = None
    method: EvidenceMethod
    note: str | None = None
    source_type: SourceType | None = None
    source_id: str | None = None
    snippet: str | None = None
    created_at: EpochSeconds | None = None
    provenance: Provenance | None = None
