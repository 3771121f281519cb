"""What backends of the host's told of their documents: kept by run, and read with that run only.

Two callers may be told different things of one document. Its key is the same in all runs, so that
it is one document in a blend; what is known of it is what the runs at hand were told.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Final, cast

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.boundary import Boundary
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.fitting import mapping_in, reads
from pce_memory.store.reach import Reach, covers, is_reach, reach_of
from pce_memory.store.statements import rows_json, statements, with_rows
from pce_memory.text.secrecy import strings_in

SQL: Final = statements("run_foreign")


@reader
def insert(deps: CoreDeps, rows: Sequence[Row]) -> Result[None, StoreError]:
    """Remember what a backend told in the run that was written last.

    A row has key, source, doc_id, and metadata as JSON.
    """
    if not rows:
        return Success(None)
    return deps.db.execute(SQL["insert_foreign"], {"rows": rows_json(rows)})


@reader
def told(
    deps: CoreDeps, keys: Sequence[int], runs: Sequence[int]
) -> Result[Mapping[int, Row], StoreError]:
    """Return source, doc_id and metadata of documents by key, as some runs were told.

    Of a blend, as what it is made of was; where several tell of a document, the first of them.
    """
    if not keys:
        return Success({})
    sql = with_rows(SQL["foreign_by_key"], keys)
    return deps.db.query(sql, {"runs": list(runs)}).map(
        lambda rows: {
            int(row["key"]): {**row, "metadata": mapping_in(row["metadata"]) or {}} for row in rows
        }
    )


@reader
def tellers(
    deps: CoreDeps, keys: Sequence[int], boundary: Boundary, policy_version: str
) -> Result[Mapping[int, int], StoreError]:
    """Return the last run that tells of each document, of the caller's that a boundary reaches.

    What only others were told of is not there. The boundary is a narrowed one.
    """
    if not keys:
        return Success({})
    mine, actor = reach_of(boundary, deps.digest), boundary.actor
    params = {"now": deps.clock(), "made_by": None if actor is None else deps.digest(actor)}

    def last(rows: Sequence[Row]) -> Mapping[int, int]:
        found: dict[int, int] = {}
        for row in rows:
            reach = reads(row, _reach)
            if row["policy_version"] == policy_version and reach and covers(mine, reach):
                _ = found.setdefault(int(row["key"]), int(row["run_seq"]))
        return found

    return deps.db.query(with_rows(SQL["tellers"], keys), params).map(last)


@reader
def copy(deps: CoreDeps, told_in: Mapping[int, int]) -> Result[None, StoreError]:
    """Let the run that was written last tell of documents what those beside their keys do."""
    if not told_in:
        return Success(None)
    rows = rows_json({"key": key, "run_seq": seq} for key, seq in told_in.items())
    return deps.db.execute(SQL["copy_foreign"], {"rows": rows})


@reader
def telling(deps: CoreDeps, terms: Sequence[str]) -> Result[tuple[int, ...], StoreError]:
    """Return the runs in which a document was told of with every one of some terms."""
    wanted, cut = frozenset(terms), deps.tokenizer.terms

    def tells(row: Row) -> bool:
        # As it is written, for the numbers in it, and as it reads.
        known = " ".join(strings_in(json.loads(row["metadata"])))
        return wanted <= {*cut(f"{row['doc_id']} {row['metadata']}"), *cut(known)}

    return deps.db.query(SQL["told_of_all"]).map(
        lambda rows: tuple(sorted({int(row["run_seq"]) for row in rows if tells(row)}))
    )


@reader
def erase(deps: CoreDeps, runs: Sequence[int]) -> Result[None, StoreError]:
    """Erase what was told in some runs."""
    return deps.db.execute(with_rows(SQL["erase_foreign"], runs))


def _reach(row: Row) -> Reach | None:
    reach: object = json.loads(row["boundary"])
    return cast("Reach", reach) if is_reach(reach) else None
