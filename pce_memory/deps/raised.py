"""What code of others may raise, and what is told of it."""

from typing import Final

RAISED: Final = (Exception, SystemExit, GeneratorExit)
"""Models, clocks, dictionaries and backends are other people's code, from native libraries to a
caller's own object: no list of names is long enough, and it may call sys.exit. An interrupt
passes, and so does whatever else is a BaseException and no Exception: that is how asyncio, trio
and gevent end a call from outside, and whoever caught it here would go on with what was ended."""


def kind_of(fault: BaseException) -> str:
    """Return the kind of an exception, never its text: that may quote what it was given."""
    return f"it raised {type(fault).__name__}"
