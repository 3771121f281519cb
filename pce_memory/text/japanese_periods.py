"""Expressions of time in Japanese, and which days they mean.

先週, 今月, 来年, 先々週       of the calendar: weeks begin on Monday
先週の月曜, 月曜日            the Monday of last week; the latest Monday
5月, 5月8日, 夏に             the latest that has begun
3日前, 2週間前, 3か月前        the day; the calendar week, month, year
この3日間, 過去2週間           the days up to today
去年の夏, 2023年度            a season that begins in that year; the calendar year
5月上旬, 中旬, 下旬           its days 1 to 10, 11 to 20, 21 to the end
令和5年, 平成元年             years of the eras
"""

import re
from functools import cache
from typing import Final

from pce_memory.text import days
from pce_memory.text.days import Days
from pce_memory.text.spoken import FEW, Now, Rule, ago, few_ago, lately, number, step

_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925}
_YEARS: Final = {
    "一昨年": -2, "おととし": -2, "昨年": -1, "去年": -1, "今年": 0, "来年": 1, "再来年": 2,
}  # fmt: skip
_WEEKS: Final = {"先々週": -2, "先週": -1, "今週": 0, "来週": 1, "再来週": 2}
_MONTHS: Final = {"先々月": -2, "先月": -1, "今月": 0, "来月": 1, "再来月": 2}
_DAYS: Final = {
    "一昨日": -2, "おととい": -2, "昨日": -1, "きのう": -1, "昨夜": -1, "昨晩": -1, "ゆうべ": -1,
    "今日": 0, "本日": 0, "今朝": 0, "今夜": 0, "今晩": 0, "明日": 1, "あした": 1, "明後日": 2,
    "あさって": 2,
}  # fmt: skip
_SEASONS: Final = {"春": days.SPRING, "夏": days.SUMMER, "秋": days.AUTUMN, "冬": days.WINTER}
_PARTS: Final = {
    "上旬": "early", "初旬": "early", "初め": "early", "中旬": "mid", "半ば": "mid",
    "下旬": "late", "末": "late",
}  # fmt: skip
_UNITS: Final = {"日": "day", "週": "week", "か月": "month", "年": "year", "時": "hour"}
_WEEKDAYS: Final = "月火水木金土日"

_NUMBER: Final = "(?:[0-9]{1,3}|[一二三四五六七八九十]{1,3})"
_YEAR: Final = (
    "(?:(?P<era>令和|平成|昭和)(?P<era_year>元|[0-9]{1,2})年|(?<![0-9])(?P<year>[0-9]{4})年"
    f"|(?P<that>{'|'.join(_YEARS)}))"
)
_COUNTED: Final = rf"(?P<n>数|半|{_NUMBER})(?P<unit>日|週|[かカヵヶケ箇]月|年|時)"


def _said_year(found: re.Match[str], now: Now) -> int | None:
    if found["that"]:
        return days.year_of(now.day) + _YEARS[found["that"]]
    if found["era"]:
        return _ERAS[found["era"]] + (1 if found["era_year"] == "元" else int(found["era_year"]))
    return int(found["year"]) if found["year"] else None


def _date(found: re.Match[str], now: Now) -> Days | None:
    year, month = _said_year(found, now), number(found["month"], {})
    if month > days.MONTHS:
        return None
    if found["day"]:
        day = number(found["day"], {})
        return days.day(year, month, day) if year else days.latest_day(now.day, month, day)
    whole = days.month(year, month) if year else days.latest_month(now.day, month)
    return days.part_of_month(whole, _PARTS[found["part"]]) if found["part"] else whole


def _month(found: re.Match[str], now: Now) -> Days | None:
    whole = step(now, "month", _MONTHS[found["month"]])
    if whole is None or found["part"]:
        return days.part_of_month(whole, _PARTS[found["part"]])
    if not found["day"]:
        return whole
    first = whole[0] + number(found["day"], {}) - 1
    return (first, first + 1) if first < whole[1] else None


def _year(found: re.Match[str], now: Now) -> Days | None:
    year = _said_year(found, now)
    if year is None:
        return None
    if found["season"]:
        return days.season(year, _SEASONS[found["season"]])
    if found["decade"]:
        return days.months(year, 1, 10 * days.MONTHS)
    return days.quarter(year, int(found["quarter"])) if found["quarter"] else days.year(year)


