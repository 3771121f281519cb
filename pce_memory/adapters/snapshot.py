"""Write a consistent copy of a memory while it is in use."""

import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.adapters.commits import SUFFIX
from pce_memory.adapters.duck import MEMORY, DuckDatabase
from pce_memory.adapters.faults import fault_of_path
from pce_memory.adapters.held import is_held
from pce_memory.adapters.owned import allow, copy_of, mode_of
from pce_memory.adapters.swapping import copy_beside
from pce_memory.errors import InvalidParameter, PathUnusable, ReadOnly, StoreError
from pce_memory.store.statements import statements, template

SQL: Final = statements("schema")


def write_snapshot(
    db: DuckDatabase, path: object, *, overwrite: bool = False
) -> Result[Path, InvalidParameter | PathUnusable | StoreError]:
    """Write a copy of the memory to `path` and return it; the copy is whole or absent.

    The copy is made beside the memory, the only folder its connection may touch, and moved.
    """
    if not isinstance(path, (str, Path)):
        reason = f"it is a {type(path).__name__}; give a string or a Path"
        return Failure(InvalidParameter("path", reason))
    target, place = str(path), Path(path)
    if db.read_only:
        return Failure(ReadOnly("snapshot"))
    if (unusable := _unusable(target, place, overwrite=overwrite)) is not None:
        return Failure(unusable)
    beside = str(Path(tempfile.gettempdir()) / "memory") if db.path == MEMORY else db.path
    alias, made = copy_beside(beside)
    try:
        # Between the tables of a copy nobody may write: it is to be of one moment.
        copied = db.exclusively(partial(copy_into, db, made, alias))
        return Result.do(moved for _ in copied for moved in _moved(made, place))
    finally:
        made.unlink(missing_ok=True)
        _log(made).unlink(missing_ok=True)


def _unusable(target: str, place: Path, *, overwrite: bool) -> PathUnusable | None:
    if (unusable := fault_of_path(target, read_only=False)) is not None:
        return unusable
    if place.exists() and not overwrite:
        return PathUnusable(target, "the file exists; give another name or overwrite=True")
    if is_held(target):
        return PathUnusable(target, "a memory of this process has it open; give another name")
    if _log(place).exists() and not overwrite:
        return PathUnusable(
            target, "a log of another file lies there; remove it, or overwrite=True"
        )
    return None


def _log(place: Path) -> Path:
    return Path(f"{place}.wal")


def copy_into(db: DuckDatabase, made: Path, alias: str) -> Result[None, StoreError]:
    """Copy every table into a new file of the memory's own folder."""
    names = {"alias": alias, "path": str(made).replace("'", "''")}
    return Result.do(
        None
        for rows in db.query(SQL["database_name"])
        for _ in _attached(db, made, names)
        for _ in _copied(db, {**names, "database": str(rows[0]["name"]).replace('"', '""')})
    )


def _attached(db: DuckDatabase, made: Path, names: dict[str, str]) -> Result[None, StoreError]:
    attached = db.execute(_filled("attach", names))
    allow(made)  # nothing stands in it yet
    return attached


def _copied(db: DuckDatabase, names: dict[str, str]) -> Result[None, StoreError]:
    """Copy, and let go of the copy whether or not that worked."""
    try:
        copied = db.execute(_filled("copy", names))
    except BaseException:  # what an interrupt ends stays begun: the copy is not let go of then
        _ = db.execute(template("rollback"))
        _ = db.execute(_filled("detach", names))
        raise
    detached = db.execute(_filled("detach", names))
    return Result.do(None for _ in copied for _ in detached)


def _moved(made: Path, place: Path) -> Result[Path, PathUnusable]:
    try:
        # A log that is left there would be replayed onto the copy.
        _log(place).unlink(missing_ok=True)
        Path(f"{place}{SUFFIX}").unlink(missing_ok=True)
        _put(made, place)
    except OSError as error:
        return Failure(PathUnusable(str(place), error.strerror or type(error).__name__))
    return Success(place)


def _put(made: Path, place: Path) -> None:
    """Put a copy in its place, also where that is on another disk; it is whole or absent.

    What it replaces lends it its rights.
    """
    allow(made, mode_of(place))
    if made.stat().st_dev != place.parent.stat().st_dev:
        begun = copy_beside(str(place))[1]
        try:
            copy_of(made, begun)
            _ = begun.replace(place)
        finally:
            begun.unlink(missing_ok=True)
    else:
        _ = made.replace(place)


def _filled(name: str, names: dict[str, str]) -> str:
    text = template(name)
    for key, value in names.items():
        text = text.replace(f"{{{key}}}", value)
    return text
