"""A host's database that has the seed's three functions only: what else is needed is made of them.

It is slower than a database that has it: columns are fetched as rows and handed over as lists.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast

from returns.result import Failure, Result, Success

from pce_memory.deps.members import has
from pce_memory.deps.raised import RAISED
from pce_memory.errors import DatabaseFailed
from pce_memory.resources import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pce_memory.deps import Database, Row, Version
    from pce_memory.deps.search import Arrays, Params
    from pce_memory.errors import StoreError

T = TypeVar("T")
E = TypeVar("E")

SEED: Final = ("query", "execute", "transaction")
"""What a database cannot do without."""

_SQL_TYPES: Final[Mapping[str, str]] = {
    "uint64": "ubigint",
    "uint32": "uinteger",
    "uint16": "usmallint",
    "uint8": "utinyint",
    "int64": "bigint",
    "int32": "integer",
    "float64": "double",
    "float32": "float",
    "bool": "boolean",
}
_MATRIX: Final = 2


class SeedDatabase(Protocol):
    """What the design asks of a database."""

    def query(self, sql: str, params: Params | None = None) -> Result[Sequence[Row], StoreError]:
        """Run one statement with named parameters, and return its rows by column name."""
        ...

    def execute(self, sql: str, params: Params | None = None) -> Result[None, StoreError]:
        """Run one statement for its effect."""
        ...

    def transaction(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreError]:
        """Run `work`; commit on Success, roll back on Failure and on any exception."""
        ...


def whole_database(given: SeedDatabase) -> Database:
    """Return a database that has everything, made of one that may have the seed's functions only.

    What it has itself is used.
    """
    further = ("read_only", "version", "arrays", "load", "snapshot", "aside")
    if all(has(given, name) for name in further) or not all(has(given, name) for name in SEED):
        return cast("Database", given)
    return WholeDatabase(given)


class WholeDatabase:
    """A database of the host's, with what it lacks."""

    def __init__(self, given: SeedDatabase) -> None:
        self._given = given
        self._inside = threading.local()

    @property
    def read_only(self) -> bool:
        """Whether writes are refused: no, unless the database says so."""
        own = self._own("read_only")
        return own is True

    @property
    def version(self) -> Version | None:
        """What has been committed so far; None where the database does not count it."""
        return None if self._own("version") is None else cast("Version", self._own("version"))

    def query(self, sql: str, params: Params | None = None) -> Result[Sequence[Row], StoreError]:
        """Run one statement and return its rows."""
        return _attempt("query", sql, lambda: self._given.query(sql, params))

    def execute(self, sql: str, params: Params | None = None) -> Result[None, StoreError]:
        """Run one statement for its effect."""
        return _attempt("execute", sql, lambda: self._given.execute(sql, params))

    def arrays(self, sql: str, params: Params | None = None) -> Result[Arrays, StoreError]:
        """Run one statement and return its columns: made of its rows, if need be."""
        own = self._own("arrays")
        if own is not None:
            return cast("Result[Arrays, StoreError]", own(sql, params))
        return Result.do(
            columns
            for rows in self.query(sql, params)
            for columns in (
                Success(_columns(list(rows[0]), rows)) if rows else self._no_rows(sql, params)
            )
        )

    def _no_rows(self, sql: str, params: Params | None) -> Result[Arrays, StoreError]:
        """Return empty columns: rows that are not there do not tell what columns they would have.

        So they are asked for beside a row that is there.
        """
        asked = template("beside_a_row").replace("{statement}", sql.strip().rstrip(";"))
        return self.query(asked, params).map(lambda rows: _columns(list(rows[0]), ()))

    def load(self, sql: str, columns: Arrays) -> Result[None, StoreError]:
        """Run one statement over columns, which go as lists where the database takes no others."""
        own = self._own("load")
        if own is not None:
            return cast("Result[None, StoreError]", own(sql, columns))
        relation = ", ".join(
            f"unnest($given_{name}::{_sql_type(column)}[]) as {name}"
            for name, column in columns.items()
        )
        params = {f"given_{name}": column.tolist() for name, column in columns.items()}
        return self.execute(
            sql.replace("{given}", template("given_lists").replace("{lists}", relation)), params
        )

    def transaction(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreError]:
        """Run `work`; one inside another is part of it."""
        if getattr(self._inside, "yes", False):
            return work()
        self._inside.yes = True
        try:
            return self._given.transaction(work)
        finally:
            self._inside.yes = False

    def snapshot(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreError]:
        """Run `work` so that all its reads see one state of the file: in a transaction."""
        own = self._own("snapshot")
        if own is None:
            return self.transaction(work)
        return cast("Result[T, E | StoreError]", own(work))

    def aside(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreError]:
        """Run long `work`: in a transaction, which others have to wait for."""
        own = self._own("aside")
        if own is None:
            return self.transaction(work)
        return cast("Result[T, E | StoreError]", own(work))

    def _own(self, name: str) -> Any:  # noqa: ANN401 - a part of the host's, if it is there
        return getattr(self._given, name) if has(self._given, name) else None


def template(name: str) -> str:
    """Return sql/templates/`name`.sql, which the layers above read through `store.statements`."""
    return (resource("sql") / "templates" / f"{name}.sql").read_text("utf-8")


def _attempt(
    operation: str, sql: str, work: Callable[[], Result[T, StoreError]]
) -> Result[T, StoreError]:
    try:
        said = cast("object", work())
    except RAISED as fault:
        return Failure(DatabaseFailed(operation, sql, type(fault).__name__))
    if isinstance(said, Result):
        return cast("Result[T, StoreError]", said)
    return Success(cast("T", said))


def _columns(names: Sequence[str], rows: Sequence[Row]) -> Arrays:
    """Return rows as numpy arrays by column."""
    return {name: _column([row[name] for row in rows]) for name in names}


def _column(values: Sequence[object]) -> Any:  # noqa: ANN401 - an array of numpy's
    """Return values as an array; numbers that are missing are masked."""
    import numpy as np  # noqa: PLC0415 - heavy

    there = [value for value in values if value is not None]
    if not values:
        return np.array([], np.int64)
    if not there or not all(isinstance(value, (bool, int, float)) for value in there):
        return _objects(values)
    if len(there) == len(values):
        return np.array(values)
    plain = [0 if value is None else value for value in values]
    return np.ma.masked_array(plain, [value is None for value in values])


def _objects(values: Sequence[object]) -> Any:  # noqa: ANN401 - an array of numpy's
    import numpy as np  # noqa: PLC0415 - heavy

    column = np.empty(len(values), object)
    column[:] = values
    return column


def _sql_type(column: Any) -> str:  # noqa: ANN401 - an array of numpy's
    plain = _SQL_TYPES[str(column.dtype)]
    return f"{plain}[{column.shape[1]}]" if column.ndim == _MATRIX else plain


__all__ = ["SeedDatabase", "WholeDatabase", "whole_database"]
