"""Read files into observations: a text is one, a chat transcript in JSONL is one a turn.

A fault names its place as `file:line` and stops nothing else. Every observation gets a key that
tells the same turn of the same file again, so that reading a file twice adds nothing, and
reading a transcript that has grown adds what is new.
"""

import hashlib
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.adapters.regular_file import Unopened, read_regular
from pce_memory.domain.receipt import NewObservation
from pce_memory.domain.vocabulary import SourceType
from pce_memory.errors import InvalidParameter
from pce_memory.result import fold, partition
from pce_memory.surface.cutting import cut
from pce_memory.surface.decoding import decode, decode_lines
from pce_memory.surface.transcripts import Turn, turn_of

STDIN: Final = "-"
TRANSCRIPTS: Final = frozenset({".jsonl", ".ndjson"})
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


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file holds: observations, faults by their place, and how many turns say nothing."""

    name: str
    pieces: tuple[Piece, ...] = ()
    faults: tuple[InvalidParameter, ...] = ()
    empty: int = 0


def read(path: str, limits: Limits, *, source_type: SourceType | None = None) -> Reading:
    """Read a file, or the standard input for `-`.

    A file named .jsonl or .ndjson is a chat transcript; the standard input is one if its first
    line is a JSON object. Everything else is text.
    """
    name = name_of(path)
    return fold(
        _bytes(path, name),
        ok=lambda raw: read_bytes(
            raw, name, limits, source_type=source_type, transcript=_is_transcript(path, raw)
        ),
        err=lambda error: Reading(name, faults=(error,)),
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
    if transcript:
        return _transcript(raw, name, source_type)
    return fold(
        decode(raw, name),
        ok=lambda text: _document(text, name, limits, source_type or "file"),
        err=lambda error: Reading(name, faults=(error,)),
    )


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


def _bytes(path: str, name: str) -> Result[bytes, InvalidParameter]:
    read = _standard_input() if path == STDIN else read_regular(path)
    return read.alt(lambda fault: InvalidParameter(name, _why(fault)))


def _standard_input() -> Result[bytes, Unopened]:
    try:
        return Success(sys.stdin.buffer.read())
    except (OSError, ValueError) as error:
        return Failure(error)


def _why(fault: Unopened) -> str:
    if isinstance(fault, str):
        return f"{fault}; name a file, or - for the standard input"
    if isinstance(fault, FileNotFoundError):
        return "there is no such file"
    number = fault.errno if isinstance(fault, OSError) else None
    why = "its name is no file name" if number is None else os.strerror(number)
    return f"it cannot be read ({why})"


def _is_transcript(path: str, raw: bytes) -> bool:
    if path != STDIN:
        return Path(path).suffix.casefold() in TRANSCRIPTS
    first = next((text for _, text in decode_lines(raw, STDIN)), Success(""))
    return isinstance(turn_of(first.value_or(""), STDIN), Success)


def _document(text: str, name: str, limits: Limits, source_type: SourceType) -> Reading:
    if not text.strip():
        return Reading(name, faults=(InvalidParameter(name, "it is empty"),))
    parts = cut(text, max_bytes=limits.max_bytes, max_claims=limits.max_claims)
    places = [name if len(parts) == 1 else f"{name}:{part.line}" for part in parts]
    items = [NewObservation(content=part.text, source_type=source_type) for part in parts]
    return Reading(name, _keyed(name, items, places))


def _transcript(raw: bytes, name: str, source_type: SourceType | None) -> Reading:
    said, faults = partition(_turns(raw, name, source_type))
    good = [(place, turn) for place, turn in said if turn is not None]
    return Reading(
        name,
        _keyed(name, [turn for _, turn in good], [place for place, _ in good]),
        faults,
        len(said) - len(good),
    )


def _turns(
    raw: bytes, name: str, source_type: SourceType | None
) -> Iterator[Result[tuple[str, Turn], InvalidParameter]]:
    for number, line in decode_lines(raw, name):
        place = f"{name}:{number}"
        if line.map(str.strip).value_or("?"):  # an empty line is no turn, and no fault
            yield Result.do(
                (place, turn)
                for text in line
                for turn in turn_of(text, place, source_type=source_type)
            )


def _keyed(name: str, items: Sequence[NewObservation], places: Sequence[str]) -> tuple[Piece, ...]:
    """Return the items with their places as source ids, and a key each.

    The key tells what was said, by whom and when, and the how-manieth of its like it is; not the
    line, which moves when something is put in before it.
    """
    seen: Counter[str] = Counter()
    pieces: list[Piece] = []
    for item, place in zip(items, places, strict=True):
        said = hashlib.sha256(
            "\0".join((name, str(item.actor), str(item.observed_at), item.content)).encode(
                "utf-8", "surrogatepass"
            )
        ).hexdigest()
        seen[said] += 1
        known = {"source_id": place, "idempotency_key": f"file:{said}:{seen[said]}"}
        pieces.append(Piece(item.model_copy(update=known), place))
    return tuple(pieces)
