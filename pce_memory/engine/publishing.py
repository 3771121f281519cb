"""The operations on documents, as Results."""

from collections.abc import Sequence

from returns.result import Result

from pce_memory.adapters.documents_given import rows_of
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.document import Document, DocumentsResult
from pce_memory.domain.model import parse
from pce_memory.engine import documents, many
from pce_memory.engine.importing import Importing
from pce_memory.engine.publication import Lookup, publication
from pce_memory.engine.ready import Ready
from pce_memory.errors import CoreError
from pce_memory.store.audit import Decision, decided


class Publishing(Importing):
    """What takes in documents and shows them."""

    def add_documents(
        self,
        items: object,
        *,
        boundary: Boundary | None = None,
        progress: many.Progress | None = None,
    ) -> Result[DocumentsResult, CoreError]:
        """Add documents, hundreds to a transaction; one with a known external id is written anew.

        `items`: mappings or NewDocuments, a mapping of columns, a table of pyarrow, pandas or
        polars, or the path of a JSONL file. Documents that cannot be taken are named and stop no
        other. `progress` is told how many documents are done.

        What is written anew is another text whole; its class only gets stricter and its scope
        slower, as those of claims that merge. What the boundary does not show is not there: it is
        not written over, and its ids are free.
        """
        return self.run(
            "add_documents",
            boundary,
            lambda ready: Result.do(
                done
                for given in rows_of(items)
                for watch in many.watching(progress, None)
                for done in documents.add_documents(
                    self.deps, given, ready.boundary, ready.policy, watch=watch
                )
            ),
        )

    def publication(
        self,
        id: str,  # noqa: A002 - what it is called everywhere
        id_type: str = "pub_id",
        *,
        fields: Sequence[str] | None = None,
        per_field_chars: int | None = None,
        boundary: Boundary | None = None,
    ) -> Result[Document, CoreError]:
        """Return a document by one of its ids, if the boundary shows it.

        Of several that have the id it is the one of the strictest class, then the oldest.
        `id_type`: pub_id, app_doc_id, app_id, exam_id or any other that it was added with; `id`
        for that of this memory. `fields`, `per_field_chars`: which texts, and how much of each.
        """
        asked = {"id": id, "id_type": id_type, "fields": fields}
        return self.run(
            "publication",
            boundary,
            lambda ready: Result.do(
                found
                for wanted in parse(Lookup, {**asked, "per_field_chars": per_field_chars})
                for found in publication(wanted, ready.boundary, ready.policy)(self.deps)
            ),
            _shown,
        )

    get_publication = publication


def _shown(ready: Ready, _document: Document) -> Decision:
    counts = {"documents": 1}
    return decided("publication", "allowed", ready.boundary, ready.policy, counts=counts)
