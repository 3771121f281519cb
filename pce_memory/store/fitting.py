"""Read rows as models; a row that does not fit is left out, so that it takes no other with it.

Which rows those are, `health(deep=True)` says.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, cast

from returns.result import Failure, Result, Success

from pce_memory.deps import Row
from pce_memory.errors import DatabaseFailed

T = TypeVar("T")


def reads(row: Row, read: Callable[[Row], T]) -> T | None:
    """Return a row as a model; None if it does not fit, as in a file that somebody edited."""
    try:
        return read(row)
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError):
        # A ValidationError and a JSONDecodeError are ValueErrors.
        return None


def fitting(rows: Iterable[Row], read: Callable[[Row], T]) -> Iterator[T]:
    """Return the rows that fit a model, as the model, in order."""
    for row in rows:
        model = reads(row, read)
        if model is not None:
            yield model


def whole(row: Row, read: Callable[[Row], T], table: str) -> Result[T, DatabaseFailed]:
    """Return a row as a model; a failure where it does not fit, and may not be passed over."""
    model = reads(row, read)
    return Failure(DatabaseFailed(f"read of {table}")) if model is None else Success(model)


def list_in(text: str) -> list[object]:
    """Return the list that a text of JSON says; an empty one if it says something else."""
    said = _parsed(text)
    return cast("list[object]", said) if isinstance(said, list) else []


def mapping_in(text: str) -> dict[str, object] | None:
    """Return the mapping that a text of JSON says; None if it says something else."""
    said = _parsed(text)
    return cast("dict[str, object]", said) if isinstance(said, dict) else None


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
