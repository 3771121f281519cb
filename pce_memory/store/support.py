"""What came with each reason to believe a claim: tags, and entities its text does not name."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.ids import EvidenceId, ObservationId
from pce_memory.errors import StoreError
from pce_memory.policy.invariants import breaking_change
from pce_memory.result import reader
from pce_memory.store import graph_words
from pce_memory.store.claims import literals
from pce_memory.store.graph_words import Holders
from pce_memory.store.statements import rows_json, statements, with_rows

SQL: Final = statements("support")


@dataclass(frozen=True, slots=True)
class Support:
    """What came with one reason."""

    evidence_id: EvidenceId
    tags: tuple[str, ...]
    entities: tuple[str, ...] = ()


@dataclass(slots=True)
class _Claim:
    """A claim, and what goes and what stays of what came to it."""

    id: str
    tags: tuple[str, ...]
    gone: set[str] = field(default_factory=set[str])
    left: set[str] = field(default_factory=set[str])
    gone_entities: set[str] = field(default_factory=set[str])
    left_entities: set[str] = field(default_factory=set[str])

    def add(self, row: Row) -> None:
        """Note what came with one reason; of before that was written down, its observation's."""
        tags = row["came_tags"] if row["came_tags"] is not None else row["said_tags"]
        (self.gone if row["goes"] else self.left).update(_listed(tags))
        entities = self.gone_entities if row["goes"] else self.left_entities
        entities.update(_listed(row["came_entities"]))


@reader
def insert(deps: CoreDeps, supports: Sequence[Support]) -> Result[None, StoreError]:
    """Write down what came with reasons."""
    if not supports:
        return Success(None)
    rows = [
        {"evidence_id": one.evidence_id, "tags": one.tags, "entities": one.entities}
        for one in supports
    ]
    return deps.db.execute(SQL["insert_support"], {"rows": rows_json(rows)})


@reader
def withdraw(
    deps: CoreDeps, ids: Sequence[ObservationId], *, actor: str | None
) -> Result[None, StoreError]:
    """Take from claims what only these observations, or what an actor said, brought to them.

    Call it while their evidence is there.
    """
    sql = SQL["supported"].replace("{ids}", literals(ids))
    return Result.do(
        None
        for rows in deps.db.query(sql, {"actor": actor})
        for claims in Success(_claims(rows))
        for _ in _without_tags(deps, claims)
        for _ in _without_entities(deps, list(claims.values()))
    )


@reader
def erase_brought(
    deps: CoreDeps, row_ids: Sequence[int], ids: Sequence[ObservationId], *, actor: str | None
) -> Result[None, StoreError]:
    """Erase what is said of entities, and edges, that came with what goes, whatever stays.

    That is these claims, these observations and what an actor said. Who brought an attribute is
    not written down: it is whose reason is the newest that is no younger. Call it while their
    evidence is there.
    """
    sql = with_rows(SQL["brought"], row_ids).replace("{ids}", literals(ids))
    return Result.do(
        None
        for rows in deps.db.query(sql, {"actor": actor})
        for brought in Success(Holders(described=_of("entity", rows), relations=_of("edge", rows)))
        for _ in graph_words.erase(brought)(deps)
    )


def _of(kind: str, rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(str(row["id"]) for row in rows if row["kind"] == kind)


@reader
def erase(deps: CoreDeps) -> Result[None, StoreError]:
    """Erase what came with evidence that was erased."""
    return deps.db.execute(SQL["erase_support"])


def _claims(rows: Sequence[Row]) -> Mapping[int, _Claim]:
    claims: dict[int, _Claim] = {}
    for row in rows:
        own = claims.setdefault(int(row["row_id"]), _Claim(str(row["id"]), _listed(row["tags"])))
        own.add(row)
    return claims


def _listed(value: str | None) -> tuple[str, ...]:
    return () if value is None else tuple(json.loads(value))


def _without_tags(deps: CoreDeps, claims: Mapping[int, _Claim]) -> Result[None, StoreError]:
    kept = {
        row: tuple(tag for tag in one.tags if tag not in one.gone - one.left)
        for row, one in claims.items()
    }
    rows = [
        {"row_id": row, "tags": tags, "breaking_change": breaking_change(tags)}
        for row, tags in kept.items()
        if tags != claims[row].tags
    ]
    if not rows:
        return Success(None)
    return deps.db.execute(SQL["set_tags"], {"rows": rows_json(rows)})


def _without_entities(deps: CoreDeps, claims: Sequence[_Claim]) -> Result[None, StoreError]:
    pairs = [
        {"claim_id": one.id, "entity_id": entity}
        for one in claims
        for entity in sorted(one.gone_entities - one.left_entities)
    ]
    if not pairs:
        return Success(None)
    named = sorted({pair["entity_id"] for pair in pairs})
    return Result.do(
        None
        for _ in deps.db.execute(SQL["erase_mentioned"], {"rows": rows_json(pairs)})
        for rows in deps.db.query(_ids("unnamed", named))
        for alone in Success([str(row["entity_id"]) for row in rows])
        for _ in graph_words.unlink(alone)(deps)
        for _ in deps.db.execute(_ids("erase_edges_of_entities", alone))
        for _ in deps.db.execute(_ids("erase_unnamed", alone))
    )


def _ids(name: str, ids: Sequence[str]) -> str:
    return SQL[name].replace("{ids}", literals(ids))
