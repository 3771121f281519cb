"""What a file is made of, compared with what the migrations and macros make."""

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from returns.result import Failure, Result, Success

from pce_memory.deps import Database
from pce_memory.errors import SchemaDrift, StoreError
from pce_memory.store import meta
from pce_memory.store.macros import shipped_macros
from pce_memory.store.migrations import known_migrations
from pce_memory.store.statements import statements

SQL: Final = statements("schema")
KEY: Final = "shape_sha256"
NAMED: Final = 3
"""So many parts a message names before it counts the rest."""


class Part(NamedTuple):
    """A table, index, sequence or macro, and what makes it."""

    kind: str
    owner: str
    says: str


def parts(db: Database) -> Result[frozenset[Part], StoreError]:
    """Return what the file is made of."""
    return db.query(SQL["shape"]).map(
        lambda rows: frozenset(Part(row["kind"], row["owner"], row["part"]) for row in rows)
    )


def digest_of(there: frozenset[Part]) -> str:
    """Return the digest of what must be as it is: tables, indexes and sequences of others may be.

    A macro of others may not: it can take the place of a function.
    """
    return hashlib.sha256("\n".join(map("\t".join, sorted(there))).encode()).hexdigest()


def made_by(db: Database) -> Result[str, StoreError]:
    """Name what makes a file of this version: the migrations, the macros and DuckDB."""
    scripts = hashlib.sha256("".join(one.digest for one in known_migrations()).encode())
    _, macros = shipped_macros()
    return db.query(SQL["duckdb_version"]).map(
        lambda rows: f"{rows[0]['version']} {scripts.hexdigest()} {macros}"
    )


def known(db: Database, maker: str) -> str | None:
    """Return the digest that a file of this maker was found to have; None where none was."""
    said = meta.get(db, KEY).value_or(None)  # in a file without the table, nothing is known
    before, _, digest = (said or "").rpartition(" ")
    return digest if before == maker else None


def remember(db: Database, maker: str, digest: str) -> Result[None, StoreError]:
    """Keep the digest that a file was found to have."""
    return meta.put(db, KEY, f"{maker} {digest}")


def ours(there: frozenset[Part], wanted: frozenset[Part]) -> frozenset[Part]:
    """Return those parts that are of our tables or are macros: others may have tables here."""
    names = {(part.kind, part.owner) for part in wanted}
    return frozenset(
        part for part in there if (part.kind, part.owner) in names or part.kind == "macro"
    )


def compared(
    there: frozenset[Part], wanted: frozenset[Part], *, version: int
) -> Result[None, SchemaDrift]:
    """Return a failure that names what is missing and what is another."""
    same = ours(there, wanted)
    if same == wanted:
        return Success(None)
    # What belongs to a table goes with it: tables are named first.
    differing_parts = sorted(wanted ^ same, key=lambda part: (part.kind != "table", part))
    differing = list(dict.fromkeys(map(_name, differing_parts)))
    present = {_name(part) for part in same}
    told = [f"{one} is {'another' if one in present else 'missing'}" for one in differing]
    return Failure(SchemaDrift(version, _listed(told)))


def _name(part: Part) -> str:
    return f"{part.kind} {part.owner}"


def _listed(told: Sequence[str]) -> str:
    more = f" and {len(told) - NAMED} more" if len(told) > NAMED else ""
    return f"{', '.join(told[:NAMED])}{more}"
