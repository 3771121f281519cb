"""Turn the file of a memory into one of an earlier schema, made by the migrations of that time."""

from pathlib import Path

import duckdb

from pce_memory.store.migrations import Migration, known_migrations
from pce_memory.store.statements import statements

SCHEMA = statements("schema")
DERIVED = ("macros_sha256", "shape_sha256")
"""What a file keeps of the version that has opened it last."""


def downgrade(path: str | Path, version: int) -> None:
    """Write a closed file anew, as a memory of that schema would have written what it holds."""
    older = Path(f"{path}.older")
    with duckdb.connect(str(older)) as connection:
        connection.execute(SCHEMA["create_schema_migrations"])
        for migration in known_migrations()[:version]:
            connection.execute(migration.script)
            _record(connection, migration)
        connection.execute(f"attach '{path}' as newer (read_only)")
        _copy(connection)
        connection.execute("delete from meta where key in $keys", {"keys": list(DERIVED)})
    older.replace(path)


def _record(connection: duckdb.DuckDBPyConnection, migration: Migration) -> None:
    row = {"version": migration.version, "name": migration.name, "sha256": migration.digest}
    connection.execute(SCHEMA["record_migration"], {**row, "now": 1_750_000_000.0})


def _copy(connection: duckdb.DuckDBPyConnection) -> None:
    """Copy the columns that both have, the tables that a memory makes as it needs them, and numbers."""
    here, there = (_columns(connection, name) for name in (_name(connection), "newer"))
    for table in sorted(there.keys() - {"schema_migrations"}):
        if table in here:
            both = ", ".join(sorted(here[table] & there[table]))
            connection.execute(
                f"insert into {table} by name select {both} from newer.{table} order by rowid"
            )
        elif "vectors_" in table:
            made = connection.execute(
                "select sql from duckdb_tables() where database_name = 'newer' and table_name = $name",
                {"name": table},
            ).fetchone()
            assert made is not None
            connection.execute(made[0].replace("newer.", ""))
            connection.execute(f"insert into {table} from newer.{table}")
    taken = connection.execute(
        "select sequence_name, last_value from duckdb_sequences() where database_name = 'newer'"
    ).fetchall()
    for sequence, last in taken:
        if last is not None:
            connection.execute(f"select max(nextval('{sequence}')) from range({last})").fetchall()


def _name(connection: duckdb.DuckDBPyConnection) -> str:
    row = connection.execute("select current_database()").fetchone()
    assert row is not None
    return str(row[0])


def _columns(connection: duckdb.DuckDBPyConnection, database: str) -> dict[str, set[str]]:
    rows = connection.execute(
        "select table_name, column_name from duckdb_columns() where database_name = $name",
        {"name": database},
    ).fetchall()
    columns: dict[str, set[str]] = {}
    for table, column in rows:
        columns.setdefault(table, set()).add(column)
    return columns
