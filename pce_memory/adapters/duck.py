# pyright: reportUnusedCallResult=false
"""DuckDB behind the Database port."""

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Final, TypeAlias, TypeVar

import duckdb
from returns.result import Failure, Result, Success

from pce_memory.adapters import held
from pce_memory.adapters.beside import Beside
from pce_memory.adapters.changes import Changes
from pce_memory.adapters.commits import Missing, Tally
from pce_memory.adapters.damage import Damage
from pce_memory.adapters.faults import operation_of
from pce_memory.adapters.fetched import columns_of, rows_of
from pce_memory.adapters.forks import never_destroyed
from pce_memory.adapters.gate import Gate
from pce_memory.adapters.interrupts import interruptible
from pce_memory.deps import Arrays, Params, Row, Version
from pce_memory.errors import (
    DatabaseFailed,
    ForkedMemory,
    MemoryClosed,
    ReadOnly,
    StoreError as StoreFault,
)

T = TypeVar("T")
E = TypeVar("E")
Connection: TypeAlias = duckdb.DuckDBPyConnection
Run: TypeAlias = Callable[[Connection], object]

MEMORY: Final = ":memory:"
PATIENCE: Final = 30.0
"""How many seconds a file is waited for before it is swapped: running reads have to end."""


class DuckDatabase:
    """One file: a connection that writes, behind a lock, and a cursor for each reading thread."""

    def __init__(
        self,
        connection: Connection,
        path: str,
        *,
        read_only: bool,
        replayed: bool = False,
        reopen: Callable[[], Connection],
        missing: Missing | None = None,
    ) -> None:
        self._writer = connection
        self._reopen = reopen
        self._gate = Gate()
        self.beside = Beside()
        self.changes = Changes()
        self.path = path
        self.read_only = read_only
        self.missing = missing
        self.damage = Damage(path)
        self._tally = Tally(None if read_only or path == MEMORY else path)
        self.replayed = replayed  # whether opening took in a log: see `store.indexes`
        self._lock = threading.RLock()
        self._local = threading.local()
        self._cursors: dict[int, Connection] = {}
        self._pid = os.getpid()
        self._closed = False

    @property
    def version(self) -> Version | None:
        """What has been committed so far; None inside a transaction or a snapshot."""
        inside = getattr(self._local, "inside", None) is not None
        return None if inside or self._unusable("") else self.changes.version

    def query(self, sql: str, params: Params | None = None) -> Result[Sequence[Row], StoreFault]:
        """Run one statement and return its rows by column name."""
        return self._read(sql, params, rows_of)

    def arrays(self, sql: str, params: Params | None = None) -> Result[Arrays, StoreFault]:
        """Run one statement and return its columns as numpy arrays by name."""
        return self._read(sql, params, columns_of)

    def _read(
        self, sql: str, params: Params | None, fetch: Callable[[Connection], T]
    ) -> Result[T, StoreFault]:
        if (gone := self._unusable(sql)) is not None:
            return Failure(gone)
        try:
            with self._gate.passing(), interruptible((reader := self._reader()).interrupt):
                return Success(fetch(reader.execute(sql, dict(params or {}))))
        except (duckdb.Error, UnicodeEncodeError) as error:
            return Failure(self._fault(error, sql))

    def execute(self, sql: str, params: Params | None = None) -> Result[None, StoreFault]:
        """Run one statement, or a script without parameters, for its effect."""
        return self._write(sql, lambda on: on.execute(sql, dict(params) if params else None))

    def load(self, sql: str, columns: Arrays) -> Result[None, StoreFault]:
        """Run one statement over columns of numbers: the relation `{given}` of the statement."""
        from pce_memory.adapters.given import given_to  # noqa: PLC0415 - numpy

        def run(on: Connection) -> object:
            with given_to(on, columns, sql) as statement:
                return on.execute(statement)

        return self._write(sql, run)

    def _write(self, sql: str, run: Run) -> Result[None, StoreFault]:
        if (refused := self._unusable(sql) or self._unwritable(operation_of(sql))) is not None:
            return Failure(refused)
        aside: Connection | None = getattr(self._local, "aside", None)
        if aside is not None:
            with interruptible(aside.interrupt):
                return self._run(aside, sql, run)
        with self._lock, interruptible(self._writer.interrupt):
            if alone := getattr(self._local, "inside", None) is None:
                self._tally.committing()
            done = self._run(self._writer, sql, run)
            if isinstance(done, Failure):
                return done
            self.changes.note(sql)
            if alone:
                self.changes.committed()
                self._tally.committed()
            return done

    def _run(self, connection: Connection, sql: str, run: Run) -> Result[None, StoreFault]:
        try:
            run(connection)
        except (duckdb.Error, UnicodeEncodeError) as error:
            return Failure(self._fault(error, sql))
        return Success(None)

    def transaction(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreFault]:
        """Run `work`; commit on Success, roll back on Failure and on any exception."""
        if (refused := self._unusable("-- transaction") or self._unwritable("write")) is not None:
            return Failure(refused)
        if getattr(self._local, "inside", None) is not None:
            return work()  # part of the outer transaction
        with self._lock:
            return self._run_inside(self._writer, work)

    def aside(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreFault]:
        """Run `work` in a transaction of its own, beside the writer; one at a time.

        Closing the memory or swapping its file ends it, and what it did is rolled back.
        """
        if (unwritable := self._unwritable("aside")) is not None:
            return Failure(unwritable)
        with self.beside.turn():
            if (gone := self._unusable("-- aside")) is not None:
                return Failure(gone)
            with (
                closing(self._writer.cursor()) as cursor,
                self.beside.running(cursor.interrupt),
            ):
                self._local.aside = cursor
                try:
                    return self._run_inside(cursor, work)
                finally:
                    self._local.aside = None

    def snapshot(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreFault]:
        """Run `work` so that all its reads see one state of the file."""
        if (gone := self._unusable("-- snapshot")) is not None:
            return Failure(gone)
        if getattr(self._local, "inside", None) is not None:
            return work()
        with self._gate.passing():
            return self._run_inside(self._reader(), work)

    def exclusively(self, work: Callable[[], T]) -> T:
        """Run `work` while nobody writes."""
        with self._lock:
            return work()

    def close(self, *, taken: bool = True) -> None:
        """Write everything to the file and let go of it; `taken`: see `Tally`. Twice is fine."""
        if self._closed:
            return None
        if self.forked:
            return self._abandon()
        with interruptible(), self._lock, self.beside.ended():
            self._closed = True
            try:
                self._let_go()
            finally:
                held.let_go(self.path)
                self._tally.close(taken=taken)

    def _let_go(self) -> None:
        # The file is let go of when the last connection to it is closed.
        for connection in (*self._cursors.values(), self._writer):
            connection.close()
        self._cursors.clear()
        self._local = threading.local()

    def let_go_for(
        self, operation: str, work: Callable[[], Result[None, E]]
    ) -> Result[None, E | StoreFault]:
        """Run `work` while nobody has the file open; call it inside `exclusively`."""
        if (gone := self._unusable(f"-- {operation}")) is not None:
            return Failure(gone)
        shut = self._gate.shut(patience=PATIENCE)
        with interruptible(), self._lock, self.beside.ended(), shut as empty:
            if not empty or getattr(self._local, "inside", None) is not None:
                return Failure(DatabaseFailed(operation, "ReadsDidNotEnd"))
            self._let_go()
            self._tally.remove_empty_log()
            try:
                return work()
            finally:
                self._take_up()
                self._tally.committed()

    def _take_up(self) -> None:
        """Open the file again; one that another process took meanwhile is lost to this memory."""
        try:
            self._writer = self._reopen()
            held.hold(self.path)
        except (duckdb.Error, OSError):
            self._closed = True
            held.let_go(self.path)

    def _abandon(self) -> None:
        self._closed = True
        never_destroyed((*self._cursors.values(), self._writer))

    def _run_inside(
        self, connection: Connection, work: Callable[[], Result[T, E]]
    ) -> Result[T, E | StoreFault]:
        try:  # around all of it: wherever an interrupt comes, nothing is left begun
            begun = self._begin(connection)
            return self._end(connection, work()) if begun is None else Failure(begun)
        except BaseException:
            self._roll_back(connection)
            raise
        finally:
            self._local.inside = None

    def _begin(self, connection: Connection) -> StoreFault | None:
        try:
            with interruptible():
                connection.begin()
                self._local.inside = connection
        except duckdb.Error as error:
            return self._fault(error, "-- begin")
        return None

    def _end(self, connection: Connection, result: Result[T, E]) -> Result[T, E | StoreFault]:
        if isinstance(result, Failure):
            self._roll_back(connection)
            return result
        try:
            with interruptible():
                self._tally.committing()
                connection.commit()
                self.changes.committed()
                self._tally.committed()
        except duckdb.Error as error:
            self._roll_back(connection)
            return Failure(self._fault(error, "-- commit"))
        return result

    def _roll_back(self, connection: Connection) -> None:
        self.changes.rolled_back()
        try:
            with interruptible():
                connection.rollback()
        except duckdb.Error:
            return  # the statement that failed has already ended the transaction

    def _reader(self) -> Connection:
        """Return the connection of this thread: its open transaction, else its own cursor."""
        at = self._local
        cursor: Connection | None = getattr(at, "inside", None) or getattr(at, "cursor", None)
        if not cursor:
            cursor = at.cursor = self._writer.cursor()
            self._cursors[threading.get_ident()] = cursor  # a later thread may take its number
        return cursor

    @property
    def forked(self) -> bool:
        """Whether this process is a child of the one that opened the file."""
        return os.getpid() != self._pid

    def _unusable(self, sql: str) -> MemoryClosed | ForkedMemory | None:
        if self.forked:
            return ForkedMemory(self._pid)
        return MemoryClosed(operation_of(sql)) if self._closed else None

    def _unwritable(self, operation: str) -> StoreFault | None:
        return ReadOnly(operation) if self.read_only else self.damage.fault

    def _fault(self, error: Exception, sql: str) -> StoreFault:
        closed = MemoryClosed(operation_of(sql)) if self._closed else None
        return closed or self.damage.fault_of(error, sql, self._writer)
