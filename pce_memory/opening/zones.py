"""The time zone whose days a query means, by its name."""

from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, available_timezones

from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidParameter


def zone_of(name: object) -> Result[tzinfo, InvalidParameter]:
    """Return the zone of an IANA name; UTC needs no time zone data.

    >>> zone_of("UTC").unwrap() is UTC, zone_of("Mars/Olympus").failure().name
    (True, 'timezone')
    """
    if not isinstance(name, str):
        return _invalid(f"it is a {type(name).__name__}; give a name such as Asia/Tokyo")
    if name == "UTC":
        return Success(UTC)
    try:
        return Success(ZoneInfo(name))
    # No such name; no name at all, such as a path; a folder of names; a file that is no zone.
    except (KeyError, ValueError, OSError):
        pass
    if not available_timezones():
        return _invalid(
            "this system has no time zone data; install the package tzdata, or use UTC"
        )
    return _invalid("there is no zone of that name; give an IANA name such as Asia/Tokyo, or UTC")


def _invalid(reason: str) -> Failure[InvalidParameter]:
    return Failure(InvalidParameter("timezone", reason))
