"""What DuckDB writes a file as: new ones so that readers do not wait for a checkpoint.

A file that can be read by DuckDB 1.0 has every index rewritten at each checkpoint, and held
meanwhile: at 100,000 claims a lookup waited some 50 ms.
"""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb

from pce_memory import Memory
from pce_memory.adapters.connecting import FORMAT

Open = Callable[..., Memory]

TEXTS = ("The lamp in the hall is broken.", "廊下の電球が切れている。")


def format_of(path: Path) -> str:
    with closing(duckdb.connect()) as connection:
        connection.execute(f"attach '{path}' as looked_at (read_only)")
        found = connection.execute(
            "select tags['storage_version'] from duckdb_databases() where database_name = 'looked_at'"
        ).fetchone()
    assert found is not None
    return str(found[0]).rstrip("+")


def as_older(path: Path, older: Path) -> None:
    """Copy a file into one that DuckDB 1.0 could read, as earlier versions wrote it."""
    with closing(duckdb.connect()) as connection:
        connection.execute(f"attach '{path}' as newer (read_only)")
        connection.execute(f"attach '{older}' as older (storage_version 'v1.0.0')")
        connection.execute("copy from database newer to older")


def written(memory_at: Open, tmp_path: Path) -> Path:
    with memory_at() as memory:
        for text in TEXTS:
            memory.observe(text)
    return tmp_path / "memory.duckdb"


def shown(memory: Memory, query: str) -> list[str]:
    return [item.claim.text for item in memory.search(query)]


def test_a_new_file_and_a_snapshot_of_it_have_the_format(memory_at: Open, tmp_path: Path):
    with memory_at() as memory:
        memory.observe(TEXTS[0])
        copy = memory.snapshot(tmp_path / "copy.duckdb")
    assert format_of(tmp_path / "memory.duckdb") == format_of(copy) == FORMAT


def test_an_older_file_stays_as_it_is_until_it_is_compacted(memory_at: Open, tmp_path: Path):
    as_older(written(memory_at, tmp_path), tmp_path / "older.duckdb")
    assert format_of(tmp_path / "older.duckdb") == "v1.0.0"
    with memory_at("older.duckdb") as memory:
        assert TEXTS[0] in shown(memory, "lamp")
        memory.observe("The lamp in the kitchen works.")
    assert format_of(tmp_path / "older.duckdb") == "v1.0.0"
    with memory_at("older.duckdb") as memory:
        assert memory.compact()
        assert {TEXTS[0], "The lamp in the kitchen works."} <= set(shown(memory, "lamp"))
        assert TEXTS[1] in shown(memory, "電球")
    assert format_of(tmp_path / "older.duckdb") == FORMAT
