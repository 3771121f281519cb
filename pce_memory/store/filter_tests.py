"""What conditions come to: tests of one source each, in one form for SQL and for Python.

A condition is one or several tests that all have to hold; an excluding one is a test turned round.
Conditions are joined from left to right: each `and`, `or` or `not` (and not) joins its condition
with all that stands before it.

Keys (ids, codes, tags, entities and the words of columns) are stored as given, personal ones too,
and are only ever compared as a whole. In an order they would tell themselves, letter by letter, to
whoever is not shown them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, nextafter
from typing import Final, Literal, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.domain.dates import span_of
from pce_memory.domain.filters import Condition, Joined, Range, Value
from pce_memory.errors import InvalidParameter, shown
from pce_memory.result import collect
from pce_memory.text.sanitize import find_unstorable

Over: TypeAlias = Literal["claims", "documents"]
Kind: TypeAlias = Literal["text", "number", "date", "any"]

MAX_CONDITIONS: Final = 64
MAX_LISTED: Final = 10_000
ID_TYPES: Final = ("pub_id", "app_doc_id", "app_id", "exam_id")
TAXONOMIES: Final = ("fi_norm", "fi_full", "ft", "ipc", "cpc")


@dataclass(frozen=True, slots=True)
class Source:
    """What a test looks at: a column of a row, or the values that hang on it.

    `part` is column, codes, ids, dates, attributes, tags or entities. `name` is that of the
    column, or of the taxonomy, the id type, the date or the attribute.
    """

    part: str
    name: str
    kind: Kind


Single: TypeAlias = str | float | bool


@dataclass(frozen=True, slots=True)
class Test:
    """Whether some value of a source is among some, or lies in one of some spans."""

    source: Source
    among: tuple[Single, ...] = ()
    spans: tuple[tuple[float | None, float | None], ...] = ()
    words: tuple[str | None, str | None] | None = None
    turned: bool = False


Tests: TypeAlias = tuple[tuple[Joined, tuple[Test, ...]], ...]
"""How each condition is joined with those before it, and its tests, which all have to hold."""

_SHARED: Final[Mapping[str, Source]] = {
    "id": Source("column", "id", "text"),
    "scope": Source("column", "scope", "text"),
    "class": Source("column", "boundary_class", "text"),
    "boundary_class": Source("column", "boundary_class", "text"),
    "text_length": Source("column", "text_length", "number"),
    "created_at": Source("column", "created_at", "date"),
    "updated_at": Source("column", "updated_at", "date"),
}
_OF_CLAIMS: Final[Mapping[str, Source]] = {
    **_SHARED,
    "kind": Source("column", "kind", "text"),
    "quality": Source("column", "quality", "number"),
    "confidence": Source("column", "confidence", "number"),
    "utility": Source("column", "utility", "number"),
    "tag": Source("tags", "tag", "text"),
    "tags": Source("tags", "tag", "text"),
    "entity": Source("entities", "entity", "text"),
    "entities": Source("entities", "entity", "text"),
}
_OF_DOCUMENTS: Final[Mapping[str, Source]] = {
    **_SHARED,
    **{name: Source("ids", name, "text") for name in ID_TYPES},
    **{name: Source("codes", name, "text") for name in (*TAXONOMIES, "kind", "tag", "entity")},
    "tags": Source("codes", "tag", "text"),
    "entities": Source("codes", "entity", "text"),
}
FIELDS: Final = (*_OF_CLAIMS, *_OF_DOCUMENTS)
"""The fields that have a name of their own."""
_DOTTED: Final[Mapping[str, Kind]] = {
    "codes": "text",
    "ids": "text",
    "dates": "date",
    "attributes": "any",
}


def tests_of(conditions: Sequence[Condition], over: Over) -> Result[Tests, InvalidParameter]:
    """Return what conditions come to, or which of them cannot be judged and why."""
    if len(conditions) > MAX_CONDITIONS:
        return _fault(MAX_CONDITIONS, f"there are more than {MAX_CONDITIONS} conditions")
    return collect(_of_one(place, one, over) for place, one in enumerate(conditions))


def source_of(field: str, over: Over) -> Source | None:
    """Return what a field's name means, or None.

    >>> source_of("codes.uspc", "documents"), source_of("codes.uspc", "claims")
    (Source(part='codes', name='uspc', kind='text'), None)
    >>> source_of("codes.tag", "claims")
    Source(part='tags', name='tag', kind='text')
    """
    known = _OF_CLAIMS if over == "claims" else _OF_DOCUMENTS
    if field in known:
        return known[field]
    part, dot, name = field.partition(".")
    if not dot or not name or part not in _DOTTED:
        return None
    if over == "claims":
        codes = {"entity", "kind", "scope", "tag"}
        return known[name] if part == "codes" and name in codes else None
    return Source(part, name, _DOTTED[part])


def _fault(place: int, reason: str) -> Failure[InvalidParameter]:
    return Failure(InvalidParameter(f"filters.{place}", reason))


def _of_one(
    place: int, one: Condition, over: Over
) -> Result[tuple[Joined, tuple[Test, ...]], InvalidParameter]:
    source = source_of(one.field, over)
    if source is None:
        known = sorted(_OF_CLAIMS if over == "claims" else _OF_DOCUMENTS)
        dotted = "" if over == "claims" else ", or codes., ids., dates., attributes. and a name"
        reason = f"{shown(one.field)} is no field of {over}; fields are {', '.join(known)}{dotted}"
        return _fault(place, reason)
    if find_unstorable(one.field) is not None:
        return _fault(place, "the field has a NUL or a lone surrogate")
    made = [*_by_operator(one, source), *_by_lists(one, source)]
    if (one.op is None) != (one.value is None) or not made:
        return _fault(place, "give op and value, or some of the include and exclude lists")
    wrong = next((said for said in made if isinstance(said, str)), None)
    if wrong is not None:
        return _fault(place, wrong)
    return Success((one.lop, tuple(test for test in made if isinstance(test, Test))))


def _by_operator(one: Condition, source: Source) -> Iterator[Test | str]:
    value = one.value
    if one.op is None or value is None:
        return
    if one.op == "range":
        yield _within(source, value) if isinstance(value, Range) else "range needs from and to"
    elif isinstance(value, Range):
        yield f"{one.op} takes no range"
    elif one.op == "in":
        yield _among(source, value if isinstance(value, tuple) else (value,))
    elif isinstance(value, tuple):
        yield f"{one.op} needs one value"
    elif one.op == ">=":
        yield _within(source, Range.model_validate({"from": value}))
    elif one.op == "<=":
        yield _within(source, Range.model_validate({"to": value}))
    else:
        made = _among(source, (value,))
        turned = one.op == "neq" and isinstance(made, Test)
        yield replace(made, turned=True) if turned and isinstance(made, Test) else made


def _by_lists(one: Condition, source: Source) -> Iterator[Test | str]:
    codes = (one.include_codes, one.exclude_codes)
    if codes != (None, None) and source.part not in {"codes", "tags", "entities"}:
        yield "only codes, tags and entities are included or excluded as codes"
        return
    for values, turned in (
        (one.include_values, False),
        (one.exclude_values, True),
        (one.include_codes, False),
        (one.exclude_codes, True),
    ):
        if values is not None:
            made = _among(source, values)
            yield replace(made, turned=turned) if isinstance(made, Test) else made
    for bounds, turned in ((one.include_range, False), (one.exclude_range, True)):
        if bounds is not None:
            made = _within(source, bounds)
            yield replace(made, turned=turned) if isinstance(made, Test) else made


def _among(source: Source, values: Sequence[Value]) -> Test | str:
    """Return whether one of some values is there; of no values it never is."""
    if len(values) > MAX_LISTED:
        return f"more than {MAX_LISTED} values are listed"
    if source.kind == "date":
        spans = [span_of(value) for value in values]
        known = tuple(span for span in spans if span is not None)
        return Test(source, spans=known) if len(known) == len(spans) else _NO_DATE
    typed = tuple(_typed(value) for value in values)
    wrong = next((said for said in (_unfit(source, one) for one in typed) if said), None)
    # A whole number that is no float is no number that is stored.
    there = (one for one, value in zip(typed, values, strict=True) if one == value)
    return wrong or Test(source, among=tuple(there))


_NO_ORDER: Final = "has no range: it is a text that is looked up whole, by in, eq or neq"
_NO_DATE: Final = "give dates as YYYYMMDD, as ISO 8601 or as epoch seconds"


def _typed(value: Value) -> Single:
    return value if isinstance(value, (str, bool)) else float(value)


def _unfit(source: Source, value: Single) -> str | None:
    if isinstance(value, str) and find_unstorable(value) is not None:
        return "a value has a NUL or a lone surrogate"
    wanted = {"text": str, "number": float}.get(source.kind)
    if wanted is None or type(value) is wanted:
        return None
    return f"{source.name} is compared with {'texts' if wanted is str else 'numbers'}"


def _within(source: Source, bounds: Range) -> Test | str:
    """Return whether a value lies in a span: of a date, a number, or an attribute of any type."""
    if source.kind == "text":
        return f"{shown(source.name)} {_NO_ORDER}"
    low, high = bounds.start, bounds.end
    if low is None and high is None:
        return "a range needs from or to"
    if source.kind == "date":
        first, last = (None if one is None else span_of(one) for one in (low, high))
        if (first is None) != (low is None) or (last is None) != (high is None):
            return _NO_DATE
        return Test(source, spans=((first and first[0], last and last[1]),))
    return _of_bounds(source, (_from(low), _to(high)))


def _from(low: Value | None) -> Single | None:
    """Return the least float that a bound lets in, where it is a number that no float is."""
    one = None if low is None else _typed(low)
    if isinstance(one, float) and isinstance(low, int) and one < low:
        return nextafter(one, inf)
    return one


def _to(high: Value | None) -> Single | None:
    one = None if high is None else _typed(high)
    if isinstance(one, float) and isinstance(high, int) and one > high:
        return nextafter(one, -inf)
    return one


def _of_bounds(source: Source, bounds: Sequence[Single | None]) -> Test | str:
    given = [one for one in bounds if one is not None]
    wrong = next((said for said in (_unfit(source, one) for one in given) if said), None)
    if wrong is not None:
        return wrong
    low, high = bounds
    if all(isinstance(one, str) for one in given):
        words = tuple(one if isinstance(one, str) else None for one in (low, high))
        return Test(source, words=(words[0], words[1]))
    if any(isinstance(one, (str, bool)) for one in given):
        return "a range is of two numbers, two texts or two dates"
    numbers = tuple(one if isinstance(one, float) else None for one in (low, high))
    return Test(source, spans=((numbers[0], numbers[1]),))
