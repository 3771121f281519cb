"""Where a sentence ends: Japanese and English, and not inside names, numbers, quotes or code."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from pce_memory.text.fold import Span, is_invisible

CJK: Final = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Kana and Han, for a character class: written without spaces."""

_PAIRS: Final = {"「": "」", "『": "』", "（": "）", "(": ")", "“": "”", "【": "】", "《": "》"}
_LONGEST_PAIR: Final = 1_000
"""Brackets further apart than this are a slip, not a quotation."""

_MARKS: Final = "。．｡！？‼⁇⁈⁉"
_CLOSERS: Final = "」』）)】》〉］\\]”’»"
_CLOSED: Final = ")]\"'”’»）」』】》〉］"
_OPENERS: Final = "「『（【“"
# What stands around the end of a sentence and belongs to it. A plain quote mark may also open.
_TAIL: Final = rf"(?:[{_CLOSERS}]|[\"'*_]++(?=[\s{_CLOSERS}]|$)){{0,8}}+"
_END: Final = re.compile(
    rf"[{_MARKS}][{_MARKS}!?]*+{_TAIL}"
    rf"|(?<![!?])[!?][!?{_MARKS}]*+{_TAIL}(?=[\s{CJK}{_OPENERS}]|$)"
    rf"|(?<!\.)\.++{_TAIL}(?=\s|$)"
    rf"|(?<=[{CJK}])\.(?=[{CJK}])"
)
_CODE: Final = re.compile(r"(?P<ticks>`{1,3})[^`\n]{1,1000}+(?P=ticks)|\[\[[^\[\]\n]{1,600}+\]\]")
_BRACKET: Final = re.compile(f"[{re.escape(''.join([*_PAIRS, *_PAIRS.values()]))}]")
_SPACE: Final = re.compile(r"\s*")
# "……？と聞いた": the sentence goes on with who said it.
_SAID: Final = re.compile(
    "と(?:言|云|いう|いっ|いい|思|おも|聞|叫|呼|書|考|の)|って(?:言|い|思|聞)"
)

_LOOK_BACK: Final = 20
_LIST_WITHIN: Final = 300
"""So far apart the points of a list in one line may stand: "1. read 2. write"."""
_REFERRING: Final = (
    "apr|art|aug|ch|col|dec|eq|ext|feb|figs?|jan|jul|jun|mar|nos?|nov|oct|pp?|sect?|sept?|tel|"
    "ver|v|vol"
)
_WORD: Final = re.compile(r"[A-Za-zÀ-ɏ](?:[A-Za-zÀ-ɏ]|\.(?=[A-Za-z]))*$")
_LABEL: Final = r"[(（]?(?:[A-Z]{0,2}[0-9]{1,4}(?:\.[0-9]{1,3}){0,3}|[A-Z]|[IVX]{2,5})"
_ORDINAL: Final = re.compile(rf"(?:^|[.:;,!?]\s+|[{_MARKS}：、；])\s*{_LABEL}$")
_NUMBER: Final = re.compile(r"(?:^|[\s(])([1-9][0-9]?)$")
_REFERENCE: Final = re.compile(rf"\b(?:{_REFERRING})\.\s?[0-9]{{1,4}}$", re.IGNORECASE)
_TITLE: Final = re.compile(
    "(?:Capt|Dr|Gen|Gov|Hon|Lt|Messrs|Mr|Mrs|Ms|Mt|Mx|Prof|Rev|Sen|Sgt|St)$"
)
_NEVER: Final = re.compile(r"(?:approx|cf|e\.g|eg|esp|i\.e|ie|mr|mrs|u\.[ks]|viz|vs)$")
_BEFORE_DIGIT: Final = re.compile(f"(?:{_REFERRING})$")
_BEFORE_LOWER: Final = re.compile("(?:al|bros|corp|co|dept|esq|etc|inc|jr|ltd|sr|.*[.].*)$")
# "Plan B. Then": a letter that is not the initial of a name.
_LETTERED: Final = re.compile(
    "(?:appendix|case|class|column|drive|exhibit|grade|group|option|part|phase|plan|point|section|"
    "step|team|type|variant|version|vitamin) [A-Z]$",
    re.IGNORECASE,
)

_CUTS: Final = (
    ("\n",),
    ("。", "！", "？", "．", "｡", ". ", "! ", "? ", "; "),
    ("、", "，", "；", "：", ", ", ": "),
    (" ", "\t", "\u3000"),
)
_MARKED: Final = 32
"""So many marks on one letter are kept with it."""


def sentences(text: str) -> Iterator[Span]:
    """Yield where each sentence of `text` stands, without the space around it.

    >>> text = "Dr. Ito said so. 「行く。来る。」と言った。v1.2 is out!"
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. Ito said so.', '「行く。来る。」と言った。', 'v1.2 is out!']
    """
    start, end = _after_space(text, 0), len(text.rstrip())
    first = _END.search(text)
    # Most lines are one sentence: they need no look at what stands in quotes.
    several = first is not None and first.end() < end
    closed = _closed_spans(text) if several else []
    for match in _END.finditer(text) if several else ():
        while closed and closed[-1][1] <= match.start():
            _ = closed.pop()
        inside = bool(closed) and closed[-1][0] <= match.start()
        if inside and match.end() < closed[-1][1]:
            continue
        if match.end() > start and _ends(text, match, inside=inside):
            yield start, match.end()
            start = _after_space(text, match.end())
    if start < end:
        yield start, end


