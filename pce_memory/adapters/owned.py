"""Files that only their owner reads: what a memory writes holds what somebody said.

DuckDB makes its files as the umask says, which is of the whole process, so it is left as it is.
"""

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

OWNER_ONLY: Final = 0o600
_SHARED: Final = 0o666


def mode_of(path: Path) -> int:
    """Return the rights that what stands beside a file gets: those of the file, if it is there."""
    try:
        return stat.S_IMODE(path.stat().st_mode) & _SHARED | OWNER_ONLY
    except OSError:
        return OWNER_ONLY


def make_empty(path: Path, mode: int = OWNER_ONLY) -> None:
    """Make an empty file of these rights where none is; what a disk refuses is left to others."""
    with suppress(OSError):
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        try:
            _allow(number, mode)
        finally:
            os.close(number)


def allow(path: Path, mode: int = OWNER_ONLY) -> None:
    """Give a file of ours these rights, as far as its file system knows rights."""
    with suppress(OSError):
        path.chmod(mode)


def copy_of(source: Path, made: Path) -> None:
    """Write a copy to a path where nothing is; until it is whole nobody else reads it."""
    number = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with source.open("rb") as whole, os.fdopen(number, "wb") as copy:
        shutil.copyfileobj(whole, copy, 1 << 20)
        copy.flush()
        os.fsync(copy.fileno())
        _allow(copy.fileno(), mode_of(source))


def _allow(number: int, mode: int) -> None:
    if hasattr(os, "fchmod"):  # Windows knows no such rights
        os.fchmod(number, mode)
