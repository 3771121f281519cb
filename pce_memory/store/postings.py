"""The postings as tables: sorted ones, those written since, and how the two become one.

They are sorted in two steps, so that nobody waits. First a new table is filled, beside the writer,
from the state of one moment. Then, in one short transaction, it takes the place of the old one:
postings written since that moment stay where they are, and what was erased since is erased from
the new table too. A run that is broken off leaves a table that the next opening drops.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import Database
from pce_memory.errors import DatabaseFailed, StoreError
from pce_memory.result import collect
from pce_memory.store import meta
from pce_memory.store.fitting import list_in
from pce_memory.store.statements import rows_json, statements, template, with_rows

SQL: Final = statements("postings")

FEWEST: Final = 50_000
"""So many unsorted postings cost a search next to nothing."""
SHARE: Final = 0.2
"""The unsorted postings may be this part of the sorted ones before sorting is worth its while."""

TRIES: Final = 8
"""So often new erasures may come between before a run gives up."""

GENERATION: Final = "postings_generation"
"""The key of `meta` that tells how often the sorted postings were exchanged."""
_BUILT: Final = "postings_built"
_UNSORTED: Final = "postings_unsorted"
_REBUILD: Final = "postings_rebuild"


@dataclass(frozen=True, slots=True)
class Counts:
    """How many postings are sorted, and how many were written since."""

    sorted: int
    fresh: int

    @property
    def many(self) -> bool:
        """Whether it is time to sort.

        >>> Counts(1_000_000, 60_000).many, Counts(100_000, 60_000).many
        (False, True)
        """
        return self.fresh > max(FEWEST, SHARE * self.sorted)


NOTHING: Final = -1
"""The key before all keys."""


@dataclass(frozen=True, slots=True)
class Rebuild:
    """A rebuild: what it is made of, and the key of the last claim that it has been at."""

    of: str
    done: int = NOTHING


@dataclass(frozen=True, slots=True)
class _Built:
    """Postings that were sorted beside: up to which number, and what of."""

    cut: int
    generation: str
    taken: int

    def __str__(self) -> str:
        return f"{self.generation}:{self.cut}"


def counts(db: Database) -> Result[Counts, StoreError]:
    """Return how many postings are sorted, and how many were written since."""
    return db.query(SQL["count_postings"]).map(
        lambda rows: Counts(int(rows[0]["sorted"]), int(rows[0]["fresh"]))
    )


def sort_if_many(db: Database) -> Result[int, StoreError]:
    """Sort the postings if enough were written since; return how many those were, else 0."""
    return Result.do(
        taken
        for now in counts(db)
        for left in meta.get(db, _UNSORTED)
        for taken in (sort(db) if now.many or left else Success(0))
    )


def sort(db: Database) -> Result[int, StoreError]:
    """Sort the postings; return how many of them had been written since the last time.

    It is 0 as well where others exchanged the postings meanwhile, or the file: the next run makes
    up for it.
    """
    sorted_beside = db.aside(lambda: _build(db))
    if isinstance(sorted_beside, Failure) and _ended(sorted_beside.failure()):
        return Success(0)
    return Result.do(
        taken for built in sorted_beside for taken in _take_over(db, built, tries=TRIES)
    )


# It was ended, or another run put its table in place after this one had begun to look.
_ENDED: Final = {"InterruptException", "TransactionException"}


def _ended(error: StoreError) -> bool:
    return isinstance(error, DatabaseFailed) and error.cause in _ENDED


def _build(db: Database) -> Result[_Built, StoreError]:
    return Result.do(
        built
        for _ in db.execute(SQL["drop_next"])
        for generation in meta.get(db, GENERATION)
        for now in counts(db)
        for last in db.query(SQL["last_seq"])
        for built in Success(_Built(int(last[0]["seq"]), generation or "0", now.fresh))
        for _ in db.execute(template("postings_next"))
        for _ in db.execute(SQL["fill_next"], {"cut": built.cut})
        for _ in meta.put(db, _BUILT, str(built))
    )


def _take_over(db: Database, built: _Built, *, tries: int) -> Result[int, StoreError]:
    """Put the new table in its place as soon as nothing was erased that it still holds."""
    return Result.do(
        taken
        for since in db.transaction(partial(_catch_up, db, built))
        for done in db.transaction(partial(_exchange, db, built, since))
        for taken in (
            _take_over(db, built, tries=tries - 1)
            if done is None and tries > 0
            else Success(done or 0)
        )
    )


def _catch_up(db: Database, built: _Built) -> Result[int, StoreError]:
    """Erase what was erased meanwhile from the new table; return the number of the last of it.

    DuckDB cannot replay a log in which rows of a table are deleted in the transaction that renames
    it: whatever was committed after that is lost. So this is a transaction of its own.
    """
    return Result.do(
        last
        for mine in _is_whole(db, built)
        for rows in db.query(SQL["last_erased"], {"cut": built.cut})
        for last in Success(int(rows[0]["seq"]))
        for _ in (
            db.execute(SQL["erase_next"], {"cut": built.cut})
            if mine and last > built.cut
            else Success(None)
        )
    )


def _is_whole(db: Database, built: _Built) -> Result[bool, StoreError]:
    """Return whether the new table is still there and still that of the postings in use."""
    return Result.do(
        (there, generation or "0") == (str(built), built.generation)
        for there in meta.get(db, _BUILT)
        for generation in meta.get(db, GENERATION)
    )


def _exchange(db: Database, built: _Built, since: int) -> Result[int | None, StoreError]:
    """Return how many postings were taken in; None if more was erased after `since`."""
    return Result.do(
        taken
        for mine in _is_whole(db, built)
        for rows in db.query(SQL["last_erased"], {"cut": built.cut})
        for taken in (
            Success(0)
            if not mine
            else Success(None)
            if int(rows[0]["seq"]) > since
            else _exchanged(db, built).map(lambda _: built.taken)
        )
    )


def _exchanged(db: Database, built: _Built) -> Result[None, StoreError]:
    return Result.do(
        None
        for _ in db.execute(SQL["drop_postings"])
        for _ in db.execute(SQL["rename_next"])
        for _ in db.execute(SQL["erase_taken"], {"cut": built.cut})
        for _ in db.execute(SQL["erase_erased"])
        for _ in _next_generation(db, built.generation)
        for _ in collect(meta.drop(db, key) for key in (_BUILT, _UNSORTED))
    )


def _next_generation(db: Database, generation: str) -> Result[None, StoreError]:
    return meta.put(db, GENERATION, str(int(generation if generation.isdecimal() else "0") + 1))


def drop_leftover(db: Database) -> Result[None, StoreError]:
    """Drop the table that a run which was broken off has left, if it has."""
    return Result.do(
        None
        for there in meta.get(db, _BUILT)
        for _ in (
            Success(None) if there is None else db.transaction(lambda: _leftover_dropped(db))
        )
    )


def _leftover_dropped(db: Database) -> Result[None, StoreError]:
    return Result.do(None for _ in db.execute(SQL["drop_next"]) for _ in meta.drop(db, _BUILT))


def erase(db: Database, row_ids: Sequence[int]) -> Result[None, StoreError]:
    """Erase the terms of claims wherever they stand; in a transaction."""
    names = ("erase_postings", "erase_postings_delta", "erase_rebuilt", "insert_erased")
    return collect(db.execute(with_rows(SQL[name], row_ids)) for name in names).map(lambda _: None)


def rebuilt_again(db: Database, row_ids: Sequence[int]) -> Result[None, StoreError]:
    """Let what reindex makes hold the new terms of claims that it has been at already."""
    return db.execute(with_rows(SQL["rebuilt_again"], row_ids), {"rebuild": _REBUILD})


def insert_rebuilt(db: Database, rows: Sequence[Mapping[str, object]]) -> Result[None, StoreError]:
    """Write postings that take the place of the others when they are whole."""
    return db.execute(SQL["insert_rebuilt"], {"rows": rows_json(rows)}) if rows else Success(None)


def rebuild_state(db: Database) -> Result[Rebuild | None, StoreError]:
    """Return how far a rebuild has come; None if none has begun."""
    return meta.get(db, _REBUILD).map(lambda said: None if said is None else _rebuild(said))


def set_rebuild(db: Database, rebuild: Rebuild) -> Result[None, StoreError]:
    """Write how far a rebuild has come; one that has made nothing begins with an empty table."""
    return Result.do(
        None
        for _ in (db.execute(SQL["clear_rebuilt"]) if rebuild.done == NOTHING else Success(None))
        for _ in meta.put(db, _REBUILD, json.dumps([rebuild.of, rebuild.done]))
    )


def _rebuild(said: str) -> Rebuild:
    match list_in(said):
        case [of, int(row_id)]:
            return Rebuild(str(of), row_id)
        case _:  # a rebuild of nothing we know begins again
            return Rebuild(said)


def exchange_rebuilt(db: Database) -> Result[None, StoreError]:
    """Put what was rebuilt in the place of all postings, in a transaction of its own."""
    names = ("set_lengths", "drop_next", "drop_postings", "rename_rebuilt")
    return Result.do(
        None
        for generation in meta.get(db, GENERATION)
        for _ in collect(db.execute(SQL[name]) for name in names)
        for _ in db.execute(template("postings_rebuilt"))
        for _ in db.execute(SQL["erase_fresh"])
        for _ in db.execute(SQL["erase_erased"])
        for _ in _next_generation(db, generation or "0")
        for _ in collect(meta.drop(db, key) for key in (_BUILT, _REBUILD))
        for _ in meta.put(db, _UNSORTED, "1")
    )
