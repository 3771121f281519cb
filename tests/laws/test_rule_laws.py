"""The rule language: Python and SQL agree; every text parses or has a place; logic is Kleene's."""

from collections.abc import Mapping
from typing import get_args

import duckdb
import pytest
from hypothesis import given, settings, strategies as st
from returns.result import Failure, Success

from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, CLAIM_KINDS, SCOPES
from pce_memory.policy.rule_context import context_values
from pce_memory.policy.rule_sql import every, over_scopes, to_sql
from pce_memory.policy.rule_tree import (
    COLUMNS,
    Comparison,
    Conjunction,
    Constant,
    Disjunction,
    Expression,
    Identifier,
    Lack,
    Negation,
    Operator,
    Value,
    identifiers,
)
from pce_memory.policy.rule_values import conjoin, disjoin, evaluate, holds, negate
from pce_memory.policy.rules import MAX_DEPTH, parse_rule

FREE = ("network.egress", "allowlist", "data.masked", "dataset.origin", "retries")
WORDS = st.sampled_from(
    [
        "",
        "fact",
        "FACT",
        "prod",
        "pii",
        "session",
        "é",
        "e\u0301",
        "\u3042",
        "\0",
        "a'b",
        "\U0001f600",
    ]
)
NUMBERS = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 1.0, 0.1 + 0.2, 0.3, 1e-300, -2.5, 1e300]),
    st.floats(allow_nan=False, allow_infinity=False),
)
ATOMS = st.one_of(st.booleans(), NUMBERS, WORDS)
LISTS = st.lists(ATOMS, max_size=4).map(tuple)
NAMES = st.sampled_from([*COLUMNS, *FREE])
CONTEXTS = st.dictionaries(st.sampled_from(FREE), st.one_of(ATOMS, LISTS)).flatmap(
    lambda known: st.one_of(
        st.just(known), st.booleans().map(lambda breaks: {**known, "api.breaking_change": breaks})
    )
)
LEAVES = st.one_of(
    st.one_of(ATOMS, LISTS).map(Constant), NAMES.map(Identifier), NAMES.map(Identifier)
)


def grown(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Negation, inner),
        several.map(Conjunction),
        several.map(Disjunction),
        st.builds(Comparison, st.sampled_from(get_args(Operator)), inner, inner),
    )


TREES: st.SearchStrategy[Expression] = st.recursive(LEAVES, grown, max_leaves=12)
ROWS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(CLAIM_KINDS),
        "scope": st.sampled_from(SCOPES),
        "boundary_class": st.sampled_from(BOUNDARY_CLASSES),
        "quality": st.floats(0, 1),
        "confidence": st.floats(0, 1),
        "utility": NUMBERS,
        "text_length": st.integers(1, 5000),
        "contains_pii": st.booleans(),
        "contains_secret": st.booleans(),
        "breaking_change": st.booleans(),
    }
)


@pytest.fixture(scope="module")
def database():
    with duckdb.connect() as connection:
        connection.execute(
            "create table claims (kind varchar, scope varchar, boundary_class varchar, "
            "quality double, confidence double, utility double, text_length integer, "
            "contains_pii boolean, contains_secret boolean, breaking_change boolean)"
        )
        yield connection


def environment(row: Mapping[str, object], context: Mapping[str, Value]) -> dict[str, Value]:
    known = {name: row[column.name] for name, column in COLUMNS.items()}
    known["claim.text_length"] = float(row["text_length"])  # type: ignore[arg-type]
    breaks = row["breaking_change"] or context.get("api.breaking_change") is True
    return {**context, **known, "api.breaking_change": breaks}  # type: ignore[dict-item]


@settings(max_examples=250, deadline=None)
@given(
    trees=st.lists(TREES, min_size=1, max_size=4),
    rows=st.lists(ROWS, min_size=1, max_size=3),
    context=CONTEXTS,
    scope=st.sampled_from([SCOPES, ("session",), ("principle", "project")]),
)
def test_python_and_sql_judge_alike(database, trees, rows, context, scope):
    values = context_values(context).unwrap()
    rules = [to_sql(tree, values, f"inv_{n}") for n, tree in enumerate(trees)]
    wanted = [
        [holds(tree, environment(row, values)) for tree in trees]
        + [
            all(
                row["scope"] not in scope or holds(tree, environment(row, values))
                for tree in trees
            )
        ]
        for row in rows
    ]
    whole = every(over_scopes(rule, scope) for rule in rules)
    params = {k: v for rule in (*rules, whole) for k, v in rule.params.items()}
    columns = ", ".join([rule.sql for rule in rules] + [whole.sql])
    database.execute("truncate claims")
    database.executemany(
        "insert into claims values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [[row[column.name] for column in COLUMNS.values()] for row in rows],
    )
    found = database.execute(f"select {columns} from claims order by rowid", params).fetchall()
    assert [list(row) for row in found] == wanted


@settings(max_examples=200, deadline=None)
@given(tree=TREES, context=CONTEXTS)
def test_no_text_of_a_rule_or_a_context_stands_in_the_sql(tree, context):
    rule = to_sql(tree, context_values(context).unwrap(), "p")
    used = set(rule.params)
    assert {
        word
        for word in rule.sql.replace(":", " ")
        .replace(",", " ")
        .replace("(", " ")
        .replace(")", " ")
        .split()
        if word.startswith("$")
    } == {f"${name}" for name in used}
    assert "'" not in rule.sql
    assert '"' not in rule.sql


