"""What claims and documents that were found can be put in order by: columns, dates, attributes."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Params, Row, Visibility
from pce_memory.errors import InvalidParameter, StoreError, shown
from pce_memory.result import reader
from pce_memory.store.filter_tests import Over, Source, source_of
from pce_memory.store.statements import statements, with_rows

SQL: Final = statements("ordering")
ORDERED: Final = frozenset({"column", "ids", "dates", "attributes"})

Rankable: TypeAlias = tuple[bool, float, str]
"""A value as it is compared: numbers, dates and truths come before texts."""


def ordered_by(field: str, over: Over) -> Result[Source, InvalidParameter]:
    """Return what a lane is put in order by, or why not.

    >>> ordered_by("codes.fi", "documents").failure().message
    'Invalid sort: codes.fi has several values; sort by a column, a date or an attribute'
    """
    source = source_of(field, over)
    if source is None:
        return Failure(InvalidParameter("sort", f"{shown(field)} is no field of {over}"))
    if source.part not in ORDERED:
        reason = "has several values; sort by a column, a date or an attribute"
        return Failure(InvalidParameter("sort", f"{field} {reason}"))
    return Success(source)


@reader
def values_of(
    deps: CoreDeps, source: Source, keys: Sequence[int], over: Over, visible: Visibility
) -> Result[Mapping[int, tuple[Rankable, ...]], StoreError]:
    """Return the values that claims, by row_id, or documents, by doc_key, have of a source."""
    if not keys:
        return Success({})
    if source.part == "column":
        moment = {
            "now": visible.now,
            "utility_half_life": visible.utility_half_life,
            "quality_half_life": visible.quality_half_life,
        }
        claims = over == "claims"
        sql = SQL["claim_columns" if claims else "document_columns"]
        return deps.db.query(with_rows(sql, keys), moment if claims else {}).map(
            lambda rows: {int(row["key"]): (_rankable(row[source.name]),) for row in rows}
        )
    called = source.part == "ids"
    params: Params = (
        {"name": source.name} if called else {"name": source.name, "part": source.part}
    )
    sql = SQL["document_names" if called else "document_values"]
    return deps.db.query(with_rows(sql, keys), params).map(_several)


def _rankable(value: str | float | None) -> Rankable:
    """Return a value as it is compared; a time that is not finite, if one was edited, is 0."""
    return (True, 0.0, value) if isinstance(value, str) else (False, float(value or 0.0), "")


def _several(rows: Sequence[Row]) -> Mapping[int, tuple[Rankable, ...]]:
    found: dict[int, list[Rankable]] = {}
    for row in rows:
        value = row["text"] if row["number"] is None else row["number"]
        found.setdefault(int(row["key"]), []).append(_rankable(value))
    return {key: tuple(values) for key, values in found.items()}
