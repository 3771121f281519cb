"""What a statement of DuckDB gave, as rows or columns; how it is ended, and kept from ending."""

import ctypes
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Protocol

from pce_memory.deps import Arrays, Row


class Answer(Protocol):
    """What a connection gave for a statement."""

    @property
    def description(self) -> list[Any]:
        """Name, type and more of each column."""
        ...

    def fetchall(self) -> list[Any]:
        """Return all rows."""
        ...

    def fetchnumpy(self) -> dict[str, Any]:
        """Return all columns."""
        ...


class Running(Protocol):
    """A connection that runs a statement."""

    def interrupt(self) -> None:
        """End it."""
        ...


def columns_of(done: Answer) -> Arrays:
    """Return the columns as numpy arrays by name."""
    return done.fetchnumpy()


def rows_of(done: Answer) -> Sequence[Row]:
    """Return the rows by column name."""
    names = [str(column[0]) for column in done.description or ()]
    return [dict(zip(names, row, strict=True)) for row in done.fetchall()]


def end(connection: Running, fault: type[Exception]) -> None:
    """End the statement that a connection runs."""
    with suppress(fault):  # one that is closed meanwhile runs nothing
        connection.interrupt()


def keep_for_ever(connections: Sequence[object]) -> None:
    """Keep the connections of a parent process from ever being destroyed in this one.

    Their destructors would wait for threads that a fork does not copy, and abort the child.
    """
    for connection in connections:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
