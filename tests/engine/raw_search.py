"""Search a memory's file for a word, in every text column of every table and in its bytes."""

import json
from pathlib import Path

from pce_memory import Memory

COLUMNS = """
select table_name as held_in, column_name as name from duckdb_columns()
where database_name = current_database() and data_type in ('VARCHAR', 'JSON')
"""


def places(memory: Memory, word: str) -> list[str]:
    """Return the tables in which a word stands, in any column of text."""
    db = memory.deps.db
    columns = db.query(COLUMNS).unwrap()
    assert {"runs", "events", "documents"} <= {row["held_in"] for row in columns}
    escaped = json.dumps(word)[1:-1]  # as JSON in ASCII has it
    found = {
        column["held_in"]
        for column in columns
        for row in db.query(
            f'select count(*) as n from "{column["held_in"]}" where contains(lower("{column["name"]}"'
            "::varchar), $word) or contains(lower(" + f'"{column["name"]}"::varchar), $escaped)',
            {"word": word, "escaped": escaped},
        ).unwrap()
        if row["n"]
    }
    return sorted(found)


def files_with(folder: Path, word: str) -> list[str]:
    """Return the files of a folder in whose bytes a word stands."""
    return [path.name for path in folder.iterdir() if word.encode() in path.read_bytes().lower()]