def _season(found: re.Match[str], now: Now) -> Days | None:
    season = _SEASONS[found["season"] or found["bare"]]
    if found[0].startswith("昨"):
        return days.season(days.year_of(now.day) - 1, season)
    return days.latest_season(now.day, season, ended=False)


def _week(found: re.Match[str], now: Now) -> Days | None:
    day = now.day + days.WEEK * _WEEKS[found["week"]]
    if found["end"]:
        return days.weekend(day)
    if not found["weekday"]:
        return days.week(day)
    first = days.week(day)[0] + _WEEKDAYS.index(found["weekday"])
    return first, first + 1


def _weekday(found: re.Match[str], now: Now) -> Days | None:
    last = {"今度の": now.day + days.WEEK, "次の": now.day + days.WEEK, None: now.day}
    return days.weekday_until(
        last.get(found["by"], now.day - 1), _WEEKDAYS.index(found["weekday"])
    )


def _ago(found: re.Match[str], now: Now) -> Days | None:
    unit = _unit(found)
    if found["n"] == "半":
        return ago(now, "month", 6) if unit == "year" else None
    return few_ago(now, unit) if found["n"] == "数" else ago(now, unit, number(found["n"], {}))


def _lately(found: re.Match[str], now: Now) -> Days | None:
    unit = _unit(found)
    if found["n"] == "半":
        return lately(now, "month", 6) if unit == "year" else None
    return lately(now, unit, FEW[1] if found["n"] == "数" else number(found["n"], {}))


def _unit(found: re.Match[str]) -> str:
    return _UNITS.get(found["unit"], "month")


def _near(found: re.Match[str], now: Now) -> Days | None:
    day = now.day + _DAYS[found[0]]
    return day, day + 1


def _weekend(_: re.Match[str], now: Now) -> Days | None:
    this = days.weekend(now.day)
    return this if this[0] <= now.day else days.weekend(now.day - days.WEEK)


def _quarter(found: re.Match[str], now: Now) -> Days | None:
    if found["by"]:
        return step(now, "quarter", {"前": -1, "今": 0, "来": 1}[found["by"]])
    this = days.year_of(now.day)
    latest = days.quarter(this, int(found["quarter"]))
    return (
        latest
        if latest and latest[0] <= now.day
        else days.quarter(this - 1, int(found["quarter"]))
    )


_PART: Final = "|".join(_PARTS)
_SAID: Final = (
    (
        (
            rf"(?:{_YEAR}の?)?(?<![0-9一二三四五六七八九十])(?P<month>{_NUMBER})月"
            rf"(?:(?P<day>{_NUMBER})日(?!間|前)|の?(?P<part>{_PART}))?(?![雨号病晴])"
        ),
        _date,
    ),
    (
        rf"(?P<month>{'|'.join(_MONTHS)})(?:の?(?P<day>{_NUMBER})日(?!間|前)|の?(?P<part>{_PART}))?",
        _month,
    ),
    (
        rf"{_YEAR}(?!前|間|以)(?:度|の)?(?:(?P<season>[春夏秋冬])|第?(?P<quarter>[1-4])四半期|(?P<decade>代))?",
        _year,
    ),
    (r"(?:昨|この)(?P<season>[春夏秋冬])|(?<![春夏秋冬\w])(?P<bare>[春夏秋冬])に", _season),
    (
        rf"(?P<week>{'|'.join(_WEEKS)})(?:の?(?P<weekday>[{_WEEKDAYS}])曜日?|の?(?P<end>週?末))?",
        _week,
    ),
    (rf"(?<!毎週)(?P<by>この前の|前の|今度の|次の)?(?P<weekday>[{_WEEKDAYS}])曜日?", _weekday),
    (rf"(?<![0-9]){_COUNTED}間?前", _ago),
    (rf"(?:ここ|この|過去|直近|最近の?){_COUNTED}間?(?!前)", _lately),
    (rf"(?<!日)(?:{'|'.join(_DAYS)})(?!葉)", _near),
    ("(?<![先今来毎各])週末", _weekend),
    ("(?P<by>前|今|来)四半期|(?<![年度の])第(?P<quarter>[1-4])四半期", _quarter),
)


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules, compiled when they are first asked for: that takes milliseconds."""
    return tuple((re.compile(one), days_of) for one, days_of in _SAID)
