"""The blocks of a text: paragraphs, list items, headings, table rows, code; markers are gone."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, Literal, TypeAlias

from pce_memory.extractor.sentences import CJK

Kind: TypeAlias = Literal["plain", "item", "heading", "row", "code", "matter"]

_LONG_LINE: Final = 60
"""A line of so many columns was wrapped by an editor, not ended by its writer."""
_MATTER_LINES: Final = 100
_RULE_MARKS: Final = frozenset("-=*_~+#─━＝═")
_RULE_FROM: Final = 3
_TABLE_MARKS: Final = frozenset(" \t:|+-=")
_BULLETS: Final = 2
"""As many are taken from a line: "- 1. one"."""

_NEWLINE: Final = re.compile(r"\r\n|\r|\n")
# "> said", but neither ">= 3" nor a face such as ">_<".
_QUOTE: Final = re.compile(r"\s*(?:>(?![=<_.0-9])\s?)+")
_HEADING: Final = re.compile(r"\s*#{1,6}(?=\s)")
_ITEM: Final = re.compile(
    r"\s*(?:[-*+]\s+|[•・‣◦●○▪▫◆◇▶►]\s*|[(（]?[0-9０-９]{1,3}(?:[.)]\s+|[．）](?![0-9０-９])\s*))"
)
BOX: Final = re.compile(
    r"\s*(?:(?P<open>\[[ \u3000]\]|［[ \u3000]］|☐)|\[[xX✓✔]\]|[☑✅✔]\ufe0f?)(?:\s+|$)"
)
"""A checkbox at the start of an item, open or done."""
_FENCE: Final = re.compile(r"\s*(?:[-*+]\s+|[0-9]{1,3}[.)]\s+)?(?P<mark>`{3,}|~{3,})[^`]*$")
_MATTER: Final = re.compile(r"\s*(?:$|#|-\s|[\w.-]{1,100}\s{0,4}:)|\s+\S")
# A date, a name with a colon or a log level: such a line stands for itself.
_OWN_LINE: Final = re.compile(
    r"\[?[0-9]{2,4}[-/:年][0-9]{1,2}|\S{1,40}[:：](?:\s|$)|[①-⑳]|(?:DEBUG|INFO|WARN|ERROR|TRACE)"
)
_ENDED: Final = re.compile(r"""[。．｡！？!?.:：;；‼⁇⁈⁉…][」』）)】》〉\]”’»"'*_`]{0,8}$""")
_UNSPACED: Final = re.compile(f"[{CJK}\u3000-\u303f\uff01-\uff60]")
_FIRST_WORD: Final = re.compile(rf"[^\s{CJK}]{{1,60}}|\S")


@dataclass(slots=True)
class Block:
    """Lines that belong together, where each of them starts in the text, and their numbers."""

    kind: Kind
    parts: list[str]
    lines: list[int]
    checkbox: bool = False
    quoted: bool = False
    width: int = 0
    starts: list[int] = field(default_factory=lambda: [0])
    length: int = 0

    def takes(self, other: "Block") -> bool:
        """Tell whether the other block goes on with a line that an editor has wrapped."""
        return (
            other.kind == "plain"
            and self.kind in {"plain", "item"}
            and self.quoted == other.quoted
            and self.width >= _LONG_LINE
            and not _ENDED.search(self.parts[-1][-9:])
            and not _OWN_LINE.match(other.parts[0])
            and not self._had_room(other)
        )

    def _had_room(self, other: "Block") -> bool:
        """Tell whether the next word still fitted, so that a writer ended the line."""
        words = other.parts[0]
        if words[0].islower() or self.parts[-1][-1] in ",、，":
            return False
        first = _FIRST_WORD.match(words)
        return first is not None and self.width + 1 + columns(first.group()) < other.width

    def add(self, other: "Block") -> None:
        """Append a line: with a space, or with nothing where there are no spaces."""
        glue = _glue(self.parts[-1], other.parts[0])
        self.length += len(self.parts[-1])
        self.starts.append(self.length + len(glue))
        self.lines.extend(other.lines)
        self.parts.append(glue + other.parts[0])
        self.width = other.width


def _glue(before: str, after: str) -> str:
    if _UNSPACED.match(before[-1]) or _UNSPACED.match(after):
        return ""
    hyphen = before[-1] == "-" and before[-2:-1].isalpha() and after[0].islower()
    return "" if hyphen else " "


def columns(line: str) -> int:
    """Return how wide a line is: a wide character takes two columns.

    >>> columns("DuckDBを使う")
    12
    """
    if line.isascii():
        return len(line)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


