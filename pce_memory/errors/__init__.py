"""Every way the engine can refuse, as values.

CoreError
  what the boundary and the policy refuse
    BoundaryDenied        the boundary or an invariant forbids it
    InvalidScope          a scope that is unknown, or outside the boundary
    InvalidBoundary       a boundary that cannot be used
    PolicyMissing         no policy is loaded, or not that version
    InvalidPolicy         the policy text has faults; each has a position
    InvalidPolicyVersion  a policy version that is not SemVer
    PolicyConflict        another policy is in force than was expected
  what the data refuses
    DuplicateClaim        a claim with this content is there and duplicates were refused
    UnknownClaim          no such claim
    UnknownDocument       no such document
    InvalidId             a string that is not an id of the kind asked for
    InvalidParameter      an argument out of its range
  what searching refuses
    RunNotFound           no run of this id that the caller may look at
    BackendFailed         a search backend of the host gave nothing usable
    JudgeFailed           a judge of the host gave no usable score
    PortFailed            a part of the deps record that is the host's failed
    SearchFailed          the search could not be answered
    EmbeddingFailed       the embedder gave no usable vector
    EmbedderMismatch      the file was written with another embedding model
    TokenizerMismatch     the file was indexed by another tokenizer
  what the file, the machine and the process refuse
    DatabaseFailed        DuckDB refused a statement
    FileLocked            another process, or another Memory, holds the file
    NotADatabase          the file is not a DuckDB database
    FileDamaged           the file or its write-ahead log is damaged
    PathUnusable          the path cannot hold a memory
    SchemaDrift           the file's schema is not one this version can use
    ReadOnly              a write on a memory opened read-only
    DiskFull              no space is left
    MemoryClosed          the memory was closed
    ForkedMemory          the memory was opened before a fork
    ClockFailed           the clock gave no usable time

Each has `tag` (its name on the seed's list), `code` (its name on the wire), `message` (one
sentence) and `remedy` (what to do). No claim text, query, payload or secret is in a message, a
`details` mapping or a repr.
"""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from returns.result import Failure, Result

from pce_memory.errors.base import PCEError, shown
from pce_memory.errors.data import (
    BackendFailed,
    DuplicateClaim,
    EmbedderMismatch,
    EmbeddingFailed,
    InvalidBoundary,
    InvalidId,
    InvalidParameter,
    InvalidPolicyVersion,
    JudgeFailed,
    PortFailed,
    RunNotFound,
    SearchFailed,
    TokenizerMismatch,
    UnknownClaim,
    UnknownDocument,
)
from pce_memory.errors.machine import (
    ClockFailed,
    DatabaseFailed,
    DiskFull,
    FileDamaged,
    FileLocked,
    ForkedMemory,
    MemoryClosed,
    NotADatabase,
    PathUnusable,
    ReadOnly,
    SchemaDrift,
)
from pce_memory.errors.refused import (
    BoundaryDenied,
    InvalidPolicy,
    InvalidScope,
    PolicyConflict,
    PolicyMissing,
)

__all__ = [
    "BackendFailed",
    "BoundaryDenied",
    "ClockFailed",
    "CoreError",
    "DatabaseFailed",
    "DiskFull",
    "DuplicateClaim",
    "EmbedderMismatch",
    "EmbeddingFailed",
    "FileDamaged",
    "FileLocked",
    "ForkedMemory",
    "InvalidBoundary",
    "InvalidId",
    "InvalidParameter",
    "InvalidPolicy",
    "InvalidPolicyVersion",
    "InvalidScope",
    "JudgeFailed",
    "MemoryClosed",
    "MemoryFault",
    "NotADatabase",
    "PCEError",
    "PathUnusable",
    "PolicyConflict",
    "PolicyMissing",
    "PortFailed",
    "ReadOnly",
    "RunNotFound",
    "SchemaDrift",
    "SearchFailed",
    "StoreError",
    "TokenizerMismatch",
    "UnknownClaim",
    "UnknownDocument",
    "or_raise",
    "shown",
]

CoreError: TypeAlias = (
    BoundaryDenied
    | InvalidScope
    | InvalidBoundary
    | PolicyMissing
    | InvalidPolicy
    | InvalidPolicyVersion
    | PolicyConflict
    | DuplicateClaim
    | UnknownClaim
    | UnknownDocument
    | InvalidId
    | InvalidParameter
    | RunNotFound
    | BackendFailed
    | JudgeFailed
    | PortFailed
    | SearchFailed
    | EmbeddingFailed
    | EmbedderMismatch
    | TokenizerMismatch
    | DatabaseFailed
    | FileLocked
    | NotADatabase
    | FileDamaged
    | PathUnusable
    | SchemaDrift
    | ReadOnly
    | DiskFull
    | MemoryClosed
    | ForkedMemory
    | ClockFailed
)

StoreError: TypeAlias = (
    DatabaseFailed | ReadOnly | DiskFull | FileDamaged | MemoryClosed | ForkedMemory
)
"""What any statement on the database may return."""


class MemoryFault(Exception):
    """The one exception of the raising style: `fault.error` is the error value."""

    def __init__(self, error: CoreError) -> None:
        super().__init__(f"{error.message} [{error.code}] {error.remedy}")
        self.error = error

    def __reduce__(self) -> tuple[type[MemoryFault], tuple[CoreError]]:
        return type(self), (self.error,)


T = TypeVar("T")


def or_raise(result: Result[T, CoreError]) -> T:
    """Return the value, or raise `MemoryFault`: for callers who prefer exceptions."""
    if isinstance(result, Failure):
        raise MemoryFault(result.failure())
    return result.unwrap()
