"""Conditions on what a lane may find: over scope, kind, class, tags, codes, dates, attributes."""

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Annotated, Final, Literal, TypeAlias, cast

from pydantic import BeforeValidator, Field

from pce_memory.domain.model import Finite, Model

Operator: TypeAlias = Literal["in", "range", "eq", "neq", ">=", "<=", "="]
Joined: TypeAlias = Literal["and", "or", "not"]
Value: TypeAlias = str | bool | int | Finite
FieldName: TypeAlias = Annotated[str, Field(min_length=1, max_length=256)]


_TAKEN: Final = "give a text, a number, a truth value, a list of these, or a range of from and to"
_BOUNDS: Final = {"from", "to", "start", "end"}


def _comparable(given: object) -> object:
    """Refuse what nothing is compared with in words of ours, also in a list or a range."""
    wrong = next((why for why in map(_why_not_compared, _inside(given)) if why), None)
    if wrong is not None:
        raise ValueError(wrong)
    return given


def _why_not_compared(one: object) -> str | None:
    if isinstance(one, (list, tuple, Mapping)):
        return _TAKEN
    try:
        number = float(one) if isinstance(one, (int, float)) else 0.0
    except OverflowError:
        return "a number is too great to be compared"
    return None if isfinite(number) else "a number has to be finite"


def _inside(given: object) -> Iterable[object]:
    if isinstance(given, Mapping):
        bounds = cast("Mapping[object, object]", given)
        return bounds.values() if set(bounds) <= _BOUNDS else [bounds]
    return cast("list[object]", given) if isinstance(given, (list, tuple)) else [given]


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
