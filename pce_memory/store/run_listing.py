"""What runs list, as far as it may be seen: the ranks in one read, the masks beside it.

Joined in one statement, the masks of all claims and all documents would be looked through for a
run of fifty.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from returns.result import Result, Success

from pce_memory.deps import Arrays, CoreDeps, Visibility
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.claims import rows_seen
from pce_memory.store.documents import documents_masked
from pce_memory.store.runs import DOCUMENTS, FOREIGN
from pce_memory.store.statements import masked, statements, with_rows

SQL: Final = statements("runs")
CLOSE: Final = 4
"""Up to so many claims a document that is listed, to read them all is less work than to join."""
Keys = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@reader
def listed(deps: CoreDeps, seqs: Sequence[int], visible: Visibility) -> Result[Arrays, StoreError]:
    """Return run_seq, place, key and score of what may be seen of runs, in rank order."""
    return Result.do(
        _in_order(columns, (keys >= FOREIGN) | claims | documents)
        for columns in deps.db.arrays(with_rows(SQL["docs_of_runs"], seqs))
        for keys in Success(columns["key"].astype(np.int64))
        for claims in _claims(deps, seqs, keys, visible)
        for documents in _documents(deps, seqs, keys, visible)
    )


def _in_order(columns: Arrays, kept: Mask) -> Arrays:
    some = {name: column[kept] for name, column in columns.items()}
    # As they were written they are in order: to find that out costs next to nothing.
    order = np.argsort((some["run_seq"].astype(np.int64) << 32) | some["place"], kind="stable")
    return {name: column[order] for name, column in some.items()}


def _claims(
    deps: CoreDeps, seqs: Sequence[int], keys: Keys, visible: Visibility
) -> Result[Mask, StoreError]:
    if not (keys < DOCUMENTS).any():
        return Success(np.zeros(len(keys), np.bool_))
    claims = keys[keys < DOCUMENTS]
    bounds = {"first": int(claims.min()), "last": int(claims.max())}
    if bounds["last"] - bounds["first"] < CLOSE * len(claims):
        sql, params = masked(SQL["claims_between"], visible)
        params = {**params, **bounds}
    else:
        sql, params = masked(with_rows(SQL["claims_of_runs"], seqs), visible)
    return deps.db.arrays(sql, params).map(lambda seen: np.isin(keys, seen["row_id"]))


def _documents(
    deps: CoreDeps, seqs: Sequence[int], keys: Keys, visible: Visibility
) -> Result[Mask, StoreError]:
    if not ((keys >= DOCUMENTS) & (keys < FOREIGN)).any():
        return Success(np.zeros(len(keys), np.bool_))
    sql, params = documents_masked(with_rows(SQL["documents_of_runs"], seqs), visible)
    return deps.db.arrays(sql, {**params, "documents": DOCUMENTS}).map(
        lambda seen: np.isin(keys - DOCUMENTS, seen["doc_key"])
    )


@reader
def claim_ids(
    deps: CoreDeps, row_ids: Sequence[int], visible: Visibility
) -> Result[Mapping[int, str], StoreError]:
    """Return the ids of those of the claims that are visible, by row id."""
    if not row_ids:
        return Success({})
    stored = with_rows(SQL["ids_of_claims"], row_ids)
    judged = with_rows(SQL["ids_of_visible_claims"], row_ids)
    return rows_seen(stored, judged, visible)(deps).map(
        lambda rows: {int(row["row_id"]): str(row["id"]) for row in rows}
    )
