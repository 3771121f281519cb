"""What the ranking asks of a text beside its words: does it ask, does it name a time."""

import re
from enum import IntFlag
from typing import Final


class Marks(IntFlag):
    """Marks of one text; they are stored as a number, so none ever changes its meaning."""

    NONE = 0
    ASKS = 1
    TIMED = 2


_ASKS: Final = re.compile(r"[?？]\W*$")
_DAYS: Final = "mon|tues|wednes|thurs|fri|satur|sun"
_MONTHS: Final = (
    "january|february|april|june|july|august|september|october|november|december|"
    r"jan\.|feb\.|mar\.|apr\.|aug\.|sept\.|oct\.|nov\.|dec\."
    r"|(?:in|last|next|since|\d) (?:march|may)"
)
_TIMED: Final = re.compile(
    rf"\b(?:(?:{_DAYS})day|{_MONTHS}|yesterday|today|tonight|tomorrow|weekend|recently|ago"
    r"|(?:last|next|this|past) (?:night|week|month|year|spring|summer|autumn|fall|winter)"
    r"|(?:week|month|year|day)s?|(?:19|20)\d\d|since)\b"
    r"|[0-9０-９一二三四五六七八九十]+(?:年|月|日|時|週間)"
    r"|昨日|一昨日|今日|明日|明後日|昨夜|今朝|今夜|[先今来翌毎]週|[先今来翌毎]月|去年|昨年|今年|来年|週末|[月火水木金土日]曜",
    re.IGNORECASE,
)


def marks_of(text: str) -> Marks:
    """Return the marks of a text.

    >>> marks_of("Did you go there last week?") == Marks.ASKS | Marks.TIMED
    True
    >>> marks_of("先週、京都に行った。") == Marks.TIMED, marks_of("You may go.") == Marks.NONE
    (True, True)
    """
    asks = Marks.ASKS if _ASKS.search(text) else Marks.NONE
    return asks | (Marks.TIMED if _TIMED.search(text) else Marks.NONE)


_WHEN: Final = re.compile(
    r"^\W*(?:and |so )?(?:when|since when|how long"
    r"|(?:on |in )?(?:what|which) (?:date|day|month|year|time))\b"
    r"|いつ|何年|何月|何日|何時|何曜",
    re.IGNORECASE,
)


def asks_when(query: str) -> bool:
    """Return whether a question asks for a time.

    >>> [asks_when(one) for one in ("When did she leave?", "いつ出発したの", "Say when to stop")]
    [True, True, False]
    """
    return _WHEN.search(query) is not None