def blocks(text: str) -> Iterator[Block]:
    r"""Yield the blocks of a text in order.

    >>> [(one.kind, "".join(one.parts)) for one in blocks("# Plan\n\n> - [ ] buy milk\n***\nok")]
    [('heading', 'Plan'), ('item', 'buy milk'), ('plain', 'ok')]
    """
    before: Block | None = None
    for block in _lined(_NEWLINE.split(text)):
        if before and block and before.takes(block):
            before.add(block)
            continue
        if before:
            yield before
        before = block
    if before:
        yield before


def _lined(lines: Sequence[str]) -> Iterator[Block | None]:
    """Yield each line as a block, fenced ones together, and None for what says nothing."""
    at = _matter_end(lines)
    if at:
        yield _verbatim("matter", lines[:at], 1)
    unclosed: dict[str, int] = {}
    block: Block | None = None
    while at < len(lines):
        quote = _QUOTE.match(lines[at])
        bare = lines[at][quote.end() :] if quote else lines[at]
        after = _fence_end(lines, at, bare, unclosed)
        if after:
            block = _verbatim("code", lines[at:after], at + 1)
        else:
            in_table = block is not None and block.kind == "row"
            block = _line(bare, at + 1, in_table=in_table)
        if block:
            block.quoted = quote is not None
        yield block
        at = after or at + 1


def _verbatim(kind: Kind, lines: Sequence[str], line: int) -> Block:
    starts = accumulate((len(one) + 1 for one in lines[:-1]), initial=0)
    numbers = range(line, line + len(lines))
    return Block(kind, ["\n".join(lines)], list(numbers), starts=list(starts))


def _matter_end(lines: Sequence[str]) -> int:
    """Return the line after YAML front matter, 0 if there is none."""
    if lines[0].rstrip() != "---":
        return 0
    for at, line in enumerate(lines[1:_MATTER_LINES], start=1):
        if line.rstrip() in {"---", "..."}:
            return at + 1
        if not _MATTER.match(line):
            return 0
    return 0


def _fence_end(lines: Sequence[str], at: int, bare: str, unclosed: dict[str, int]) -> int:
    """Return the line after a fenced block that starts here, 0 if none does or it never ends."""
    opening = _FENCE.match(bare)
    if opening is None:
        return 0
    mark = opening["mark"]
    # A fence that found no end need not look for one again: the whole stays linear.
    if len(mark) >= unclosed.get(mark[0], len(mark) + 1):
        return 0
    for after in range(at + 1, len(lines)):
        line = lines[after].lstrip("> \t").rstrip()
        if line.startswith(mark) and not line.strip(mark[0]):
            return after + 1
    unclosed[mark[0]] = len(mark)
    return 0


def _line(bare: str, number: int, *, in_table: bool) -> Block | None:
    """Return a line as a block of its kind, None where it says nothing."""
    words = bare.strip()
    if not words or _is_rule(words):
        return None
    if words[0] == "|" or (in_table and "|" in words):
        return Block("row", [words.removeprefix("|").removesuffix("|")], [number])
    heading = _HEADING.match(bare)
    if heading:
        return Block("heading", [_title(bare[heading.end() :].strip())], [number])
    # Two spaces or a backslash at the end are a line break that somebody wanted.
    width = 0 if bare.endswith(("  ", "\\")) else columns(bare)
    return _item(bare, number, width) or Block("plain", [words], [number], width=width)


def _is_rule(words: str) -> bool:
    marks = set(words)
    if len(marks) > len(_TABLE_MARKS):
        return False
    drawn = "".join(words.split())
    if marks <= _TABLE_MARKS and "--" in drawn:
        return True
    return len(drawn) >= _RULE_FROM and len(set(drawn)) == 1 and drawn[0] in _RULE_MARKS


def _title(words: str) -> str:
    """Return a heading without the marks that close it: "Plan ##", but not "C#"."""
    bare = words.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else words


def _item(bare: str, number: int, width: int) -> Block | None:
    """Return a list item without its bullet; an open box is a flag, a done one stays: "[x]"."""
    at = 0
    for _ in range(_BULLETS):
        bullet = _ITEM.match(bare, at)
        if bullet is None or bullet.end() == len(bare):
            break
        at = bullet.end()
    box = BOX.match(bare, at)
    if box is None and at == 0:
        return None
    checkbox = box is not None and box["open"] is not None
    words = bare[box.end() if box and checkbox else at :].strip()
    return Block("item", [words], [number], checkbox=checkbox, width=width)
