"""What the rules for expressions of time share: what a rule is, now, and numbers in words."""

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from pce_memory.text import days
from pce_memory.text.days import Days

HOUR: Final = 3_600
DAY: Final = 86_400
FEW: Final = (2, 7)
"""What "a few" and 「数」 may mean."""

_YEAR_DAYS: Final = 365
_MONTH_DAYS: Final = 30
_KANJI: Final = "〇一二三四五六七八九"


class Now(NamedTuple):
    """The day it is where the query is asked, as `days` counts, and the seconds since it began."""

    day: int
    seconds: float


Rule: TypeAlias = tuple[re.Pattern[str], Callable[[re.Match[str], Now], Days | None]]
"""What an expression looks like, and which days it means; None: it was no time."""


def number(said: str, words: Mapping[str, int]) -> int:
    """Return the number that digits, a word of the mapping or a Japanese numeral say.

    >>> number("12", {}), number("two", {"two": 2}), number("十二", {}), number("二十", {})
    (12, 2, 12, 20)
    """
    if said.isascii():
        return words[said.lower()] if said.lower() in words else int(said)
    tens, ten, ones = said.rpartition("十")
    high = (_digits(tens) if tens else 1) * 10 if ten else 0
    return high + _digits(ones)


def _digits(said: str) -> int:
    return int("".join(str(_KANJI.index(char)) for char in said) or "0")


def ago(now: Now, unit: str, count: int) -> Days | None:
    """Return the day, week, month or year so many of them ago; of hours the day."""
    if unit == "hour":
        there = now.day + int((now.seconds - count * HOUR) // DAY)
        return there, there + 1
    if unit == "day":
        return now.day - count, now.day - count + 1
    if unit == "week":
        return days.week(now.day - count * days.WEEK)
    year, month = days.year_of(now.day), days.month_of(now.day)
    return days.year(year - count) if unit == "year" else days.month(year, month - count)


def few_ago(now: Now, unit: str) -> Days | None:
    """Return from seven to two days, weeks, months or years ago."""
    least, most = FEW
    early, late = ago(now, unit, most), ago(now, unit, least)
    return (early[0], late[1]) if early and late else None


def lately(now: Now, unit: str, count: int) -> Days:
    """Return today and so many days, weeks, months of 30 or years of 365 days before it."""
    size = {"hour": 0, "day": 1, "week": days.WEEK, "month": _MONTH_DAYS, "year": _YEAR_DAYS}[unit]
    return now.day - count * size, now.day + 1


def step(now: Now, unit: str, by: int) -> Days | None:
    """Return the day, week, weekend, month, quarter or year that is `by` from this one."""
    year, month = days.year_of(now.day), days.month_of(now.day)
    if unit == "weekend":
        return days.weekend(now.day + by * days.WEEK)
    if unit == "quarter":
        return days.quarter(year, (month + 2) // 3 + by)
    return ago(now, unit, -by)
