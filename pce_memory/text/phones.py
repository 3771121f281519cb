"""Find phone numbers in a folded text: by a form that nothing else has, or by words beside them.

Many numbers are no phone numbers: dates, versions, orders, hashes. So without a word such as
`Tel` a number needs a plus, a trunk zero with groups, or the North American form.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from pce_memory.text.fold import Span
from pce_memory.text.grouped_phones import grouped_phones

# A dash, bracket or space between groups; a line may break at a dash or instead of a space.
_GAP: Final = r"(?=[-ー()\s])\ ?(?:\r?\n(?=[-ー]\d))?[-ー()]{0,2}(?:\r\n|\s)?"
_EXTENSION: Final = r"(?:\ ?(?:x|ext\.?\ ?|内線\ ?)\d{1,6})?"
_PLACE: Final = r"(?:office|fax|mobile|cell|desk|home|work)"
_START: Final = r"(?<![A-Za-z0-9]) (?<![A-Za-z0-9][-_]) (?<!\d[.]) (?<![A-Za-z]/)"
_END: Final = rf"(?![A-Za-z0-9]) (?![-ー.]\d) (?![-_](?!{_PLACE}\b)[A-Za-z])"

_PLAIN: Final = re.compile(
    rf"""
    {_START}
    (?:
      \+[1-9] (?:[-ー\ ().]{{0,3}}\d | (?:-\r?\n|\r?\n-)\d){{8,14}}         # +81 90-1234-5678
    | 00[1-9]\d{{0,2}} (?:[-\ ]\d{{1,4}}){{2,5}}                            # 001-415-555-2671
    | 0[5-9]0 (?:{_GAP})? \d{{4}} (?:{_GAP})? \d{{4}}                       # 090-1234-5678
    | \(?0[1-9]\d{{0,3}} {_GAP} \d{{1,4}} {_GAP} \d{{3,4}}                  # 03-1234-5678
    | 0[1-9] (?: \.\d{{4}} | \d\.\d{{3}} | \d\d\.\d{{2}} ) \.\d{{4}}          # 03.1234.5678
    | 0[5-9]0 \.\d{{4}} \.\d{{4}}
    | (?<!第) 0[1-9]\d{{0,3}} の \d{{1,4}} [のー-] \d{{4}}                   # 090の1234の5678
    | 0[1-9]\d{{0,3}} [-ー\ ] (?!(?:19|20)\d{{6}}(?!\d)) \d{{6,8}}          # 0120-123456
    | 0[1-9]\d{{0,3}} (?:[-\ ]\d{{2,4}}){{3,4}}                             # 01 23 45 67 89
    | (?:1[-\ ])? (?:[2-9]\d{{2}}-|\([2-9]\d{{2}}\)[-\ ]?) \d{{3}}
        (?:[-\ ] | -\r?\n | \r?\n-) \d{{4}}                                # (415) 555-2671
    )
    {_EXTENSION} {_END}
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Versions have dots as well, but no codes that are given out, nor their groups of 3, 3 and 4.
_CODE: Final = r"[2-9](?!11)[0-8]\d"
_DOTS: Final = re.compile(
    rf"{_START} (?:1\.(?=800|8([3-8])\1))? {_CODE}\.[2-9](?!11)\d\d\.\d{{4}}"
    rf" {_EXTENSION} {_END} (?![%円年月日])",
    re.VERBOSE | re.IGNORECASE,
)
_VERSION: Final = re.compile(
    r"(?:v|vers?|version|rev|release|build|firmware|driver|kernel|バージョン|ビルド|第)\W{0,5}\Z"
    r"|[~^<>=]=\s?\Z|[$¥€£]\s?\Z",
    re.IGNORECASE,
)
_DIGITS_OF_PLAIN: Final = range(9, 16)
# With a trunk zero in front; nine digits in groups of 3-2-4 are something else in the US.
_DIGITS_OF_TRUNK: Final = range(10, 13)

_NUMBER: Final = rf"(?P<number>[+(]{{0,2}}\d(?:[-ー ().]{{0,2}}\d){{6,14}}{_EXTENSION})"
_LABELLED: Final = re.compile(
    r"(?:(?<![A-Za-z])(?:tel|telephone|phone|mobile|cell|fax|desk|whatsapp|sms|携帯)(?![A-Za-z])"
    r"|電話|連絡先|ファックス|ファクス|直通|着信|発信|フリーダイヤル|ナビダイヤル|[☎☏📞📱])"
    r"(?:[ .]{0,2}(?:phone|number|no|num|is)(?![a-z])){0,2}[^\dA-Za-z\n+(]{0,12}(?::\s{1,4})?"
    rf"{_NUMBER}(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_CALLED: Final = re.compile(
    r"(?<![A-Za-z])(?:(?:call|reach|ring|text|phone|contact)(?: (?:me|us|him|her|them|back))?"
    r"(?: back)? (?:on|at)|dial|answering at|messages? to)"
    rf"\s{_NUMBER}(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_PLACED: Final = re.compile(
    rf"(?<![A-Za-z0-9.+-])(?<!\d[ (]){_NUMBER}[- ](?:office|fax|mobile|cell|desk)(?![A-Za-z])",
    re.IGNORECASE,
)
# In kanji, as on cards and invitations; one dash at the least tells it from a count.
_KANJI: Final = re.compile(
    "(?<![〇零一二三四五六七八九十百千万])[〇零](?:[〇零一二三四五六七八九]{1,4}[-ーの・]){1,2}"
    "[〇零一二三四五六七八九]{3,8}(?![〇零一二三四五六七八九十百千万])"
)
# Where a number can be: most texts have none, and need no second look. Patterns are tried around
# these runs only, far enough to both sides for labels, extensions and what must not stand there.
_RUN: Final = re.compile(r"[0-9](?:[-ー()\s.の]{0,4}[0-9]){6,}")
_SIGNS: Final = 3
_BEFORE: Final = 64
_AFTER: Final = 32
_DATE: Final = re.compile(
    r"(?:19|20)\d\d([-/. ]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)"
)
_GROUPED: Final = re.compile(r"\d[-ー ().]+\d")
_BARE_DIGITS: Final = 9


def phones(text: str) -> Iterator[Span]:
    """Find phone numbers, extensions included; one that two forms find may come twice.

    >>> sorted(set(phones("担当090-1234-5678、2025-12-18 10:20、0123456789、+81 3 1234 5678")))
    [(2, 15), (44, 59)]
    >>> sorted(set(phones("Phone: 467 3395, call me at 69 987 88 37")))
    [(7, 15), (28, 40)]
    """
    for found in _KANJI.finditer(text):
        if len(re.findall("[^-ーの・]", found.group())) in _DIGITS_OF_TRUNK:
            yield found.span()
    yield from grouped_phones(text)
    for run in _RUN.finditer(text):
        # What begins in the run ends before the window does, so nothing is seen cut off.
        for begin, end in _around(text, run.start(), run.end() + _AFTER):
            if run.start() - _SIGNS <= begin < run.end():
                yield begin, end


def _around(text: str, start: int, until: int) -> Iterator[Span]:
    for found in _PLAIN.finditer(text, max(0, start - _SIGNS), until):
        if _is_phone(found.group()):
            yield found.start() + _stray_bracket(found.group()), found.end()
    dotted = text.find(".", start, until) >= 0
    for found in _DOTS.finditer(text, max(0, start - _SIGNS), until) if dotted else ():
        if not _VERSION.search(text[max(0, found.start() - 16) : found.start()]):
            yield found.span()
    window = max(0, start - _BEFORE), until
    for found in _LABELLED.finditer(text, *window):
        if not _DATE.search(found["number"]):
            yield found.span("number")
    for pattern in (_CALLED, _PLACED):
        for found in pattern.finditer(text, *window):
            number = found["number"]
            grouped = _GROUPED.search(number) or len(_digits(number)) >= _BARE_DIGITS
            if grouped and not _DATE.search(number):
                yield found.span("number")


def _digits(number: str) -> str:
    return "".join(filter(str.isdecimal, re.split("(?i)x|ext|内線", number, maxsplit=1)[0]))


def _is_phone(number: str) -> bool:
    number = number.lstrip("(")
    count = len(_digits(number))
    if number[0] != "0" or number.startswith("00"):
        return count in _DIGITS_OF_PLAIN
    groups = re.findall(r"\d+", number)
    counted = len(groups) > 1 and all(
        int(b) - int(a) == 1 for a, b in pairwise(groups)
    )  # 01 02 03 04 05
    return count in _DIGITS_OF_TRUNK and not counted


def _stray_bracket(number: str) -> int:
    return 1 if number.startswith("(") and ")" not in number else 0
