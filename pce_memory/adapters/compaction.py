"""Rewrite the file without what was erased: DuckDB keeps freed blocks, with their bytes."""

from functools import partial
from pathlib import Path

from returns.result import Failure, Result, Success

from pce_memory.adapters.duck import MEMORY, DuckDatabase
from pce_memory.adapters.snapshot import copy_into
from pce_memory.adapters.swapping import copy_beside, swapped
from pce_memory.errors import ReadOnly, StoreError


def compact(db: DuckDatabase) -> Result[bool, StoreError]:
    """Copy what lives into a new file and put it in the place of the old one.

    Reads go on until the very end, writes wait. A crash leaves the old file or the new one, whole.
    A memory in RAM has no file: False.
    """
    if db.path == MEMORY:
        return Success(False)  # noqa: FBT003 - the value of a Result, no option
    if db.read_only:
        return Failure(ReadOnly("compact"))
    alias, made = copy_beside(db.path)
    try:
        return db.exclusively(partial(_rewritten, db, made, alias))
    finally:
        made.unlink(missing_ok=True)


def _rewritten(db: DuckDatabase, made: Path, alias: str) -> Result[bool, StoreError]:
    return Result.do(
        True
        for _ in copy_into(db, made, alias)
        for _ in db.let_go_for("swap", partial(swapped, made, Path(db.path)))
    )
