r"""Read pieces as one: `"ab" + "cd"`, strings side by side, `\` at a line's end.

The reading has only the lines around what is joined, so it costs nothing where nothing is.
"""

import re
from functools import cache
from typing import Final

from pce_memory.text.fold import Folded, Span
from pce_memory.text.quick_search import QuickSearch, quick_search

_JOIN: Final = re.compile(
    r"""
    (?P<quote>["'`])(?:
        [ \t]{0,8}(?:\+|\.\.|\.|&|~|\|\||,
          (?=[ \t]{0,8}\\?\r?\n?[ \t]{0,40}["'`][^"'`\n]*["'`][^\n]{0,40}join))[ \t]{0,8}
          (?:\\?\r?\n[ \t]{0,40})?
      | [ \t]{0,8}\\?\r?\n[ \t]{0,40}(?:\+|\.\.|\.|&|~|\|\|)?[ \t]{0,8}
        (?=["'`][^"'`\n]{0,512}["'`][ \t]{0,4}(?![:=]))
      | (?=["'][^"'\s,:=)\]}])
      | \)?[ \t]{0,4}(?:\.concat|\.\s?append|\.plus|\.push)\([ \t]{0,4}
      )(?P=quote)
    | \\\r?\n
    """,
    re.VERBOSE,
)
# The elements of a list that is joined to one string.
_LIST: Final = re.compile(
    r"""(?:["']{2}\.join\(\s{0,8}[\[(]|(?=\[))\[?(?P<items>\s{0,8}["'][^"'\n]{0,256}["'](?:\s{0,8},\s{0,40}["'][^"'\n]{0,256}["']){1,32}),?\s{0,8}[\])](?P<join>\.join\(["']{2}\))?"""
)
_COMMA: Final = re.compile(r"""["']\s{0,8},\s{0,40}["']""")
_BEGINS: Final = (
    r"[\"'`][ \t]*(?:\+|\.|&|~|\|\|)",
    r"[\"'`][ \t]*\\?\r?\n[ \t]*(?:(?:\+|\.\.?|&|~|\|\|)[ \t]*)?[\"'`]",
    r"\\\r?\n",
    "[A-Za-z0-9](?:\"\"|'')[A-Za-z0-9]",
)
_LINE: Final = 256
_APART: Final = "\n;\n"


def joined(folded: Folded) -> Folded | None:
    r"""Return the lines where pieces are joined, as they read then; None if there are none.

    >>> reading = joined(Folded('a = "gh" + "p_x"', None))
    >>> reading and reading.text
    'a = "ghp_x"'
    """
    text = folded.text
    cuts = sorted([*_joins(text), *_joins_of_lists(text)])
    if not cuts:
        return None
    parts: list[str] = []
    offsets: list[int] = []
    place = 0
    for start, end in cuts:
        if start < place:
            continue
        line = _begin_of_line(text, max(place, start - _LINE), start)
        if place and text.find("\n", place, line) >= 0:
            place = _add(text, place, _end_of_line(text, place), parts, offsets)
            parts.append(_APART)
            offsets += [place] * len(_APART)
            place = line
        elif not place:
            place = line
        _ = _add(text, place, start, parts, offsets)
        place = end
    _ = _add(text, place, _end_of_line(text, place), parts, offsets)
    if folded.offsets is None:
        return Folded("".join(parts), [*offsets, len(text)])
    return Folded("".join(parts), [folded.offsets[at] for at in [*offsets, len(text)]])


def _joins(text: str) -> list[Span]:
    cuts: list[Span] = []
    ended = 0
    for begin, _ in _search()(text):
        # A match begins with the last letter before two quotes, or with a quote.
        at = begin if text[begin] in "\"'`\\" else begin + 1
        if at >= ended and (join := _JOIN.match(text, at)):
            cuts.append(join.span())
            ended = join.end()
    return cuts


def _joins_of_lists(text: str) -> list[Span]:
    if "join(" not in text and "concat(" not in text:
        return []
    cuts = [(mark.start(), mark.end()) for mark in _CALLED.finditer(text)]
    for listed in _LIST.finditer(text) if "join(" in text else ():
        if listed["join"] or listed.group().startswith(('""', "''")):
            # What stands before the first of them is a call: its name goes too.
            start = listed.start()
            first = listed.start("items") + len(listed["items"]) - len(listed["items"].lstrip())
            cuts += [(start, first)] if first > start else []
            cuts += [comma.span() for comma in _COMMA.finditer(text, *listed.span("items"))]
    return cuts


_CALLED: Final = re.compile(r"""["']\.concat\(\s{0,4}["']""")


def _add(text: str, start: int, end: int, parts: list[str], offsets: list[int]) -> int:
    parts.append(text[start:end])
    offsets.extend(range(start, end))
    return end


def _begin_of_line(text: str, least: int, place: int) -> int:
    """Return where the line begins; that before it belongs to it if it opens a bracket."""
    begin = max(least, text.rfind("\n", least, place) + 1)
    if begin > least and text[begin - 2 : begin - 1] in {"(", "=", "["}:
        begin = max(least, text.rfind("\n", least, begin - 1) + 1)
    return begin


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place, place + _LINE)
    return min(len(text), place + _LINE) if end < 0 else end


@cache
def _search() -> QuickSearch:
    return quick_search(_BEGINS)
