"""Times as they stand in a file, as the seconds the engine counts in."""

from datetime import datetime, timedelta
from typing import Final

_BEGINS: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - a TIMESTAMP is in UTC and says no zone
_MICRO: Final = timedelta(microseconds=1)


def seconds_of(moment: datetime | float) -> float:
    """Return a TIMESTAMP as it was read, or what is in seconds already, as epoch seconds.

    It is what `epoch()` says, to the last digit; as a part of a statement that costs more to plan
    than a dozen of rows to convert.

    >>> seconds_of(datetime(2026, 1, 31, 9, 30, 0, 250_000))
    1769851800.25
    """
    return (moment - _BEGINS) / _MICRO / 1e6 if isinstance(moment, datetime) else moment
