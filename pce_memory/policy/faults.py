"""A fault of a policy: where it stands, what is wrong, and how an author sees it."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal, TypeAlias

from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.redact import SECRET, redact

Loc: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""

MAX_SHOWN: Final = 200
LINE_END: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_WIDE: Final = frozenset("WF")
_ROOM: Final = 140
_SECRETS: Final = SECRET_KINDS - {"password"}
"""What a line is withheld for; a password is guessed from the words beside it, as rules have."""


@dataclass(frozen=True, slots=True, order=True)
class Where:
    """A place in a file; the first line and the first column are 1."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Located:
    """What is wrong with a policy, where, and of which key."""

    where: Where
    path: str
    message: str
    severity: Literal["error", "warning"] = "error"
    code: str = "fault"


def path_of(loc: Loc) -> str:
    """Return a path as an author writes it.

    >>> path_of(("invariants", 0, "rule"))
    'invariants[0].rule'
    """
    parts = (
        f"[{part}]" if isinstance(part, int) else "." + (tidy(withheld(part))[:64] or "''")
        for part in loc
    )
    return "".join(parts).removeprefix(".") or "(document)"


def in_order(faults: Iterable[Located], files: Iterable[str]) -> tuple[Located, ...]:
    """Return every fault once: by file, as the files come, and by place in it."""
    number = {file: count for count, file in enumerate(files)}
    return tuple(
        sorted(
            set(faults),
            key=lambda one: (number.get(one.where.file, -1), one.where, one.path, one.message),
        )
    )


def rendered(faults: Iterable[Located], texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return every fault once, by place, each with its line and a caret below the column.

    A line that holds a secret is not shown: faults go to logs and to terminals.
    """
    ordered = in_order(faults, texts)
    sources = Sources(texts)
    shown = [
        f"{told_at(one.where)}: {one.path}: {withheld(one.message)}\n{sources.excerpt(one.where)}"
        for one in ordered[:MAX_SHOWN]
    ]
    if more := len(ordered) - len(shown):
        shown.append(f"{next(iter(texts))}: and {more} more faults")
    return tuple(shown)


def told_at(where: Where) -> str:
    """Return a place as tools know it.

    >>> told_at(Where("mine.yaml", 4, 3))
    'mine.yaml:4:3'
    """
    return f"{tidy(where.file)}:{where.line}:{where.column}"


class Sources:
    """The lines of files, shown as far as they hold no secret."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._lines: dict[str, tuple[list[str], frozenset[int]]] = {}

    def excerpt(self, where: Where) -> str:
        """Return the line of a place with a caret below the column, or that it is withheld."""
        lines, hidden = self._read(where.file)
        line, column = where.line - 1, where.column - 1
        if line in hidden:
            return f"  {where.line:>4} | (line not shown: it holds a secret)"
        source = lines[line] if line < len(lines) else ""
        start, end = (0, _ROOM) if len(source) <= _ROOM else (max(column - 60, 0), column + 60)
        before = "…" * (start > 0) + tidy(source[start:column])
        shown = before + tidy(source[column:end]) + "…" * (end < len(source))
        return f"  {where.line:>4} | {shown}\n       | {' ' * width(before)}^"

    def _read(self, file: str) -> tuple[list[str], frozenset[int]]:
        if file not in self._lines:
            lines = LINE_END.split(self._texts.get(file, ""))
            self._lines[file] = lines, _with_secrets(lines)
        return self._lines[file]


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


def withheld(text: str) -> str:
    """Return a text with `[secret]` in the place of every secret."""
    return redact(text, kinds={SECRET}).text if detect(text, _SECRETS) else text


def tidy(text: str) -> str:
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
