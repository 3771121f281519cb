"""The exit code of every error, so that a script can tell what to do next.

0  done
1  the engine, the embedder or the clock failed; `policy check` found a fault, or a test failed
2  bad input: an argument, an option, a file, a line of it, a policy
3  the boundary or the policy forbids it, or another policy is in force than was expected
4  there is no such thing
5  the memory's file cannot be used: locked, closed, damaged, of another kind
6  the disk is full or the memory may only be read
130  interrupted with Ctrl-C; whatever was finished is kept
"""

from typing import Final, assert_never

from pce_memory.errors import (
    BackendFailed,
    BoundaryDenied,
    ClockFailed,
    CoreError,
    DatabaseFailed,
    DiskFull,
    DuplicateClaim,
    EmbedderMismatch,
    EmbeddingFailed,
    FileDamaged,
    FileLocked,
    ForkedMemory,
    InvalidBoundary,
    InvalidId,
    InvalidParameter,
    InvalidPolicy,
    InvalidPolicyVersion,
    InvalidScope,
    JudgeFailed,
    MemoryClosed,
    NotADatabase,
    PathUnusable,
    PolicyConflict,
    PolicyMissing,
    PortFailed,
    ReadOnly,
    RunNotFound,
    SchemaDrift,
    SearchFailed,
    TokenizerMismatch,
    UnknownClaim,
    UnknownDocument,
)

OTHER: Final = 1
BAD_INPUT: Final = 2
REFUSED: Final = 3
NOT_FOUND: Final = 4
FILE_UNUSABLE: Final = 5
NOT_WRITABLE: Final = 6
INTERRUPTED: Final = 130


def exit_code(error: CoreError) -> int:
    """Return the exit code of an error; the checkers see to it that none is left out.

    >>> exit_code(UnknownClaim("clm_1"))
    4
    """
    match error:
        case InvalidParameter() | InvalidId() | InvalidScope() | InvalidBoundary():
            code = BAD_INPUT
        case InvalidPolicy() | InvalidPolicyVersion():
            code = BAD_INPUT
        case BoundaryDenied() | PolicyMissing() | PolicyConflict():
            code = REFUSED
        case UnknownClaim() | UnknownDocument() | RunNotFound():
            code = NOT_FOUND
        case FileLocked() | MemoryClosed() | ForkedMemory() | PathUnusable() | NotADatabase():
            code = FILE_UNUSABLE
        case FileDamaged() | SchemaDrift() | EmbedderMismatch() | TokenizerMismatch():
            code = FILE_UNUSABLE
        case DiskFull() | ReadOnly():
            code = NOT_WRITABLE
        case DatabaseFailed() | SearchFailed() | EmbeddingFailed():
            code = OTHER
        case ClockFailed() | DuplicateClaim() | BackendFailed() | JudgeFailed() | PortFailed():
            code = OTHER
        case _:
            assert_never(error)
    return code
