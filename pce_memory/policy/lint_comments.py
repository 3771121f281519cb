"""Comments that silence warnings: `# pce-memory: ignore[W101]` in the file they stand in."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pce_memory.policy.document import Document
from pce_memory.policy.faults import LINE_END, Located, Where
from pce_memory.policy.lint_kinds import BY_WORD, NO_IGNORE
from pce_memory.policy.wording import suggestion

_IGNORE: Final = re.compile(r"(?:(?<=\s)|^)#\s*pce-memory\s*:\s*ignore\b(?:\s*\[([^\]\n]*)\])?")
_SAYS_NOTHING: Final = re.compile(r"\s*(?:#.*)?")


@dataclass(frozen=True, slots=True)
class Ignore:
    """One code of a comment: where it stands, and the line it is for; None is the whole file."""

    where: Where
    word: str
    line: int | None

    @property
    def code(self) -> str | None:
        """The code that is meant; None if there is none of that name."""
        kind = BY_WORD.get(self.word.lower())
        return kind.code if kind and kind is not NO_IGNORE else None

    def silences(self, warning: Located) -> bool:
        """Return whether it is for this warning."""
        return warning.code == self.code and self.line in {None, warning.where.line}


def ignores_of(document: Document) -> Iterator[Ignore]:
    """Yield what the comments of a file ask to be silent about."""
    lines = LINE_END.split(document.text)
    first = min((place.line for place in document.keys.values()), default=0)
    texts = _texts(document)
    for number, line in enumerate(lines):
        for found in _IGNORE.finditer(line):
            if any(_stands_in(number, found.start(), span) for span in texts):
                continue
            alone = _SAYS_NOTHING.fullmatch(line) is not None
            target = number + 1 if not alone else _next_line(lines, number)
            for word, column in _words(found):
                where = Where(document.name, number + 1, column + 1)
                yield Ignore(where, word, None if number < first else target)


def unused(ignores: Sequence[Ignore], warnings: Sequence[Located]) -> Iterator[Located]:
    """Yield a warning for each ignore that silences nothing."""
    for one in ignores:
        if any(one.silences(warning) for warning in warnings):
            continue
        if one.code:
            message = "this silences nothing; take it out"
        elif one.word:
            near = suggestion(one.word.lower(), sorted(BY_WORD))
            message = f"no warning of that name can be silenced{near}"
        else:
            message = "name what to be silent about, such as ignore[W501]"
        yield Located(one.where, "(comment)", message, "warning", NO_IGNORE.code)


def _words(found: re.Match[str]) -> Iterator[tuple[str, int]]:
    """Yield each code of a comment with its column; an empty one if there is none."""
    start, listed = found.start(1), found[1]
    if not (listed or "").strip():
        yield "", found.start()
        return
    for word in re.finditer(r"[^,\s]+", listed):
        yield word.group(), start + word.start()


def _next_line(lines: Sequence[str], number: int) -> int:
    """Return the next line that says something, from 1."""
    for later in range(number + 1, len(lines)):
        if not _SAYS_NOTHING.fullmatch(lines[later]):
            return later + 1
    return number + 2


_Span = tuple[int, int, int, int]


def _texts(document: Document) -> list[_Span]:
    """Return where the values stand whose text speaks of ignoring: they are no comments."""
    spans: list[_Span] = []
    for scalar in document.values.values():
        if scalar.raw and "#" in scalar.raw:
            rows = LINE_END.split(scalar.raw)
            begin = scalar.place.column if len(rows) == 1 else 0
            end = (scalar.place.line + len(rows) - 1, begin + len(rows[-1]))
            spans.append((scalar.place.line, scalar.place.column, *end))
    return spans


def _stands_in(line: int, column: int, span: _Span) -> bool:
    first, first_column, last, last_column = span
    return (first, first_column) <= (line, column) < (last, last_column)
