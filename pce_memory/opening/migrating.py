"""Bring a file up to date, with a copy of it beside while its tables are rebuilt."""

from collections.abc import Mapping
from functools import partial

from returns.result import Result, Success

from pce_memory.adapters.duck import MEMORY, DuckDatabase
from pce_memory.adapters.safety_copy import copied_aside, remove_safety_copies
from pce_memory.errors import CoreError
from pce_memory.store import indexes, migrations


def migrated(
    db: DuckDatabase, applied: Mapping[int, str], *, now: float
) -> Result[int, CoreError]:
    """Apply what is pending; return how many migrations that was.

    Before one that rebuilds a table the file is copied as it is. The copy goes when the file has
    the new tables on disk: also at the next opening, if the process was killed before.
    """
    if db.path == MEMORY:  # it is new, and no file stands beside it
        return migrations.migrate(db, now=now)
    rebuilt = migrations.is_rebuilt(applied)
    return Result.do(
        count
        for _ in (indexes.take_in_log(db) if db.replayed else Success(None))
        for _ in (
            db.let_go_for("safety copy", partial(copied_aside, db.path))
            if rebuilt
            else Success(None)
        )
        for count in (
            migrations.migrate(db, now=now)
            if len(applied) < len(migrations.known_migrations())
            else Success(0)
        )
        for _ in (migrations.checkpoint(db) if rebuilt else Success(None))
        for _ in _without_copies(db)
    )


def _without_copies(db: DuckDatabase) -> Result[None, CoreError]:
    remove_safety_copies(db.path)
    return Success(None)
