"""Put one file in the place of another, so that a crash leaves the one or the other whole."""

import os
import re
import secrets
from hashlib import sha256
from pathlib import Path

from returns.result import Failure, Result, Success

from pce_memory.errors import DatabaseFailed


def swapped(made: Path, place: Path) -> Result[None, DatabaseFailed]:
    """Move `made` onto `place`, which nobody has open, and see that the disk has it."""
    if Path(f"{place}.wal").exists() or Path(f"{made}.wal").exists():
        # A log belongs to the bytes it was written for; the next opening replays it.
        return Failure(DatabaseFailed("swap", "LogNotWritten"))
    try:
        synced(made)
        os.chmod(made, place.stat().st_mode)  # noqa: PTH101 - the rights of the file it replaces
        _ = made.replace(place)
        synced(place.parent)
    except OSError as error:
        return Failure(DatabaseFailed("swap", type(error).__name__))
    return Success(None)


def copy_beside(place: str) -> tuple[str, Path]:
    """Return a fresh name for a copy of a file, and its path: hidden, in the same folder."""
    alias = f"copy_{secrets.token_hex(8)}"
    return alias, Path(place).parent / f"{_mark(place)}{alias}.duckdb"


def remove_leftovers(place: str) -> None:
    """Remove copies that a process left behind when it was killed; whoever holds the file may.

    Only files of the very names that copies of this file get are ours.
    """
    ours = re.compile(re.escape(_mark(place)) + r"copy_[0-9a-f]{16}\.duckdb(\.wal)?")
    try:
        for left in Path(place).parent.iterdir():
            if ours.fullmatch(left.name) and left.is_file() and not left.is_symlink():
                left.unlink(missing_ok=True)
    except OSError:
        # What cannot be removed stays: it is no reason not to open the memory.
        return


def _mark(place: str) -> str:
    # Of one length, however long the name: a file system has a longest one.
    return f".pce-memory-{sha256(Path(place).name.encode()).hexdigest()[:16]}-"


def synced(path: Path) -> None:
    """Have the disk write down a file, or the names in a folder where that can be asked for."""
    if os.name == "nt" and path.is_dir():
        return
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
