"""Whether a file has every commit that was acknowledged: a note says how long its log is.

DuckDB keeps what was committed since the last checkpoint in a log beside the file, and opens a
file without its log as if there had been none. So a note, a file of one line whose name ends in
`.commits`, says after each commit how long the log is and which checkpoint it follows. It is there
while a log is: nothing is known of a file that was copied or renamed without it, and nothing is
said then. It is written behind the commit and never waited for: where a crash comes between, it
says less than there is, and never more.
"""

import os
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from pce_memory.adapters.owned import allow, make_empty, mode_of

SUFFIX: Final = ".commits"
_MARK: Final = b"pce-memory commits 1 "
_WIDTH: Final = 160
_HEADERS: Final = 3 * 4096
"""A file begins with three headers of this size in all; the last two take turns."""
_LOG_HEAD: Final = 128
_START: Final = bytes.fromhex("640062650002660010")
_ENTRY_HEAD: Final = 16
"""An entry begins with its length and a sum, of eight bytes each."""


class Head(NamedTuple):
    """Which file a log is of, and which checkpoint of it the log follows."""

    identity: bytes
    checkpoint: int


class Note(NamedTuple):
    """How far a log was: its head, its length, and how many commits it held."""

    head: Head
    length: int
    commits: int


class Missing(NamedTuple):
    """Commits that were acknowledged and are not in the file: at least so many."""

    commits: int
    whole: bool


def missing(path: str, *, broken: bool = False) -> Missing | None:
    """Return what a file lacks, as far as its note tells; ask before the file is opened.

    Of a log that is `broken` (see `is_broken`) the end is as good as gone.
    """
    note = _read_note(Path(f"{path}{SUFFIX}"))
    if note is None or not note.length:
        return None
    headers = _beginning(Path(path), _HEADERS)
    if note.head.identity not in headers or _checkpoint(headers) > note.head.checkpoint:
        return None  # it is another file, or all of it was written into the file since
    length = _length(Path(f"{path}.wal"))
    if length >= note.length and not broken:
        return None
    return Missing(note.commits, whole=True) if not length else Missing(1, whole=False)


def is_broken(path: str) -> bool:
    """Return whether the entries of a log do not lead to where its note says a commit ended.

    Each says how long it is. Where one says more than there is, DuckDB takes the log to end before
    it, and what was committed behind it would be thrown away without a word.
    """
    note = _read_note(Path(f"{path}{SUFFIX}"))
    if note is None:
        return False
    log = _beginning(Path(f"{path}.wal"), note.length)
    first = _first_entry(log)
    if len(log) < note.length or first is None or first[0] != note.head:
        return False
    place = first[1]
    while place < note.length:
        place += _ENTRY_HEAD + int.from_bytes(log[place : place + 8], "little")
    return place != note.length


def has_log(path: str) -> bool:
    """Return whether a log stands beside a file that opening it takes in."""
    return _length(Path(f"{path}.wal")) > 0


def lacking(missing: Missing, path: str) -> str:
    """Say what a file lacks."""
    if missing.whole:
        return f"the log of {path} is gone, and with it {missing.commits} commits"
    return f"the end of the log of {path} is gone, and with it at least one commit"


