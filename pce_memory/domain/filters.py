"""Conditions on what a lane may find: over scope, kind, class, tags, codes, dates, attributes."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeAlias, cast

from pydantic import BeforeValidator, Field

from pce_memory.domain.model import Finite, Model

Operator: TypeAlias = Literal["in", "range", "eq", "neq", ">=", "<=", "="]
Joined: TypeAlias = Literal["and", "or", "not"]
Value: TypeAlias = str | bool | int | Finite
FieldName: TypeAlias = Annotated[str, Field(min_length=1, max_length=256)]


def _comparable(given: object) -> object:
    """Refuse a whole number beyond every float, also in a list or a range: floats compare."""
    try:
        _ = float(given) if isinstance(given, int) else 0.0
    except OverflowError:
        raise ValueError("a number is too great to be compared") from None
    for one in _inside(given):
        _ = _comparable(one)
    return given


def _inside(given: object) -> Iterable[object]:
    if isinstance(given, Mapping):
        return cast("Mapping[object, object]", given).values()
    return cast("list[object]", given) if isinstance(given, (list, tuple)) else ()


_Comparable = BeforeValidator(_comparable)


class Range(Model):
    """From one value to another, both included; None is no bound."""

    start: Annotated[Value | None, Field(alias="from"), _Comparable] = None
    end: Annotated[Value | None, Field(alias="to"), _Comparable] = None


class Condition(Model):
    """One condition: how it joins those before it, which field, and what has to hold of it.

    Either `op` and `value` are given, or some of the include and exclude lists. Dates may be
    written as YYYYMMDD, as ISO 8601 or as epoch seconds.

    Dates, numbers and attributes have ranges, `>=` and `<=`. Ids, codes, tags, entities and other
    keys have none: whoever holds one finds by it, and whoever is not shown it cannot spell it out.
    """

    lop: Joined = "and"
    field: FieldName
    op: Operator | None = None
    value: Annotated[Value | tuple[Value, ...] | Range | None, _Comparable] = None
    include_values: Annotated[tuple[Value, ...] | None, _Comparable] = None
    exclude_values: Annotated[tuple[Value, ...] | None, _Comparable] = None
    include_codes: tuple[str, ...] | None = None
    exclude_codes: tuple[str, ...] | None = None
    include_range: Range | None = None
    exclude_range: Range | None = None
