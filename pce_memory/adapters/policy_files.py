"""Policies as files: the one that is named, and those beside it that it extends."""

from pathlib import Path, PurePosixPath
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.adapters.regular_file import Unopened, read_regular, told
from pce_memory.policy.bases import Find, is_packaged, packaged_only
from pce_memory.policy.document import MAX_BYTES

# A policy of the full size, the mark at its beginning, and one byte by which it is seen as longer.
MOST: Final = MAX_BYTES + 4


def policy_file(path: str | Path) -> Result[str, str]:
    """Return the text of the file that is named, or why it cannot be read.

    No more is read than a policy may have; what is longer is told by its reader.
    """
    read = read_regular(path, most=MOST).alt(told)
    return Result.do(text for data in read for text in decoded(data))


def beside(path: str | Path) -> Find:
    """Return how the policies are found that a file extends: packaged, or in its folder."""
    folder = Path(path).parent

    def find(key: str) -> Result[str, str]:
        return packaged_only(key) if is_packaged(key) else _base(folder, PurePosixPath(key))

    return find


def _base(folder: Path, key: PurePosixPath) -> Result[str, str]:
    """Return the text of a file under a folder; links are not followed."""
    try:
        ways = [folder.joinpath(*key.parts[:size]) for size in range(1, len(key.parts) + 1)]
        if any(way.is_symlink() for way in ways):
            return Failure("a symbolic link is not followed; name the file itself")
    except (OSError, ValueError) as error:
        return Failure(_unread(error))
    read = read_regular(folder / key, most=MOST, follow=False)
    return Result.do(text for data in read.alt(_unread) for text in decoded(data))


def _unread(fault: Unopened) -> str:
    if isinstance(fault, str):
        return fault
    if isinstance(fault, FileNotFoundError):
        return "there is no such file"
    return f"the file cannot be read ({type(fault).__name__})"


def decoded(data: bytes, *, most: int = MOST) -> Result[str, str]:
    """Return the text of a file, of which at most so many bytes were read."""
    try:
        # Cut inside a character, a text that is too long is no less too long.
        errors = "replace" if len(data) == most else "strict"
        return Success(data.decode("utf-8", errors))
    except UnicodeDecodeError:
        return Failure("it is not UTF-8 text")
