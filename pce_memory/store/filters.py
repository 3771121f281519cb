"""Filters as predicates over the rows of claims or documents: they go before whatever ranks.

The text of a predicate is fixed; names and values are bound. `filter_values` says the same of
values in Python.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from returns.result import Result

from pce_memory.deps import RowFilter
from pce_memory.domain.filters import Condition, Joined
from pce_memory.errors import InvalidParameter
from pce_memory.store.filter_tests import Over, Test, tests_of
from pce_memory.store.statements import template

PREFIX: Final = "flt"

_JOINS: Final[dict[Joined, str]] = {"and": "and", "or": "or", "not": "and not"}


def compile_filters(
    conditions: Sequence[Condition], over: Over = "claims"
) -> Result[RowFilter, InvalidParameter]:
    """Return conditions as a predicate over `claims_at` or `documents_seen`; of none it is true.

    >>> compile_filters([Condition(field="scope", op="eq", value="project")]).unwrap()
    RowFilter(sql='(list_contains($flt_0::varchar[], scope))', params={'flt_0': ['project']})
    >>> compile_filters([Condition(field="colour", op="eq", value=1)]).failure().name
    'filters.0'
    """
    return tests_of(conditions, over).map(
        lambda tests: _joined([(lop, list(some)) for lop, some in tests])
    )


@dataclass(frozen=True, slots=True)
class _Binder:
    """Gives every bound value a parameter of its own."""

    params: dict[str, object] = field(default_factory=dict[str, object])

    def bound(self, value: object, kind: str) -> str:
        """Return the parameter that stands for a value."""
        name = f"{PREFIX}_{len(self.params)}"
        self.params[name] = value
        return f"${name}::{kind}"


def _joined(tests: Sequence[tuple[Joined, Sequence[Test]]]) -> RowFilter:
    binder = _Binder()
    whole = ""
    for lop, some in tests:
        each = " and ".join(_predicate(test, binder) for test in some)
        if whole:
            whole = f"({whole} {_JOINS[lop]} ({each}))"
        else:
            whole = f"(not ({each}))" if lop == "not" else f"({each})"
    return RowFilter(whole or "true", binder.params)


def _predicate(test: Test, binder: _Binder) -> str:
    sql = _PARTS[test.source.part](test, binder)
    return f"(not {sql})" if test.turned else sql


def _column(test: Test, binder: _Binder) -> str:
    # A claim is found by what it is called, without the number that only the file knows.
    name = "split_part(id, '~', 1)" if test.source.name == "id" else test.source.name
    if test.source.kind == "text":
        return _of_texts(test, name, binder)
    return _of_numbers(test, name, binder)


def _tags(test: Test, binder: _Binder) -> str:
    inside = _of_texts(test, "tag", binder)
    return f"(len(list_filter(tags::varchar[], lambda tag: {inside})) > 0)"


def _entities(test: Test, binder: _Binder) -> str:
    return _fixed(template("filter_entities")).replace(
        "{inside}", _of_texts(test, "entity", binder)
    )


def _codes(test: Test, binder: _Binder) -> str:
    return _hanging(template("filter_codes"), test, _of_texts(test, "code", binder), binder)


def _ids(test: Test, binder: _Binder) -> str:
    return _hanging(template("filter_ids"), test, _of_texts(test, "value", binder), binder)


def _dates(test: Test, binder: _Binder) -> str:
    return _hanging(template("filter_dates"), test, _of_numbers(test, "number", binder), binder)


def _attributes(test: Test, binder: _Binder) -> str:
    truths = [float(one) for one in test.among if isinstance(one, bool)]
    parts: list[str] = []
    if test.words is not None or any(isinstance(one, str) for one in test.among):
        parts.append(f"kind = 'text' and {_of_texts(test, 'text', binder)}")
    if test.spans or any(isinstance(one, float) for one in test.among):
        parts.append(f"kind = 'number' and {_of_numbers(test, 'number', binder)}")
    if truths:
        listed = binder.bound(truths, "double[]")
        parts.append(f"kind = 'boolean' and list_contains({listed}, number)")
    inside = " or ".join(f"({part})" for part in parts) or "false"
    return _hanging(template("filter_attributes"), test, f"({inside})", binder)


def _hanging(fixed: str, test: Test, inside: str, binder: _Binder) -> str:
    """Return the predicate over what hangs on a document under the name of a test's source."""
    name = binder.bound(test.source.name, "varchar")
    return _fixed(fixed).replace("{name}", name).replace("{inside}", inside)


def _fixed(text: str) -> str:
    """Return a template without the lines that tell what it is."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("--"))


_PARTS: Final = {
    "column": _column,
    "tags": _tags,
    "entities": _entities,
    "codes": _codes,
    "ids": _ids,
    "dates": _dates,
    "attributes": _attributes,
}


def _of_texts(test: Test, column: str, binder: _Binder) -> str:
    if test.words is not None:
        return _between(column, test.words, "varchar", binder)
    texts = [one for one in test.among if isinstance(one, str)]
    return f"list_contains({binder.bound(texts, 'varchar[]')}, {column})"


def _of_numbers(test: Test, column: str, binder: _Binder) -> str:
    numbers = [one for one in test.among if isinstance(one, float)]
    parts = [_between(column, span, "double", binder) for span in test.spans]
    if numbers or not parts:
        listed = binder.bound(numbers, "double[]")
        parts.append(f"list_contains({listed}, {column}::double)")
    return f"({' or '.join(parts)})"


def _between(column: str, bounds: tuple[object, object], kind: str, binder: _Binder) -> str:
    low, high = bounds
    parts = [
        f"{column} {sign} {binder.bound(bound, kind)}"
        for sign, bound in ((">=", low), ("<=", high))
        if bound is not None
    ]
    return f"({' and '.join(parts)})"
