"""What models, rerankers and judges of others are called."""

from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidParameter

LONGEST_NAME: Final = 200


def named(given: object, port: str, part: str = "model_id") -> Result[str, InvalidParameter]:
    """Return a name as plain text, if what is given for a part of a port can be one."""
    if isinstance(given, str) and 0 < len(given) <= LONGEST_NAME and given.isprintable():
        return Success(str(given))
    reason = f"its {part} is not 1 to {LONGEST_NAME} printable characters"
    return Failure(InvalidParameter(port, reason))


def name_of_function(function: object) -> str:
    """Return what a function goes by that has no name of its own.

    >>> name_of_function(sorted)
    'function:sorted'
    """
    return f"function:{getattr(function, '__qualname__', type(function).__name__)}"
