"""Read regular files alone: a pipe, a device or a folder is refused before it is waited for."""

import os
import stat
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from returns.result import Failure, Result, Success

# Without O_NONBLOCK the opening of a pipe waits for somebody who writes into it.
_AT_ONCE: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)

Unopened: TypeAlias = str | OSError | ValueError
"""Why there is no file: a text says which other kind it is, else it is what was raised."""


def kind_of(mode: int) -> str:
    """Return what a file is, by the mode that the system tells of it.

    >>> kind_of(stat.S_IFIFO), kind_of(stat.S_IFREG)
    ('a pipe', 'a regular file')
    """
    kinds = (
        (stat.S_ISREG, "a regular file"),
        (stat.S_ISDIR, "a directory"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
    )
    return next((kind for is_it, kind in kinds if is_it(mode)), "a device")


def open_regular(path: str | Path, *, follow: bool = True) -> Result[BinaryIO, Unopened]:
    """Return a regular file that is open for reading; a link is followed only with `follow`."""
    try:
        number = os.open(path, _AT_ONCE | (0 if follow else _NO_LINK))
    except (OSError, ValueError) as error:
        return Failure(_unopened(path, error))
    mode = os.fstat(number).st_mode
    if stat.S_ISREG(mode):
        return Success(os.fdopen(number, "rb"))
    os.close(number)
    return Failure(_other_kind(mode))


def _other_kind(mode: int) -> str:
    return f"it is {kind_of(mode)}, not a regular file"


def _unopened(path: str | Path, error: OSError | ValueError) -> Unopened:
    """Return what was raised, or the kind of file it was raised for: a socket cannot be opened."""
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        return error
    return error if stat.S_ISREG(mode) or stat.S_ISLNK(mode) else _other_kind(mode)


def read_regular(
    path: str | Path, *, most: int = -1, follow: bool = True
) -> Result[bytes, Unopened]:
    """Return the bytes of a regular file: all, or at most so many."""
    return Result.do(
        data for file in open_regular(path, follow=follow) for data in _read(file, most)
    )


def _read(file: BinaryIO, most: int) -> Result[bytes, Unopened]:
    try:
        with file:
            return Success(file.read(most))
    except OSError as error:
        return Failure(error)


def told(fault: Unopened) -> str:
    """Return why there is no file, in a few words without its path.

    >>> told(FileNotFoundError(2, "No such file or directory")), told("it is a pipe")
    ('FileNotFoundError', 'it is a pipe')
    """
    return fault if isinstance(fault, str) else type(fault).__name__
