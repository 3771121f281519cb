"""Find phone numbers by their groups alone: those of national numbering plans, without a cue.

Counts are grouped by thousands and years stand in pairs. So groups that a count has as well are a
phone number only where nothing counts them: no unit, noun or sign of money beside them.
"""

import re
from collections.abc import Iterator
from typing import Final

from pce_memory.text.fold import Span

_START: Final = (
    r"(?<![A-Za-z0-9+]) (?<![A-Za-z0-9][-_./]) (?<!\d[\ ,:]) (?<!\d\)\ ) (?<![$€£¥#=×~≈])"
)
_END: Final = r"(?![A-Za-z0-9%°]) (?!\ ?[-/,.:]\d) (?!\ \d)"
# What no count looks like.
_PLAIN: Final = re.compile(
    rf"""
    {_START}
    (?:
      \([1-9]\d\)\ ? (?!(?:19|20)\d\d-(?:19|20)\d\d) (?:9\d{{4}}|[2-9]\d{{3}})-\d{{4}}  # Brazil
    | \([2-9]\d\)\ ? \d{{3}}[-\ ]\d{{3,4}}                                  # Hungary: (96) 627-277
    | \([1-9]\d{{2,3}}\)\ ? \d{{2,4}}[-\ ]\d{{2,4}}(?:[-\ ]\d{{2}})?          # (812) 345-67-89
    | \([1-9]\)\ ? [2-9]\d{{3}}[-\ ]\d{{4}}                                # Chile: (2) 2129 5562
    | 9[-\ ]\d{{4}}[-\ ]\d{{4}}                                            # 9 6123 4567
    | 8[-\ ]? (?:\(\d{{3}}\)|\d{{3}}) [-\ ]?\d{{3}}[-\ ]\d\d[-\ ]?\d\d         # Russia
    | [1-9]\d\ \d{{3}}\ \d{{2}}\ \d{{2}}                                    # Poland, Hungary
    | [2-9]\d{{2}}[-\ ]\d{{2}}[-\ ]\d{{2}}[-\ ]\d{{2}}                        # Spain, Turkey
    | [2-9]\d{{2}}\ \d{{2}}\ \d{{3}}                                        # Norway: 412 34 567
    | [2-9]\d{{2}}[-\ ]\d{{3}}[-\ ]\d{{2}}[-\ ]\d{{2}}                       # Turkey, Russia
    | 3[2-9]\d\ \d{{3}}\ \d{{4}}                                           # Italy: 347 123 4567
    | 1[3-9]\d[-\ ]\d{{4}}[-\ ]\d{{4}}                                     # China
    | \([2-9]\d{{2}}\)\ ?\d{{7}}                                            # Colombia
    | [6-9](?!0000)\d{{4}}[-\ ]\d{{5}}                                              # India
    | [1-9]\d\ (?:9\d{{4}}|[2-9]\d{{3}})[-]\d{{4}}                          # 11 4706-6184
    | [1-9]\d\ 9\d{{4}}[-\ ]\d{{4}}                                        # 11 96123 4567
    | [2-9]\d-\d{{2}}-\d{{2}}-\d{{2}}                                       # Denmark
    )
    {_END}
    """,
    re.VERBOSE,
)
# What a count, a year or a list of numbers looks like as well.
_COUNTED: Final = re.compile(
    rf"""
    {_START}
    (?: [2-9]\d\ \d{{3}}\ \d{{3}}                                           # Tunisia: 73 448 266
    | [1-9]\d\ \d{{3}}\ \d{{4}}                                            # Portugal: 21 236 1014
    | [1-9]\d[-\ ][1-9]\d{{3}}[-\ ]\d{{4}}                                  # Mexico: 55 1234 5678
    | [2-9]\d-\d{{3}}-\d{{4}}
    | [2-9]\d{{2}}(?P<sign>[-\ ])\d{{3}}(?P=sign)\d{{3}}                       # Poland, Czechia
    | [2-9]\d{{2}}\ \d{{3}}\ \d{{4}}                                        # America, Greece
    | [2-9]\d{{2}}[-\ ]\d{{7}}                                             # Italy: 333 1234567
    | [235-9]\d{{3}}[-\ ]\d{{4}}                                            # Singapore: 6123 4567
    | [2-9]\d\ \d{{2}}\ \d{{2}}\ \d{{2}} )                                  # Denmark: 23 45 67 89
    {_END}
    """,
    re.VERBOSE,
)
_RUN: Final = re.compile(r"[1-9]\d{0,4}\)?[- ]?\d{0,5}\)?[- ]?\d{2,5}[- ]\d{2}|\d\) ?\d{7}")
_COUNTS_BEFORE: Final = re.compile(
    r"(?:\b(?:of|about|around|approximately|approx|nearly|almost|over|under|than|exactly|only|some"
    r"|roughly|up\ to|total(?:s|led|ling)?|population|count|sum|between|from|with|has|have|had|was"
    r"|were|are|be|reached?|costs?|cost|worth|paid|pay|sold|served?|seats?|numbers|lotto|lottery"
    r"|in|by|id|no|nr|rank|size|area|isbn|version|coordinates|km|usd|eur|order|ticket|account"
    r"|invoice|ref|page|line|build|budget|revenue|price|sales|votes?)\b[:\s.]*|[(\[|$€£¥]\s*)\Z",
    re.IGNORECASE | re.VERBOSE,
)
# After a phone number a sentence ends, or goes on with one of these.
_GOES_ON: Final = re.compile(
    r"\s*(?:[.!?;)\"'」』、。]|,\ |$|\n|(?:and|or|to|for|if|on|at|is|please|asap|any|when|before"
    r"|after|between|tomorrow|today|now|but|so|thanks|thank|instead|until|till|because|from|with|ext|x)\b"
    r"|[^\x00-\x7f])",
    re.IGNORECASE,
)
_GAP: Final = re.compile("[- ]")
_YEARS: Final = re.compile(r"(?:19|20)\d\d[- ](?:19|20)\d\d")
_BEFORE: Final = 24
_RANGE: Final = 2
_NEAR: Final = 1000
_PAIRS: Final = 4  # lotto: 12 24 35 46
_ROUND: Final = 50


def grouped_phones(text: str) -> Iterator[Span]:
    """Find them.

    >>> [text[a:b] for text in ("Mine: 73 448 266.", "(11) 4706-6184", "73 448 266 people")
    ...  for a, b in grouped_phones(text)]
    ['73 448 266', '(11) 4706-6184']
    """
    if not _RUN.search(text):
        return
    yield from (found.span() for found in _PLAIN.finditer(text))
    for found in _COUNTED.finditer(text):
        before = text[max(0, found.start() - _BEFORE) : found.start()]
        if not _is_a_list(found.group()) and _is_a_number_itself(text, before, found.end()):
            yield found.span()


def _is_a_list(number: str) -> bool:
    """Tell whether groups are numbers of their own: years, thousands, multiples, rising pairs."""
    groups = _GAP.split(number)
    first, second, *_ = values = list(map(int, groups))
    if _YEARS.fullmatch(number) or groups[-1] == "000":
        return True
    if sorted(values) != values:
        return False
    if len(groups) == _RANGE and second - first < _NEAR:  # pages 2329-2335
        return True
    round_or_multiple = second % first == 0 or any(value % _ROUND == 0 for value in values)
    return len(groups) == _PAIRS or round_or_multiple


def _is_a_number_itself(text: str, before: str, end: int) -> bool:
    return not _COUNTS_BEFORE.search(before) and _GOES_ON.match(text, end) is not None
