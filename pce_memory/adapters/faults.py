"""What DuckDB's exceptions mean, told from their kind and text; the text itself never leaves."""

import re
from pathlib import Path
from typing import Final, TypeAlias

from pce_memory.errors import (
    DatabaseFailed,
    DiskFull,
    FileDamaged,
    FileLocked,
    NotADatabase,
    PathUnusable,
    ReadOnly,
    SchemaDrift,
)
from pce_memory.text.sanitize import find_unstorable, sanitize

OpenError: TypeAlias = (
    FileLocked
    | NotADatabase
    | FileDamaged
    | PathUnusable
    | SchemaDrift
    | DiskFull
    | DatabaseFailed
)
StatementError: TypeAlias = DatabaseFailed | DiskFull | ReadOnly | FileDamaged

_PID: Final = re.compile(r"\(PID (\d+)\)")
_FULL: Final = ("No space left", "File too large", "Disk quota exceeded", "disk full")
_OF_DAMAGE: Final = {
    "IOException",
    "FatalException",
    "InternalException",
    "SerializationException",
}
_DAMAGED: Final = ("WAL", "orrupt", "checksum", "load metadata", "read enough bytes")
# A file that looks like SQLite is told by DuckDB wanting the extension that reads SQLite.
_FOREIGN: Final = ("not a valid DuckDB database", "Extension ")
_NEWER: Final = ("database file with version number", "newer version of DuckDB", "storage version")
_NOT_READ: Final = {"SerializationException", "InternalException", "FatalException"}
"""What DuckDB raises where it trips over a file that it has begun to read."""
_LOG_HEAD: Final = bytes.fromhex("6400626500")
"""Field 100, an entry that gives the version, field 101: how every log of DuckDB 1.5 begins."""
_DENIED: Final = ("Permission denied", "Cannot open file", "Read-only file system")


def _says(text: str, phrases: tuple[str, ...]) -> bool:
    return any(phrase in text for phrase in phrases)


def fault_of_statement(error: Exception, operation: str, sql: str, *, path: str) -> StatementError:
    """Return the error value of an exception that a statement raised."""
    text = str(error)
    if _says(text, _FULL):
        return DiskFull(operation)
    if "read-only mode" in text:
        return ReadOnly(operation)
    kind = type(error).__name__
    if kind in _OF_DAMAGE and _says(text, _DAMAGED):
        return FileDamaged(path)
    return DatabaseFailed(operation, sql, kind)


def fault_of_open(error: Exception, path: str) -> OpenError:
    """Return the error value of an exception that opening a file raised."""
    text = str(error)
    kind = type(error).__name__
    denied = "the file cannot be opened with the rights of this process"
    found = _PID.search(text)
    told: tuple[tuple[bool, OpenError], ...] = (
        ("set lock" in text, FileLocked(path, int(found.group(1)) if found else None)),
        (_says(text, _NEWER), SchemaDrift(0, "the file was written by a newer DuckDB")),
        (_says(text, _FOREIGN), NotADatabase(path)),
        (_says(text, _FULL), DiskFull("open")),
        (_says(text, _DAMAGED) or kind in _NOT_READ, FileDamaged(path)),
        (_says(text, _DENIED), PathUnusable(path, denied)),
    )
    return next((fault for holds, fault in told if holds), DatabaseFailed("open", None, kind))


def fault_of_path(path: str, *, read_only: bool) -> PathUnusable | None:
    """Return why no memory can stand at `path`, as far as a look at the folder tells."""
    if not path or "\0" in path:
        return PathUnusable(path.replace("\0", "?"), "it is empty or holds a NUL character")
    if find_unstorable(path) is not None:
        return PathUnusable(sanitize(path, max_chars=200), "it has half a character in it")
    try:
        return _look(Path(path), path, read_only=read_only)
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: links in a circle
        return PathUnusable(path[:200], type(error).__name__)


def fault_of_log(path: str) -> FileDamaged | None:
    """Return a fault if the write-ahead log beside a file does not begin as one does.

    DuckDB replays what it can read, checks what it replays, and throws away a log whose first
    entry it does not know: everything in it would be lost without a word.
    """
    log = Path(f"{path}.wal")
    try:
        head = _head(log) if log.is_file() else b""
    except OSError:
        return None  # connecting says better what is wrong
    return FileDamaged(path) if head and not _LOG_HEAD.startswith(head) else None


def _head(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(len(_LOG_HEAD))


def _look(place: Path, path: str, *, read_only: bool) -> PathUnusable | None:
    _ = place.resolve()  # raises where links go in a circle
    if place.is_dir():
        return PathUnusable(path, "it is a directory; name a file in it")
    if path.casefold().endswith((".wal", ".tmp")):
        return PathUnusable(path, "DuckDB keeps its own files under such names; choose another")
    if place.exists() and not place.is_file():
        return PathUnusable(path, "it is not a regular file")
    if not place.parent.is_dir():
        return PathUnusable(path, "its folder does not exist; create the folder first")
    if read_only and not place.is_file():
        return PathUnusable(path, "there is no file to read; open it once without read_only")
    return None


def operation_of(sql: str) -> str:
    r"""Return the name in the first line of a named statement, else its first word.

    >>> operation_of("-- claims.decay\nupdate claims"), operation_of("SELECT 1")
    ('claims.decay', 'select')
    """
    if not sql:
        return "read"
    first, _, _ = sql.lstrip().partition("\n")
    return first[3:].strip() if first.startswith("-- ") else first.split(maxsplit=1)[0].lower()
