"""Documents as runs know them: by keys of one range, beside claims and what backends have."""

from collections.abc import Mapping, Sequence
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import Arrays, CoreDeps
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.codes import Codes, Profile, by_key, rows_of
from pce_memory.store.runs import DOCUMENTS, FOREIGN
from pce_memory.store.statements import statements, with_rows

SQL: Final = statements("run_documents")
SOURCE: Final = "documents"

__all__ = ["DOCUMENTS", "FOREIGN", "SOURCE", "codes_of", "ids_of", "keys_of", "weights"]


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
def weights(deps: CoreDeps, profile: Profile) -> Result[Arrays, StoreError]:
    """Return doc_key and weight of every document with a code of a profile."""
    return deps.db.arrays(SQL["document_weights"], {"codes": rows_of(profile)})
