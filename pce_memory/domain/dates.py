"""Moments as people write them: YYYYMMDD, ISO 8601, or epoch seconds."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, TypeAlias

from pydantic import BeforeValidator, Field

from pce_memory.domain.model import DAY, LAST_MOMENT

FIRST_MOMENT: Final = -62_135_596_800.0
"""The beginning of the year 1."""

Span: TypeAlias = tuple[float, float]
"""The first moment that is meant, and the last; they differ where a day is named."""

_DAY_NUMBER: Final = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})", re.ASCII)
_LAST_OF_DAY: Final = DAY - 1e-6


def span_of(value: object) -> Span | None:
    """Return the moments that a date means, in epoch seconds; None where it is no date.

    A whole number of eight digits that is a day of the calendar is that day. ISO 8601 without a
    zone is UTC.

    >>> span_of("19700102"), span_of(19700102) == span_of("1970-01-02")
    ((86400.0, 172799.999999), True)
    >>> span_of("1970-01-01T00:00:01+00:00"), span_of(12.5), span_of("20230230")
    ((1.0, 1.0), (12.5, 12.5), None)
    """
    if isinstance(value, str):
        return _of_text(value.strip())
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, int) and (day := _of_day(str(value))) is not None:
        return day
    moment = float(value) if abs(value) <= LAST_MOMENT else LAST_MOMENT + 1
    return (moment, moment) if FIRST_MOMENT <= moment <= LAST_MOMENT else None


def _of_text(text: str) -> Span | None:
    if (day := _of_day(text)) is not None:
        return day
    if text.isdigit():  # what Python takes for a week date or a year and a month
        return None
    try:
        moment = datetime.fromisoformat(text)
        stamp = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
    return (stamp, stamp) if FIRST_MOMENT <= stamp <= LAST_MOMENT else None


def _of_day(text: str) -> Span | None:
    found = _DAY_NUMBER.fullmatch(text)
    if found is None:
        return None
    try:
        day = datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=UTC)
    except ValueError:
        return None
    first = (day - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(seconds=1)
    return first, first + _LAST_OF_DAY


def _moment(value: object) -> float:
    span = span_of(value)
    if span is None:
        raise ValueError("give a date as YYYYMMDD, as ISO 8601 or as epoch seconds")
    return span[0]


Moment: TypeAlias = Annotated[
    float, BeforeValidator(_moment), Field(ge=FIRST_MOMENT, le=LAST_MOMENT)
]
"""UTC epoch seconds, before 1970 too; given as YYYYMMDD, as ISO 8601, or as such a number."""
