"""The periods a query speaks of: "last May", "two weeks ago", 「先週」, 2023-05-08."""

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final, NamedTuple

from pce_memory.text import english_periods, japanese_periods
from pce_memory.text.days import Days
from pce_memory.text.spoken import DAY, Now

_EPOCH: Final = 719_163  # 1 January 1970
_1970: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - by the clock on the wall
_DAYS_OF_CALENDAR: Final = (366, 3_650_000)  # years 2 to 9993, so that a step stays within
_READ_UP_TO: Final = 2_000
_MAX_PERIODS: Final = 8
# Nothing else is worth looking at: a digit, or a word that all the rules begin or end with.
_MAY: Final = re.compile(
    "[0-9年月日週曜春夏秋冬前朝夜晩昨]|おととい|きのう|ゆうべ|あした|あさって|四半期"
    "|day|week|month|year|quarter|ago|night|morning|evening|afternoon|tomorrow"
    "|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|fall|winter",
    re.IGNORECASE,
)


class Period(NamedTuple):
    """From `start` to before `end`, in epoch seconds."""

    start: float
    end: float


class _Found(NamedTuple):
    start: int
    end: int
    days: Days


def periods(query: str, now: float, *, zone: tzinfo = UTC) -> tuple[Period, ...]:
    """Return the periods that a query names, in the order it names them; none is the usual case.

    `now` is in epoch seconds. Days begin at midnight of `zone`, whatever its clocks did since; the
    machine's own zone does not matter. What "last Monday" and the like mean is said
    where they are read: `english_periods`, `japanese_periods`. A date without a year is the latest
    that has begun: memories are of what was. Of at most the first 2,000 characters the first eight
    periods are read; of expressions that overlap, the longest.

    >>> may_2023, june_2023, noon = 1682899200.0, 1685577600.0, 1686830400.0
    >>> periods("What did she paint last May?", noon) == (Period(may_2023, june_2023),)
    True
    >>> periods("may I march to the second shop?", noon)
    ()
    >>> [end - start for start, end in periods("先週の月曜と2023年5月", noon)]
    [86400.0, 2678400.0]
    """
    text = unicodedata.normalize("NFKC", query[:_READ_UP_TO])
    first, last = _DAYS_OF_CALENDAR
    if not _MAY.search(text) or not first < now / DAY + _EPOCH < last:  # NaN is not between
        return ()
    east = (_1970 + timedelta(seconds=now)).replace(tzinfo=UTC).astimezone(zone).utcoffset()
    count, seconds = divmod(now + (east or timedelta()).total_seconds(), DAY)
    spans = (
        one.days for one in _longest(_found(text, Now(int(count) + _EPOCH, seconds)), len(text))
    )
    each = dict.fromkeys(
        Period(_instant(start, zone), _instant(end, zone)) for start, end in spans
    )
    # A day that a zone left out, to be on the other side of the date line, has no moment.
    return tuple(one for one in each if one.start < one.end)[:_MAX_PERIODS]


def _instant(day: float, zone: tzinfo) -> float:
    """Return when the clocks of a zone show the beginning of a day, the first time they do.

    Where they skip it, that is the moment at which they do: so `fold=0` has it.
    """
    first, last = _DAYS_OF_CALENDAR
    wall = _1970 + timedelta(days=min(max(day, first), last) - _EPOCH)
    east = wall.replace(tzinfo=zone).utcoffset() or timedelta()
    return (day - _EPOCH) * DAY - east.total_seconds()


def _found(text: str, now: Now) -> Iterator[_Found]:
    for pattern, days in (*english_periods.rules(), *japanese_periods.rules()):
        for match in pattern.finditer(text):
            meant = days(match, now)
            if meant is not None:
                yield _Found(match.start(), match.end(), meant)


def _longest(found: Iterator[_Found], length: int) -> list[_Found]:
    kept: list[_Found] = []
    taken = bytearray(length)
    for one in sorted(found, key=lambda one: (one.start - one.end, one.start)):
        if not any(taken[one.start : one.end]):
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            kept.append(one)
    return sorted(kept)
