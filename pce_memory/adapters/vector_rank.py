"""How near one claim is to a query among all that are visible: an exact scan, for explanations."""

from dataclasses import dataclass
from typing import Final

from returns.result import Result, Success

from pce_memory.adapters.spaces import Space, in_space
from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import Database, Row, Vector, Visibility
from pce_memory.errors import StoreError
from pce_memory.store.embeddings import vector_text
from pce_memory.store.statements import masked, statements

SQL: Final = statements("vectors")


@dataclass(frozen=True, slots=True)
class Nearness:
    """The cosine of a claim to a query, its rank from 1, and how many claims have a vector."""

    cosine: float | None
    rank: int | None
    embedded: int


NOWHERE: Final = Nearness(None, None, 0)


def nearness(
    db: Database,
    vectors: SqlVectorIndex,
    query: Vector | None,
    visible: Visibility,
    row_id: int,
) -> Result[Nearness, StoreError]:
    """Return how near a visible claim is to a query."""

    def asked(space: Space | None) -> Result[Nearness, StoreError]:
        if query is None or space is None:
            return Success(NOWHERE)
        sql, mask = masked(in_space(space, SQL["rank_by_meaning"]), visible)
        params = {**mask, "query": vector_text(query), "row_id": row_id}
        return db.query(sql, params).map(lambda rows: _nearness(rows[0]))

    return Result.do(near for space in vectors.active() for near in asked(space))


def _nearness(row: Row) -> Nearness:
    if row["cosine"] is None:
        return Nearness(None, None, int(row["embedded"]))
    return Nearness(float(row["cosine"]), 1 + int(row["nearer"]), int(row["embedded"]))
