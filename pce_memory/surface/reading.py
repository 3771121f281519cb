"""Read files into observations: a text is one, a chat transcript in JSONL is one a turn.

A fault names its place as `file:line` and stops nothing else. Every observation gets a key that
tells the same turn of the same file again, so that reading a file twice adds nothing, and
reading a transcript that has grown adds what is new. Of a file no more is held than is being read.
"""

import hashlib
import io
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.adapters.regular_file import Unopened, open_regular
from pce_memory.domain.receipt import NewObservation
from pce_memory.domain.vocabulary import SourceType
from pce_memory.errors import InvalidParameter
from pce_memory.result import fold
from pce_memory.surface.cutting import cut_blocks
from pce_memory.surface.decoding import decode_blocks, decode_lines
from pce_memory.surface.transcripts import Turn, turn_of

STDIN: Final = "-"
TRANSCRIPTS: Final = frozenset({".jsonl", ".ndjson"})
PART_BYTES: Final = 1 << 16
"""A text is cut into parts of so many bytes: each is observed by itself, and soon."""
_LONGEST_NAME: Final = 1_900
"""A source id has room for 2048 characters, the number of the line included."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long one observation may be, and how many claims it may make."""

    max_bytes: int
    max_claims: int


@dataclass(frozen=True, slots=True)
class Piece:
    """An observation to be made, and where it stands."""

    item: NewObservation
    place: str


Entry: TypeAlias = Piece | InvalidParameter | None
"""What a file has next: an observation, a fault, or a turn that says nothing."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file holds: observations, faults by their place, and how many turns say nothing."""

    name: str
    pieces: tuple[Piece, ...] = ()
    faults: tuple[InvalidParameter, ...] = ()
    empty: int = 0


def read(path: str, limits: Limits, *, source_type: SourceType | None = None) -> Reading:
    """Read a whole file: see `Source`."""
    return fold(
        opened(path),
        ok=lambda source: _all_of(source, limits, source_type),
        err=lambda error: Reading(name_of(path), faults=(error,)),
    )


def read_bytes(
    raw: bytes,
    name: str,
    limits: Limits,
    *,
    source_type: SourceType | None = None,
    transcript: bool = True,
) -> Reading:
    """Read the bytes of a file that is called `name`."""
    return _all_of(Source(name, io.BytesIO(raw), transcript, len(raw)), limits, source_type)


