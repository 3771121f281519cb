"""Lines of a chat transcript in JSON into observations; the clock of a line is read with care."""

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, NoReturn, TypeAlias, cast

from returns.result import Failure, Result, Success

from pce_memory.domain.model import parse
from pce_memory.domain.receipt import NewObservation
from pce_memory.domain.vocabulary import SourceType
from pce_memory.errors import InvalidParameter

Turn: TypeAlias = NewObservation | None
"""What a line says; None where it says nothing, as a call of a tool without a text does."""

_CONTENT: Final = ("content", "text")
_ACTOR: Final = ("name", "speaker", "role")
_TIME: Final = ("timestamp", "date", "created_at", "time")
_SOURCES: Final[Mapping[str, SourceType]] = {
    "tool": "tool",
    "function": "tool",
    "system": "system",
}

# Numbers from here on are milliseconds: as seconds they would be in the year 5138.
_MILLISECONDS: Final = 100_000_000_000
_TIME_FORMS: Final = "an ISO 8601 time such as 2026-01-31T09:30:00Z, or epoch seconds"


def turn_of(
    line: str, place: str, *, source_type: SourceType | None = None
) -> Result[Turn, InvalidParameter]:
    """Return what a line of a transcript says; `place` is the line's `file:number`.

    >>> turn_of('{"role": "user", "content": "Hi there"}', "a.jsonl:1").unwrap().actor
    'user'
    >>> turn_of('{"role": "user"}', "a.jsonl:1").failure().message
    'Invalid a.jsonl:1: it has neither content nor text'
    """
    return Result.do(
        turn
        for fields in _object(line, place)
        for content in _content(fields, place)
        for at in _moment(fields, place)
        for turn in (
            Success(None) if not content.strip() else _turn(fields, content, at, source_type)
        ).alt(lambda error: InvalidParameter(place, f"{error.name}: {error.reason}"))
    )


def _turn(
    fields: Mapping[str, object],
    content: str,
    observed_at: float | None,
    source_type: SourceType | None,
) -> Result[Turn, InvalidParameter]:
    role = str(fields.get("role"))
    return parse(
        NewObservation,
        {
            "content": content,
            "actor": _first(fields, _ACTOR) or None,
            "observed_at": observed_at,
            "source_type": source_type or _SOURCES.get(role, "chat"),
        },
    ).map(lambda turn: turn)


def _first(fields: Mapping[str, object], names: Sequence[str]) -> object:
    """Return the first of these fields that says something."""
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _object(line: str, place: str) -> Result[Mapping[str, object], InvalidParameter]:
    try:
        found: object = json.loads(line, parse_constant=_no_number)
    except RecursionError:
        return _invalid(place, "it is nested too deeply")
    except json.JSONDecodeError as error:
        return _invalid(place, f"it is not JSON ({error.msg} at character {error.pos + 1})")
    except ValueError as error:
        return _invalid(place, f"it is not JSON ({error})")
    if isinstance(found, dict):
        return Success(cast("dict[str, object]", found))
    return _invalid(place, 'it is not a JSON object such as {"role": …, "content": …}')


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


def _content(fields: Mapping[str, object], place: str) -> Result[str, InvalidParameter]:
    """Return the text of a turn, of all its text parts; empty where there is none."""
    names = [name for name in _CONTENT if name in fields]
    if not names:
        return _invalid(place, "it has neither content nor text")
    found = next((fields[name] for name in names if fields[name] is not None), "")
    if isinstance(found, str):
        return Success(found)
    if isinstance(found, list):
        parts = cast("list[object]", found)
        return Success("\n".join(filter(None, map(_text_of, parts))))
    return _invalid(place, f"its {names[0]} is neither a text nor a list of parts")


def _text_of(part: object) -> str:
    """Return the text of a part; a picture, a sound or a call of a tool has none."""
    if isinstance(part, str):
        return part
    text = cast("dict[str, object]", part).get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""


def _moment(fields: Mapping[str, object], place: str) -> Result[float | None, InvalidParameter]:
    given = _first(fields, _TIME)
    if given is None:
        return Success(None)
    seconds = epoch_seconds(given)
    if seconds is None:
        return _invalid(place, f"its time is not {_TIME_FORMS}")
    return Success(seconds)


def epoch_seconds(given: object) -> float | None:
    """Return a time as UTC epoch seconds, or None if it is none.

    An ISO 8601 time without a zone is read as UTC. A number is epoch seconds, or milliseconds
    from 100 000 000 000 on.

    >>> epoch_seconds("1970-01-01T09:00:00+09:00"), epoch_seconds("1970-01-02")
    (0.0, 86400.0)
    >>> epoch_seconds(1_700_000_000_000), epoch_seconds("1700000000.5"), epoch_seconds("soon")
    (1700000000.0, 1700000000.5, None)
    """
    if isinstance(given, str):
        return _of_text(given.strip())
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    return _of_number(given)


def _of_number(given: float) -> float | None:
    try:
        seconds = float(given)
    except OverflowError:
        return None
    if not math.isfinite(seconds):
        return None
    return seconds / 1000 if abs(seconds) >= _MILLISECONDS else seconds


def _of_text(given: str) -> float | None:
    try:
        moment = datetime.fromisoformat(given)
    except ValueError:
        pass
    else:
        aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return aware.timestamp()
    try:
        return _of_number(float(given))
    except ValueError:
        return None


def _invalid(place: str, reason: str) -> Failure[InvalidParameter]:
    return Failure(InvalidParameter(place, reason))
