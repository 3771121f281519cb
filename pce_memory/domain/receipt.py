"""What `observe` takes and answers: an observation, and what became of it."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import IntegrationResult, Refusal
from pce_memory.domain.graph import Entity, Relation
from pce_memory.domain.ids import ClaimIdField, EntityIdField, ObservationIdField
from pce_memory.domain.model import EpochSeconds, Model
from pce_memory.domain.observation import Actor, Observation, SourceId, Tags
from pce_memory.domain.provenance import Provenance
from pce_memory.domain.stamped import Stamped, Warned
from pce_memory.domain.vocabulary import SourceType


class NewObservation(Model):
    """Something to observe. `observed_at` is when it happened, if not now.

    A call that is repeated with the same `idempotency_key` returns what the first one did.
    """

    content: str
    source_type: SourceType = "chat"
    source_id: SourceId | None = None
    actor: Actor | None = None
    tags: Tags = ()
    observed_at: EpochSeconds | None = None
    idempotency_key: Annotated[str, Field(min_length=1, max_length=512)] | None = None
    provenance: Provenance | None = None
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()


class ObserveResult(Stamped, Warned):
    """An observation as stored, the claims that came of it, and what was not kept and why.

    `claims` are those that may be shown; what waits for a human is in `integration.queued`.
    `redactions` counts what was replaced, by kind. `replayed` is True where the idempotency key
    had been used before: nothing was written again. `linked` has the claims that each given entity
    is linked to, by the id it was given under: those that name it, or all where none does; none
    where nothing was kept, and then the entity is not kept either. `warnings` also names
    entities of given relations that stand for none: these relations are not kept.
    """

    observation: Observation
    claims: tuple[AnyClaim, ...]
    refused: tuple[Refusal, ...] = ()
    redactions: Mapping[str, int] = Field(default_factory=dict)
    integration: IntegrationResult = IntegrationResult()
    replayed: bool = False
    linked: Mapping[EntityIdField, tuple[ClaimIdField, ...]] = Field(
        default_factory=dict[EntityIdField, tuple[ClaimIdField, ...]]
    )


class FailedItem(Model):
    """An item of `observe_many` that could not be taken, by its place from 0, and why."""

    index: Annotated[int, Field(ge=0)]
    code: str
    message: str


class BatchResult(Stamped, Warned):
    """What an `observe_many` run did. Items that failed are named; they stopped nothing."""

    observation_ids: tuple[ObservationIdField, ...] = ()
    claims_created: int = 0
    claims_merged: int = 0
    refused: int = 0
    queued: int = 0
    redacted: int = 0
    replayed: int = 0
    failed: tuple[FailedItem, ...] = ()


class BulkResult(Stamped):
    """What an `integrate_many` run did, in claims. Those that failed are named."""

    created: int = 0
    merged: int = 0
    unchanged: int = 0
    queued: int = 0
    failed: tuple[FailedItem, ...] = ()
