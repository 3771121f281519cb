"""Read every block that the tables of a file have: DuckDB finds damage only where it reads."""

from typing import Final

from returns.result import Result

from pce_memory.deps import Database
from pce_memory.errors import StoreError
from pce_memory.result import collect
from pce_memory.store.statements import statements, template

SQL: Final = statements("schema")


def read_all(db: Database) -> Result[None, StoreError]:
    """Return a failure if any column of any table cannot be read."""

    def read(table: str) -> Result[object, StoreError]:
        return db.query(template("read_all").replace("{table}", table.replace('"', '""')))

    return Result.do(
        None
        for tables in db.query(SQL["tables"])
        for _ in collect(read(str(row["name"])) for row in tables)
    )
