"""A file that turns out to be damaged is not written again, by this process, in any way."""

import threading
from pathlib import Path
from typing import Final, Protocol

from pce_memory.adapters.faults import StatementError, fault_of_statement, operation_of
from pce_memory.errors import DatabaseFailed, FileDamaged
from pce_memory.store.statements import template

_DAMAGED: Final[dict[str, tuple[int, ...]]] = {}
"""What files that are damaged look like: one that is put in their place looks otherwise."""
_LOCK: Final = threading.Lock()


class _Connection(Protocol):
    def cursor(self) -> "_Connection": ...
    def execute(self, query: str) -> object: ...
    def close(self) -> None: ...


class Damage:
    """Whether one open file is known to be damaged."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.is_known = is_damaged(path)  # as where it is opened again, to be only read

    @property
    def fault(self) -> FileDamaged | None:
        """Return why nothing is written; None while nothing is known."""
        return FileDamaged(self._path) if self.is_known else None

    def fault_of(self, error: Exception, sql: str, connection: _Connection) -> StatementError:
        """Return the error value of an exception; from the first damage on nothing is written.

        After it DuckDB may refuse everything, for reasons of its own.
        """
        fault = fault_of_statement(error, operation_of(sql), sql, path=self._path)
        if isinstance(fault, FileDamaged) and not self.is_known:
            self.is_known = True
            self._leave_log(connection)
            remember(self._path)
        if self.is_known and isinstance(fault, DatabaseFailed):
            return FileDamaged(self._path)
        return fault

    def _leave_log(self, connection: _Connection) -> None:
        try:
            cursor = connection.cursor()
            _ = cursor.execute(template("leave_log"))
            cursor.close()
        except Exception:  # noqa: BLE001 - DuckDB has given up on the file: it writes nothing then
            return


def remember(path: str) -> None:
    """Remember that a file is damaged as it is now."""
    with _LOCK:
        _DAMAGED[path] = _looks(path)


def is_damaged(path: str) -> bool:
    """Return whether this process knows a file to be damaged, and it is as it was then."""
    with _LOCK:
        return bool(_DAMAGED.get(path)) and _DAMAGED[path] == _looks(path)


def _looks(path: str) -> tuple[int, ...]:
    try:
        status = Path(path).stat()
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