def _all_of(source: "Source", limits: Limits, source_type: SourceType | None) -> Reading:
    with closing(source):
        entries = list(source.entries(limits, source_type=source_type))
    return Reading(
        source.name,
        tuple(one for one in entries if isinstance(one, Piece)),
        tuple(one for one in entries if isinstance(one, InvalidParameter)),
        entries.count(None),
    )


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is open for reading: a chat transcript, or else a text."""

    name: str
    file: BinaryIO
    transcript: bool
    size: int
    _said: Counter[bytes] = field(default_factory=Counter[bytes])

    def close(self) -> None:
        """Let go of the file, but of the standard input."""
        if self.file is not getattr(sys.stdin, "buffer", None):
            self.file.close()

    @property
    def done(self) -> int:
        """How many bytes were read."""
        return self.file.tell()

    def entries(self, limits: Limits, *, source_type: SourceType | None = None) -> Iterator[Entry]:
        """Yield what the file holds, as it is read."""
        try:
            yield from (
                self._turns(source_type)
                if self.transcript
                else self._parts(limits, source_type or "file")
            )
        except OSError as error:
            yield InvalidParameter(self.name, _unreadable(error))

    def _turns(self, source_type: SourceType | None) -> Iterator[Entry]:
        for number, line in decode_lines(self.file, self.name):
            place = f"{self.name}:{number}"
            if not line.map(str.strip).value_or("?"):  # an empty line is no turn, and no fault
                continue
            said: Result[Turn, InvalidParameter] = Result.do(
                turn for text in line for turn in turn_of(text, place, source_type=source_type)
            )
            if isinstance(said, Failure):
                yield said.failure()
            else:
                turn = said.unwrap()
                yield None if turn is None else self._keyed(turn, place)

    def _parts(self, limits: Limits, source_type: SourceType) -> Iterator[Entry]:
        begin = self.file.tell()
        if (fault := _why_no_text(self.file, self.name)) is not None:
            yield fault
            return
        _ = self.file.seek(begin)
        late: list[InvalidParameter] = []
        blocks = _until_fault(decode_blocks(self.file, self.name), late)
        most = min(limits.max_bytes, PART_BYTES)
        parts = cut_blocks(blocks, max_bytes=most, max_claims=limits.max_claims)
        first = list(islice(parts, 2))
        for part in chain(first, parts):
            place = self.name if len(first) == 1 else f"{self.name}:{part.line}"
            yield self._keyed(NewObservation(content=part.text, source_type=source_type), place)
        yield from late

    def _keyed(self, item: NewObservation, place: str) -> Piece:
        """Return an item with its place as its source id, and a key.

        The key tells what was said, by whom and when, and the how-manieth of its like it is; not
        the line, which moves when something is put in before it.
        """
        said = hashlib.sha256(
            "\0".join((self.name, str(item.actor), str(item.observed_at), item.content)).encode(
                "utf-8", "surrogatepass"
            )
        )
        self._said[said.digest()] += 1
        key = f"file:{said.hexdigest()}:{self._said[said.digest()]}"
        known = {"source_id": place, "idempotency_key": key}
        return Piece(item.model_copy(update=known), place)


def _until_fault(
    blocks: Iterable[Result[str, InvalidParameter]], faults: list[InvalidParameter]
) -> Iterator[str]:
    """Yield texts up to a fault, which is kept: the file may have been written to meanwhile."""
    for block in blocks:
        if isinstance(block, Failure):
            faults.append(block.failure())
            return
        yield block.unwrap()


def _why_no_text(file: BinaryIO, name: str) -> InvalidParameter | None:
    """Read a file to its end, and return why it is no text, or None: it is taken whole or not."""
    blank = True
    for block in decode_blocks(file, name):
        if isinstance(block, Failure):
            fault: InvalidParameter = block.failure()
            return fault
        blank = blank and not block.unwrap().strip()
    return InvalidParameter(name, "it is empty") if blank else None


def name_of(path: str) -> str:
    """Return what a file is called in the memory: its path from here, or its bare name.

    Neither `..` nor the folders of this machine get into a memory.

    >>> name_of("-"), name_of("notes/a.md"), name_of("../a.md"), name_of("/somewhere/a.md")
    ('stdin', 'notes/a.md', 'a.md', 'a.md')
    """
    if path == STDIN:
        return "stdin"
    given = Path(path)
    if given.is_absolute() and given.is_relative_to(Path.cwd()):
        given = given.relative_to(Path.cwd())
    outside = given.is_absolute() or ".." in given.parts
    return (given.name if outside else given.as_posix())[-_LONGEST_NAME:]


def opened(path: str) -> Result[Source, InvalidParameter]:
    """Open a regular file, or the standard input for `-`.

    A file named .jsonl or .ndjson is a chat transcript; the standard input is one if its first
    line is a JSON object. Everything else is text.
    """
    name = name_of(path)
    file = _standard_input() if path == STDIN else open_regular(path)
    return file.alt(lambda fault: InvalidParameter(name, _why(fault))).map(
        lambda file: Source(name, file, _is_transcript(path, file), _size(file))
    )


def _standard_input() -> Result[BinaryIO, Unopened]:
    """Return the standard input; what comes through a pipe comes once, and is looked at twice."""
    stdin = sys.stdin.buffer
    try:
        return Success(stdin if stdin.seekable() else io.BytesIO(stdin.read()))
    except (OSError, ValueError) as error:
        return Failure(error)


def _why(fault: Unopened) -> str:
    if isinstance(fault, str):
        return f"{fault}; name a file, or - for the standard input"
    if isinstance(fault, FileNotFoundError):
        return "there is no such file"
    return _unreadable(fault)


def _unreadable(error: OSError | ValueError) -> str:
    number = error.errno if isinstance(error, OSError) else None
    why = "its name is no file name" if number is None else os.strerror(number)
    return f"it cannot be read ({why})"


def _size(file: BinaryIO) -> int:
    begin = file.tell()
    size = file.seek(0, io.SEEK_END)
    _ = file.seek(begin)
    return size


def _is_transcript(path: str, file: BinaryIO) -> bool:
    if path != STDIN:
        return Path(path).suffix.casefold() in TRANSCRIPTS
    begin = file.tell()
    _, first = next(decode_lines(file, STDIN), (1, Success("")))
    _ = file.seek(begin)
    return isinstance(turn_of(first.value_or(""), STDIN), Success)
