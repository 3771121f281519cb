"""The indexes that are no constraints: what DuckDB does not do for them by itself."""

from typing import Final

from returns.result import Result, Success

from pce_memory.deps import Database, Row
from pce_memory.errors import StoreError
from pce_memory.result import collect
from pce_memory.store.statements import statements, template

SQL: Final = statements("claims")


def take_in_log(db: Database) -> Result[None, StoreError]:
    """Have DuckDB take into its indexes what it replayed from a log, before a checkpoint.

    DuckDB 1.5 loses these entries if a checkpoint comes before the first lookup: the rows are
    there, and no index finds them. A lookup of a value that the column has takes in all indexes
    of the table.
    """
    return Result.do(
        None
        for indexes in db.query(template("indexes"))
        for _ in collect(_looked_up(db, row) for row in indexes)
    )


def take_in_numbers(db: Database) -> Result[None, StoreError]:
    """Have DuckDB tell the last number of a change as it is.

    After it replayed a log, what it tells is of before, until the next number is taken.
    """
    return db.query(SQL["next_change"]).map(lambda _: None)


def _looked_up(db: Database, index: Row) -> Result[None, StoreError]:
    names = {"table": str(index["table_name"]), "column": str(index["expressions"]).strip("[]")}
    return Result.do(
        None
        for rows in db.query(_filled(template("index_least"), names))
        for _ in (
            Success(())
            if not rows or rows[0]["least"] is None
            else db.query(_filled(template("index_lookup"), names), {"value": rows[0]["least"]})
        )
    )


def _filled(text: str, names: dict[str, str]) -> str:
    for key, value in names.items():
        text = text.replace(f"{{{key}}}", value)
    return text
