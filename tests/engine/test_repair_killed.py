"""A repair whose process is killed: whatever it was about to do, the next one comes to the same."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import duckdb
import pytest

from pce_memory import Memory
from tests.edited_files import ALL, filled, open_at
from tests.engine.test_edited_files import copied, kinds

EDITS: Final = """
update claims set twin = -1, changed = -1 where row_id = 1;
update claims set text = '' where row_id = 2;
update claims set row_id = -1 where row_id = 3;
delete from postings where row_id % 2 = 0;
delete from postings_delta where row_id % 2 = 0;
delete from vectors_1 where row_id % 3 = 0;
delete from evidence where claim_id = (select id from claims where row_id = 4);
update document_fields set doc_key = -1 where doc_key = 1;
update document_values set number = 3;
update runs set boundary = '3' where seq = 1;
update active_contexts set boundary = '3';
"""
KILLED: Final = """
import os, sys, uuid
from pce_memory.adapters.duck import DuckDatabase
from tests.edited_files import open_at
memory = open_at(sys.argv[1], ids=lambda prefix: prefix + uuid.uuid4().hex)
left = [int(sys.argv[2])]
def killing(run):
    def counted(*given, **named):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), 9)
        return run(*given, **named)
    return counted
DuckDatabase.execute, DuckDatabase.load = killing(DuckDatabase.execute), killing(DuckDatabase.load)
memory.repair(dry_run=False)
memory.close()
"""
STEP: Final = 12


def held(memory: Memory) -> object:
    """Return what a file holds that no repair may lose, and what is answered of it."""
    read = "select id, text, status from claims order by id"
    claims = memory.deps.db.query(read).unwrap()
    documents = memory.deps.db.query("select id, digest from documents order by id").unwrap()
    observed = memory.deps.db.query("select id, content from observations order by id").unwrap()
    hits = {
        hit.claim.text
        for query in ("red lamp", "Alice dark mode", "会議")
        for hit in memory.search(query, k=20, boundary=ALL)
    }
    papers = [memory.publication(name, boundary=ALL).fields for name in ("JP1", "JP2")]
    return claims, documents, observed, hits, papers


@pytest.mark.slow
def test_nothing_is_lost_wherever_it_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "edited.duckdb"
    _ = filled(path)
    with open_at(copied(path, tmp_path / "sound.duckdb")) as memory:
        whole = held(memory)
    with duckdb.connect(str(path)) as outside:
        outside.execute(EDITS)
    killed, at = 0, 0
    while True:
        one = copied(path, tmp_path / f"killed{at}.duckdb")
        done = subprocess.run([sys.executable, "-c", KILLED, str(one), str(at)], check=False)
        with open_at(one) as memory:
            _ = memory.repair(dry_run=False)
            assert kinds(memory, "repair") | kinds(memory, "lost") == set()
            assert held(memory) == whole
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        killed, at = killed + 1, at + STEP
    assert killed > 3
