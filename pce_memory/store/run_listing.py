"""What runs list, as far as it may be seen: the ranks in one read, the masks beside it.

Joined in one statement, the masks of all claims and all documents would be looked through for a
run of fifty.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from returns.result import Result, Success

from pce_memory.deps import Arrays, CoreDeps, Params, Row, Visibility
from pce_memory.domain.ids import ClaimId, called
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.claims import is_seen
from pce_memory.store.documents import documents_masked
from pce_memory.store.runs import DOCUMENTS, FOREIGN, Run
from pce_memory.store.search import of_equal_claims
from pce_memory.store.statements import masked, statements, template, with_rows

SQL: Final = statements("runs")
CLOSE: Final = 4
"""Up to so many claims a document that is listed, to read them all is less work than to join."""
Keys = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
MEASURED: Final = frozenset({"now", "utility_half_life", "quality_half_life"})
"""Parameters that only the measures of claims need."""
KEYS_OF_RUNS: Final = template("keys_of_runs")
NOTHING: Final[Keys] = np.empty(0, np.int64)


@reader
def listed(
    deps: CoreDeps, some: Sequence[Run], visible: Visibility
) -> Result[tuple[Arrays, ...], StoreError]:
    """Return place, key and score of what may be seen of each run, in rank order.

    Where an equal claim is shown now instead of one that was listed, it stands at its rank.
    """
    seqs = [one.seq for one in some]
    return Result.do(
        _split(ranks, (keys >= FOREIGN) | np.isin(keys, claims["shown"]) | documents)
        for before in _ranks(deps, some)
        for claims in _claims(deps, seqs, _all_keys(before), visible)
        for ranks in Success([_as_shown(one, claims) for one in before])
        for keys in Success(_all_keys(ranks))
        for documents in _documents(deps, seqs, keys, visible)
    )


def _all_keys(ranks: Sequence[Arrays]) -> Keys:
    return np.concatenate([NOTHING, *(one["key"] for one in ranks)])


def _as_shown(ranks: Arrays, claims: Arrays) -> Arrays:
    """Return ranks of the claims that are shown now; one that comes twice keeps its best rank."""
    moved = claims["row_id"] != claims["shown"]
    before: Keys = claims["row_id"][moved]
    after: Keys = claims["shown"][moved]
    if not np.isin(ranks["key"], before).any():
        return ranks
    order: Keys = np.argsort(before)
    ranked: Keys = ranks["key"]
    places = np.minimum(np.searchsorted(before[order], ranked), len(before) - 1)
    stands = before[order][places] == ranked
    keys: Keys = np.where(stands, after[order][places], ranked)
    best = np.sort(np.unique(keys, return_index=True)[1])
    columns: dict[str, npt.NDArray[np.generic]] = {**ranks, "key": keys}
    return {name: column[best] for name, column in columns.items()}


def _split(ranks: Sequence[Arrays], kept: Mask) -> tuple[Arrays, ...]:
    """Return of each run what is kept of all of them, one after the other."""
    ends = np.cumsum([len(one["key"]) for one in ranks], dtype=np.int64)
    each = np.split(kept, ends[:-1])
    return tuple(
        one if mask.all() else {name: column[mask] for name, column in one.items()}
        for one, mask in zip(ranks, each, strict=True)
    )


def _ranks(deps: CoreDeps, some: Sequence[Run]) -> Result[Sequence[Arrays], StoreError]:
    """Return place, key and score of all that runs list; what is held is not read again."""
    names = [f"{one.run_id} {one.seq}" for one in some]
    known = {name: deps.held.ranks.get(name) for name in names}
    unread = [one for one, name in zip(some, names, strict=True) if known[name] is None]

    def every(read: Mapping[int, Arrays]) -> list[Arrays]:
        found: list[Arrays] = []
        for one, name in zip(some, names, strict=True):
            ranks = known[name] or read[one.seq]
            # What a transaction has not committed yet may never have been.
            if len(ranks["key"]) == one.documents and deps.db.version is not None:
                deps.held.ranks.put(name, ranks, len(ranks["key"]))
            found.append(ranks)
        return found

    return _read(deps, [one.seq for one in unread]).map(every)


def _read(deps: CoreDeps, seqs: Sequence[int]) -> Result[Mapping[int, Arrays], StoreError]:
    if not seqs:
        return Success({})
    return deps.db.arrays(with_rows(SQL["docs_of_runs"], seqs)).map(
        lambda columns: {seq: _of_run(columns, seq) for seq in seqs}
    )


def _of_run(columns: Arrays, seq: int) -> Arrays:
    rows = np.flatnonzero(columns["run_seq"] == seq)
    # As they were written they are in order: to find that out costs next to nothing.
    rows = rows[np.argsort(columns["place"][rows], kind="stable")]
    kinds = {"place": np.int64, "key": np.int64, "score": np.float64}
    found = {name: columns[name][rows].astype(kind) for name, kind in kinds.items()}
    for column in found.values():
        column.flags.writeable = False
    return found


def _claims(
    deps: CoreDeps, seqs: Sequence[int], keys: Keys, visible: Visibility
) -> Result[Arrays, StoreError]:
    """Return which claims that are listed may be seen, and which is shown for each of them."""
    claims = keys[keys < DOCUMENTS]
    if not len(claims):
        return Success({"row_id": NOTHING, "shown": NOTHING})
    if visible.twins:
        return deps.db.arrays(*of_equal_claims(with_rows(KEYS_OF_RUNS, seqs), visible))
    bounds = {"first": int(claims.min()), "last": int(claims.max())}
    if bounds["last"] - bounds["first"] < CLOSE * len(claims):
        sql, params = _between(visible)
        params = {**params, **bounds}
    else:
        sql, params = masked(with_rows(SQL["claims_of_runs"], seqs), visible)
    return deps.db.arrays(sql, params).map(lambda seen: {**seen, "shown": seen["row_id"]})


def _between(visible: Visibility) -> tuple[str, Params]:
    if visible.is_judged:
        return masked(SQL["judged_between"], visible)
    sql, params = masked(SQL["claims_between"], visible)
    return sql, {name: value for name, value in params.items() if name not in MEASURED}


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
    deps: CoreDeps, known: Mapping[int, Row], visible: Visibility
) -> Result[Mapping[int, str], StoreError]:
    """Return the ids of those of the claims that are visible, by row id.

    `known` are rows that say it themselves, as long as no invariant is to be judged.
    """
    if not known:
        return Success({})
    if not (visible.is_judged or visible.twins):
        seen = {row: _called(one) for row, one in known.items() if is_seen(one, visible)}
        return Success(seen)
    return deps.db.query(*masked(with_rows(SQL["ids_of_visible_claims"], known), visible)).map(
        lambda rows: {int(row["row_id"]): _called(row) for row in rows}
    )


def _called(row: Row) -> str:
    return called(ClaimId(row["id"]))
