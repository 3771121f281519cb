"""What the extractor draws from an observation, and what the integrator did with it."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.graph import Entity, Mention, Relation
from pce_memory.domain.ids import ClaimIdField
from pce_memory.domain.model import Model
from pce_memory.domain.provenance import Evidence
from pce_memory.domain.stamped import Stamped, Warned

MergeStrategy: TypeAlias = Literal["merge", "replace", "keep_newest"]


class ExtractionResult(Model):
    """Claims with their evidence, and the entities and relations the extractor is sure of."""

    claims: tuple[AnyClaim, ...] = ()
    evidences: tuple[Evidence, ...] = ()
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    mentions: tuple[Mention, ...] = ()


class Refusal(Model):
    """A piece of an observation that was not kept, and why; `position` counts pieces from 1.

    It names the piece by its line and its length, never by its text.
    """

    position: Annotated[int, Field(ge=1)]
    line: Annotated[int, Field(ge=1)]
    length: Annotated[int, Field(ge=0)]
    code: str
    reason: str


class IntegrationOptions(Model):
    """How `integrate` treats what is already there.

    on_duplicate: let equal content merge, or refuse the call with DuplicateClaim.
    validate_invariants: False is for claims this file recorded as valid under the policy in force.
    """

    merge_strategy: MergeStrategy = "merge"
    on_duplicate: Literal["merge", "error"] = "merge"
    validate_invariants: bool = True
    update_graph: bool = True


class SimilarClaim(Model):
    """A new claim that reads much like one already there: reported, never merged silently."""

    claim_id: ClaimIdField
    existing_id: ClaimIdField
    similarity: Annotated[float, Field(ge=-1, le=1.0001)]


class IntegrationResult(Stamped, Warned):
    """What integration did, by the ids that now stand in the memory.

    `queued` are kept but shown to nobody: they wait for a human review. `warnings` also names ids
    of entities that stood for none, in the call or in what the boundary shows.
    """

    created: tuple[ClaimIdField, ...] = ()
    merged: tuple[ClaimIdField, ...] = ()
    unchanged: tuple[ClaimIdField, ...] = ()
    queued: tuple[ClaimIdField, ...] = ()
    similar_existing: tuple[SimilarClaim, ...] = ()
