"""What a file is made of is compared at opening, not only what it says of itself."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import duckdb
import pytest
from returns.result import Failure, Success

from pce_memory import Memory
from pce_memory.errors import SchemaDrift
from tests.conftest import rows

FILE: Final = "memory.duckdb"
Open = Callable[..., Memory]

EDITS: Final = {
    "drop table evidence": "table evidence",
    "drop table meta": "table meta",
    "drop table policies": "table policies",
    "drop table events": "table events",
    "drop table postings_delta": "table postings_delta",
    "drop table document_field_names": "table document_field_names",
    "drop sequence postings_seq": "sequence postings_seq",
    "drop index claim_near_keys": "index claim_near_keys",
    "drop index claim_near_keys; create index claim_near_keys on claims (kind)":
        "index claim_near_keys",
    "alter table audit drop column reason": "table audit",
    "alter table events add column more varchar": "table events",
    "alter table postings alter tf type integer": "table postings",
    "drop index feedback_ids; alter table feedback rename score to marks;"
    "create index feedback_ids on feedback (id)": "table feedback",
    "alter table audit alter tool drop not null": "table audit",
    "alter table audit alter who set default 'me'": "table audit",
    "create or replace macro bm25_idf(n, df) as 1.0": "macro bm25_idf",
    "create or replace macro decayed(measure, since, until, half_life) as measure": "macro decayed",
    "create or replace macro postings_of(which) as table select term_hash, row_id, tf, dl from postings":
        "macro postings_of",
    "drop macro cos_sim": "macro cos_sim",
    "create macro epoch(moment) as 0": "macro epoch",
}  # fmt: skip


def edited(path: Path, sql: str) -> None:
    with duckdb.connect(str(path)) as outside:
        outside.execute(sql)


@pytest.fixture
def path(memory_at: Open, tmp_path: Path) -> Path:
    memory = memory_at(FILE)
    memory.observe("Alice prefers dark mode.")
    memory.add_documents([{"pub_id": "JP1", "title": "A lamp"}])
    memory.close()
    return tmp_path / FILE


class TestWhatWasEdited:
    @pytest.mark.parametrize(("sql", "named"), EDITS.items(), ids=EDITS.values())
    def test_it_is_named_and_the_file_is_left(self, path: Path, sql: str, named: str):
        edited(path, sql)
        before = path.read_bytes()
        for read_only in (False, True, False):
            refused = Memory.try_open(path, embedder="hashing", read_only=read_only)
            assert isinstance(refused, Failure)
            fault = refused.failure()
            assert isinstance(fault, SchemaDrift)
            assert f"{named} is " in fault.message
            assert path.read_bytes() == before

    def test_many_are_counted(self, path: Path):
        edited(
            path, "drop table events; drop table audit; drop table erasures; drop table feedback"
        )
        fault = Memory.try_open(path, embedder="hashing").failure()
        assert fault.message.endswith(
            "table audit is missing, table erasures is missing, table events is missing and 2 more"
        )

    def test_a_file_of_another_version_is_compared_with_what_that_made(self, path: Path):
        edited(path, "drop table events; delete from schema_migrations where version > 3")
        assert Memory.try_open(path, embedder="hashing").failure().code == "SCHEMA_DRIFT"


class TestWhatComesAndGoes:
    def test_is_no_drift(self, path: Path, memory_at: Open):
        memory = memory_at(FILE)
        memory.reindex()
        memory.reembed()
        memory.compact()
        memory.close()
        with duckdb.connect(str(path)) as outside:
            outside.execute("create table postings_next as from postings")
            outside.execute("create table of_the_host (id integer)")
            outside.execute("create index of_the_host_ids on of_the_host (id)")
        for read_only in (True, False, True):
            memory = memory_at(FILE, read_only=read_only)
            assert rows(memory, "claims") == 1
            memory.close()

    def test_what_was_found_is_kept_and_a_look_without_it_finds_the_same(
        self, path: Path, memory_at: Open
    ):
        edited(path, "delete from meta where key = 'shape_sha256'")
        for read_only in (True, False):
            memory_at(FILE, read_only=read_only).close()
        memory = memory_at(FILE)
        said = memory.deps.db.query("select value from meta where key = 'shape_sha256'")
        assert isinstance(said, Success)
        assert len(said.unwrap()) == 1
