"""Documents: texts with named fields that stand beside claims, and are found as they are."""

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Annotated, Literal, NamedTuple, Self, TypeAlias, cast

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from pce_memory.domain.dates import Moment
from pce_memory.domain.ids import DocumentId, DocumentIdField
from pce_memory.domain.model import EpochSeconds, Finite, Model
from pce_memory.domain.receipt import FailedItem
from pce_memory.domain.stamped import Stamped
from pce_memory.domain.vocabulary import BoundaryClass, Scope

FeatureScope: TypeAlias = Literal[
    "wide", "title_abst_claims", "claims_only", "top_claim", "background_jp"
]
Style: TypeAlias = Literal["recall", "precision"]


def _as_text(value: object) -> object:
    """Return a number as its digits: ids of elsewhere often come as numbers."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Name: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=128)]
"""What a field, an id type, a taxonomy, a date or an attribute is called: any words."""
ExternalId: TypeAlias = Annotated[
    str, BeforeValidator(_as_text), StringConstraints(min_length=1, max_length=512)
]
Code: TypeAlias = Annotated[
    str, BeforeValidator(_as_text), StringConstraints(min_length=1, max_length=256)
]
LONGEST_ATTRIBUTE = 4096
EXACT = 2**53
"""Whole numbers from -EXACT to EXACT are floats too, each another one: so they can be compared."""
AttributeValue: TypeAlias = (
    Annotated[bool, Field(strict=True)]
    | Annotated[int, Field(strict=True, ge=-EXACT, le=EXACT)]
    | Finite
    | Annotated[str, StringConstraints(max_length=LONGEST_ATTRIBUTE)]
)


def _attribute(given: object) -> object:
    """Refuse what is no attribute in words of ours: of a union pydantic tells its first part."""
    several = isinstance(given, (list, tuple))
    for place, one in enumerate(cast("Sequence[object]", given) if several else [given]):
        if (wrong := _why_no_attribute(one)) is not None:
            raise ValueError(f"value {place} of it: {wrong}" if several else wrong)
    return given


def _why_no_attribute(one: object) -> str | None:
    if isinstance(one, str):
        too_long = len(one) > LONGEST_ATTRIBUTE
        return f"a text has at most {LONGEST_ATTRIBUTE} characters" if too_long else None
    if isinstance(one, int) and not isinstance(one, bool) and abs(one) > EXACT:
        return "a whole number beyond 2**53 cannot be compared exactly; give it as a text"
    if isinstance(one, float) and not isfinite(one):
        return "a number has to be finite"
    if one is None or isinstance(one, (Mapping, list, tuple, set, frozenset)):
        return "give a text, a number or a truth value, or a list of these; nothing is nested"
    return None


Attributes: TypeAlias = Mapping[str, AttributeValue | tuple[AttributeValue, ...]]

MAX_FIELDS = 64
MAX_CODES = 4_096
MAX_VALUES = 256


def read_attributes(stored: str) -> Attributes:
    """Return attributes that were stored as JSON: several values are a tuple."""
    said: object = json.loads(stored)
    if not isinstance(said, dict):  # in a file that somebody edited
        return {}
    given = cast("dict[str, AttributeValue | list[AttributeValue]]", said)
    return {name: tuple(one) if isinstance(one, list) else one for name, one in given.items()}


class NewDocument(Model):
    """A document to be added.

    external_ids: what it is called elsewhere, by type: pub_id, app_doc_id, app_id, exam_id or any.
    fields: texts by name: title, abst, claim, desc, or any. codes: by taxonomy: fi_norm, fi_full,
    ft, ipc, cpc, or any. dates: by name. attributes: a value or several, by name; a whole number
    is kept exactly, from -2**53 to 2**53, or refused.
    """

    external_ids: Annotated[Mapping[Name, ExternalId], Field(max_length=16)] = {}
    fields: Annotated[Mapping[Name, str], Field(min_length=1, max_length=MAX_FIELDS)]
    codes: Mapping[Name, Annotated[tuple[Code, ...], Field(max_length=MAX_CODES)]] = {}
    dates: Annotated[Mapping[Name, Moment], Field(max_length=MAX_VALUES)] = {}
    attributes: Annotated[
        Mapping[
            Name,
            Annotated[
                AttributeValue
                | Annotated[tuple[AttributeValue, ...], Field(max_length=MAX_VALUES)],
                BeforeValidator(_attribute),
            ],
        ],
        Field(max_length=MAX_VALUES),
    ] = {}
    scope: Scope = "principle"
    boundary_class: BoundaryClass = "internal"

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not any(text.strip() for text in self.fields.values()):
            raise ValueError("every field is blank; a document needs some text")
        return self


class Document(Stamped):
    """A document as it is shown; `cut` names the fields of which only the beginning is shown."""

    id: DocumentIdField
    external_ids: Mapping[str, str]
    fields: Mapping[str, str]
    codes: Mapping[str, tuple[str, ...]]
    dates: Mapping[str, float]
    attributes: Attributes
    scope: Scope
    boundary_class: BoundaryClass
    created_at: EpochSeconds
    updated_at: EpochSeconds
    cut: tuple[str, ...] = ()


class DocumentsResult(Stamped):
    """What an `add_documents` run did, in documents. Those that failed are named by their place.

    updated: written anew, since one with the same external id was there and held something else.
    redacted: of which personal data or a secret was taken out.
    """

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    redacted: int = 0
    failed: tuple[FailedItem, ...] = ()


class Hit(NamedTuple):
    """A document that was found, and its score in a lane."""

    doc_id: DocumentId
    score: float


class Hits(NamedTuple):
    """The best documents of a lane, best first, and how many there are in all."""

    items: tuple[Hit, ...] = ()
    total: int = 0
