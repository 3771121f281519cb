# pyright: reportUnusedCallResult=false
"""DuckDB behind the Database port: the one module that imports duckdb."""

import ctypes
import importlib.util
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, Final, TypeVar

import duckdb
from returns.result import Failure, Result, Success

from pce_memory.adapters.faults import (
    OpenError,
    fault_of_log,
    fault_of_open,
    fault_of_path,
    fault_of_statement,
)
from pce_memory.deps import Params, Row
from pce_memory.errors import (
    FileLocked,
    ForkedMemory,
    MemoryClosed,
    ReadOnly,
    StoreError as StoreFault,
)
from pce_memory.store.statements import template

T = TypeVar("T")
E = TypeVar("E")

MEMORY: Final = ":memory:"
_HELD: Final[dict[str, tuple[int, int]]] = {}
"""Files this process holds, with device and inode: one file may have several names.

DuckDB's lock keeps out other processes, not another Memory here.
"""
_HELD_LOCK: Final = threading.Lock()


class DuckDatabase:
    """One file: a connection that writes, behind a lock, and a cursor for each reading thread."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, path: str, *, read_only: bool
    ) -> None:
        self._writer = connection
        self._path = path
        self._read_only = read_only
        self._lock = threading.RLock()
        self._local = threading.local()
        self._cursors: dict[int, duckdb.DuckDBPyConnection] = {}
        self._pid = os.getpid()
        self._closed = False

    @property
    def read_only(self) -> bool:
        """Whether writes are refused."""
        return self._read_only

    @property
    def path(self) -> str:
        """The file's path, or `:memory:`."""
        return self._path

    def query(self, sql: str, params: Params | None = None) -> Result[Sequence[Row], StoreFault]:
        """Run one statement and return its rows by column name."""
        if (gone := self._unusable(sql)) is not None:
            return Failure(gone)
        try:
            with _interruptible():
                cursor = self._reader().execute(sql, dict(params or {}))
                names = [str(column[0]) for column in cursor.description or ()]
                return Success([dict(zip(names, row, strict=True)) for row in cursor.fetchall()])
        except (duckdb.Error, UnicodeEncodeError) as error:
            return Failure(self._fault(error, sql))

    def execute(self, sql: str, params: Params | None = None) -> Result[None, StoreFault]:
        """Run one statement, or a script without parameters, for its effect."""
        if (gone := self._unusable(sql)) is not None:
            return Failure(gone)
        if self._read_only:
            return Failure(ReadOnly(_operation(sql)))
        with self._lock:
            try:
                with _interruptible():
                    self._writer.execute(sql, dict(params) if params else None)
                return Success(None)
            except (duckdb.Error, UnicodeEncodeError) as error:
                return Failure(self._fault(error, sql))

    def transaction(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreFault]:
        """Run `work`; commit on Success, roll back on Failure and on any exception."""
        if (gone := self._unusable("-- transaction")) is not None:
            return Failure(gone)
        if self._read_only:
            return Failure(ReadOnly("write"))
        with self._lock:
            if getattr(self._local, "inside", None) is not None:
                return work()  # part of the outer transaction
            return self._run_inside(self._writer, work)

    def snapshot(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreFault]:
        """Run `work` so that all its reads see one state of the file."""
        if (gone := self._unusable("-- snapshot")) is not None:
            return Failure(gone)
        if getattr(self._local, "inside", None) is not None:
            return work()
        return self._run_inside(self._reader(), work)

    def exclusively(self, work: Callable[[], T]) -> T:
        """Run `work` while nobody writes."""
        with self._lock:
            return work()

    def close(self) -> None:
        """Write everything to the file and let go of it. Closing twice is fine."""
        if self._closed:
            return
        if os.getpid() != self._pid:
            self._abandon()
            return
        with self._lock:
            self._closed = True
            try:
                # The file is let go of when the last connection to it is closed.
                for connection in (*self._cursors.values(), self._writer):
                    connection.close()
                self._cursors.clear()
            finally:
                with _HELD_LOCK:
                    _HELD.pop(self._path, None)

    def _abandon(self) -> None:
        """Keep the connections of a parent process from ever being destroyed in this one.

        Their destructors would wait for threads that a fork does not copy, and abort the child.
        """
        self._closed = True
        for connection in (*self._cursors.values(), self._writer):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))

    def _run_inside(
        self, connection: duckdb.DuckDBPyConnection, work: Callable[[], Result[T, E]]
    ) -> Result[T, E | StoreFault]:
        try:
            connection.begin()
        except duckdb.Error as error:
            return Failure(self._fault(error, "-- begin"))
        self._local.inside = connection
        try:
            result = work()
        except BaseException:
            self._roll_back(connection)
            raise
        finally:
            self._local.inside = None
        if isinstance(result, Failure):
            self._roll_back(connection)
            return result
        try:
            with _interruptible():
                connection.commit()
        except duckdb.Error as error:
            self._roll_back(connection)
            return Failure(self._fault(error, "-- commit"))
        return result

    def _roll_back(self, connection: duckdb.DuckDBPyConnection) -> None:
        try:
            connection.rollback()
        except duckdb.Error:
            # The statement that failed has already ended the transaction.
            return

    def _reader(self) -> duckdb.DuckDBPyConnection:
        """Return the connection of this thread: its open transaction, else its own cursor."""
        inside: duckdb.DuckDBPyConnection | None = getattr(self._local, "inside", None)
        if inside is not None:
            return inside
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is None:
            cursor = self._local.cursor = self._writer.cursor()
            # A thread that ends leaves its number, and with it this place, to a later one.
            self._cursors[threading.get_ident()] = cursor
        return cursor

    def _unusable(self, sql: str) -> MemoryClosed | ForkedMemory | None:
        if os.getpid() != self._pid:
            return ForkedMemory(self._pid)
        return MemoryClosed(_operation(sql)) if self._closed else None

    def _fault(self, error: Exception, sql: str) -> StoreFault:
        if self._closed:  # closed by another thread while this one was running
            return MemoryClosed(_operation(sql))
        return fault_of_statement(error, _operation(sql), sql, path=self._path)


