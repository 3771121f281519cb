"""Every named statement: it is documented, it prepares, it is used, and what is used exists."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import duckdb
import pytest

from pce_memory import Memory
from pce_memory.deps import RowFilter, Visibility
from pce_memory.resources import resource
from pce_memory.store.search import postings_of
from pce_memory.store.statements import masked, statements, template
from tests.conftest import tables

ROOT: Final = Path(__file__).parents[2]
GROUPS: Final = sorted(path.stem for path in (ROOT / "sql" / "queries").glob("*.sql"))
STATEMENTS: Final = [(group, name) for group in GROUPS for name in statements(group)]
TEMPLATES: Final = sorted(path.stem for path in (ROOT / "sql" / "templates").glob("*.sql"))
TREES: Final = [
    ast.parse(path.read_text("utf-8"))
    for folder in ("store", "adapters", "deps")
    for path in sorted((ROOT / "pce_memory" / folder).rglob("*.py"))
]

VISIBLE: Final = Visibility(
    scopes=("session",),
    classes=("public",),
    invariants=RowFilter("true", {}),
    now=0.0,
    alive_since={"session": 0.0, "project": 0.0, "principle": 0.0},
    utility_half_life=30.0,
    quality_half_life=120.0,
)
# What stands in the braces of a statement, as the gateways fill them.
FILLED: Final = {
    "row_ids": "1, 2",
    "ids": "'clm_1', 'clm_2'",
    "hashes": "'sha256:0'",
    "generation": "1",
    "dimension": "3",
    "terms": "1, 2",
    "embedded": "in (1, 2)",
    **dict.fromkeys(("statuses", "scopes", "classes", "kinds"), "['word']"),
    "postings": postings_of(["lamp", "door"]),
    # Columns of numbers: what names them is what the statement selects.
    "given": "(select 1::ubigint as term_hash, 1 as row_id, 1 as doc_key, 1 as field_no, 1 as tf,"
    " 1 as dl, 1 as run_seq, 1 as place, 1 as key, 0.5 as score, [1, 2, 3]::float[3] as embedding)",
}


def filled(sql: str) -> str:
    sql, _ = masked(sql, VISIBLE)
    for name, text in FILLED.items():
        sql = sql.replace(f"{{{name}}}", text)
    return sql


@pytest.mark.parametrize(("group", "name"), STATEMENTS, ids=lambda part: part)
class TestEveryStatement:
    def test_has_a_line_of_documentation_and_one_statement(self, group: str, name: str):
        first, second, *rest = statements(group)[name].splitlines()
        assert first == f"-- {group}.{name}"
        assert re.fullmatch(r"-- [A-Z].*[.:]", second)
        assert not second.startswith("-- name:")
        body = "\n".join(line for line in rest if not line.startswith("-- "))
        assert body.endswith(";")
        assert len(duckdb.extract_statements(filled(body))) == 1

    def test_prepares(self, memory: Memory, group: str, name: str):
        db = memory.deps.db
        if "vectors_{generation}" in statements(group)[name]:
            db.execute(filled(template("vectors"))).unwrap()
            db.execute(filled(template("document_vectors"))).unwrap()
        if "postings_next" in statements(group)[name]:
            db.execute(template("postings_next")).unwrap()
        if name in {"fill_next", "rename_next"} and group == "document_index":
            db.execute(template("document_postings_next")).unwrap()
        if name in {"rename_next", "rename_rebuilt"}:
            db.execute(statements(group)["drop_postings"]).unwrap()
        body = filled(statements(group)[name])
        # Braces stand in JSON, and in a pattern around how often something comes.
        left = re.sub(r"'\[?\{.*?\}\]?'|\{[0-9]+(?:,[0-9]*)?\}", "", body, flags=re.DOTALL)
        assert "{" not in left, "a brace is left"
        # DuckDB prepares no statement that creates, alters or drops; that one is run.
        defines = re.search(r"^(?:create|drop|alter) ", body, re.MULTILINE)
        db.execute(body if defines else f"prepare {name} as\n{body}").unwrap()


def test_preparing_refuses_what_the_schema_does_not_have(memory: Memory):
    failed = memory.deps.db.execute("prepare wrong as select txt from claims").failure()
    assert (failed.code, failed.details["cause"]) == ("DATABASE_ERROR", "BinderException")


class TestUse:
    def test_every_used_name_exists(self):
        assert sorted({use for tree in TREES for use in used_in(tree)} - {*STATEMENTS}) == []

    def test_every_name_is_used(self):
        assert sorted({*STATEMENTS} - {use for tree in TREES for use in named_in(tree)}) == []

    def test_every_template_is_used(self):
        assert sorted({name for tree in TREES for name in templates_in(tree)}) == TEMPLATES

    def test_a_use_is_found(self):
        tree = ast.parse('A: Final = statements("claims")\nx(A["nothing"])\ny(A, "decay")\n')
        assert list(used_in(tree)) == [("claims", "nothing")]
        assert list(named_in(tree)) == [("claims", "decay")]


def test_lower_case_keywords():
    shouted = re.compile(r"\b(?:SELECT|FROM|WHERE|INSERT|UPDATE|DELETE|CREATE|AND|ORDER BY)\b")
    files = sorted((ROOT / "sql").rglob("*.sql"))
    assert len(files) > len(GROUPS)
    assert [path.name for path in files if shouted.search(path.read_text("utf-8"))] == []


def test_the_folder_of_a_checkout_is_read():
    assert str(resource("sql")) == str(ROOT / "sql")


def test_every_table_is_written_or_read_by_a_statement(memory: Memory):
    said = " ".join(statements(group)[name] for group, name in STATEMENTS)
    assert [table for table in tables(memory) if not re.search(rf"\b{table}\b", said)] == []


def named_in_call(node: ast.AST | None, *functions: str) -> str | None:
    """Return the text that a call of one of these functions begins with."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
        first = node.args[0]
        if node.func.id in functions and isinstance(first, ast.Constant):
            return str(first.value)
    return None


def groups_in(tree: ast.Module) -> dict[str, str]:
    """Return the group of each variable that is assigned `statements("group")`."""
    groups: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            group = named_in_call(node.value, "statements")
            groups |= {} if group is None else {node.target.id: group}
    return groups


def used_in(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield (group, name) of each `SQL["name"]`."""
    groups = groups_in(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            continue
        if node.value.id in groups and isinstance(node.slice, ast.Constant):
            yield groups[node.value.id], str(node.slice.value)


def named_in(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each (group, name) whose name stands in a module that loads the group.

    Of a group whose items are gone through, every name.
    """
    said = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    for variable, group in groups_in(tree).items():
        whole = any(
            isinstance(node, ast.Attribute)
            and node.attr == "items"
            and isinstance(node.value, ast.Name)
            and node.value.id == variable
            for node in ast.walk(tree)
        )
        yield from ((group, name) for name in statements(group) if whole or name in said)


def templates_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if (name := named_in_call(node, "template", "_filled")) is not None:
            yield name
