"""A fault of a policy: where it stands, what is wrong, and how an author sees it."""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, TypeAlias

from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.redact import SECRET, redact

Loc: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""

MAX_SHOWN: Final = 200
_WIDE: Final = frozenset("WF")
_ROOM: Final = 140
_SECRETS: Final = SECRET_KINDS - {"password"}
"""What a line is withheld for; a password is guessed from the words beside it, as rules have."""


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
        f"[{part}]" if isinstance(part, int) else "." + (_tidy(_safe(part))[:64] or "''")
        for part in loc
    )
    return "".join(parts).removeprefix(".") or "(document)"


def rendered(faults: Iterable[Fault], *, name: str, lines: Sequence[str]) -> tuple[str, ...]:
    """Return every fault once, by place, each with its line and a caret below the column.

    A line that holds a secret is not shown: faults go to logs and to terminals.
    """
    ordered = sorted(set(faults))
    hidden = _with_secrets(lines) if ordered else frozenset[int]()
    shown = [_rendered(fault, name, lines, hidden) for fault in ordered[:MAX_SHOWN]]
    if more := len(ordered) - len(shown):
        shown.append(f"{name}: and {more} more faults")
    return tuple(shown)


def _with_secrets(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the lines that a secret stands in, or a part of one."""
    # Line by line, for what the end of a line keeps apart; and whole, for a key of many lines.
    begins = list(accumulate((len(line) + 1 for line in lines), initial=0))
    alone = (number for number, line in enumerate(lines) if detect(line, _SECRETS))
    whole = (
        number
        for match in detect("\n".join(lines), _SECRETS)
        for number in range(bisect_right(begins, match.start) - 1, bisect_left(begins, match.end))
    )
    return frozenset((*alone, *whole))


def _safe(text: str) -> str:
    return redact(text, kinds={SECRET}).text if detect(text, _SECRETS) else text


def _rendered(fault: Fault, name: str, lines: Sequence[str], hidden: Collection[int]) -> str:
    line, column = fault.place.line, fault.place.column
    head = f"{name}:{line + 1}:{column + 1}: {fault.path}: {_safe(fault.message)}"
    if line in hidden:
        return f"{head}\n  {line + 1:>4} | (line not shown: it holds a secret)"
    source = lines[line] if line < len(lines) else ""
    start, end = (0, _ROOM) if len(source) <= _ROOM else (max(column - 60, 0), column + 60)
    before = "…" * (start > 0) + _tidy(source[start:column])
    excerpt = before + _tidy(source[column:end]) + "…" * (end < len(source))
    return f"{head}\n  {line + 1:>4} | {excerpt}\n       | {' ' * width(before)}^"


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
