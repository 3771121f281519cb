"""Conditions on what a lane may find: over scope, kind, class, tags, codes, dates, attributes."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.model import Finite, Model

Operator: TypeAlias = Literal["in", "range", "eq", "neq", ">=", "<=", "="]
Joined: TypeAlias = Literal["and", "or", "not"]
Value: TypeAlias = str | bool | int | Finite
FieldName: TypeAlias = Annotated[str, Field(min_length=1, max_length=256)]


class Range(Model):
    """From one value to another, both included; None is no bound."""

    start: Annotated[Value | None, Field(alias="from")] = None
    end: Annotated[Value | None, Field(alias="to")] = None


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
    value: Value | tuple[Value, ...] | Range | None = None
    include_values: tuple[Value, ...] | None = None
    exclude_values: tuple[Value, ...] | None = None
    include_codes: tuple[str, ...] | None = None
    exclude_codes: tuple[str, ...] | None = None
    include_range: Range | None = None
    exclude_range: Range | None = None