class Tally:
    """Keeps the note of one file that is open for writing; without a path it keeps none."""

    def __init__(self, path: str | None) -> None:
        self._keeps = path is not None
        self._file = Path(f"{path}")
        self._log = Path(f"{path}.wal")
        self._note = Path(f"{path}{SUFFIX}")
        self._last = _read_note(self._note)
        self._number: int | None = None
        self._lock = threading.Lock()
        self._is_ours = self._last is not None or not self._note.exists()

    def committing(self) -> None:
        """Make the log, where there is none, with the rights of the file: DuckDB goes on in it."""
        if self._keeps and self._last is None:
            make_empty(self._log, mode_of(self._file))

    def remove_empty_log(self) -> None:
        """Remove a log that nothing was written to; call it while nobody has the file open."""
        if self._keeps and not _length(self._log):
            _quietly(lambda: self._log.unlink(missing_ok=True))

    def committed(self) -> None:
        """Write down how far the log is by now."""
        if self._keeps:
            with self._lock:
                self._noted()

    def _noted(self) -> None:
        length, last = _length(self._log), self._last
        if not length:
            self._checkpointed()
            return
        same = last is not None and last.length < length and self._number is not None
        head = (
            last.head if last is not None and same else read_head(_beginning(self._log, _LOG_HEAD))
        )
        if not same:  # DuckDB may have made it: where a checkpoint came between
            allow(self._log, mode_of(self._file))
        if head is None:  # a log of another version of DuckDB: nothing is known of it
            return
        if last is not None and (last.head, last.length) == (head, length):
            return  # nothing was written: what was committed has changed nothing
        before = last.commits if last is not None and last.head == head else 0
        self._last = Note(head, length, before + 1)
        self._write(self._last)

    def _checkpointed(self) -> None:
        # There is no log any more: all is in the file.
        self._last = None
        self._let_go()
        if self._is_ours and not _length(self._log):
            _quietly(lambda: self._note.unlink(missing_ok=True))

    def close(self, *, taken: bool = True) -> None:
        """Let go of the note, when the file has been let go of; it stays where the log does.

        It stays too where a file was opened and not taken: nobody has heard what it tells.
        """
        self.remove_empty_log()
        if self._keeps:
            with self._lock:
                self._let_go() if _length(self._log) or not taken else self._checkpointed()

    def _let_go(self) -> None:
        number, self._number = self._number, None
        if number is not None:
            os.close(number)

    def _write(self, note: Note) -> None:
        if not self._is_ours:
            return
        line = b"%s%s %d %d %d " % (
            _MARK,
            note.head.identity.hex().encode(),
            note.head.checkpoint,
            note.length,
            note.commits,
        )
        record = b"%s%08x" % (line, zlib.crc32(line))

        def write() -> None:
            if self._number is None:
                make_empty(self._note, mode_of(self._file))
                self._number = os.open(self._note, os.O_RDWR)
            _ = os.lseek(self._number, 0, os.SEEK_SET)
            _ = os.write(self._number, record.ljust(_WIDTH) + b"\n")

        _quietly(write)


def _quietly(work: Callable[[], None]) -> None:
    """Do what a disk may refuse that is full or only read: without a note nothing is known."""
    try:
        work()
    except OSError:
        return


def _read_note(path: Path) -> Note | None:
    record = _beginning(path, _WIDTH).rstrip()
    line, crc = record[:-8], record[-8:]
    if not line.startswith(_MARK) or crc != b"%08x" % zlib.crc32(line):
        return None
    identity, checkpoint, length, commits = line[len(_MARK) :].split()
    head = Head(bytes.fromhex(identity.decode()), int(checkpoint))
    return Note(head, int(length), int(commits))


def read_head(log: bytes) -> Head | None:
    """Return what the first entry of a log says; None where it is not of the form we know."""
    first = _first_entry(log)
    return None if first is None else first[0]


def _first_entry(log: bytes) -> tuple[Head, int] | None:
    """Return what the first entry of a log says, and where it ends.

    Fields 100 and 101, the kind of entry and the version 2; 102, sixteen numbers that name the
    file; 103, the checkpoint. Numbers are of seven bits a byte, the lowest first.
    """
    if not log.startswith(_START):
        return None
    numbers, place = _numbers(log, len(_START), 16)
    if len(numbers) != 16 or log[place : place + 2] != b"\x67\x00" or max(numbers) > 255:  # noqa: PLR2004
        return None
    checkpoint, place = _numbers(log, place + 2, 1)
    # Two bytes end the entry.
    return (Head(bytes(numbers), checkpoint[0]), place + 2) if checkpoint else None


def _numbers(log: bytes, place: int, count: int) -> tuple[list[int], int]:
    numbers: list[int] = []
    while len(numbers) < count and place < len(log):
        value = shift = 0
        while place < len(log):
            byte = log[place]
            value, shift, place = value | (byte & 0x7F) << shift, shift + 7, place + 1
            if byte < 0x80:  # noqa: PLR2004 - the last byte of a number
                break
        numbers.append(value)
    return numbers, place


def _checkpoint(headers: bytes) -> int:
    return max(int.from_bytes(headers[start + 8 : start + 16], "little") for start in (4096, 8192))


def _beginning(path: Path, count: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(count)
    except OSError:
        return b""


def _length(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
