"""Which statements change what a search reads: all that are named, told apart in another way."""

import re
from pathlib import Path
from typing import Final

import duckdb
import pytest

from pce_memory.adapters.changes import Changes
from pce_memory.deps import Version
from pce_memory.store.statements import statements, template

ROOT: Final = Path(__file__).parents[3]
GROUPS: Final = sorted(path.stem for path in (ROOT / "sql" / "queries").glob("*.sql"))
STATEMENTS: Final = [(group, name) for group in GROUPS for name in statements(group)]
KIND: Final = duckdb.StatementType
READ: Final = {"claims", "vector_spaces"}


def plain(sql: str) -> str:
    """Return a statement without comments, its braces filled as a gateway fills them."""
    lines = [line.partition("--")[0] for line in sql.splitlines()]
    text = "\n".join(lines).replace("{generation}", "12").replace("{dimension}", "3")
    text = text.replace("{visible}", "true").replace("{terms}", "1").replace("{hashes}", "'h'")
    text = text.replace("{given}", "range(1)").replace("{postings}", "select 1 as row_id")
    text = text.replace("{embedded}", "in (1)")
    for words in ("statuses", "scopes", "classes", "kinds"):
        text = text.replace(f"{{{words}}}", "['w']")
    return text.replace("{row_ids}", "1").replace("{ids}", "'i'")


def written_table(sql: str) -> tuple[str, str] | None:
    """Return what a statement does, as DuckDB parses it, and to which table; None for a read."""
    (parsed,) = duckdb.extract_statements(sql)
    leads = {KIND.INSERT: "into", KIND.DELETE: "from", KIND.UPDATE: "update"}
    leads |= dict.fromkeys((KIND.CREATE, KIND.DROP, KIND.ALTER), "table")
    if parsed.type not in leads:
        assert parsed.type == KIND.SELECT
        return None
    words = re.findall(r"[\w$]+", sql.replace(" if exists", ""))
    return parsed.type.name, words[words.index(leads[parsed.type]) + 1]


INDEXED_ANEW: Final = {"set_indexed", "attribute", "set_lengths"}
"""Statements that change by what an older claim is found."""


def expected(kind: str, table: str, name: str) -> Version:
    vectors = re.fullmatch(r"vectors_[0-9]+", table) is not None
    of_postings = table.startswith("postings")
    return Version(
        changed=int(table in READ or of_postings or vectors),
        erased=int((kind, table) == ("DELETE", "claims")),
        remade=int(
            # What was sorted says the same.
            (kind in {"DROP", "ALTER"} and name != "rename_next" and (vectors or of_postings))
            or (kind in {"INSERT", "UPDATE"} and table == "vector_spaces")
            # A vector that goes without its claim makes room for another.
            or (kind == "DELETE" and vectors)
            or (table == "claims" and name in INDEXED_ANEW)
        ),
        policies=int(table == "policies"),
    )


@pytest.mark.parametrize(("group", "name"), STATEMENTS, ids=lambda part: part)
def test_every_statement_is_told_for_what_it_writes(group: str, name: str) -> None:
    sql = statements(group)[name]
    writes = written_table(plain(sql))
    known = Version() if writes is None else expected(*writes, name)
    changes = Changes()
    changes.note(plain(sql))
    assert changes.pending == (known != Version())
    assert changes.version == Version()
    changes.committed()
    assert changes.version == known
    assert not changes.pending


def test_some_statements_write_each() -> None:
    tables = {written_table(plain(statements(group)[name])) for group, name in STATEMENTS}
    for write in [
        ("INSERT", "claims"),
        ("UPDATE", "claims"),
        ("DELETE", "claims"),
        ("INSERT", "postings_delta"),
        ("DELETE", "postings"),
        ("INSERT", "vectors_12"),
        ("DROP", "vectors_12"),
        ("UPDATE", "vector_spaces"),
        ("INSERT", "policies"),
    ]:
        assert write in tables


def test_a_table_that_is_made_is_told() -> None:
    changes = Changes()
    changes.note(plain(template("vectors")))
    changes.committed()
    assert changes.version == Version(changed=1)


@pytest.mark.parametrize(
    ("sql", "known"),
    [
        ('truncate "claims"', Version(changed=1, erased=1)),
        ("truncate table claims", Version(changed=1, erased=1)),
        ('truncate "postings"', Version(changed=1, remade=1)),
        ("truncate table postings", Version(changed=1, remade=1)),
        ("truncate table vector_spaces", Version(changed=1, remade=1)),
        ("truncate vectors_3", Version(changed=1, remade=1)),
        ("alter table postings rename to postings_unsorted", Version(changed=1, remade=1)),
        ("drop table postings_delta", Version(changed=1, remade=1)),
        ("insert into claim_aliases select 1", Version()),
        ("update claims_of set a = 1", Version()),
        ("delete from embedding_cache where true", Version()),
        ("select * from claims", Version()),
    ],
)
def test_other_statements(sql: str, known: Version) -> None:
    changes = Changes()
    changes.note(sql)
    changes.committed()
    assert changes.version == known


def test_what_is_rolled_back_is_not_told() -> None:
    changes = Changes()
    changes.note("update claims set text = 'x'")
    changes.rolled_back()
    changes.committed()
    assert (changes.version, changes.pending) == (Version(), False)


def told(*statements: str) -> Version:
    """Return what a commit of these statements is told as."""
    changes = Changes()
    for sql in statements:
        changes.note(plain(sql))
    changes.committed()
    return changes.version


def test_postings_that_were_sorted_are_those_there_were() -> None:
    sql = statements("postings")
    assert told(sql["drop_postings"], sql["rename_next"], sql["erase_taken"]).remade == 0
    assert told(sql["drop_postings"], sql["rename_rebuilt"]).remade == 1
    assert told(sql["drop_postings"], sql["erase_taken"]).remade == 1
    sorted_and_indexed = (sql["drop_postings"], sql["rename_next"], sql["set_lengths"])
    assert told(*sorted_and_indexed).remade == 1


def test_a_vector_that_goes_with_its_claim_is_not_replaced() -> None:
    vectors, claims = statements("vectors")["erase_vectors"], "delete from claims where row_id = 1"
    assert told(vectors, claims) == Version(changed=1, erased=1)
    assert told(vectors, statements("vectors")["insert_vectors"]).remade == 1
