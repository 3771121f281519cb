"""The fields of a document, told from the names of a flat row: a table's, or JSON's."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from returns.result import Failure, Result, Success

from pce_memory.domain.document import NewDocument
from pce_memory.errors import InvalidParameter, shown
from pce_memory.store.filter_tests import ID_TYPES, TAXONOMIES

FIELDS: Final = ("title", "abst", "claim", "desc")
_PARTS: Final[Mapping[str, str]] = {
    **dict.fromkeys(ID_TYPES, "external_ids"),
    **dict.fromkeys(FIELDS, "fields"),
    **dict.fromkeys(TAXONOMIES, "codes"),
}
_DOTTED: Final[Mapping[str, str]] = {
    "ids": "external_ids",
    "external_ids": "external_ids",
    "fields": "fields",
    "codes": "codes",
    "dates": "dates",
    "attributes": "attributes",
}


def grouped(row: Mapping[object, object]) -> Result[Mapping[str, object], InvalidParameter]:
    """Return a row as the fields of a `NewDocument`.

    Names of a `NewDocument` stay. Known ids, texts and codes (pub_id, title, fi_full, …) go where
    they belong; so does any name with its part before a dot.

    >>> grouped({"pub_id": "JP1", "ft": "5B1", "dates.filing": 3}).unwrap()
    {'external_ids': {'pub_id': 'JP1'}, 'codes': {'ft': ['5B1']}, 'dates': {'filing': 3}}
    >>> grouped({"titel": "Lamp"}).failure().message
    'Invalid titel: no field of a document; write attributes.titel, fields.titel or the like'
    """
    made: dict[str, Any] = {}
    for name, value in row.items():
        part, key = _place(name)
        if part is None:
            said = shown(name) if isinstance(name, str) else "name"
            reason = f"no field of a document; write attributes.{said}, fields.{said} or the like"
            return Failure(InvalidParameter(said, reason))
        if key is None:
            if isinstance(value, Mapping):
                known = made.setdefault(part, {})
                known.update(_listed(part, cast("Mapping[str, object]", value)))
            else:
                made[part] = value
        elif isinstance(made.setdefault(part, {}), dict):
            made[part].update(_listed(part, {key: value}))
    return Success(made)


def _place(name: object) -> tuple[str | None, str | None]:
    if not isinstance(name, str):
        return None, None
    if name in NewDocument.model_fields:
        return name, None
    if name in _PARTS:
        return _PARTS[name], name
    before, dot, after = name.partition(".")
    return (_DOTTED[before], after) if dot and after and before in _DOTTED else (None, None)


def _listed(part: str, values: Mapping[str, object]) -> Mapping[str, object]:
    """Return values as they are taken: codes as lists, and nothing where there is none."""
    present = {name: _plain(value) for name, value in values.items() if value is not None}
    if part != "codes":
        return present
    return {
        name: [value] if isinstance(value, (str, int)) else value
        for name, value in present.items()
    }


def _plain(value: object) -> object:
    """Return a value of numpy or pandas as Python's own, a list as a tuple would be taken."""
    if hasattr(value, "isoformat"):
        return cast("Any", value).isoformat()
    if hasattr(value, "tolist"):
        value = cast("Any", value).tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in cast("Sequence[object]", value)]
    return value
