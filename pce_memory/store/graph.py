"""The graph tables: entities, relations, and which claim names which entity."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.graph import Entity, Mention, Relation
from pce_memory.domain.ids import ClaimId, EntityId
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.claims import literals
from pce_memory.store.fitting import fitting
from pce_memory.store.statements import rows_json, statements

SQL: Final = statements("graph")


def key_of(entity: Entity) -> str:
    """Return what makes an entity one with another of its type: its key, else its name."""
    return entity.canonical_key or entity.name


@reader
def entity_ids(
    deps: CoreDeps, entities: Sequence[Entity]
) -> Result[Mapping[tuple[str, str], EntityId], StoreError]:
    """Return the ids of those entities that are there, by (type, canonical key)."""
    keys = json.dumps(sorted({key_of(entity) for entity in entities}), ensure_ascii=False)
    return deps.db.query(SQL["entities_by_key"], {"keys": keys}).map(
        lambda rows: {
            (str(row["type"]), str(row["canonical_key"])): EntityId(row["id"]) for row in rows
        }
    )


@reader
def taken(deps: CoreDeps, ids: Sequence[EntityId]) -> Result[frozenset[EntityId], StoreError]:
    """Return which of these ids entities have already."""
    sql = SQL["entity_ids_taken"].replace("{ids}", literals(ids))
    return deps.db.query(sql).map(lambda rows: frozenset(EntityId(row["id"]) for row in rows))


@reader
def insert_entities(deps: CoreDeps, entities: Sequence[Entity]) -> Result[None, StoreError]:
    """Write entities; one that is there stays as it is."""
    rows = [{**e.model_dump(mode="json"), "canonical_key": key_of(e)} for e in entities]
    return _insert(deps, "insert_entities", rows)


@reader
def insert_relations(deps: CoreDeps, relations: Sequence[Relation]) -> Result[None, StoreError]:
    """Write edges; one that is there stays as it is."""
    return _insert(deps, "insert_relations", [r.model_dump(mode="json") for r in relations])


@reader
def insert_mentions(deps: CoreDeps, mentions: Sequence[Mention]) -> Result[None, StoreError]:
    """Write which claims name which entities."""
    if not mentions:
        return Success(None)
    rows = [mention.model_dump(mode="json") for mention in mentions]
    return deps.db.execute(SQL["insert_claim_entities"], {"rows": rows_json(rows)})


@reader
def move_mentions(deps: CoreDeps, claim_id: ClaimId, *, into: ClaimId) -> Result[None, StoreError]:
    """Give a claim's entities to the claim that stands for it."""
    return deps.db.execute(SQL["move_mentions"], {"claim_id": claim_id, "survivor": into})


@reader
def entities_of(deps: CoreDeps, claim_id: ClaimId) -> Result[tuple[Entity, ...], StoreError]:
    """Return the entities a claim names."""
    return deps.db.query(SQL["entities_of_claim"], {"claim_id": claim_id}).map(
        lambda rows: tuple(fitting(rows, lambda row: Entity.model_validate(_parsed(row, "attrs"))))
    )


@reader
def relations_of(deps: CoreDeps, entity_id: EntityId) -> Result[tuple[Relation, ...], StoreError]:
    """Return the edges at an entity."""
    return deps.db.query(SQL["relations_of_entity"], {"entity_id": entity_id}).map(
        lambda rows: tuple(
            fitting(rows, lambda row: Relation.model_validate(_parsed(row, "props")))
        )
    )


def _insert(deps: CoreDeps, name: str, rows: Sequence[Row]) -> Result[None, StoreError]:
    if not rows:
        return Success(None)
    return deps.db.execute(SQL[name], {"rows": rows_json(rows), "now": deps.clock()})


def _parsed(row: Row, column: str) -> Row:
    raw = row[column]
    return {**row, column: None if raw is None else json.loads(raw)}
