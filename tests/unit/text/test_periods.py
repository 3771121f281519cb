"""Expressions of time mean the days they say; words that only look like them mean none."""

import math
import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from pce_memory.text import days
from pce_memory.text.periods import Period, periods

NOON = datetime(2023, 6, 15, 12, tzinfo=UTC)  # a Thursday
NOW = NOON.timestamp()

# The first day and the last; the last is the first where it is not given.
ENGLISH = [
    ("What did she say on 8 May 2023?", "2023-05-08"),
    ("What did she say on 8th of May, 2023?", "2023-05-08"),
    ("on May 8th", "2023-05-08"),
    ("on May 8, 2023", "2023-05-08"),
    ("the 3rd of july", "2022-07-03"),
    ("on 16 Aug. 2022 at noon", "2022-08-16"),
    ("log of 2023-05-08", "2023-05-08"),
    ("log of 2023/5/8.", "2023-05-08"),
    ("2023-05-08T10:00:00Z", "2023-05-08"),
    ("report 2023-05", "2023-05-01 2023-05-31"),
    ("on Feb 29", "2020-02-29"),
    ("on June 16", "2022-06-16"),
    ("on June 15", "2023-06-15"),
    ("in May", "2023-05-01 2023-05-31"),
    ("in June", "2023-06-01 2023-06-30"),
    ("in July", "2022-07-01 2022-07-31"),
    ("What kind of deal did John get in December?", "2022-12-01 2022-12-31"),
    ("the December party", "2022-12-01 2022-12-31"),
    ("last May", "2023-05-01 2023-05-31"),
    ("last June", "2022-06-01 2022-06-30"),
    ("next June", "2024-06-01 2024-06-30"),
    ("this March", "2023-03-01 2023-03-31"),
    ("May 2021", "2021-05-01 2021-05-31"),
    ("in May of last year", "2022-05-01 2022-05-31"),
    ("in February, 2024", "2024-02-01 2024-02-29"),
    ("early May", "2023-05-01 2023-05-10"),
    ("in mid-May", "2023-05-11 2023-05-20"),
    ("late February 2024", "2024-02-21 2024-02-29"),
    ("at the end of May", "2023-05-21 2023-05-31"),
    ("31 February 2023", "2023-02-01 2023-02-28"),
    ("in 2022", "2022-01-01 2022-12-31"),
    ("back in 2019", "2019-01-01 2019-12-31"),
    ("yesterday", "2023-06-14"),
    ("the day before yesterday", "2023-06-13"),
    ("today", "2023-06-15"),
    ("this morning", "2023-06-15"),
    ("last night", "2023-06-14"),
    ("tomorrow", "2023-06-16"),
    ("the day after tomorrow", "2023-06-17"),
    ("last week", "2023-06-05 2023-06-11"),
    ("this week", "2023-06-12 2023-06-18"),
    ("next week", "2023-06-19 2023-06-25"),
    ("two weeks ago", "2023-05-29 2023-06-04"),
    ("3 days ago", "2023-06-12"),
    ("a month ago", "2023-05-01 2023-05-31"),
    ("six months ago", "2022-12-01 2022-12-31"),
    ("2 years ago", "2021-01-01 2021-12-31"),
    ("a couple of weeks ago", "2023-05-29 2023-06-04"),
    ("a few days ago", "2023-06-08 2023-06-13"),
    ("an hour ago", "2023-06-15"),
    ("13 hours ago", "2023-06-14"),
    ("in the last 3 days", "2023-06-12 2023-06-15"),
    ("over the past two weeks", "2023-06-01 2023-06-15"),
    ("the past week", "2023-06-08 2023-06-15"),
    ("this month", "2023-06-01 2023-06-30"),
    ("last month", "2023-05-01 2023-05-31"),
    ("next month", "2023-07-01 2023-07-31"),
    ("last year", "2022-01-01 2022-12-31"),
    ("this year's plan", "2023-01-01 2023-12-31"),
    ("last Monday", "2023-06-12"),
    ("last Thursday", "2023-06-08"),
    ("on Thursday", "2023-06-15"),
    ("What type of date is Andrew going on Sunday?", "2023-06-11"),
    ("next Thursday", "2023-06-22"),
    ("next Friday", "2023-06-16"),
    ("this Friday", "2023-06-16"),
    ("last weekend", "2023-06-10 2023-06-11"),
    ("this weekend", "2023-06-17 2023-06-18"),
    ("over the weekend", "2023-06-10 2023-06-11"),
    ("last summer", "2022-06-01 2022-08-31"),
    ("last winter", "2022-12-01 2023-02-28"),
    ("last spring", "2023-03-01 2023-05-31"),
    ("this summer", "2023-06-01 2023-08-31"),
    ("next summer", "2024-06-01 2024-08-31"),
    ("next autumn", "2023-09-01 2023-11-30"),
    ("in the summer", "2023-06-01 2023-08-31"),
    ("in the fall", "2022-09-01 2022-11-30"),
    ("summer 2021", "2021-06-01 2021-08-31"),
    ("the winter of 2019", "2019-12-01 2020-02-29"),
    ("Q1 2023", "2023-01-01 2023-03-31"),
    ("Q3", "2022-07-01 2022-09-30"),
    ("2022 Q4", "2022-10-01 2022-12-31"),
    ("second quarter of 2022", "2022-04-01 2022-06-30"),
    ("last quarter", "2023-01-01 2023-03-31"),
    ("this quarter", "2023-04-01 2023-06-30"),
    ("the week before August 3, 2023", "2023-07-27 2023-08-02"),
    ("the week after 3 August 2023", "2023-08-04 2023-08-10"),
    ("the week of 3 August 2023", "2023-07-31 2023-08-06"),
    ("two weeks before August 11, 2023", "2023-07-24 2023-07-30"),
    ("on the Monday before July 24, 2023", "2023-07-17"),
    ("the Saturday after October 28, 2023", "2023-11-04"),
    ("two days after 2023-05-08", "2023-05-10"),
    ("the weekend before 12 June 2023", "2023-06-10 2023-06-11"),
    ("the weekend after 10 June 2023", "2023-06-17 2023-06-18"),
    ("the month before 2023-01-08", "2022-12-01 2022-12-31"),
]
JAPANESE = [
    ("2023年5月8日の会議", "2023-05-08"),
    ("２０２３年５月８日の会議", "2023-05-08"),
    ("2023/05/08の会議", "2023-05-08"),
    ("5月8日に何を決めた？", "2023-05-08"),
    ("五月八日", "2023-05-08"),
    ("12月25日", "2022-12-25"),
    ("2月29日", "2020-02-29"),
    ("令和5年5月8日", "2023-05-08"),
    ("平成元年", "1989-01-01 1989-12-31"),
    ("5月の旅行", "2023-05-01 2023-05-31"),
    ("7月の旅行", "2022-07-01 2022-07-31"),
    ("2021年5月", "2021-05-01 2021-05-31"),
    ("去年の5月", "2022-05-01 2022-05-31"),
    ("来年3月", "2024-03-01 2024-03-31"),
    ("5月上旬", "2023-05-01 2023-05-10"),
    ("5月の中旬", "2023-05-11 2023-05-20"),
    ("2024年2月末", "2024-02-21 2024-02-29"),
    ("2021年の予算", "2021-01-01 2021-12-31"),
    ("去年", "2022-01-01 2022-12-31"),
    ("昨年", "2022-01-01 2022-12-31"),
    ("一昨年", "2021-01-01 2021-12-31"),
    ("今年の目標", "2023-01-01 2023-12-31"),
    ("昨日", "2023-06-14"),
    ("一昨日", "2023-06-13"),
    ("おととい話したこと", "2023-06-13"),
    ("今日", "2023-06-15"),
    ("昨夜", "2023-06-14"),
    ("明日", "2023-06-16"),
    ("明後日", "2023-06-17"),
    ("先週", "2023-06-05 2023-06-11"),
    ("先々週", "2023-05-29 2023-06-04"),
    ("今週の月曜", "2023-06-12"),
    ("先週の金曜日に話した店", "2023-06-09"),
    ("月曜日", "2023-06-12"),
    ("木曜", "2023-06-15"),
    ("前の木曜", "2023-06-08"),
    ("次の木曜日", "2023-06-22"),
    ("先週末", "2023-06-10 2023-06-11"),
    ("週末に", "2023-06-10 2023-06-11"),
    ("今週末", "2023-06-17 2023-06-18"),
    ("先月", "2023-05-01 2023-05-31"),
    ("先月の8日", "2023-05-08"),
    ("今月下旬", "2023-06-21 2023-06-30"),
    ("来月", "2023-07-01 2023-07-31"),
    ("3日前", "2023-06-12"),
    ("三日前", "2023-06-12"),
    ("２週間前", "2023-05-29 2023-06-04"),
    ("3か月前", "2023-03-01 2023-03-31"),
    ("3ヶ月前", "2023-03-01 2023-03-31"),
    ("十年前", "2013-01-01 2013-12-31"),
    ("半年前", "2022-12-01 2022-12-31"),
    ("数日前", "2023-06-08 2023-06-13"),
    ("この3日間", "2023-06-12 2023-06-15"),
    ("過去2週間", "2023-06-01 2023-06-15"),
    ("去年の夏", "2022-06-01 2022-08-31"),
    ("2021年冬", "2021-12-01 2022-02-28"),
    ("昨秋", "2022-09-01 2022-11-30"),
    ("冬に行った町", "2022-12-01 2023-02-28"),
    ("2022年第3四半期", "2022-07-01 2022-09-30"),
    ("1980年代", "1980-01-01 1989-12-31"),
    ("第2四半期", "2023-04-01 2023-06-30"),
    ("前四半期", "2023-01-01 2023-03-31"),
]
NO_TIME = [
    "may I come in?", "It may rain", "You May Also Like", "march on", "These 2 may differ", "march 5 miles",
    "the second shop", "a second opinion", "wait a second", "April said hello", "June and August are sisters",
    "the last time we met", "the next one", "spring cleaning", "fall asleep", "the fall of Rome", "summer camp plans",
    "every Monday", "on Mondays", "a monthly report", "weekly", "two weeks of rain", "ten years old", "last year old?",
    "room 2023", "2023 rows", "version 1.5.5", "v2023.05.08.1", "5/8", "10:30", "the second quarter of the match",
    "build 2023-13-45", "2023-02-29", "dayton", "weekend", "the day", "yesterdays", "decide",
    "marching", "augustus", "mayor", "sat in the sun", "3か月", "10年間", "5月病", "8月号", "五月晴れ", "13月", "毎週月曜", "毎週末",
    "春日部", "夏目漱石", "年", "月", "前", "日本日報", "明日葉", "30年以上", "", "%_\\", "\x00", "\ud800 ago", "🎉",
]  # fmt: skip


