"""The graph tables: entities, relations, and which claim names which entity.

A row of an entity is what somebody calls it and says of it; rows of one type and key are one
entity. So what a claim reads of an entity is what came with that claim, whoever else names it.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Params, Row
from pce_memory.domain.graph import Entity, Mention, Relation
from pce_memory.domain.ids import ClaimId, EntityId, called
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.claims import literals
from pce_memory.store.fitting import fitting, mapping_in
from pce_memory.store.row_ids import in_the_way, row_ids
from pce_memory.store.statements import rows_json, statements

SQL: Final = statements("graph")
Value: TypeAlias = tuple[str | None, ...]
"""All that a row says."""
_ENTITY: Final = ("type", "canonical_key", "name")
_TABLES: Final = {
    "entities": (SQL["entities_with_ids"], SQL["entities_called"], SQL["insert_entities"]),
    "relations": (SQL["relations_with_ids"], SQL["relations_called"], SQL["insert_relations"]),
}
"""How rows are read by their ids, and by what they are called, and how they are written."""
_NO_ROWS: Final[Sequence[Row]] = ()
_RELATION: Final = ("src_id", "dst_id", "type", "evidence_claim_id")


class Naming(NamedTuple):
    """A claim that names an entity."""

    entity_id: EntityId
    type: str
    key: str
    row_id: int


def key_of(entity: Entity) -> str:
    """Return what makes an entity one with another of its type: its key, else its name."""
    return entity.canonical_key or entity.name


@reader
def write_entities(
    deps: CoreDeps, entities: Sequence[Entity]
) -> Result[Mapping[EntityId, EntityId], StoreError]:
    """Write entities that are not there, and return the id of the row of each."""
    rows = [{**one.model_dump(mode="json"), "canonical_key": key_of(one)} for one in entities]
    names = json.dumps(sorted({one.name for one in entities}))
    return _written(deps, "entities", rows, {"names": names}).map(
        lambda ids: {one.id: EntityId(row) for one, row in zip(entities, ids, strict=True)}
    )


@reader
def write_relations(deps: CoreDeps, relations: Sequence[Relation]) -> Result[None, StoreError]:
    """Write edges that are not there, between rows of entities."""
    rows = [one.model_dump(mode="json") for one in relations]
    sources = json.dumps(sorted({one.src_id for one in relations}))
    return _written(deps, "relations", rows, {"sources": sources}).map(lambda _: None)


@reader
def insert_mentions(deps: CoreDeps, mentions: Sequence[Mention]) -> Result[None, StoreError]:
    """Write which claims name which entities."""
    if not mentions:
        return Success(None)
    rows = [mention.model_dump(mode="json") for mention in mentions]
    return deps.db.execute(SQL["insert_claim_entities"], {"rows": rows_json(rows)})


@reader
def claims_naming(
    deps: CoreDeps, ids: Sequence[EntityId]
) -> Result[tuple[Naming, ...], StoreError]:
    """Return which claims, whoever may see them, name what is called so; the newest first."""
    if not ids:
        return Success(())
    return deps.db.query(_ids(SQL["claims_naming"], ids)).map(
        lambda rows: tuple(
            Naming(
                EntityId(row["id"]),
                str(row["type"]),
                str(row["canonical_key"]),
                int(row["row_id"]),
            )
            for row in rows
        )
    )


@reader
def move_mentions(deps: CoreDeps, claim_id: ClaimId, *, into: ClaimId) -> Result[None, StoreError]:
    """Give a claim's entities to the claim that stands for it."""
    return deps.db.execute(SQL["move_mentions"], {"claim_id": claim_id, "survivor": into})


@reader
def entities_of(deps: CoreDeps, claim_id: ClaimId) -> Result[tuple[Entity, ...], StoreError]:
    """Return the entities a claim names, as it calls them."""
    return deps.db.query(SQL["entities_of_claim"], {"claim_id": claim_id}).map(
        lambda rows: tuple(fitting(rows, lambda row: Entity.model_validate(_parsed(row, "attrs"))))
    )


@reader
def relations_of(deps: CoreDeps, entity_id: EntityId) -> Result[tuple[Relation, ...], StoreError]:
    """Return the edges at an entity's row."""
    return deps.db.query(SQL["relations_of_entity"], {"entity_id": entity_id}).map(
        lambda rows: tuple(
            fitting(rows, lambda row: Relation.model_validate(_parsed(row, "props")))
        )
    )


def _written(
    deps: CoreDeps, table: str, rows: Sequence[Row], near: Params
) -> Result[tuple[str, ...], StoreError]:
    """Write the rows that are not there, and return the id of each."""
    wanted = [(str(row["id"]), _value(row)) for row in rows]
    return Result.do(
        ids
        for stored in _stored(deps, table, wanted, near)
        for ids in Success(row_ids(wanted, stored.items()))
        for _ in _insert(
            deps,
            table,
            {row_id: row for row_id, row in zip(ids, rows, strict=True) if row_id not in stored},
        )
    )


def _stored(
    deps: CoreDeps, table: str, wanted: Sequence[tuple[str, Value]], near: Params
) -> Result[Mapping[str, Value], StoreError]:
    """Return what stands under the ids; where something else is in the way, with a number too."""
    names = sorted({called(row_id) for row_id, _ in wanted})
    if not names:
        return Success({})
    by_id, by_name, _ = _TABLES[table]
    return Result.do(
        {**with_ids, **_values(more)}
        for rows in deps.db.query(_ids(by_id, names))
        for with_ids in Success(_values(rows))
        for taken in Success(in_the_way(wanted, with_ids.items()))
        for more in (deps.db.query(_ids(by_name, taken), near) if taken else Success(_NO_ROWS))
    )


def _values(rows: Sequence[Row]) -> dict[str, Value]:
    return {str(row["id"]): _value(row) for row in rows}


def _value(row: Row) -> Value:
    """Return all that a row of an entity, or of an edge, says."""
    columns, described = (_ENTITY, "attrs") if "attrs" in row else (_RELATION, "props")
    beside = row[described]
    if isinstance(beside, str):
        beside = mapping_in(beside)
    texts = [None if row[name] is None else str(row[name]) for name in columns]
    return (*texts, None if beside is None else json.dumps(beside, sort_keys=True))


def _insert(deps: CoreDeps, table: str, rows: Mapping[str, Row]) -> Result[None, StoreError]:
    if not rows:
        return Success(None)
    new = rows_json({**row, "id": row_id} for row_id, row in rows.items())
    return deps.db.execute(_TABLES[table][2], {"rows": new, "now": deps.clock()})


def _ids(statement: str, ids: Sequence[str]) -> str:
    return statement.replace("{ids}", literals(ids))


def _parsed(row: Row, column: str) -> Row:
    raw = row[column]
    return {**row, column: None if raw is None else json.loads(raw)}
