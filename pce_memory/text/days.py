"""Stretches of whole days on the calendar: weeks, months, quarters, seasons, years.

A day is its number in the proleptic Gregorian calendar, 1 for 1 January of year 1; a stretch is
its first day and the day after its last. Weeks begin on Monday. Seasons are those of the north by
whole months: spring is March to May, summer June to August, autumn September to November, and the
winter of a year December to the end of the next February.
"""

from calendar import isleap, monthrange
from datetime import date
from typing import Final, TypeAlias

Days: TypeAlias = tuple[int, int]
"""The first day, and the day after the last."""

WEEK: Final = 7
MONTHS: Final = 12
SPRING, SUMMER, AUTUMN, WINTER = 0, 1, 2, 3

_FIRST_YEAR, _LAST_YEAR = 1, 9998
_PARTS: Final = {"early": (0, 10), "mid": (10, 20), "late": (20, 31)}


def day(year: int, month: int, number: int) -> Days | None:
    """Return one day; None if the calendar has none such.

    >>> day(2024, 2, 29), day(2023, 2, 29)
    ((738945, 738946), None)
    """
    known = _FIRST_YEAR <= year <= _LAST_YEAR and 1 <= month <= MONTHS
    if not known or not 1 <= number <= monthrange(year, month)[1]:
        return None
    first = date(year, month, number).toordinal()
    return first, first + 1


def latest_day(today: int, month: int, number: int) -> Days | None:
    """Return the latest day of this date that has begun.

    >>> latest_day(date(2023, 3, 1).toordinal(), 2, 29) == day(2020, 2, 29)
    True
    """
    year = year_of(today)
    years = (year - back for back in range(9))  # between two 29 Februaries lie at most 8 years
    found = (day(year, month, number) for year in years)
    return next((one for one in found if one and one[0] <= today), None)


def month(year: int, number: int) -> Days | None:
    """Return a month; numbers beyond 1 to 12 are counted on into other years.

    >>> month(2023, 13) == month(2024, 1), month(2023, 0) == month(2022, 12)
    (True, True)
    """
    year, number = year + (number - 1) // MONTHS, (number - 1) % MONTHS + 1
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    first = date(year, number, 1).toordinal()
    return first, first + monthrange(year, number)[1]


def part_of_month(whole: Days | None, part: str) -> Days | None:
    """Return the days 1 to 10 (`early`), 11 to 20 (`mid`) or from 21 on (`late`) of a month."""
    if whole is None:
        return None
    first, end = _PARTS[part]
    return whole[0] + first, min(whole[0] + end, whole[1])


def months(year: int, first: int, count: int) -> Days | None:
    """Return so many months from one on."""
    begin, end = month(year, first), month(year, first + count - 1)
    return (begin[0], end[1]) if begin and end else None


def quarter(year: int, number: int) -> Days | None:
    """Return a quarter, 1 to 4; other numbers are counted on into other years."""
    return months(year, 3 * number - 2, 3)


def season(year: int, number: int) -> Days | None:
    """Return a season that begins in a year."""
    return months(year, 3 * number + 3, 3)


def year(number: int) -> Days | None:
    """Return a year.

    >>> year(2024)[1] - year(2024)[0], year(2023)[1] - year(2023)[0]
    (366, 365)
    """
    if not _FIRST_YEAR <= number <= _LAST_YEAR:
        return None
    first = date(number, 1, 1).toordinal()
    return first, first + 365 + isleap(number)


def week(of: int) -> Days:
    """Return the week a day is in, from its Monday on.

    >>> week(date(2023, 5, 7).toordinal()) == (date(2023, 5, 1).toordinal(), date(2023, 5, 8).toordinal())
    True
    """  # noqa: E501 - a doctest's question is one line
    first = of - (of - 1) % WEEK
    return first, first + WEEK


def weekend(of: int) -> Days:
    """Return the Saturday and Sunday of the week a day is in."""
    end = week(of)[1]
    return end - 2, end


def weekday_until(last: int, weekday: int) -> Days:
    """Return the latest such day (0 is Monday) that is not after `last`."""
    found = last - (last - 1 - weekday) % WEEK
    return found, found + 1


def year_of(one: int) -> int:
    """Return the year a day is in."""
    return date.fromordinal(one).year


def month_of(one: int) -> int:
    """Return the month a day is in, 1 to 12."""
    return date.fromordinal(one).month


def latest_month(today: int, number: int, *, years_back: int = 0) -> Days | None:
    """Return the latest such month that has begun, or one some years before it."""
    this = year_of(today)
    return month(this - (number > month_of(today)) - years_back, number)


def latest_season(today: int, number: int, *, ended: bool) -> Days | None:
    """Return the latest such season that has begun, or that is over."""
    found = (season(year_of(today) - back, number) for back in range(3))
    return next((one for one in found if one and one[1 if ended else 0] <= today), None)