def seconds(said: str) -> Period:
    first, _, last = said.partition(" ")
    end = date.fromisoformat(last or first) + timedelta(days=1)
    return Period(
        *(
            datetime(d.year, d.month, d.day, tzinfo=UTC).timestamp()
            for d in (date.fromisoformat(first), end)
        )
    )


@pytest.mark.parametrize(("query", "expected"), ENGLISH + JAPANESE)
def test_what_it_means(query: str, expected: str) -> None:
    assert periods(query, NOW) == (seconds(expected),)


@pytest.mark.parametrize("query", NO_TIME)
def test_what_is_no_time(query: str) -> None:
    assert periods(query, NOW) == ()


def test_several_in_the_order_they_are_named() -> None:
    assert periods("between May 2023 and yesterday, or 先週", NOW) == (
        seconds("2023-05-01 2023-05-31"), seconds("2023-06-14"), seconds("2023-06-05 2023-06-11"),
    )  # fmt: skip
    assert len(periods("2023-05-08 " * 3, NOW)) == 1
    assert len(periods(" ".join(f"2023-05-{day:02}" for day in range(1, 31)), NOW)) == 8


@pytest.mark.parametrize(
    ("query", "now", "expected"),
    [
        ("yesterday", "2024-03-01", "2024-02-29"),
        ("yesterday", "2023-01-01", "2022-12-31"),
        ("last week", "2023-01-01", "2022-12-19 2022-12-25"),
        ("this week", "2023-01-01", "2022-12-26 2023-01-01"),
        ("last month", "2023-01-15", "2022-12-01 2022-12-31"),
        ("last quarter", "2023-02-15", "2022-10-01 2022-12-31"),
        ("three months ago", "2024-05-31", "2024-02-01 2024-02-29"),
        ("last weekend", "2023-06-11", "2023-06-03 2023-06-04"),
        ("last winter", "2023-01-15", "2021-12-01 2022-02-28"),
        ("先月", "2024-03-31", "2024-02-01 2024-02-29"),
        ("去年", "2024-01-01", "2023-01-01 2023-12-31"),
        ("昨日", "1970-01-01", "1969-12-31"),
    ],
)
def test_leap_days_and_the_ends_of_years(query: str, now: str, expected: str) -> None:
    assert periods(query, seconds(now).start) == (seconds(expected),)
    assert periods(query, seconds(now).end - 1) == (seconds(expected),)


