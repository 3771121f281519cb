"""What is kept for a while, compared with how it was written: active contexts and runs."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from returns.result import Result

from pce_memory.deps import CoreDeps, Database, Row
from pce_memory.domain.context import ActiveContextItem
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store import runs
from pce_memory.store.contexts import as_context
from pce_memory.store.fitting import reads
from pce_memory.store.run_rows import run_fields
from pce_memory.store.statements import statements

SQL: Final = statements("checking")


def kept_unfit(db: Database) -> Result[Mapping[str, tuple[str, ...]], StoreError]:
    """Return the contexts and the runs that are not as they were written."""
    return Result.do(
        {**_contexts(contexts, items), "runs_unfit": _runs(every, frozenset(_mistold(told)))}
        for contexts in db.query(SQL["contexts_read"])
        for items in db.query(SQL["context_items_read"])
        for every in db.query(SQL["runs_read"])
        for told in db.query(SQL["foreign_read"])
    )


def _contexts(contexts: Sequence[Row], items: Sequence[Row]) -> Mapping[str, tuple[str, ...]]:
    """Return the contexts that cannot be read, or lack an item; and what items of nothing say."""
    ranked: dict[str, list[Row]] = {}
    for row in items:
        ranked.setdefault(str(row["ac_id"]), []).append(row)
    unfit = tuple(
        str(row["id"])
        for row in contexts
        if reads(row, as_context) is None or not _are_ranked(ranked.get(str(row["id"]), ()))
    )
    known = {str(row["id"]) for row in contexts}
    return {
        "contexts_unfit": unfit,
        "context_items_of_nothing": tuple(name for name in ranked if name not in known),
    }


def _are_ranked(items: Sequence[Row]) -> bool:
    each = [reads(row, ActiveContextItem.model_validate) for row in items]
    return [one.rank for one in each if one is not None] == [*range(1, len(items) + 1)]


def _mistold(told: Sequence[Row]) -> Iterator[int]:
    """Yield the runs of what a backend told of no document, or of one that has another key."""
    for row in told:
        if not row["is_mapping"] or row["key"] != runs.foreign_key(row["source"], row["doc_id"]):
            yield int(row["run_seq"])


def _runs(every: Sequence[Row], mistold: Collection[int]) -> tuple[str, ...]:
    """Return the runs that cannot be read, list another number of documents, or share an id."""
    names = Counter(row["run_id"] for row in every)
    return tuple(
        str(row["seq"])
        for row in every
        if not row["is_listed"]
        or row["seq"] in mistold
        or names[row["run_id"]] > 1
        or reads({name: row[name] for name in row if name != "is_listed"}, run_fields) is None
    )


@reader
def erase_unfit(deps: CoreDeps, rows: Mapping[str, Sequence[str]]) -> Result[None, StoreError]:
    """Remove what `kept_unfit` names: it would be gone soon in any case. In a transaction."""
    seqs = [int(one) for one in (*rows["runs_unfit"], *rows["run_rows_of_nothing"])]
    return Result.do(
        None
        for _ in deps.db.execute(SQL["erase_contexts"], {"ids": list(rows["contexts_unfit"])})
        for _ in deps.db.execute(SQL["erase_items_of_nothing"])
        for _ in runs.erase(seqs)(deps)
    )
