"""What the file, the machine and the process refuse."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from pce_memory.errors.base import PCEError, shown


@dataclass(frozen=True, slots=True)
class DatabaseFailed(PCEError):
    """DuckDB refused a statement. `cause` is the kind of its exception, never its text."""

    tag: ClassVar[str] = "DatabaseError"
    code: ClassVar[str] = "DATABASE_ERROR"
    status: ClassVar[int] = 500
    remedy: ClassVar[str] = "The transaction was rolled back; repeat it or report this."
    operation: str
    sql: str | None = field(default=None, repr=False)
    cause: str = ""

    @property
    def message(self) -> str:
        """Name the operation and the kind of fault."""
        why = f" ({self.cause})" if self.cause else ""
        return f"Database error during {self.operation}{why}"


@dataclass(frozen=True, slots=True)
class FileLocked(PCEError):
    """Another process, or another Memory of this process, holds the file."""

    tag: ClassVar[str] = "FileLockedError"
    code: ClassVar[str] = "FILE_LOCKED"
    status: ClassVar[int] = 423
    remedy: ClassVar[str] = (
        "Close the holder, or let it make a copy to look at with memory.snapshot(path)."
    )
    path: str
    pid: int | None = None
    is_here: bool = False

    @property
    def message(self) -> str:
        """Name the file, the holder and the ways out."""
        if self.is_here:
            return (
                f"{self.path} is open in this process already: use that Memory, which serves all "
                "threads, or close it first"
            )
        holder = "another process" if self.pid is None else f"process {self.pid}"
        return (
            f"{self.path} is held by {holder}; close it there, "
            "or have it write a copy with memory.snapshot(path) and open that"
        )


@dataclass(frozen=True, slots=True)
class NotADatabase(PCEError):
    """The file is there and is not a DuckDB database; it was not touched."""

    tag: ClassVar[str] = "NotADatabaseError"
    code: ClassVar[str] = "NOT_A_DATABASE"
    status: ClassVar[int] = 422
    remedy: ClassVar[str] = "Give the path of a memory, or one where no file is yet."
    path: str

    @property
    def message(self) -> str:
        """Name the file."""
        return f"{self.path} is not a memory: the file is no DuckDB database; it was not changed"


@dataclass(frozen=True, slots=True)
class FileDamaged(PCEError):
    """The file or its write-ahead log is damaged; from then on it is not written."""

    tag: ClassVar[str] = "FileDamagedError"
    code: ClassVar[str] = "FILE_DAMAGED"
    status: ClassVar[int] = 500
    remedy: ClassVar[str] = (
        "Keep both files and open a snapshot or backup; read_only=True may still read some of it."
    )
    path: str

    @property
    def message(self) -> str:
        """Name the file."""
        return f"{self.path} or its write-ahead log is damaged; it is not written any more"


@dataclass(frozen=True, slots=True)
class PathUnusable(PCEError):
    """The path cannot hold a memory: a directory, a missing folder, no permission."""

    tag: ClassVar[str] = "PathUnusableError"
    code: ClassVar[str] = "PATH_UNUSABLE"
    status: ClassVar[int] = 422
    remedy: ClassVar[str] = "Give the path of a file in a folder you can write to."
    path: str
    reason: str

    @property
    def message(self) -> str:
        """Name the path and the reason."""
        return f"{self.path} cannot hold a memory: {self.reason}"


@dataclass(frozen=True, slots=True)
class SchemaDrift(PCEError):
    """The file's schema is newer, edited or not a memory's; it was not changed."""

    tag: ClassVar[str] = "SchemaDriftError"
    code: ClassVar[str] = "SCHEMA_DRIFT"
    status: ClassVar[int] = 409
    remedy: ClassVar[str] = "Open it with the version of pce-memory that wrote it, or a newer one."
    version: int
    reason: str

    @property
    def message(self) -> str:
        """Name the migration and what is wrong with it."""
        return f"The schema of this file does not fit at migration {self.version}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ReadOnly(PCEError):
    """A write on a memory that was opened with read_only=True."""

    tag: ClassVar[str] = "ReadOnlyError"
    code: ClassVar[str] = "READ_ONLY"
    status: ClassVar[int] = 403
    remedy: ClassVar[str] = "Open the memory without read_only=True."
    operation: str

    @property
    def message(self) -> str:
        """Name the operation."""
        return f"Cannot {self.operation}: this memory was opened read-only"


@dataclass(frozen=True, slots=True)
class DiskFull(PCEError):
    """No space is left where the file stands; the transaction was rolled back."""

    tag: ClassVar[str] = "DiskFullError"
    code: ClassVar[str] = "DISK_FULL"
    status: ClassVar[int] = 507
    remedy: ClassVar[str] = "Free some space and repeat; nothing of this call was written."
    operation: str

    @property
    def message(self) -> str:
        """Name the operation."""
        return f"No space left on the disk during {self.operation}; nothing of it was written"


@dataclass(frozen=True, slots=True)
class MemoryClosed(PCEError):
    """The memory was closed."""

    tag: ClassVar[str] = "MemoryClosedError"
    code: ClassVar[str] = "MEMORY_CLOSED"
    status: ClassVar[int] = 409
    remedy: ClassVar[str] = "Open the memory again with Memory.open(path)."
    operation: str

    @property
    def message(self) -> str:
        """Name the operation."""
        return f"Cannot run {self.operation}: this memory is closed"


@dataclass(frozen=True, slots=True)
class ForkedMemory(PCEError):
    """The memory was opened before a fork: two processes on one file would damage it."""

    tag: ClassVar[str] = "ForkedMemoryError"
    code: ClassVar[str] = "FORKED_MEMORY"
    status: ClassVar[int] = 409
    remedy: ClassVar[str] = "Open the memory in the process that uses it, or start with spawn."
    opened_in: int

    @property
    def message(self) -> str:
        """Name the process that holds the memory."""
        return f"This memory belongs to process {self.opened_in} and cannot be used after a fork"


@dataclass(frozen=True, slots=True)
class ClockFailed(PCEError):
    """The clock gave a time that is not finite, negative or past the year 9999."""

    tag: ClassVar[str] = "ClockFailedError"
    code: ClassVar[str] = "CLOCK_FAILED"
    status: ClassVar[int] = 500
    remedy: ClassVar[str] = "Give a clock that returns UTC epoch seconds."
    given: str

    @property
    def message(self) -> str:
        """Name what the clock gave."""
        return f"The clock gave {shown(self.given)}, not UTC epoch seconds"