def test_days_begin_where_the_caller_is(monkeypatch: pytest.MonkeyPatch) -> None:
    tokyo = 9 * 3600.0
    late = datetime(2023, 6, 14, 20, tzinfo=UTC).timestamp()  # 5 in the morning of the 15th there
    found = periods("昨日", late, zone=ZoneInfo("Asia/Tokyo"))
    assert found == (
        Period(seconds("2023-06-14").start - tokyo, seconds("2023-06-14").end - tokyo),
    )
    for zone in ("Asia/Tokyo", "America/New_York"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert periods("yesterday", NOW) == (seconds("2023-06-14"),)
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("zone", "query", "now", "start", "hours"),
    [
        # The clocks of Berlin are set on at 2 on the 26th of March, and back on the 29th of October.
        ("Europe/Berlin", "yesterday", "2023-03-27T08:00", "2023-03-25T23:00", 23),
        ("Europe/Berlin", "yesterday", "2023-10-30T08:00", "2023-10-28T22:00", 25),
        ("Europe/Berlin", "先月", "2023-04-01T00:30", "2023-02-28T23:00", 31 * 24 - 1),
        # In São Paulo they were set on at midnight: that day began at 1.
        ("America/Sao_Paulo", "yesterday", "2018-11-05T12:00", "2018-11-04T03:00", 23),
        # In Havana they are set back at 1: midnight is twice, and the day begins with the first.
        ("America/Havana", "yesterday", "2023-11-06T12:00", "2023-11-05T04:00", 25),
        ("Asia/Kolkata", "今日", "2023-06-15T20:00", "2023-06-15T18:30", 24),
    ],
)
def test_days_are_those_of_a_zone(zone: str, query: str, now: str, start: str, hours: int) -> None:
    asked, begun = (datetime.fromisoformat(one + "+00:00").timestamp() for one in (now, start))
    assert periods(query, asked, zone=ZoneInfo(zone)) == (Period(begun, begun + hours * 3600),)


