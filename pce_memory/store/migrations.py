"""Bring a file's schema up to date: pending() decides, migrate() applies, each step recorded."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.deps import Database
from pce_memory.errors import SchemaDrift, StoreError
from pce_memory.resources import resource
from pce_memory.result import collect
from pce_memory.store.statements import statements, template

SQL: Final = statements("schema")
SchemaError: TypeAlias = SchemaDrift | StoreError
_NONE: Final[Mapping[int, str]] = {}
RECORD: Final = "schema_migrations"
REBUILDS: Final = frozenset({8, 9})
"""Migrations that write a large table anew: a copy of the file stands beside it meanwhile."""
RECORDED: Final = ("applied_at", "name", "sha256", "version")
META: Final = ("key", "value")
_FILE: Final = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered script of sql/migrations."""

    version: int
    name: str
    script: str

    @property
    def digest(self) -> str:
        """SHA-256 of the script, line ends normalised."""
        return hashlib.sha256(self.script.encode()).hexdigest()


def known_migrations() -> tuple[Migration, ...]:
    """Return the scripts this version ships, in order."""
    folder = resource("sql") / "migrations"
    named = ((_FILE.fullmatch(file.name), file) for file in folder.iterdir())
    found = [
        Migration(int(match[1]), match[2], file.read_text("utf-8").replace("\r\n", "\n"))
        for match, file in named
        if match
    ]
    return tuple(sorted(found, key=lambda migration: migration.version))


def pending(
    known: Sequence[Migration], applied: Mapping[int, str]
) -> Result[tuple[Migration, ...], SchemaDrift]:
    """Return what is still to apply; refuse an edited past and an unknown future."""
    if unknown := sorted(applied.keys() - {migration.version for migration in known}):
        return Failure(SchemaDrift(unknown[0], "it was applied by a newer pce-memory"))
    for migration in known:
        if applied.get(migration.version, migration.digest) != migration.digest:
            return Failure(SchemaDrift(migration.version, "it differs from the one applied"))
    return Success(tuple(m for m in known if m.version not in applied))


def migrate(
    db: Database, *, now: float, only: frozenset[int] | None = None
) -> Result[int, SchemaError]:
    """Apply what is pending, each migration in a transaction with its record; return how many.

    With `only`, those of them alone.
    """
    return Result.do(
        len(done)
        for _ in _own_file(db)
        for _ in db.execute(SQL["create_schema_migrations"])
        for applied in _applied(db)
        for todo in pending(known_migrations(), applied)
        for done in collect(
            _apply(db, migration, now)
            for migration in todo
            if only is None or migration.version in only
        )
    )


def applied_to(db: Database) -> Result[Mapping[int, str], SchemaError]:
    """Return the digests of the migrations that a file has had; of a new file, none."""
    return Result.do(
        applied
        for relations in _relations(db)
        for _ in (_is_memory(db, relations) if relations else Success(None))
        for _ in (_has_meta(db, relations) if relations else Success(None))
        for applied in (_applied(db) if relations else Success(_NONE))
        for _ in pending(known_migrations(), applied)
    )


def is_rebuilt(applied: Mapping[int, str]) -> bool:
    """Return whether what is pending rebuilds tables of a file that holds a memory already."""
    return bool(applied) and bool(REBUILDS - applied.keys())


def check(db: Database) -> Result[None, SchemaError]:
    """Return a failure unless the file's schema is this version's: for read-only."""
    return Result.do(
        None
        for relations in _relations(db)
        for _ in _is_memory(db, relations)
        for applied in _applied(db)
        for todo in pending(known_migrations(), applied)
        for _ in _nothing_left(todo)
    )


def checkpoint(db: Database) -> Result[None, StoreError]:
    """Write into the file what its log holds."""
    return db.execute(template("checkpoint"))


def _own_file(db: Database) -> Result[None, SchemaError]:
    """Refuse a database that holds other tables: it is somebody's, not an empty memory."""
    return Result.do(
        None
        for relations in _relations(db)
        for _ in (_is_memory(db, relations) if relations else Success(None))
    )


def _relations(db: Database) -> Result[frozenset[str], StoreError]:
    """Return the names of the tables and views of a file."""
    return db.query(SQL["relations"]).map(lambda rows: frozenset(str(row["name"]) for row in rows))


def _columns(
    db: Database, table: str, relations: frozenset[str]
) -> Result[tuple[str, ...], StoreError]:
    """Return the columns of a table in order; of one that is not there, none."""
    if table not in relations:
        return Success(())
    return db.query(SQL["columns"], {"table": table}).map(
        lambda rows: tuple(str(row["name"]) for row in rows)
    )


def _has_meta(db: Database, relations: frozenset[str]) -> Result[None, SchemaError]:
    """Refuse a file without the table that says what is known of the others."""

    def judged(columns: tuple[str, ...]) -> Result[None, SchemaError]:
        if columns == META:
            return Success(None)
        return Failure(SchemaDrift(0, f"table meta is {'another' if columns else 'missing'}"))

    return Result.do(None for columns in _columns(db, "meta", relations) for _ in judged(columns))


def _is_memory(db: Database, relations: frozenset[str]) -> Result[None, SchemaError]:
    def judged(columns: tuple[str, ...]) -> Result[None, SchemaError]:
        if columns == RECORDED:
            return Success(None)
        reason = "the file is a database but not a memory; it was not changed"
        return Failure(SchemaDrift(0, reason))

    return Result.do(None for columns in _columns(db, RECORD, relations) for _ in judged(columns))


def _nothing_left(todo: tuple[Migration, ...]) -> Result[None, SchemaDrift]:
    if not todo:
        return Success(None)
    return Failure(SchemaDrift(todo[0].version, "it is not applied yet; open it once for writing"))


def _applied(db: Database) -> Result[Mapping[int, str], StoreError]:
    return db.query(SQL["applied_migrations"]).map(
        lambda rows: {int(row["version"]): str(row["sha256"]) for row in rows}
    )


def _apply(db: Database, migration: Migration, now: float) -> Result[int, StoreError]:
    record = {
        "version": migration.version,
        "name": migration.name,
        "sha256": migration.digest,
        "now": now,
    }

    def work() -> Result[int, StoreError]:
        return Result.do(
            migration.version
            for _ in db.execute(f"-- migration {migration.name}\n{migration.script}")
            for _ in db.execute(SQL["record_migration"], record)
        )

    return db.transaction(work)
