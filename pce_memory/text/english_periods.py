"""Expressions of time in English, and which days they mean.

last, this, next + week, weekend, month, quarter, year    of the calendar: weeks begin on Monday
last, past + a number of them, the past week              the days up to today
last Monday, on Monday; last May, in May                  the latest before today; the latest begun
last summer, in the summer                                the latest that is over; the latest begun
two weeks ago                                             the calendar week; so with months, years
the week before 3 May, the Monday after it                the seven days, the day nearest to it
early, mid, late May                                      its days 1 to 10, 11 to 20, 21 to the end
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from pce_memory.text import days
from pce_memory.text.days import Days
from pce_memory.text.spoken import FEW, Now, Rule, ago, few_ago, lately, number, step

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS: Final = {
    "spring": days.SPRING, "summer": days.SUMMER, "autumn": days.AUTUMN, "fall": days.AUTUMN,
    "winter": days.WINTER,
}  # fmt: skip
_NUMBERS: Final[Mapping[str, int]] = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "a couple of": 2, "couple of": 2,
    "couple": 2, "a couple": 2,
}  # fmt: skip
_FEW: Final = frozenset({"a few", "few", "several"})
_ORDER: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_BY: Final = {
    "last": -1,
    "previous": -1,
    "past": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
}
_PARTS: Final = {
    "early": "early", "beginning of": "early", "start of": "early", "mid": "mid",
    "middle of": "mid", "late": "late", "end of": "late",
}  # fmt: skip
# Names of people and verbs too: alone they are no months.
_NOT_ALONE: Final = frozenset({"march", "april", "may", "june", "august"})
_VERBS: Final = frozenset({"march", "may"})

_NAMES: Final = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS).replace(
    "sep(?:tember)", "sep(?:t(?:ember)?)"
)
_MONTH: Final = rf"(?P<month>{_NAMES})\b\.?"
_NUMBER: Final = (
    rf"(?P<n>[0-9]{{1,3}}|a few|few|several|{'|'.join(sorted(_NUMBERS, key=len)[::-1])})"
)
_YEAR: Final = "(?P<year>(?:19|20|21)[0-9]{2})(?![0-9])"
_THAT_YEAR: Final = "(?:of )?(?P<that>last|this|next) year"
_QUALIFIED: Final = "last|past|previous|this|current|next|coming"
_BESIDE: Final = (
    rf"(?:(?:the )?(?:{_NUMBER} )?(?P<unit>day|week|weekend|month|year|{'|'.join(_WEEKDAYS)})s?"
    " (?P<side>before|prior to|after|following|of) (?:the )?)?"
)
_DATES: Final = (
    rf"(?P<day>[0-9]{{1,2}})(?P<th>st|nd|rd|th)? (?:of )?{_MONTH}(?:,? {_YEAR})?",
    rf"{_MONTH} (?:the )?(?P<day>[0-9]{{1,2}})(?![0-9:%])(?P<th>st|nd|rd|th)?(?:,? {_YEAR})?",
    (
        r"(?<![-/.])(?P<year>[0-9]{4})(?P<cut>[-/])(?P<month>[0-9]{1,2})(?P=cut)(?P<day>[0-9]{1,2})"
        "(?![0-9/-])(?:T[0-9:.]+Z?)?"
    ),
)


def _date(found: re.Match[str], now: Now) -> Days | None:
    month, day = found["month"], int(found["day"])
    spelled = not month.isdigit()
    year = found["year"]
    # "these 2 may differ", "march 5 miles"
    if spelled and not year and not found["th"] and _is_verb(month):
        return None
    number_of = _month_number(month) if spelled else int(month)
    one = days.day(int(year), number_of, day) if year else days.latest_day(now.day, number_of, day)
    if one is None or found["side"] is None:
        return one
    return _beside(found, one[0], now)


def _beside(found: re.Match[str], day: int, now: Now) -> Days | None:
    """Return the week before a day, the second Monday after it, and the like."""
    unit, side = found["unit"].lower(), found["side"].lower()
    count = 1 if found["n"] is None or found["n"].lower() in _FEW else number(found["n"], _NUMBERS)
    if side == "of":
        return days.week(day) if unit == "week" else (day, day + 1)
    back = side in {"before", "prior to"}
    if unit in _WEEKDAYS:
        return _weekday_beside(day, _WEEKDAYS.index(unit), -count if back else count)
    there = Now(day, now.seconds)
    if unit == "week" and count == 1:
        return (day - days.WEEK, day) if back else (day + 1, day + 1 + days.WEEK)
    if unit == "weekend":
        # That of its own week is before a Sunday only if the Sunday's week is not meant.
        first, end = _weekday_beside(day, 5, -count if back else count)
        return first, end + 1
    return step(there, unit, -count if back else count)


def _weekday_beside(day: int, weekday: int, count: int) -> Days:
    nearest = days.weekday_until(day - 1 if count < 0 else day + days.WEEK, weekday)[0]
    there = nearest + days.WEEK * (count + 1 if count < 0 else count - 1)
    return there, there + 1


def _year_month(found: re.Match[str], _: Now) -> Days | None:
    return days.month(int(found["year"]), int(found["month"]))


def _month(found: re.Match[str], now: Now) -> Days | None:
    name, by, that = found["month"], (found["by"] or "").lower(), found["that"]
    full = name.lower() in _MONTHS and name.lower() not in _NOT_ALONE
    if not (full or by or found["year"] or that or found["part"]):
        return None
    number_of = _month_number(name)
    this = days.year_of(now.day)
    if found["year"] or that:
        whole = days.month(int(found["year"] or this + _BY[that.lower()]), number_of)
    else:
        whole = _month_by(by, number_of, now)
    part = found["part"]
    return days.part_of_month(whole, _PARTS[part.lower()]) if part else whole


def _month_by(by: str, number_of: int, now: Now) -> Days | None:
    this, current = days.year_of(now.day), days.month_of(now.day)
    if by in {"this", "current"}:
        return days.month(this, number_of)
    if by in {"next", "coming"}:
        return days.month(this + (number_of <= current), number_of)
    if by in {"last", "past", "previous"}:
        return days.month(this - (number_of >= current), number_of)
    return days.latest_month(now.day, number_of)


def _weekday(found: re.Match[str], now: Now) -> Days | None:
    by, weekday = (found["by"] or "").lower(), _WEEKDAYS.index(found["weekday"].lower())
    if by in {"every", "each"}:
        return None
    if by in {"last", "past", "previous"}:
        return days.weekday_until(now.day - 1, weekday)
    if by in {"next", "coming"}:
        return days.weekday_until(now.day + days.WEEK, weekday)
    if by in {"this", "current"}:
        first = days.week(now.day)[0] + weekday
        return first, first + 1
    return days.weekday_until(now.day, weekday)


def _lately(found: re.Match[str], now: Now) -> Days | None:
    said = found["n"].lower()
    count = FEW[1] if said in _FEW else number(said, _NUMBERS)
    return lately(now, found["unit"].lower(), count)


def _calendar(found: re.Match[str], now: Now) -> Days | None:
    by, unit = found["by"].lower(), found["unit"].lower()
    if by == "past" and unit in {"week", "month", "year"}:
        return lately(now, unit, 1)
    return step(now, unit, _BY[by])


def _ago(found: re.Match[str], now: Now) -> Days | None:
    said, unit = found["n"].lower(), found["unit"].lower()
    return few_ago(now, unit) if said in _FEW else ago(now, unit, number(said, _NUMBERS))


def _the_weekend(_: re.Match[str], now: Now) -> Days | None:
    this = days.weekend(now.day)
    return this if this[0] <= now.day else days.weekend(now.day - days.WEEK)


def _near(found: re.Match[str], now: Now) -> Days | None:
    said = found[0].lower()
    by = {"yesterday": -1, "last night": -1, "tomorrow": 1}.get(said, 0)
    if said.startswith(("the day", "day after")):
        by = -2 if said.endswith("yesterday") else 2
    return now.day + by, now.day + by + 1


def _season(found: re.Match[str], now: Now) -> Days | None:
    number_of, that = _SEASONS[found["season"].lower()], found["that"]
    by, this = (found["by"] or "").lower(), days.year_of(now.day)
    if found["year"] or that:
        return days.season(int(found["year"] or this + _BY[that.lower()]), number_of)
    if not by:
        return None
    if by in {"this", "current"}:
        return days.season(this, number_of)
    if by in {"next", "coming"}:
        coming = (days.season(this + more, number_of) for more in range(2))
        return next((one for one in coming if one and one[0] > now.day), None)
    return days.latest_season(now.day, number_of, ended=by in {"last", "past", "previous"})


def _quarter(found: re.Match[str], now: Now) -> Days | None:
    groups = found.groupdict()
    that, year, this = groups.get("that"), groups.get("year"), days.year_of(now.day)
    number_of = int(groups["q"] or _ORDER[str(groups["order"]).lower()])
    if year or that:
        return days.quarter(int(year or this + _BY[str(that).lower()]), number_of)
    # Matches have quarters too.
    if not groups["q"]:
        return None
    latest = days.quarter(this, number_of)
    return latest if latest and latest[0] <= now.day else days.quarter(this - 1, number_of)


def _year(found: re.Match[str], _: Now) -> Days | None:
    return days.year(int(found["year"]))


def _month_number(name: str) -> int:
    return next(place for place, one in enumerate(_MONTHS, 1) if one.startswith(name[:3].lower()))


def _is_verb(name: str) -> bool:
    return name in _VERBS


_SAID: Final = (
    *((_BESIDE + date, _date) for date in _DATES),
    (rf"{_YEAR}[-/](?P<month>0?[1-9]|1[0-2])(?![0-9/-])", _year_month),
    (
        (
            rf"(?:(?P<part>{'|'.join(_PARTS)})[ -](?:in )?)?(?:the )?"
            rf"(?:(?P<by>{_QUALIFIED}|in|during|since|until|throughout) )?"
            rf"{_MONTH}(?:,? (?:of )?{_YEAR}|,? {_THAT_YEAR})?(?! [0-9])"
        ),
        _month,
    ),
    (
        rf"(?:(?P<by>{_QUALIFIED}|every|each) )?(?P<weekday>{'|'.join(_WEEKDAYS)})(?!s)",
        _weekday,
    ),
    (
        (
            rf"(?:in |over |within )?(?:the )?(?P<by>last|past|previous) {_NUMBER} "
            "(?P<unit>hour|day|week|month|year)s?"
        ),
        _lately,
    ),
    (
        rf"(?P<by>{_QUALIFIED}) (?P<unit>week|weekend|month|quarter|year)(?! old)",
        _calendar,
    ),
    (rf"{_NUMBER} (?P<unit>hour|day|week|month|year)s? ago", _ago),
    ("(?:on|over|at|during) the weekend", _the_weekend),
    ("the day before yesterday|day after tomorrow|yesterday|today|tonight|tomorrow", _near),
    ("last night|this (?:morning|afternoon|evening)", _near),
    (
        (
            rf"(?:(?P<by>{_QUALIFIED}|in|during|over) (?:the )?)?(?P<season>{'|'.join(_SEASONS)})"
            rf"(?:,? (?:of )?{_YEAR}|,? {_THAT_YEAR})?(?! of)"
        ),
        _season,
    ),
    (
        (
            rf"(?:q(?P<q>[1-4])|(?P<order>{'|'.join(_ORDER)}) quarter)"
            rf"(?:,? (?:of )?{_YEAR}|,? {_THAT_YEAR})?"
        ),
        _quarter,
    ),
    (rf"{_YEAR} q(?P<q>[1-4])", _quarter),
    (
        (
            rf"(?:in|during|since|until|throughout|early|mid|late|back in)[ -](?:the year )?"
            rf"{_YEAR}(?![-/.,:%]?[0-9])"
        ),
        _year,
    ),
)


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules, compiled when they are first asked for: that takes milliseconds."""
    flags = re.IGNORECASE | re.ASCII  # a Japanese letter may follow a date
    return tuple((re.compile(rf"\b(?:{one})\b", flags), days_of) for one, days_of in _SAID)