def test_a_day_that_a_zone_left_out() -> None:
    samoa = ZoneInfo("Pacific/Apia")  # it had no 30 December 2011
    assert periods("2011-12-30", NOW, zone=samoa) == ()
    (day,) = periods("2011-12-29", NOW, zone=samoa)
    assert day.end - day.start == 86_400


@given(st.text(), st.floats(), st.sampled_from(("UTC", "Asia/Tokyo", "America/New_York")))
def test_any_text_at_any_time(query: str, now: float, zone: str) -> None:
    for period in periods(query, now, zone=ZoneInfo(zone)):
        assert period.start < period.end


@given(
    st.lists(st.sampled_from([q for q, _ in ENGLISH + JAPANESE] + NO_TIME), max_size=4).map(
        " ".join
    ),
    st.floats(-1e11, 1e12),
)
def test_periods_are_whole_days(query: str, now: float) -> None:
    for start, end in periods(query, now):
        assert start < end
        assert start % 86_400 == end % 86_400 == 0


@given(st.datetimes(datetime(1600, 1, 1), datetime(3000, 1, 1)))  # noqa: DTZ001 - made UTC below
def test_now_is_in_what_is_now(moment: datetime) -> None:
    now = moment.replace(tzinfo=UTC).timestamp()
    for query in (
        "today",
        "this week",
        "this month",
        "this year",
        "this quarter",
        "今日",
        "今週",
        "今年",
        "the past week",
    ):
        (period,) = periods(query, now)
        assert period.start <= now < period.end
    for query in (
        "yesterday",
        "last week",
        "last month",
        "last year",
        "last Monday",
        "last weekend",
        "last summer",
        "昨日",
        "先週",
        "先月",
    ):
        (period,) = periods(query, now)
        assert period.end <= now


@pytest.mark.parametrize("now", [math.nan, math.inf, -math.inf, 1e18, -1e18])
def test_a_clock_that_is_wrong_tells_no_time(now: float) -> None:
    assert periods("yesterday", now) == ()


@given(st.integers(days.day(3, 1, 1)[0], days.day(9990, 1, 1)[0]))  # type: ignore[index]
def test_a_week_has_its_days(one: int) -> None:
    first, end = days.week(one)
    assert first <= one < end == first + 7
    assert date.fromordinal(first).weekday() == 0
    assert days.weekend(one) == (first + 5, end)


@pytest.mark.parametrize(
    "piece",
    ["5月", "May 8 ", "the week before ", "2023-", "last ", "a few ", "春", "1", "数", "先"],
)
def test_a_long_query_is_read_quickly(piece: str) -> None:
    begun = time.process_time()
    periods(piece * 5_000, NOW)
    assert time.process_time() - begun < 1
