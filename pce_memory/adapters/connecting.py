# pyright: reportUnusedCallResult=false
"""Open or create a file: who else has it open, what settings a connection has."""

import os
import tempfile
from pathlib import Path
from typing import Final

import duckdb
from returns.result import Failure, Result, Success

from pce_memory.adapters import held
from pce_memory.adapters.commits import Missing, has_log, is_broken, missing
from pce_memory.adapters.damage import is_damaged
from pce_memory.adapters.duck import MEMORY, DuckDatabase
from pce_memory.adapters.faults import OpenError, fault_of_log, fault_of_open, fault_of_path
from pce_memory.adapters.interrupts import interruptible
from pce_memory.adapters.owned import allow
from pce_memory.adapters.swapping import remove_leftovers
from pce_memory.adapters.without_pandas import fail_pandas_import_fast
from pce_memory.errors import FileDamaged, FileLocked
from pce_memory.store.statements import template

SHORTEST_LOG: Final = 4_000_000
LONGEST_LOG: Final = 16_000_000

FORMAT: Final = "v1.4.0"
"""What a new file is written as, and the copy a compaction makes; an older file stays as it is.

The default is what DuckDB 1.0 can read: for that, every checkpoint rewrites its indexes whole and
holds them meanwhile, and whoever looks a key up waits.
"""


def connect(
    path: str, *, read_only: bool = False, memory_limit: str = "1GB", threads: int = 1
) -> Result[DuckDatabase, OpenError]:
    """Open or create the file at `path`; `:memory:` keeps it in RAM."""
    fail_pandas_import_fast()
    if path == MEMORY:
        return _open(path, None, read_only=False, memory_limit=memory_limit, threads=threads)
    if (unusable := fault_of_path(path, read_only=read_only)) is not None:
        return Failure(unusable)
    real = str(Path(path).resolve())
    with held.nobody_else():
        if held.is_held(real):
            return Failure(FileLocked(real, os.getpid(), is_here=True))
        if (damaged := fault_of_log(real)) is not None:
            return Failure(damaged)
        broken = is_broken(real)
        if not read_only and (broken or is_damaged(real)):
            return Failure(FileDamaged(real))
        lacking = missing(real, broken=broken)
        opened = _open(
            real, lacking, read_only=read_only, memory_limit=memory_limit, threads=threads
        )
        if isinstance(opened, Success):
            held.hold(real)
            if not read_only:
                remove_leftovers(real)
        return opened


def _open(
    path: str, lacking: Missing | None, *, read_only: bool, memory_limit: str, threads: int
) -> Result[DuckDatabase, OpenError]:
    config = _config(memory_limit, threads)

    def connected() -> duckdb.DuckDBPyConnection:
        with interruptible():
            connection = duckdb.connect(path, read_only=read_only, config=config)
            connection.execute(_settings(path))
            return connection

    replayed = not read_only and has_log(path)
    is_new = path != MEMORY and not Path(path).exists()
    try:
        first = connected()
    except (duckdb.Error, UnicodeError) as error:
        return Failure(fault_of_open(error, path))
    if is_new:  # it holds nothing yet
        allow(Path(path))
    how = {"read_only": read_only, "replayed": replayed}
    return Success(DuckDatabase(first, path, **how, reopen=connected, missing=lacking))


def _config(memory_limit: str, threads: int) -> dict[str, str | bool | int | float | list[str]]:
    return {
        # Autoload would ask the network at query time.
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "memory_limit": memory_limit,
        "threads": threads,
        "storage_compatibility_version": FORMAT,
    }


def _longest_log(path: str) -> int:
    """Return how long a log may get before it is written into the file: the size of that file.

    A checkpoint writes what has changed, so a large file has them seldom; a small one does not
    stand beside a log of many times its size.
    """
    size = Path(path).stat().st_size if path != MEMORY and Path(path).exists() else 0
    return min(max(size, SHORTEST_LOG), LONGEST_LOG)


def _settings(path: str) -> str:
    """Return what every connection has; files are open in the memory's own folder only."""
    folder = tempfile.gettempdir() if path == MEMORY else str(Path(path).parent)
    return (
        template("settings")
        .replace("{folder}", folder.replace("'", "''"))
        .replace("{longest_log}", str(_longest_log(path)))
    )