def connect(
    path: str, *, read_only: bool = False, memory_limit: str = "1GB", threads: int = 2
) -> Result[DuckDatabase, OpenError]:
    """Open or create the file at `path`; `:memory:` keeps it in RAM."""
    _fail_pandas_import_fast()
    if path == MEMORY:
        return _open(path, read_only=False, memory_limit=memory_limit, threads=threads)
    if (unusable := fault_of_path(path, read_only=read_only)) is not None:
        return Failure(unusable)
    real = str(Path(path).resolve())
    with _HELD_LOCK:
        if _is_held(real):
            return Failure(FileLocked(real, os.getpid()))
        if (damaged := fault_of_log(real)) is not None:
            return Failure(damaged)
        opened = _open(real, read_only=read_only, memory_limit=memory_limit, threads=threads)
        if isinstance(opened, Success):
            _HELD[real] = _identity(real)
        return opened


def is_held(path: str) -> bool:
    """Return whether a Memory of this process has this file open, under whatever name."""
    with _HELD_LOCK:
        return _is_held(str(Path(path).resolve()))


def _is_held(real: str) -> bool:
    return real in _HELD or (Path(real).exists() and _identity(real) in _HELD.values())


def _identity(real: str) -> tuple[int, int]:
    status = Path(real).stat()
    return status.st_dev, status.st_ino


def _open(
    path: str, *, read_only: bool, memory_limit: str, threads: int
) -> Result[DuckDatabase, OpenError]:
    # Autoload would ask the network at query time.
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "memory_limit": memory_limit,
        "threads": threads,
    }
    try:
        connection = duckdb.connect(path, read_only=read_only, config=config)
        connection.execute(_settings(path))
    except (duckdb.Error, UnicodeError) as error:
        return Failure(fault_of_open(error, path))
    return Success(DuckDatabase(connection, path, read_only=read_only))


@contextmanager
def _interruptible() -> Generator[None]:
    """Let Ctrl-C be Ctrl-C: DuckDB tells of it as a RuntimeError that it caused."""
    try:
        yield
    except RuntimeError as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise


def _settings(path: str) -> str:
    """Return what every connection has; files are open in the memory's own folder only."""
    folder = tempfile.gettempdir() if path == MEMORY else str(Path(path).parent)
    return template("settings").replace("{folder}", folder.replace("'", "''"))


def _operation(sql: str) -> str:
    """Return the name in the first line of a named statement, else its first word."""
    first, _, _ = sql.lstrip().partition("\n")
    return first[3:].strip() if first.startswith("-- ") else first.split(maxsplit=1)[0].lower()


class _NoPandas:
    """Fails the import of pandas at once: DuckDB tries it again for every value it binds."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:  # noqa: ANN401, ARG004
        if name == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name="pandas")
        return None


def _fail_pandas_import_fast() -> None:
    if "pandas" in sys.modules or _NoPandas in sys.meta_path:
        return
    if importlib.util.find_spec("pandas") is None:
        sys.meta_path.insert(0, _NoPandas)


__all__ = ["MEMORY", "DuckDatabase", "connect"]
