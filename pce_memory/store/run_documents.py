"""Documents as runs know them: by keys of one range, beside claims and what backends have."""

from collections.abc import Mapping, Sequence
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import Arrays, CoreDeps
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.codes import Codes, by_key, pairs_of, places_of
from pce_memory.store.document_vectors import MAIN
from pce_memory.store.runs import DOCUMENTS, FOREIGN
from pce_memory.store.statements import integers, statements, with_rows
from pce_memory.text.codes import Hit
from pce_memory.text.tokens import term_hash

SQL: Final = statements("run_documents")
SOURCE: Final = "documents"

__all__ = [
    "DOCUMENTS",
    "FOREIGN",
    "SOURCE",
    "carriers",
    "codes_of",
    "holding_all",
    "ids_of",
    "keys_of",
    "known",
]


@reader
def keys_of(deps: CoreDeps, ids: Sequence[str]) -> Result[Mapping[str, int], StoreError]:
    """Return the keys that runs know documents by, by id."""
    if not ids:
        return Success({})
    return deps.db.query(SQL["keys_of_ids"], {"ids": list(ids)}).map(
        lambda rows: {str(row["id"]): DOCUMENTS | int(row["doc_key"]) for row in rows}
    )


@reader
def ids_of(deps: CoreDeps, keys: Sequence[int]) -> Result[Mapping[int, str], StoreError]:
    """Return the ids of documents by their keys; one that was written anew has another key."""
    if not keys:
        return Success({})
    plain = [key - DOCUMENTS for key in keys]
    return deps.db.query(with_rows(SQL["ids_of_keys"], plain)).map(
        lambda rows: {DOCUMENTS | int(row["doc_key"]): str(row["id"]) for row in rows}
    )


@reader
def codes_of(deps: CoreDeps, keys: Sequence[int]) -> Result[Mapping[int, Codes], StoreError]:
    """Return the codes of documents by taxonomy, by key."""
    if not keys:
        return Success({})
    plain = [key - DOCUMENTS for key in keys]
    return deps.db.query(with_rows(SQL["codes_of_keys"], plain)).map(
        lambda rows: by_key(
            [(DOCUMENTS | int(r["doc_key"]), r["taxonomy"], r["code"]) for r in rows]
        )
    )


@reader
def carriers(
    deps: CoreDeps, asked: Sequence[Hit], first: int, last: int
) -> Result[Arrays, StoreError]:
    """Return key and place: which documents of a range of keys carry which of these codes."""
    bounds = {"first": first - DOCUMENTS, "last": last - DOCUMENTS}
    return deps.db.arrays(SQL["document_carriers"], {"codes": places_of(asked), **bounds}).map(
        lambda found: {**found, "key": found["key"].astype("int64") | DOCUMENTS}
    )


@reader
def known(
    deps: CoreDeps, taxonomies: Sequence[str]
) -> Result[tuple[tuple[str, str], ...], StoreError]:
    """Return the codes of some taxonomies that any document carries."""
    if not taxonomies:
        return Success(())
    return deps.db.query(SQL["known_document_codes"], {"taxonomies": list(taxonomies)}).map(
        pairs_of
    )


@reader
def holding_all(deps: CoreDeps, terms: Sequence[str]) -> Result[tuple[int, ...], StoreError]:
    """Return the keys of the documents whose title, abst and claim hold every one of the terms.

    Of a document that has none of these, whose fields do.
    """
    hashes = {term_hash(term) for term in terms}
    sql = SQL["documents_with_terms"].replace("{terms}", integers(hashes))
    return deps.db.query(sql, {"names": list(MAIN), "count": len(hashes)}).map(
        lambda rows: tuple(DOCUMENTS | int(row["doc_key"]) for row in rows)
    )
