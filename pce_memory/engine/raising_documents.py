"""The operations on documents, for callers who prefer exceptions."""

from collections.abc import Sequence

from pce_memory.domain.boundary import Boundary
from pce_memory.domain.document import Document, DocumentsResult
from pce_memory.engine.many import Progress
from pce_memory.engine.publishing import Publishing
from pce_memory.errors import or_raise


class RaisingDocuments:
    """What takes in documents and shows them. Methods raise `MemoryFault`."""

    _publishing: Publishing

    def add_documents(
        self,
        items: object,
        *,
        boundary: Boundary | None = None,
        progress: Progress | None = None,
    ) -> DocumentsResult:
        """Add documents, hundreds to a transaction; one with a known external id is written anew.

        `items`: mappings or NewDocuments, a mapping of columns, a table of pyarrow, pandas or
        polars, or the path of a JSONL file. Documents that cannot be taken are named and stop no
        other. `progress` is told how many documents are done.

        Which document a row is, its first known id says: pub_id, app_doc_id, app_id, exam_id, then
        others; ids of two documents are an item that failed. Without ids it is the one that holds
        the same. Of several of one id only the one that `publication` shows is written anew.

        What is written anew is another text whole; its class only gets stricter and its scope
        slower, as those of claims that merge. What the boundary does not show is not there: it is
        not written over, and its ids are free.
        """
        return or_raise(
            self._publishing.add_documents(items, boundary=boundary, progress=progress)
        )

    def publication(
        self,
        id: str,  # noqa: A002 - what it is called everywhere
        id_type: str = "pub_id",
        *,
        fields: Sequence[str] | None = None,
        per_field_chars: int | None = None,
        boundary: Boundary | None = None,
    ) -> Document:
        """Return a document by one of its ids, if the boundary shows it.

        Of several that have the id it is the one of the strictest class, then the oldest.
        `id_type`: pub_id, app_doc_id, app_id, exam_id or any other that it was added with; `id`
        for that of this memory. `fields`, `per_field_chars`: which texts, and how much of each.
        """
        return or_raise(
            self._publishing.publication(
                id,
                id_type,
                fields=fields,
                per_field_chars=per_field_chars,
                boundary=boundary,
            )
        )

    get_publication = publication
