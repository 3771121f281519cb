"""What a statement gave, as rows or as columns."""

from collections.abc import Sequence
from typing import Any, Protocol

from pce_memory.deps import Arrays, Row


class Fetched(Protocol):
    """A connection after a statement was run."""

    @property
    def description(self) -> Sequence[Sequence[Any]] | None:
        """The columns, the name of each first."""
        ...

    def fetchall(self) -> Sequence[Sequence[Any]]:
        """Return all rows."""
        ...

    def fetchnumpy(self) -> Any:  # noqa: ANN401 - a dictionary of arrays, untyped there
        """Return all columns by name."""
        ...


def columns_of(done: Fetched) -> Arrays:
    """Return columns by name, each a numpy array."""
    columns: Arrays = done.fetchnumpy()
    return columns


def rows_of(done: Fetched) -> Sequence[Row]:
    """Return rows by the names of their columns."""
    names = [str(column[0]) for column in done.description or ()]
    return [dict(zip(names, row, strict=True)) for row in done.fetchall()]
