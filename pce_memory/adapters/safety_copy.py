"""A copy of a file beside it, while its tables are rebuilt: named so that it is no one else's."""

import errno
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.adapters.owned import copy_of
from pce_memory.adapters.swapping import synced
from pce_memory.errors import DatabaseFailed, DiskFull, PathUnusable

OPERATION: Final = "safety copy"
_LONGEST: Final = 180
"""Bytes of a name that its copies begin with: a file system has a longest one."""
_PART: Final = ".part"


def copied_aside(place: str) -> Result[None, DatabaseFailed | DiskFull | PathUnusable]:
    """Copy a file, which nobody has open, to a fresh name; the copy is whole or absent.

    It takes the place of copies that were left when a process was killed.
    """
    if Path(f"{place}.wal").exists():
        # Without its log the copy would lack what was written last.
        return Failure(DatabaseFailed(OPERATION, "LogNotWritten"))
    older = tuple(safety_copies(place))
    copy = Path(place).parent / f"{_stem(place)}{secrets.token_hex(8)}"
    begun = Path(f"{copy}{_PART}")
    try:
        copy_of(Path(place), begun)
        _ = begun.replace(copy)
        synced(copy.parent)
    except OSError as error:
        _remove([begun])
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            return Failure(DiskFull(OPERATION))
        why = f"no copy can be made beside it before it is brought up to date ({error.strerror})"
        return Failure(PathUnusable(place, why))
    _remove(older)
    return Success(None)


def safety_copies(place: str) -> Iterator[Path]:
    """Return the copies of a file that stand beside it, whole or begun.

    Only files of the very names that such copies get are ours.
    """
    ours = re.compile(rf"{re.escape(_stem(place))}[0-9a-f]{{16}}(?:{re.escape(_PART)})?")
    with suppress(OSError):
        for beside in Path(place).parent.iterdir():
            if ours.fullmatch(beside.name) and beside.is_file() and not beside.is_symlink():
                yield beside


def remove_safety_copies(place: str) -> None:
    """Remove the copies of a file: they hold what may be forgotten since."""
    _remove(tuple(safety_copies(place)))


def _remove(copies: tuple[Path, ...] | list[Path]) -> None:
    for copy in copies:
        with suppress(OSError):
            copy.unlink(missing_ok=True)


def _stem(place: str) -> str:
    name = Path(place).name
    if len(name.encode()) > _LONGEST:
        name = f"{name[:40]}-{sha256(name.encode()).hexdigest()[:16]}"
    return f"{name}.before-migration-"
