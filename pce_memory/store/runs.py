"""The runs: what lanes found and what was blended of it, kept for a while under their reach."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import Any, Final

from returns.result import Failure, Result, Success

from pce_memory.deps import Arrays, CoreDeps, Row
from pce_memory.domain.boundary import Boundary
from pce_memory.errors import RunNotFound, StoreError
from pce_memory.result import reader
from pce_memory.store import run_foreign
from pce_memory.store.fitting import fitting
from pce_memory.store.reach import Reach, covers, reach_of
from pce_memory.store.run_rows import run_fields
from pce_memory.store.statements import statements, with_rows

SQL: Final = statements("runs")
CLAIMS: Final = "claims"
"""The source of what the memory itself found."""
DOCUMENTS: Final = 1 << 56
FOREIGN: Final = 1 << 57
"""Keys below DOCUMENTS are row_ids of claims; then come documents, then what backends have."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run without its documents."""

    run_id: str
    kind: str
    params: Mapping[str, object]
    policy_version: str
    created_at: float
    expires_at: float
    documents: int
    lane: str | None = None
    lane_name: str | None = None
    source: str | None = None
    query: str | None = None
    recipe: Mapping[str, object] | None = None
    metrics: Mapping[str, float] | None = None
    parent: str | None = None
    history: tuple[str, ...] = ()
    made_by: str | None = None
    reach: Reach = field(default_factory=dict[str, object])
    seq: int = 0


def foreign_key(source: str, doc_id: str) -> int:
    """Return the key of a document of a backend: the same for the same document, in any file."""
    named = f"{source}\0{doc_id}".encode("utf-8", "replace")
    return FOREIGN | int.from_bytes(blake2b(named, digest_size=7).digest())


@reader
def insert(
    deps: CoreDeps, run: Run, boundary: Boundary, columns: Arrays
) -> Result[Run, StoreError]:
    """Write a run with its documents: the columns key and score, best first. In a transaction."""
    return Result.do(
        run
        for _ in deps.db.execute(SQL["insert_run"], _params(deps, run, boundary))
        for _ in (_load(deps, columns) if run.documents else Success(None))
    )


def _load(deps: CoreDeps, columns: Arrays) -> Result[None, StoreError]:
    import numpy as np  # noqa: PLC0415 - not at opening

    docs = {
        "place": np.arange(1, len(columns["key"]) + 1, dtype=np.int32),
        "key": columns["key"],
        "score": columns["score"],
    }
    return deps.db.load(SQL["load_docs"], docs)


def _params(deps: CoreDeps, run: Run, boundary: Boundary) -> Mapping[str, object]:
    return {
        "run_id": run.run_id,
        "kind": run.kind,
        "lane": run.lane,
        "lane_name": run.lane_name,
        "source": run.source,
        "query": run.query,
        "params": _json(run.params),
        "recipe": None if run.recipe is None else _json(run.recipe),
        "metrics": None if run.metrics is None else _json(run.metrics),
        "parent": run.parent,
        "history": _json(run.history),
        "boundary": _json(reach_of(boundary, deps.digest)),
        "policy_version": run.policy_version,
        "made_by": None if boundary.actor is None else deps.digest(boundary.actor),
        "documents": run.documents,
        "now": run.created_at,
        "expires_at": run.expires_at,
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@reader
def find(
    deps: CoreDeps, ids: Sequence[str], boundary: Boundary, policy_version: str
) -> Result[tuple[Run, ...], StoreError | RunNotFound]:
    """Return living runs in order, if a narrowed boundary reaches all they were made under.

    To one that does not, and under another policy, they are not there: what stands in a run, its
    ranks and scores, tells of all that was seen when it was made.
    """
    wanted = {"ids": list(dict.fromkeys(ids)), "now": deps.clock()}
    mine = reach_of(boundary, deps.digest)

    def chosen(rows: Sequence[Row]) -> Result[tuple[Run, ...], RunNotFound]:
        found = {run.run_id: run for run in fitting(rows, _run)}
        for one in ids:
            run = found.get(one)
            if run is None or run.policy_version != policy_version or not covers(mine, run.reach):
                return Failure(RunNotFound(one))
        return Success(tuple(found[one] for one in ids))

    return Result.do(runs for rows in _rows(deps, wanted) for runs in chosen(rows))


def _rows(deps: CoreDeps, wanted: Mapping[str, Any]) -> Result[Sequence[Row], StoreError]:
    """Return the rows of living runs: those read before, where the file says that they live."""
    held = [deps.held.rows.get(one) for one in wanted["ids"]]
    known = {row["run_id"]: row for row in held if row is not None}
    if len(known) < len(held):
        return deps.db.query(SQL["runs_by_id"], wanted).map(partial(_held, deps))

    def still(rows: Sequence[Row]) -> Sequence[Row]:
        return [known[row["run_id"]] for row in rows if row["seq"] == known[row["run_id"]]["seq"]]

    return deps.db.query(SQL["living"], wanted).map(still)


def _held(deps: CoreDeps, rows: Sequence[Row]) -> Sequence[Row]:
    # What a transaction has not committed yet may never have been.
    if deps.db.version is not None:
        for row in rows:
            deps.held.rows.put(row["run_id"], row)
    return rows


def _run(row: Row) -> Run:
    fields: Mapping[str, Any] = run_fields(row)
    return Run(**fields)


@reader
def erase_expired(deps: CoreDeps, *, now: float) -> Result[int, StoreError]:
    """Erase runs whose time is over; return how many."""
    return _erase_found(deps, "expired_runs", {"now": now})


@reader
def erase_of_actor(deps: CoreDeps, actor: str) -> Result[int, StoreError]:
    """Erase the runs that somebody made; return how many."""
    return _erase_found(deps, "runs_of_actor", {"made_by": deps.digest(actor)})


@reader
def erase_listing(deps: CoreDeps, row_ids: Sequence[int]) -> Result[int, StoreError]:
    """Erase the runs that list claims; return how many."""
    if not row_ids:
        return Success(0)
    return Result.do(
        gone
        for rows in deps.db.query(with_rows(SQL["runs_listing"], row_ids))
        for gone in erase(_seqs(rows))(deps)
    )


def _erase_found(
    deps: CoreDeps, statement: str, params: Mapping[str, object]
) -> Result[int, StoreError]:
    return Result.do(
        gone for rows in deps.db.query(SQL[statement], params) for gone in erase(_seqs(rows))(deps)
    )


@reader
def erase(deps: CoreDeps, seqs: Sequence[int]) -> Result[int, StoreError]:
    """Erase runs by their keys, with what was blended of them; return how many."""
    if not seqs:
        return Success(0)
    deps.held.clear()
    return Result.do(
        len(every)
        for made in deps.db.query(with_rows(SQL["runs_made_of"], seqs))
        for every in Success(sorted({*seqs, *(int(row["seq"]) for row in made)}))
        for _ in deps.db.execute(with_rows(SQL["erase_docs"], every))
        for _ in deps.db.execute(with_rows(SQL["erase_runs"], every))
        for _ in run_foreign.erase(every)(deps)
    )


def _seqs(rows: Sequence[Row]) -> list[int]:
    return [int(row["seq"]) for row in rows]
