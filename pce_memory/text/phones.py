"""Find phone numbers in a folded text: by a form that nothing else has, or by words beside them.

Many numbers are no phone numbers: dates, versions, orders, hashes. So without a word such as
`Tel` a number needs a calling code, a trunk zero with groups, or the groups of a numbering plan,
and no word beside it that says what else it is.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from pce_memory.text.beside_numbers import is_something_else
from pce_memory.text.calling_codes import is_international
from pce_memory.text.fold import Span
from pce_memory.text.grouped_phones import grouped_phones
from pce_memory.text.phone_labels import EXTENSION, is_a_date, labelled_phones

# A dash, bracket or space between groups; a line may break at a dash or instead of a space.
_GAP: Final = r"(?=[-ー()\s])\ ?(?:\r?\n(?=[-ー]\d))?[-ー()]{0,2}(?:\r\n|\s)?"
_PLACE: Final = r"(?:office|fax|mobile|cell|desk|home|work)"
_START: Final = r"(?<![A-Za-z0-9]) (?<![A-Za-z0-9][-_]) (?<!\d[.]) (?<![A-Za-z0-9]/)"
_END: Final = rf"(?![A-Za-z0-9]) (?![-ー./]\d) (?![-_](?!{_PLACE}\b)[A-Za-z])"
_ENDS: Final = re.compile(_END, re.VERBOSE | re.IGNORECASE)
_EXTENDED: Final = re.compile(EXTENSION, re.IGNORECASE)

# With a plus, or the zeros that stand for it: +81 90-1234-5678, 0049 151/23456789.
_ABROAD: Final = re.compile(
    rf"{_START} (?:\+ | 00(?=[1-9]\d{{0,2}}[-\ ])) [1-9]"
    r"(?:[-ー\ ()./]{0,3}\d | (?:-\r?\n|\r?\n-)\d){6,16}",
    re.VERBOSE,
)
# With the zero that is dialled within a country: 03-1234-5678, 030/123456, (06 1) 239 9428.
_TRUNK: Final = re.compile(
    rf"{_START} \(?0[1-9]\d{{0,4}} (?: (?:{_GAP}|[./]) \d{{1,9}} ){{1,5}}", re.VERBOSE
)
# What begins with a one, an area code or the number of a mobile that is written without gaps.
_PLAIN: Final = re.compile(
    rf"""
    {_START}
    (?:
      0[5-9]0 \d{{8}} | (?=\d*[2-9]) 010 \d{{8}} | 07[1-9] \d{{8}}           # 09012345678
    | 1(?:3\d|4[5-9]|5[0-35-9]|6[2567]|7[0-8]|8\d|9\d) (?!\d*0{{5}}) \d{{8}}  # China
    | (?<!第) 0[1-9]\d{{0,3}} の \d{{1,4}} [のー-] \d{{4}}                   # 090の1234の5678
    | (?:1[-\ ])? (?:[2-9]\d{{2}}[-/]|\([2-9]\d{{2}}\)[-\ ]?) \d{{3}}
        (?:[-\ ] | -\r?\n | \r?\n-) \d{{4}}                                # (415) 555-2671
    )
    {EXTENSION} {_END}
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Versions have dots as well, but no codes that are given out, nor their groups of 3, 3 and 4.
_CODE: Final = r"[2-9](?!11)[0-8]\d"
_DOTS: Final = re.compile(
    rf"{_START} (?:1\.(?=800|8([3-8])\1))? {_CODE}\.[2-9](?!11)\d\d\.\d{{4}} {EXTENSION} {_END}",
    re.VERBOSE | re.IGNORECASE,
)
_VERSION: Final = re.compile(
    r"(?:v|vers?|version|rev|release|build|firmware|driver|kernel|バージョン|ビルド|第)\W{0,5}\Z"
    r"|[~^<>=]=\s?\Z|[$¥€£]\s?\Z",
    re.IGNORECASE,
)
# In kanji, as on cards and invitations; one dash at the least tells it from a count.
_KANJI: Final = re.compile(
    "(?<![〇零一二三四五六七八九十百千万])[〇零](?:[〇零一二三四五六七八九]{1,4}[-ーの・]){1,2}"
    "[〇零一二三四五六七八九]{3,8}(?![〇零一二三四五六七八九十百千万])"
)
# Where a number can be: most texts have none, and need no second look. Patterns are tried around
# these runs only, far enough to both sides for labels, extensions and what must not stand there.
_RUN: Final = re.compile(r"[0-9](?:[-ー()\s./の]{0,4}[0-9]){6,}")
_SIGNS: Final = 3
_BEFORE: Final = 64
_AFTER: Final = 32

Sizes: TypeAlias = tuple[int, ...]
_GROUP: Final = re.compile("[0-9]+")
_DIGITS_OF_TRUNK: Final = range(10, 13)
# Of nine digits, or twelve, only in the groups that some country has.
_NINE: Final = {(2, 7), (3, 6), (2, 3, 4), (3, 3, 3), (2, 3, 2, 2), (3, 2, 2, 2), (2, 2, 2, 3)}
_DOTTED: Final = {(2, 2, 2, 2, 2), (2, 4, 4), (3, 3, 4), (4, 2, 4), (4, 3, 3), (3, 3, 2, 2)}
_MOBILE_DOTTED: Final = re.compile(r"0[5-9]0\.[0-9]{4}\.[0-9]{4}")
_PAIRS: Final = {(2, 2, 2, 2, 2)}
_NINE_DIGITS: Final = 9
_MOST_DIGITS: Final = 12
_USUAL_DIGITS: Final = (10, 11)
_BRACKETED_DIGITS: Final = (8, 9)
_MOST_GROUPS_OF_TWELVE: Final = 3
_GROUPS_WITH_ONE: Final = 3  # 04992-2-1234
_PAIR: Final = 2
_LEAST_IN_LAST: Final = 2
_LONGEST_BESIDE_PAIRS: Final = 3
# A dump of bytes has pairs to both sides.
_DUMP: Final = re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{2} \Z")
_DUMPED: Final = re.compile(r" [0-9A-Fa-f]{2}(?![0-9A-Za-z])")


