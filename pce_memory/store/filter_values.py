"""What filters say of one row's values: the same as their SQL, in Python."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from returns.result import Result

from pce_memory.domain.filters import Condition
from pce_memory.errors import InvalidParameter
from pce_memory.store.filter_tests import Over, Single, Source, Test, Tests, tests_of

Values: TypeAlias = Mapping[tuple[str, str], Sequence[Single]]
"""The values of a row by part and name, as `Source` has them; numbers are floats."""


def holds_for(
    conditions: Sequence[Condition], values: Values, over: Over = "claims"
) -> Result[bool, InvalidParameter]:
    """Return whether conditions hold for a row.

    >>> row = {("column", "scope"): ["project"], ("tags", "tag"): ["a", "b"]}
    >>> holds_for([Condition(field="tags", include_values=("b",))], row)
    <Success: True>
    """
    return tests_of(conditions, over).map(lambda tests: holds(tests, values))


def holds(tests: Tests, values: Values) -> bool:
    """Return whether tests hold, joined from left to right."""
    whole: bool | None = None
    for lop, some in tests:
        each = all(_holds(test, values.get(_key(test.source), ())) for test in some)
        if lop == "or" and whole is not None:
            whole = whole or each
        else:
            whole = (whole is not False) and (each is not (lop == "not"))
    return whole is not False


def _key(source: Source) -> tuple[str, str]:
    return source.part, source.name


def _holds(test: Test, values: Sequence[Single]) -> bool:
    return any(_fits(test, value) for value in values) is not test.turned


def _fits(test: Test, value: Single) -> bool:
    if any(type(one) is type(value) and one == value for one in test.among):
        return True
    if isinstance(value, str):
        return test.words is not None and _between(value, *test.words)
    if isinstance(value, bool):
        return False
    return any(_between(value, low, high) for low, high in test.spans)


def _between(value: Single, low: Single | None, high: Single | None) -> bool:
    """Return whether a value lies between two of its own type; None is no bound."""
    if isinstance(value, str):
        return (not isinstance(low, str) or low <= value) and (
            not isinstance(high, str) or value <= high
        )
    return (low is None or float(low) <= value) and (high is None or value <= float(high))
