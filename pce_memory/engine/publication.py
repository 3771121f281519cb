"""One document, looked up by any of its ids and shown as its class lets it."""

from collections.abc import Callable
from typing import Annotated, Final

from pydantic import Field
from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.document import Document, Name
from pce_memory.domain.model import Model
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BoundaryClass, stricter
from pce_memory.errors import CoreError, UnknownDocument
from pce_memory.policy.documents import attributes_cleaned
from pce_memory.policy.outgoing import cleaner
from pce_memory.policy.redaction import missing_dictionaries, redact_for
from pce_memory.result import reader
from pce_memory.store import documents
from pce_memory.store.visibility import View, view

Clean = Callable[[str], str]

_DOTS: Final = "..."


class Lookup(Model):
    """Which document to show, and what of it; `per_field_chars` is how much of each field."""

    id: Annotated[str, Field(min_length=1, max_length=512)]
    id_type: Name = "pub_id"
    fields: Annotated[tuple[Name, ...], Field(min_length=1)] | None = None
    per_field_chars: Annotated[int, Field(ge=1)] | None = None


@reader
def publication(
    deps: CoreDeps, wanted: Lookup, boundary: Boundary, policy: Policy
) -> Result[Document, CoreError]:
    """Return a document that the boundary shows; another is as good as not there."""
    return Result.do(
        shown_document(found[0].document, policy, seen, limit=wanted.per_field_chars)
        for seen in view(boundary, policy)(deps)
        for found in documents.fetch(
            [wanted.id], seen.visible, id_type=wanted.id_type, fields=wanted.fields
        )(deps)
        for _ in (Success(None) if found else Failure(UnknownDocument(wanted.id)))
    )


def shown_document(
    one: Document, policy: Policy, seen: View, *, limit: int | None = None
) -> Document:
    """Return a document as it leaves: without what its class redacts, its fields cut to `limit`.

    What is cut is the text as it leaves, so no part of what was taken out is in it.
    """
    clean = _cleaner(policy, one.boundary_class)
    texts = {name: clean(text) for name, text in one.fields.items()}
    cut = tuple(name for name, text in texts.items() if limit and len(text) > limit)
    small = cleaner(policy, seen.narrowed.classes)
    return one.model_copy(
        update={
            "fields": {name: _beginning(text, limit) for name, text in texts.items()},
            "attributes": attributes_cleaned(one.attributes, small),
            "cut": cut,
        }
    )


def _cleaner(policy: Policy, boundary_class: BoundaryClass) -> Clean:
    known = not missing_dictionaries(policy)
    strict = stricter(boundary_class, "pii") if known else boundary_class

    def clean(text: str) -> str:
        return redact_for(text, policy, boundary_class=strict).text

    return clean


def _beginning(text: str, limit: int | None) -> str:
    """Return the beginning of a text; dots, which count, say that there is more.

    >>> _beginning("a lamp", 5), _beginning("a lamp", 2), _beginning("a lamp", None)
    ('a ...', 'a ', 'a lamp')
    """
    if limit is None or len(text) <= limit:
        return text
    if limit <= len(_DOTS):
        return text[:limit]
    return text[: limit - len(_DOTS)] + _DOTS
