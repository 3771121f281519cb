"""What of claims is indexed, written anew: their texts may be others by now."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Database, Row
from pce_memory.domain.ids import ObservationId
from pce_memory.domain.policy import Policy
from pce_memory.errors import StoreError
from pce_memory.policy.indexed import indexed_text
from pce_memory.result import reader
from pce_memory.store import claim_keys, observations
from pce_memory.store.claims import literals
from pce_memory.store.observations import Said
from pce_memory.store.statements import rows_json, statements, with_rows
from pce_memory.text.tokens import term_hash

SQL: Final = statements("indexing")


class Readable(NamedTuple):
    """A claim as it is to be found: its key, what of it is indexed, what its vector is of."""

    row_id: int
    text: str
    embedded: int | None
    plain: str

    @property
    def digest(self) -> int:
        """The hash of what is to be embedded."""
        return term_hash(self.text)

    @property
    def changed(self) -> bool:
        """Whether its vector, if it has one, is of another text.

        Where that is not known, the vector is of the claim's own words.
        """
        return self.text != self.plain if self.embedded is None else self.embedded != self.digest


def readable(row: Row, policy: Policy) -> Readable:
    """Return a row of `to_index` as it is to be found under a policy."""
    text = indexed_text(row["text"], row["boundary_class"], policy, said_by=row["said_by"])
    known = row["embedded"]
    return Readable(int(row["row_id"]), text, None if known is None else int(known), row["text"])


@reader
def to_index(
    deps: CoreDeps, row_ids: Sequence[int], policy: Policy
) -> Result[tuple[Readable, ...], StoreError]:
    """Return these claims as they are to be found; those that are gone are left out."""
    rows = deps.db.query(with_rows(SQL["to_index"], row_ids))
    return rows.map(lambda found: tuple(readable(row, policy) for row in found))


@reader
def set_indexed(deps: CoreDeps, lengths: Mapping[int, int]) -> Result[None, StoreError]:
    """Write how many terms claims have; what their vectors are of is not known from now on."""
    rows = [{"row_id": key, "token_count": length} for key, length in lengths.items()]
    return deps.db.execute(SQL["set_indexed"], {"rows": rows_json(rows)})


@reader
def set_embedded(deps: CoreDeps, texts: Mapping[int, str]) -> Result[None, StoreError]:
    """Write what the vectors of claims are of."""
    if not texts:
        return Success(None)
    rows = [{"row_id": key, "embedded": term_hash(text)} for key, text in texts.items()]
    return deps.db.execute(SQL["set_embedded"], {"rows": rows_json(rows)})


@reader
def attribute_to_others(
    deps: CoreDeps, ids: Sequence[ObservationId], *, actor: str | None
) -> Result[tuple[int, ...], StoreError]:
    """Let claims that came from these observations, or that somebody said, be others' words.

    They become those of the first observation of somebody else that bears them out; nobody's,
    where there is none. Returns the keys of these claims.
    """
    came = {"actor": actor}
    return Result.do(
        rows
        for found in deps.db.query(_ids(SQL["rows_said_by"], ids), came)
        for rows in Success(tuple(int(row["row_id"]) for row in found))
        for _ in (_attribute(deps, rows, ids, actor) if rows else Success(None))
    )


def _attribute(
    deps: CoreDeps, rows: Sequence[int], ids: Sequence[ObservationId], actor: str | None
) -> Result[None, StoreError]:
    sql = _ids(with_rows(SQL["other_origins"], rows), ids)
    return Result.do(
        None
        for found in deps.db.query(sql, {"actor": actor})
        for origins in Success([row["origin"] for row in found if row["origin"] is not None])
        for said in observations.said(origins)(deps)
        for given in Success([_as_said(row, said) for row in found])
        for _ in deps.db.execute(SQL["attribute"], {"rows": rows_json(given)})
        # Who said a claim tells which others are its equals.
        for hashes in claim_keys.hashes_of(rows)(deps)
        for _ in claim_keys.mark_twins(hashes)(deps)
    )


def _as_said(row: Row, said: Mapping[ObservationId, Said]) -> dict[str, object]:
    origin = row["origin"]
    known = None if origin is None else said.get(origin)
    return {
        "row_id": row["row_id"],
        "origin": origin,
        "said_by": None if known is None else known.by,
        "said_at": None if known is None else known.at,
        "stream": None if known is None else known.stream,
    }


def _ids(statement: str, ids: Sequence[str]) -> str:
    return statement.replace("{ids}", literals(ids))


@reader
def to_index_after(
    deps: CoreDeps, after: int, policy: Policy, *, limit: int
) -> Result[tuple[Readable, ...], StoreError]:
    """Return the first claims after a key as they are to be found, in the order of their keys."""
    rows = deps.db.query(SQL["to_index_after"], {"after": after, "limit": limit})
    return rows.map(lambda found: tuple(readable(row, policy) for row in found))


def count_after(db: Database, after: int) -> Result[int, StoreError]:
    """Return how many claims there are after a key."""
    return db.query(SQL["count_after"], {"after": after}).map(lambda rows: int(rows[0]["n"]))


def count_by_status(db: Database) -> Result[Mapping[str, int], StoreError]:
    """Return how many claims have each status."""
    return db.query(SQL["count_by_status"]).map(
        lambda rows: {str(row["status"]): int(row["n"]) for row in rows}
    )


def versions(db: Database) -> Result[tuple[str, int], StoreError]:
    """Return the versions of DuckDB and of the schema."""
    return db.query(SQL["versions"]).map(
        lambda rows: (str(rows[0]["duckdb"]).removeprefix("v"), int(rows[0]["schema"]))
    )