def phones(text: str) -> Iterator[Span]:
    """Find phone numbers, extensions included; one that two forms find may come twice.

    >>> sorted(set(phones("担当090-1234-5678、2025-12-18 10:20、0123456789、+81 3 1234 5678")))
    [(2, 15), (44, 59)]
    >>> sorted(set(phones("Phone: 467 3395, call me at 69 987 88 37, order #212-555-0142")))
    [(7, 15), (28, 40)]
    """
    for kanji in _KANJI.finditer(text):
        if len(re.findall("[^-ーの・]", kanji.group())) in _DIGITS_OF_TRUNK:
            yield kanji.span()
    for start, end in grouped_phones(text):
        if not is_something_else(text, start, end):
            yield start, end
    for run in _RUN.finditer(text):
        # What begins in the run ends before the window does, so nothing is cut off.
        first, until = max(0, run.start() - _SIGNS), run.end() + _AFTER
        yield from labelled_phones(text, max(0, run.start() - _BEFORE), until)
        yield from _abroad(text, first, run.end())
        for start, end in _at_home(text, first, run.end(), until):
            if start < run.end() and not is_something_else(text, start, end):
                yield start, end


def _abroad(text: str, start: int, until: int) -> Iterator[Span]:
    for found in _ABROAD.finditer(text, start, until):
        sign = 1 if found.group()[0] == "+" else 2
        # A number of something else may follow after a space, so the last groups may not belong.
        for end in _ends(text, found):
            number = text[found.start() + sign : end]
            if is_international("".join(_GROUP.findall(number))) and not _is_decimal(number):
                yield found.start(), _extended(text, end)
                break


def _at_home(text: str, start: int, end: int, until: int) -> Iterator[Span]:
    yield from (found.span() for found in _PLAIN.finditer(text, start, until))
    place = start
    while found := _TRUNK.search(text, place, end):
        place = found.start() + 1
        for stop in _ends(text, found):
            if _is_of_a_country(text, found.start(), stop):
                bracket = found.group()[0] == "(" and ")" not in text[found.start() : stop]
                yield found.start() + bracket, _extended(text, stop)
                place = stop
                break
    for dots in _DOTS.finditer(text, start, until) if text.find(".", start, until) >= 0 else ():
        if not _VERSION.search(text[max(0, dots.start() - 16) : dots.start()]):
            yield dots.span()


def _ends(text: str, found: re.Match[str]) -> Iterator[int]:
    """Yield where the number may end: with its last group, or before a space within it."""
    ends = [found.start() + group.end() for group in _GROUP.finditer(found.group())]
    for end in reversed(ends):
        whole = end == found.end()
        if (whole and _ENDS.match(text, end)) or (not whole and text[end].isspace()):
            yield end


def _extended(text: str, end: int) -> int:
    extension = _EXTENDED.match(text, end)
    return extension.end() if extension and _ENDS.match(text, extension.end()) else end


def _is_decimal(number: str) -> bool:
    return number.count(".") == 1 and set(number) <= set("0123456789.")


def _is_of_a_country(text: str, start: int, end: int) -> bool:
    """Tell whether groups behind a trunk zero are those of a phone number."""
    number = text[start:end]
    groups = _GROUP.findall(number)
    sizes = tuple(map(len, groups))
    signs = [sign.strip() for sign in re.split("[0-9]+", number)[1:-1]]
    if len(groups) == 1 or "  " in number or is_a_date(number) or _is_a_series(groups):
        return False
    if sizes in _PAIRS and (
        _DUMP.search(text[max(0, start - 4) : start]) or _DUMPED.match(text, end)
    ):
        return False
    return _has_the_signs(number, sizes, signs) and _has_the_sizes(
        sizes, signs, bracket=number[0] == "("
    )


def _is_a_series(groups: Sequence[str]) -> bool:
    return all(int(b) - int(a) == 1 for a, b in pairwise(groups))  # 01 02 03 04 05


def _has_the_signs(number: str, sizes: Sizes, signs: Sequence[str]) -> bool:
    """Tell whether the signs between groups go together: one slash, or only dots, or dashes."""
    rest = signs[1:] if signs[0] == "/" else signs
    if "/" in rest:
        return False
    if "." in rest:
        known = sizes in _DOTTED or _MOBILE_DOTTED.fullmatch(number) is not None
        return set(rest) == {"."} and (signs[0] == "/" or known)
    # Behind two dashes, a space begins something else.
    return ["-", "-", ""] not in [list(signs[at : at + 3]) for at in range(len(signs))]


def _has_the_sizes(sizes: Sizes, signs: Sequence[str], *, bracket: bool) -> bool:
    if sizes[-1] < _LEAST_IN_LAST or (
        sizes[-1] == _PAIR and max(sizes[1:]) > _LONGEST_BESIDE_PAIRS
    ):
        return False
    if 1 in sizes[1:-1] and not bracket and len(sizes) != _GROUPS_WITH_ONE:
        return False
    count = sum(sizes)
    odd = (count == _MOST_DIGITS and len(sizes) <= _MOST_GROUPS_OF_TWELVE) or (
        count == _NINE_DIGITS and (signs[0] == "/" or sizes in _NINE)
    )
    return odd or count in _USUAL_DIGITS or (bracket and count in _BRACKETED_DIGITS)
