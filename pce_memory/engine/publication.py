"""One document, looked up by any of its ids and shown as its class lets it."""

from typing import Annotated

from pydantic import Field
from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.document import Document, Name
from pce_memory.domain.model import Model
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, UnknownDocument
from pce_memory.policy.documents import document_out
from pce_memory.policy.outgoing import cleaner
from pce_memory.result import reader
from pce_memory.store import documents
from pce_memory.store.visibility import View, view
from pce_memory.text.snippets import cut


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
    """Return a document that the boundary shows; another is as good as not there.

    Several may have the id, for who added one need not have seen another: it is the one of the
    strictest class and, of these, the oldest.
    """
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
    told = document_out(one, policy, cleaner(policy, seen.narrowed.classes))
    longer = tuple(name for name, text in told.fields.items() if limit and len(text) > limit)
    return told.model_copy(
        update={
            "fields": {name: cut(text, limit or len(text)) for name, text in told.fields.items()},
            "cut": longer,
        }
    )
