"""From a blank file to the schema of this version, and every past that is refused."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import duckdb
import pytest
from hypothesis import given, strategies as st
from returns.result import Failure, Success

from pce_memory import Memory
from pce_memory.errors import DatabaseFailed, SchemaDrift
from pce_memory.store import macros, meta
from pce_memory.store.migrations import Migration, _apply, known_migrations, pending
from tests.conftest import START, tables

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "schema.sql"
FILE: Final = "memory.duckdb"

Open = Callable[..., Memory]


def schema_of(memory: Memory) -> str:
    """Return every table, index, sequence and view of a memory, a column to a line."""
    found = memory.deps.db.query(
        """
        select sql from (
            select 1 as part, sequence_name as name, sql from duckdb_sequences()
            where database_name = current_database()
            union all
            select 2, table_name, sql from duckdb_tables()
            where not internal and database_name = current_database()
            union all
            select 3, index_name, sql from duckdb_indexes()
            where database_name = current_database()
            union all
            select 4, view_name, sql from duckdb_views()
            where not internal and database_name = current_database()
        ) order by part, name
        """
    ).unwrap()
    return "\n".join(_in_lines(str(row["sql"])) for row in found)


def _in_lines(sql: str) -> str:
    """Break a statement after each comma that stands in one pair of parentheses."""
    lines, depth = [""], 0
    for char in sql.strip():
        depth += (char == "(") - (char == ")")
        lines[-1] += char
        if (char == "," and depth == 1) or (char == "(" and depth == 1):
            lines.append("    ")
    return "\n".join(line.replace("     ", "    ").rstrip() for line in lines) + "\n"


def reopened(memory: Memory, open_at: Open, **how: object) -> Memory:
    memory.close()
    return open_at(FILE, **how)


def tampered(open_at: Open, *statements: str) -> str:
    """Make a memory, run statements on it, close it, and return its path."""
    with open_at(FILE) as memory:
        for sql in statements:
            memory.deps.db.execute(sql).unwrap()
    return memory.path


class TestFromBlank:
    def test_the_schema_is_the_golden_one(self, memory: Memory):
        assert schema_of(memory) == GOLDEN.read_text("utf-8")

    def test_every_migration_is_recorded(self, memory: Memory):
        done = memory.deps.db.query(
            "select version, name, sha256, epoch(applied_at) as at from schema_migrations"
        )
        assert done.unwrap() == [
            {"version": one.version, "name": one.name, "sha256": one.digest, "at": START}
            for one in known_migrations()
        ]

    def test_versions_grow_from_one_and_no_number_stands_twice(self):
        versions = [one.version for one in known_migrations()]
        assert versions[0] == 1
        assert versions == sorted(set(versions))

    def test_an_empty_database_becomes_a_memory(self, tmp_path: Path, memory_at: Open):
        duckdb.connect(str(tmp_path / FILE)).close()
        assert "claims" in tables(memory_at(FILE))

    def test_opening_again_changes_nothing(self, memory_at: Open):
        first = memory_at(FILE)
        before = (schema_of(first), applied(first))
        second = reopened(first, memory_at)
        assert (schema_of(second), applied(second)) == before

    def test_a_migration_that_fails_leaves_no_trace(self, memory: Memory):
        before = (schema_of(memory), applied(memory))
        script = "create table new_one (i integer);\ncreate table claims (i integer);"
        failed = _apply(memory.deps.db, Migration(9, "broken", script), START).failure()
        assert isinstance(failed, DatabaseFailed)
        assert failed.message == "Database error during migration broken (CatalogException)"
        assert (schema_of(memory), applied(memory)) == before


def applied(memory: Memory) -> list[tuple[int, str]]:
    rows = memory.deps.db.query("select version, sha256 from schema_migrations order by version")
    return [(row["version"], row["sha256"]) for row in rows.unwrap()]


class TestRefused:
    @pytest.mark.parametrize("read_only", [False, True])
    def test_an_edited_past(self, memory_at: Open, read_only: bool):
        path = tampered(memory_at, "update schema_migrations set sha256 = 'x' where version = 1")
        drift = SchemaDrift(1, "it differs from the one applied")
        assert_refused(path, drift, read_only=read_only)

    @pytest.mark.parametrize("read_only", [False, True])
    def test_an_unknown_future(self, memory_at: Open, read_only: bool):
        path = tampered(
            memory_at,
            "insert into schema_migrations values (9998, 'b', 'y', make_timestamp(0)), "
            "(9997, 'a', 'x', make_timestamp(0))",
        )
        drift = SchemaDrift(9997, "it was applied by a newer pce-memory")
        assert_refused(path, drift, read_only=read_only)

    def test_a_past_that_is_not_applied_yet_when_read_only(self, memory_at: Open):
        path = tampered(memory_at, "delete from schema_migrations")
        drift = SchemaDrift(1, "it is not applied yet; open it once for writing")
        assert_refused(path, drift, read_only=True)

    @pytest.mark.parametrize("read_only", [False, True])
    @pytest.mark.parametrize(
        "script",
        [
            "create table invoices (id integer); insert into invoices values (42)",
            "create schema books; create table books.claims (id integer)",
            # As other tools name their records of migrations.
            "create table schema_migrations (version varchar); create table users (id integer)",
            "create table schema_migrations (version bigint primary key, dirty boolean)",
        ],
    )
    def test_a_database_of_somebody_else(self, tmp_path: Path, script: str, read_only: bool):
        path = tmp_path / FILE
        with duckdb.connect(str(path)) as theirs:
            theirs.execute(script)
        drift = SchemaDrift(0, "the file is a database but not a memory; it was not changed")
        assert_refused(str(path), drift, read_only=read_only)


def assert_refused(path: str, drift: SchemaDrift, *, read_only: bool) -> None:
    """Assert that opening gives this error, and that no byte of the file is another after it."""
    before = Path(path).read_bytes()
    opened = Memory.try_open(path, embedder="hashing", read_only=read_only)
    assert opened == Failure(drift)
    assert Path(path).read_bytes() == before
    assert not Path(path + ".wal").exists()


class TestMacros:
    def test_the_file_remembers_which_it_has(self, memory: Memory):
        _, digest = macros.shipped_macros()
        assert meta.get(memory.deps.db, macros.KEY) == Success(digest)

    def test_they_are_applied_again_when_they_differ(self, memory_at: Open):
        first = memory_at(FILE)
        db = first.deps.db
        db.execute("create or replace macro utc(seconds) as 'broken'").unwrap()
        meta.put(db, macros.KEY, "another version's").unwrap()
        second = reopened(first, memory_at)
        assert said_by_utc(second) == "1970-01-01 00:00:07"

    def test_one_that_somebody_replaced_is_drift(self, memory_at: Open):
        path = tampered(memory_at, "create or replace macro utc(seconds) as 'mine'")
        for read_only in (False, True):
            assert_refused(
                path,
                SchemaDrift(known_migrations()[-1].version, "macro utc is another"),
                read_only=read_only,
            )

    def test_a_reader_refuses_those_of_another_version(self, memory_at: Open):
        path = tampered(memory_at, "update meta set value = 'x' where key = 'macros_sha256'")
        drift = SchemaDrift(0, "its macros are another version's; open it once for writing")
        assert_refused(path, drift, read_only=True)


def said_by_utc(memory: Memory) -> str:
    return str(memory.deps.db.query("select utc(7)::varchar as said").unwrap()[0]["said"])


KNOWN: Final = st.lists(
    st.builds(
        Migration,
        version=st.integers(1, 40),
        name=st.just("step"),
        script=st.sampled_from(["select 1", "select 2", "select 3"]),
    ),
    max_size=6,
    unique_by=lambda one: one.version,
).map(lambda some: sorted(some, key=lambda one: one.version))


class TestPending:
    @given(known=KNOWN, data=st.data())
    def test_what_is_left_is_what_was_not_applied_in_order(
        self, known: list[Migration], data: st.DataObject
    ):
        done = data.draw(st.sets(st.sampled_from([one.version for one in known] or [0])))
        record = {one.version: one.digest for one in known if one.version in done}
        left = pending(known, record)
        assert left == Success(tuple(one for one in known if one.version not in done))

    @given(known=KNOWN)
    def test_after_it_nothing_is_left(self, known: list[Migration]):
        todo = pending(known, {}).unwrap()
        assert pending(known, {one.version: one.digest for one in todo}) == Success(())

    @given(known=KNOWN.filter(bool), data=st.data())
    def test_an_edited_past_is_refused(self, known: list[Migration], data: st.DataObject):
        edited = data.draw(st.sets(st.sampled_from(known), min_size=1))
        record = {one.version: "edited" if one in edited else one.digest for one in known}
        first = min(one.version for one in edited)
        assert pending(known, record) == Failure(
            SchemaDrift(first, "it differs from the one applied")
        )

    @given(known=KNOWN, future=st.sets(st.integers(41, 60), min_size=1))
    def test_an_unknown_future_is_refused(self, known: list[Migration], future: set[int]):
        record = {**{one.version: one.digest for one in known}, **dict.fromkeys(future, "x")}
        assert pending(known, record) == Failure(
            SchemaDrift(min(future), "it was applied by a newer pce-memory")
        )


if __name__ == "__main__":  # python -m tests.sql.test_migrations > tests/golden/schema.sql
    with Memory.open(embedder="hashing") as blank:
        sys.stdout.write(schema_of(blank))


class TestFromTheFirst:
    """A file that had the first migration only keeps all it holds."""

    BACK = (
        "drop table reviews",
        "drop table audit",
        "drop table erasures",
        "drop table policy_history",
        "alter table policies drop column approver",
        "alter table policies drop column bases",
        "delete from schema_migrations where version = 2",
    )

    def test_its_claims_and_policies_stay(self, memory_at: Open):
        memory = memory_at()
        seen = memory.observe("Alice keeps the only key to the archive.")
        for statement in self.BACK:
            memory.deps.db.execute(statement).unwrap()
        memory.close()
        again = memory_at()
        assert again.search("archive")[0].claim.id == seen.claims[0].id
        assert [(one.version, one.action) for one in again.policy_history()] == [
            ("0.0.0-default", "apply")
        ]
        assert (again.reviews.list(), again.erasures()) == ((), ())
        assert [one.tool for one in again.audit()] == ["reviews.list", "search"]
        assert again.apply_policy("team") == again.policy().version
