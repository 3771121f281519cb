"""A fault of a policy: where it stands, what is wrong, and how an author sees it."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Loc: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""

MAX_SHOWN: Final = 200
_WIDE: Final = frozenset("WF")
_ROOM: Final = 140


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line and a column, both from 0."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """What is wrong, where, and of which key; faults sort by their place."""

    place: Place
    path: str
    message: str


def path_of(loc: Loc) -> str:
    """Return a path as an author writes it.

    >>> path_of(("invariants", 0, "rule"))
    'invariants[0].rule'
    """
    parts = (
        f"[{part}]" if isinstance(part, int) else "." + (_tidy(part)[:64] or "''") for part in loc
    )
    return "".join(parts).removeprefix(".") or "(document)"


def rendered(faults: Iterable[Fault], *, name: str, lines: Sequence[str]) -> tuple[str, ...]:
    """Return every fault once, by place, each with its line and a caret below the column."""
    ordered = sorted(set(faults))
    shown = [_rendered(fault, name, lines) for fault in ordered[:MAX_SHOWN]]
    if more := len(ordered) - len(shown):
        shown.append(f"{name}: and {more} more faults")
    return tuple(shown)


def _rendered(fault: Fault, name: str, lines: Sequence[str]) -> str:
    line, column = fault.place.line, fault.place.column
    source = lines[line] if line < len(lines) else ""
    start, end = (0, _ROOM) if len(source) <= _ROOM else (max(column - 60, 0), column + 60)
    before = "…" * (start > 0) + _tidy(source[start:column])
    excerpt = before + _tidy(source[column:end]) + "…" * (end < len(source))
    return (
        f"{name}:{line + 1}:{column + 1}: {fault.path}: {fault.message}\n"
        f"  {line + 1:>4} | {excerpt}\n"
        f"       | {' ' * width(before)}^"
    )


def _tidy(text: str) -> str:
    """Return a text that cannot move the cursor, hide or turn around what stands beside it."""
    plain = text.replace("\t", " ")
    return "".join(character if character.isprintable() else "\ufffd" for character in plain)


def width(text: str) -> int:
    """Return the columns of a terminal that a text takes.

    >>> width("abc"), width("日本"), width("e\u0301")
    (3, 4, 1)
    """
    return sum(
        0 if unicodedata.combining(one) else 1 + (unicodedata.east_asian_width(one) in _WIDE)
        for one in text
    )
