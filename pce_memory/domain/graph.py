"""The entity graph: nodes, edges, and which claim mentions which node."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, JsonValue

from pce_memory.domain.ids import ClaimIdField, EntityIdField, RelationIdField
from pce_memory.domain.model import Model
from pce_memory.domain.vocabulary import EntityType


class Entity(Model):
    """A node. Two entities with one type and canonical key are one entity."""

    id: EntityIdField
    type: EntityType
    name: Annotated[str, Field(min_length=1, max_length=2048)]
    canonical_key: Annotated[str, Field(min_length=1, max_length=2048)] | None = None
    attrs: Mapping[str, JsonValue] | None = None


class Relation(Model):
    """An edge between two entities, such as created, assigned_to or depends_on."""

    id: RelationIdField
    src_id: EntityIdField
    dst_id: EntityIdField
    type: Annotated[str, Field(min_length=1, max_length=256)]
    props: Mapping[str, JsonValue] | None = None
    evidence_claim_id: ClaimIdField | None = None


class Mention(Model):
    """A claim names an entity: a row of claim_entities."""

    claim_id: ClaimIdField
    entity_id: EntityIdField
