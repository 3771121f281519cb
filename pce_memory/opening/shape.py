"""Whether a file still is what the migrations and macros of this version make."""

from collections.abc import Mapping

from returns.result import Result, Success

from pce_memory.adapters.connecting import connect
from pce_memory.adapters.duck import MEMORY, DuckDatabase
from pce_memory.deps import Clock
from pce_memory.errors import CoreError
from pce_memory.store import macros, migrations, shape
from pce_memory.store.shape import Part


def check_shape(db: DuckDatabase, clock: Clock, *, new: bool = False) -> Result[None, CoreError]:
    """Return a failure if a table, index or macro is missing or another than was made.

    A file that was found whole under this version keeps a digest of what it is made of, and only
    that is compared; else what the migrations make is made in RAM, once, to compare with it.
    """
    if db.path == MEMORY:
        return Success(None)  # nobody but this process has ever had it
    return Result.do(
        None
        for maker in shape.made_by(db)
        for there in shape.parts(db)
        for before in Success(shape.known(db, maker))
        for _ in (
            Success(None)
            if before == shape.digest_of(there)
            else _compared(db, there, maker, clock, new=new)
        )
    )


def _compared(
    db: DuckDatabase, there: frozenset[Part], maker: str, clock: Clock, *, new: bool
) -> Result[None, CoreError]:
    return Result.do(
        None
        for wanted in (Success(there) if new else made(clock))
        for _ in shape.compared(there, wanted, version=migrations.known_migrations()[-1].version)
        for _ in (
            Success(None) if db.read_only else shape.remember(db, maker, shape.digest_of(there))
        )
    )


def check_before(db: DuckDatabase, clock: Clock) -> Result[Mapping[int, str], CoreError]:
    """Return what was applied to a file, a failure if one of before is not what that made."""
    return Result.do(
        applied
        for applied in migrations.applied_to(db)
        for _ in (
            Success(None)
            if not applied or len(applied) >= len(migrations.known_migrations())
            else _compared_before(db, clock, frozenset(applied))
        )
    )


def _compared_before(
    db: DuckDatabase, clock: Clock, applied: frozenset[int]
) -> Result[None, CoreError]:
    def tables(parts: frozenset[Part]) -> frozenset[Part]:
        return frozenset(part for part in parts if part.kind != "macro")

    return Result.do(
        None
        for there in shape.parts(db)
        for wanted in made(clock, only=applied)
        for _ in shape.compared(tables(there), tables(wanted), version=max(applied))
    )


def made(
    clock: Clock, *, only: frozenset[int] | None = None
) -> Result[frozenset[Part], CoreError]:
    """Return what the migrations make, or some of them alone; and the macros where it is all."""

    def read(scratch: DuckDatabase) -> Result[frozenset[Part], CoreError]:
        try:
            return Result.do(
                parts
                for _ in migrations.migrate(scratch, now=clock(), only=only)
                for _ in (macros.apply_macros(scratch) if only is None else Success(None))
                for parts in shape.parts(scratch)
            )
        finally:
            scratch.close()

    return Result.do(parts for scratch in connect(MEMORY) for parts in read(scratch))