def _after_space(text: str, start: int) -> int:
    match = _SPACE.match(text, start)
    return match.end() if match else start


def _closed_spans(text: str) -> list[Span]:
    """Return where code, links and quotations stand, the last first, the inner ones left out."""
    spans = [match.span() for match in _CODE.finditer(text)]
    opened: list[tuple[int, str]] = []
    for match in _BRACKET.finditer(text):
        char = match.group()
        if char in _PAIRS:
            opened.append((match.start(), _PAIRS[char]))
        elif opened and opened[-1][1] == char:
            start, _ = opened.pop()
            if match.end() - start <= _LONGEST_PAIR:
                spans.append((start, match.end()))
    outer: list[Span] = []
    for start, end in sorted(spans):
        if outer and start < outer[-1][1]:
            outer[-1] = outer[-1][0], max(end, outer[-1][1])
        else:
            outer.append((start, end))
    return outer[::-1]


def _ends(text: str, match: re.Match[str], *, inside: bool) -> bool:
    """Tell whether a mark ends its sentence, and not an abbreviation, a number or a quotation."""
    said, end = match.group(), match.end()
    place = _after_space(text, end)
    following = text[place : place + 1]
    if _goes_on(text, end, closed=said[-1] in _CLOSED, inside=inside):
        return False
    if said[0] == "．":
        return not (text[match.start() - 1 : match.start()].isdigit() and following.isdigit())
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    if said[0] in "!?":
        # "a ?? b" is an operator.
        return not (before[-1:].isspace() and (following.islower() or following.isdigit()))
    if said[0] == ".":
        dots = said.count(".")
        numbered = dots == 1 and _is_point(text, match.start(), before)
        return not (numbered or _shortens(before, dots=dots, following=following))
    return True


def _is_point(text: str, place: int, before: str) -> bool:
    """Tell whether the number before a dot counts a point of a list, as its neighbour does."""
    if _ORDINAL.search(before):
        return not _REFERENCE.search(before)
    found = _NUMBER.search(before)
    if found is None:
        return False
    one_less = f"{int(found[1]) - 1}. "
    return text.rfind(f" {one_less}", max(0, place - _LIST_WITHIN), place) >= 0


def _goes_on(text: str, end: int, *, closed: bool, inside: bool) -> bool:
    """Tell whether the sentence goes on behind a quotation: who said it, or the rest of it."""
    if not (closed or inside):
        return _SAID.match(text, end) is not None
    place = _after_space(text, end)
    following = text[place : place + 1]
    return following.islower() or (inside and place == end and following not in _OPENERS)


def _shortens(before: str, *, dots: int, following: str) -> bool:
    """Tell whether the dot is part of what stands before it: "e.g.", "No. 5", "J. Smith"."""
    if not following:
        return False
    if dots > 1:
        return following.islower()
    found = _WORD.search(before)
    return found is not None and _is_short_form(found.group(), before, following)


def _is_short_form(said: str, before: str, following: str) -> bool:
    word = said.casefold()
    if _TITLE.match(said) or _NEVER.match(word):
        return True
    if _BEFORE_LOWER.match(word):
        return following.islower() or following.isdigit()
    if _BEFORE_DIGIT.match(word) and following.isdigit():
        return True
    initial = len(said) == 1 and said.isupper() and said != "I" and following.isalpha()
    return initial and not _LETTERED.search(before)


def cut(text: str, max_chars: int) -> Iterator[Span]:
    """Yield pieces of at most `max_chars`, cut where it hurts least; no visible one is lost.

    >>> text = "one, two, three"
    >>> [text[start:end] for start, end in cut(text, 9)]
    ['one, two,', 'three']
    """
    start, end = _after_space(text, 0), len(text.rstrip())
    while end - start > max_chars:
        place = _cut_place(text, start, start + max_chars)
        yield start, start + len(text[start:place].rstrip())
        start = _after_space(text, place)
    if start < end:
        yield start, end


def _cut_place(text: str, start: int, limit: int) -> int:
    """Return where to cut: behind a line, a clause or a word of the second half, or anywhere."""
    middle = start + max(1, (limit - start) // 2)
    for marks in _CUTS:
        # The space behind a mark may stand beyond the limit: it is not kept.
        found = [(text.rfind(one, middle, limit + len(one) - 1), len(one)) for one in marks]
        place, length = max(found)
        if place >= 0:
            return place + length
    for place in range(limit, max(middle, limit - _MARKED), -1):
        if not (unicodedata.combining(text[place]) or is_invisible(text[place])):
            return place
    return limit
