"""The policy that results: every key written out, each value with where it comes from."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from pce_memory.policy.faults import Loc, path_of, tidy, width, withheld
from pce_memory.policy.scalars import plain_value
from pce_memory.policy.source import Reading

DEFAULT: Final = "default"

# In double quotes, what a terminal's encoding lacks and Python escapes is still YAML.
_WORD: Final = re.compile(r"[A-Za-z_]\w*(?:[.-]\w+)*|[0-9]+[smhdw]", re.ASCII)
_TRUTHS: Final = frozenset({"yes", "no", "on", "off", "y", "n"})
"""Words that are text here, and true or false to readers of older YAML."""

_WIDEST: Final = 60


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    origin: str | None


def effective(reading: Reading) -> Mapping[str, object]:
    """Return every key of a policy with its value; what it extends is in it already."""
    if reading.policy is None:
        return {}
    values = cast("dict[str, object]", reading.policy.model_dump(mode="json", by_alias=True))
    return {**values, "extends": None, "relax": {}}


def origins(reading: Reading) -> Mapping[str, str]:
    """Return where each value comes from, by its path: `file:line`, or `default`."""
    return {path_of(loc): _origin(reading, loc) for loc, _ in _leaves(effective(reading), ())}


def effective_yaml(reading: Reading, *, origin: bool = True) -> str:
    """Return a policy as YAML that reads as an equal one, each value with its origin behind it."""
    lines = [*_lines(effective(reading), reading, ())]
    room = min(max((width(one.text) for one in lines), default=0), _WIDEST)
    return "".join(
        f"{one.text}{' ' * (room - width(one.text))}  # {one.origin}\n"
        if origin and one.origin
        else f"{one.text}\n"
        for one in lines
    )


def effective_json(reading: Reading, *, origin: bool = True, ascii_only: bool = False) -> str:
    """Return a policy as JSON; with `origin`, beside where each value comes from."""
    policy = _shown(effective(reading))
    told = {"policy": policy, "origin": dict(origins(reading))} if origin else policy
    text = json.dumps(told, indent=2, ensure_ascii=ascii_only)
    return "".join(
        one if one.isprintable() or one == "\n" else json.dumps(one)[1:-1] for one in text
    )


def _shown(value: object) -> object:
    if isinstance(value, Mapping):
        return {
            withheld(str(name)): _shown(entry) for name, entry in _entries(cast("object", value))
        }
    if isinstance(value, list):
        return [_shown(entry) for _, entry in _entries(cast("object", value))]
    return withheld(value) if isinstance(value, str) else value


def _origin(reading: Reading, loc: Loc) -> str:
    if not reading.has(loc):
        return DEFAULT
    where = reading.where(loc)
    extends = reading.policy.extends if reading.policy and loc == ("extends",) else None
    said = f" extends {tidy(withheld(extends))}" if extends else ""
    return f"{tidy(where.file)}:{where.line}{said}"


def _leaves(value: object, loc: Loc) -> Iterator[tuple[Loc, object]]:
    entries = _entries(value)
    if not entries:
        yield loc, value
    for part, entry in entries:
        yield from _leaves(entry, (*loc, part))


def _entries(value: object) -> list[tuple[str | int, object]]:
    if isinstance(value, Mapping):
        return [*cast("Mapping[str, object]", value).items()]
    return [*enumerate(cast("list[object]", value))] if isinstance(value, list) else []


def _lines(value: object, reading: Reading, loc: Loc, indent: str = "") -> Iterator[_Line]:
    """Yield the lines of a mapping or a list; a value that holds others comes before them."""
    for part, entry in _entries(value):
        at = (*loc, part)
        head = f"{indent}{written(part)}:" if isinstance(part, str) else f"{indent}-"
        if not _entries(entry):
            yield _Line(f"{head} {written(entry)}", _origin(reading, at))
        elif isinstance(part, str):
            yield _Line(head, None)
            yield from _lines(entry, reading, at, indent + "  ")
        else:
            first, *rest = _lines(entry, reading, at, indent + "  ")
            yield _Line(f"{head} {first.text.lstrip(' ')}", first.origin)
            yield from rest


def written(value: object) -> str:
    """Return a single value as it is written in YAML: text in quotes where it needs them.

    >>> written("7d"), written("no"), written("1.0.0"), written(None), written([])
    ('7d', '"no"', '"1.0.0"', 'null', '[]')
    """
    if not isinstance(value, str):
        whole = isinstance(value, float) and value.is_integer()
        return json.dumps(int(cast("float", value)) if whole else value)
    text = withheld(value)
    if _WORD.fullmatch(text) and plain_value(text) == text and text.lower() not in _TRUTHS:
        return text
    if text.isascii() and text.isprintable() and not {"\\", '"'}.isdisjoint(text):
        return "'" + text.replace("'", "''") + "'"
    return "".join(map(_visible, json.dumps(text, ensure_ascii=False)))


def _visible(character: str) -> str:
    """Return a character, or the escape of one that cannot be seen or steers a terminal."""
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\U{code:08X}" if code > 0xFFFF else f"\\u{code:04X}"  # noqa: PLR2004
