"""The entity graph: nodes, edges, and which claim mentions which node."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field, JsonValue
from returns.result import Failure, Result, Success

from pce_memory.domain.ids import ClaimIdField, EntityIdField, RelationIdField
from pce_memory.domain.model import Model
from pce_memory.domain.vocabulary import EntityType
from pce_memory.errors import InvalidParameter, shown


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


def one_meaning_each(
    entities: Sequence[Entity], relations: Sequence[Relation]
) -> Result[None, InvalidParameter]:
    """Return a failure that names an id of one call which stands for two of its entities or edges.

    >>> lamp = Entity(id="ent_1", type="Artifact", name="Lamp")
    >>> one_meaning_each([lamp, lamp], [])
    <Success: None>
    >>> one_meaning_each([lamp, lamp.model_copy(update={"name": "Hall"})], []).failure().message
    'Invalid entities: ent_1 stands for two of them; give each an id of its own'
    """
    for name, given in (("entities", entities), ("relations", relations)):
        first: dict[str, Entity | Relation] = {}
        for one in given:
            if first.setdefault(one.id, one) != one:
                reason = f"{shown(one.id)} stands for two of them; give each an id of its own"
                return Failure(InvalidParameter(name, reason))
    return Success(None)
