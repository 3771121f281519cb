"""The words of what is about to be erased, and which of them are left afterwards."""

from collections.abc import Sequence
from typing import Final

from returns.result import Result

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.ids import ObservationId
from pce_memory.errors import StoreError
from pce_memory.result import collect, reader
from pce_memory.store import document_words
from pce_memory.store.claims import literals
from pce_memory.store.search import rows_json_of_hashes
from pce_memory.store.statements import statements, with_rows
from pce_memory.text.tokens import term_hash

SQL: Final = statements("erasure")


@reader
def texts_to_erase(
    deps: CoreDeps,
    row_ids: Sequence[int],
    observations: Sequence[ObservationId],
    documents: Sequence[int],
) -> Result[tuple[str, ...], StoreError]:
    """Return what claims, observations and documents say, these with all they are called by."""
    statements_of = [
        with_rows(SQL["texts_of_rows"], row_ids),
        SQL["texts_of_observations"].replace("{ids}", literals(observations)),
    ]
    if documents:
        statements_of.append(with_rows(SQL["texts_of_documents"], documents))
    return Result.do(
        (*(str(row["text"]) for rows in groups for row in rows if row["text"]), *attributes)
        for groups in collect(map(deps.db.query, statements_of))
        for attributes in document_words.attributes_of(documents)(deps)
    )


@reader
def terms_left(deps: CoreDeps, terms: Sequence[str]) -> Result[frozenset[str], StoreError]:
    """Return those of these terms that a claim or a document still holds."""

    def named(rows: Sequence[Row]) -> frozenset[str]:
        hashes = {int(row["term_hash"]) for row in rows}
        return frozenset(term for term in terms if term_hash(term) in hashes)

    return deps.db.query(SQL["terms_left"], {"terms": rows_json_of_hashes(terms)}).map(named)