DOUBTFUL = "(prompt.contains_pii && 1 > 'a')"
"""False where nothing personal is found, else failed."""


@pytest.mark.parametrize(
    "rest",
    [
        " == 'x'",
        " != 'x'",
        " == 3",
        " == true",
        " != prompt.contains_secret",
        " == claim.kind",
        " != claim.quality",
        " in ['x', 3]",
        " notin ['x', 3]",
        " notin [true]",
        " in nobody",
        " notin nobody",
        " in claim.kind",
        " < 1",
        " == nobody",
        " || true",
        " || prompt.contains_secret",
        " && false",
        "",
    ],
)
@pytest.mark.parametrize("frame", ["{}", "!{}", "!!({})", "({}) || false", "({}) == false"])
def test_what_may_have_failed_is_judged_alike(database, rest, frame):
    tree = parse_rule(frame.format(DOUBTFUL + rest if rest else DOUBTFUL)).unwrap()
    sql = to_sql(tree, {}, "p")
    rows = [
        {
            "kind": "fact",
            "scope": "session",
            "boundary_class": "pii",
            "quality": 0.5,
            "confidence": 0.5,
            "utility": 0.0,
            "text_length": 9,
            "breaking_change": False,
            "contains_pii": pii,
            "contains_secret": secret,
        }
        for pii in (True, False)
        for secret in (True, False)
    ]
    for row in rows:
        columns = ", ".join(f"$row_{name} as {name}" for name in row)
        params = {f"row_{name}": value for name, value in row.items()}
        query = f"select {sql.sql} from (select {columns})"
        [found] = database.execute(query, {**sql.params, **params}).fetchall()
        assert found == (holds(tree, environment(row, {})),)


def printed(tree: Expression) -> str | None:
    """Write a tree as a rule, or None where no text of the language says it."""
    match tree:
        case Constant(value):
            return literal(value)
        case Identifier(path):
            return path
        case Negation(operand):
            inner = printed(operand)
            return None if inner is None else f"!({inner})"
        case Conjunction(operands) | Disjunction(operands):
            parts = [printed(one) for one in operands]
            sign = " && " if isinstance(tree, Conjunction) else "||"
            return None if None in parts else sign.join(f"({one})" for one in parts)
        case Comparison(operator, left, right):
            one, other = printed(left), printed(right)
            return None if one is None or other is None else f"({one}) {operator} ({other})"


def literal(value: Value) -> str | None:
    if isinstance(value, tuple):
        items = [literal(item) for item in value]
        return None if None in items else f"[{', '.join(map(str, items))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value)
    return next((f"{q}{value}{q}" for q in "'\"" if q not in value), None)


@settings(max_examples=200, deadline=None)
@given(tree=TREES)
def test_a_tree_written_out_is_read_back(tree):
    rule = printed(tree)
    if rule is None or len(rule) > 1000:
        return
    read = parse_rule(rule)
    if isinstance(read, Failure):
        assert "deep" in read.failure().message
    else:
        assert read == Success(tree)


ANYTHING = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="ab.&|!=<>()[]'\",01-eintr \t", max_size=80),
    st.lists(
        st.sampled_from(
            [
                "claim.kind",
                "x.y",
                "==",
                "!=",
                "<",
                "in",
                "notin",
                "(",
                ")",
                "[",
                "]",
                ",",
                "!",
                "&&",
                "||",
                "'a'",
                "1",
                "true",
                "and",
                "=",
            ]
        ),
        max_size=30,
    ).map(" ".join),
)


@settings(max_examples=400, deadline=None)
@given(rule=ANYTHING, context=CONTEXTS)
def test_every_text_parses_or_has_a_place(rule, context):
    parsed = parse_rule(rule)
    if isinstance(parsed, Failure):
        fault = parsed.failure()
        assert 1 <= fault.column <= len(rule) + 1
        assert fault.message
    else:
        tree = parsed.unwrap()
        assert isinstance(evaluate(tree, context), bool | float | str | tuple | Lack)
        assert all(name in rule for name in identifiers(tree))


@pytest.mark.parametrize(
    "rule",
    ["(" * 1000, "!" * 1000, "!(" * 500, "[" * 1000, "a&&" * 333, "a==" * 333, "(a||" * 250],
)
def test_no_nesting_overflows_the_stack(rule):
    assert isinstance(parse_rule(rule), Failure)


def test_depth_and_length_have_a_limit():
    deep = "(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH
    assert parse_rule(deep) == Success(Identifier("a"))
    assert parse_rule(f"({deep})").failure().column == MAX_DEPTH + 1
    assert isinstance(parse_rule("!" * MAX_DEPTH + "a"), Success)
    assert isinstance(parse_rule("a" * 1001), Failure)
    long = "||".join(["a"] * 300)
    assert holds(parse_rule(long).unwrap(), {"a": True})


TRUTHS = st.sampled_from([True, False, Lack.FAILED])


@given(one=TRUTHS, other=TRUTHS)
def test_the_logic_is_kleenes(one, other):
    rank = {False: 0, Lack.FAILED: 1, True: 2}
    assert rank[conjoin((one, other))] == min(rank[one], rank[other])
    assert rank[disjoin((one, other))] == max(rank[one], rank[other])
    assert rank[negate(one)] == 2 - rank[one]
