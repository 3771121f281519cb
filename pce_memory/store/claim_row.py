"""A row of the table of claims, as a claim."""

import json
from typing import Final, cast

from pce_memory.deps import Row
from pce_memory.domain.claim import AnyClaim, Claim, DerivedClaim
from pce_memory.store.times import seconds_of

_TIMES: Final = ("created_at", "updated_at", "recency_anchor")
_LISTS: Final = ("derived_from", "tags")
_AS_READ: Final = tuple(
    name for name in Claim.model_fields if name not in {"recency", *_TIMES, *_LISTS}
)
_EMPTY: Final = "[]"


def as_claim(row: Row) -> AnyClaim:
    """Return a row of claims as a claim; its recency is filled in by who knows the policy."""
    fields = {name: row[name] for name in _AS_READ}
    for name in _TIMES:
        fields[name] = seconds_of(row[name])
    for name in _LISTS:
        fields[name] = () if row[name] == _EMPTY else _items(row[name])
    model = DerivedClaim if fields["derived_from"] else Claim
    return model.model_validate(fields)


def _items(said: str) -> tuple[object, ...]:
    items: object = json.loads(said)
    if not isinstance(items, list):  # a text and a mapping can be gone through too
        raise TypeError(type(items).__name__)
    return tuple(cast("list[object]", items))
