"""Where claims stand: by their ids, their content hashes, and the claims that equal them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.policy import Policy
from pce_memory.errors import StoreError, UnknownClaim
from pce_memory.result import reader
from pce_memory.store.claims import StoredClaim, fetch, literals
from pce_memory.store.statements import statements, with_rows

SQL: Final = statements("claims")


@dataclass(frozen=True, slots=True)
class Key:
    """Where a claim stands, live or not."""

    row_id: int
    id: ClaimId
    status: str
    superseded_by: ClaimId | None
    twin: int | None = None


@dataclass(frozen=True, slots=True)
class HashKey:
    """Where a claim of a content hash and a speaker stands."""

    key: Key
    content_hash: str
    said_by: str | None


def _key(row: Row) -> Key:
    after, twin = row["superseded_by"], row["twin"]
    return Key(
        row_id=int(row["row_id"]),
        id=ClaimId(row["id"]),
        status=row["status"],
        superseded_by=None if after is None else ClaimId(str(after)),
        twin=None if twin is None else int(twin),
    )


@reader
def keys_of_hashes(
    deps: CoreDeps, hashes: Sequence[str]
) -> Result[tuple[HashKey, ...], StoreError]:
    """Return where the claims with these content hashes stand, whoever said them."""
    if not hashes:
        return Success(())
    sql = SQL["keys_of_hashes"].replace("{hashes}", literals(hashes))
    return deps.db.query(sql).map(
        lambda rows: tuple(
            HashKey(_key(row), str(row["content_hash"]), row["said_by"]) for row in rows
        )
    )


@reader
def candidates(
    deps: CoreDeps, ids: Sequence[ClaimId]
) -> Result[Mapping[ClaimId, tuple[Key, ...]], StoreError]:
    """Return what each id may stand for: the claim that has it, then those it was merged into.

    Claims that others stand for are followed to them. Which of them a caller sees, a view says.
    """
    if not ids:
        return Success({})
    return Result.do(
        followed
        for rows in deps.db.query(SQL["keys_of_ids"].replace("{ids}", literals(ids)))
        for led in Success([row for row in rows if row["leads_to"] is not None])
        for more in _keys(deps, [str(row["leads_to"]) for row in led])
        for there in Success([_key(row) for row in rows if row["leads_to"] is None])
        for followed in _followed(deps, _of_each(there, led, {one.id: one for one in more}))
    )


@reader
def standing(
    deps: CoreDeps, ids: Sequence[ClaimId]
) -> Result[Mapping[ClaimId, tuple[Key, ...]], StoreError]:
    """Return what stands now for the claims whose rows have these very ids."""
    return Result.do(
        followed
        for keys in _keys(deps, ids)
        for followed in _followed(deps, {key.id: (key,) for key in keys})
    )


def _of_each(
    there: Sequence[Key], led: Sequence[Row], more: Mapping[ClaimId, Key]
) -> Mapping[ClaimId, tuple[Key, ...]]:
    named: dict[ClaimId, tuple[Key, ...]] = {key.id: (key,) for key in there}
    for row in led:
        asked, target = ClaimId(row["id"]), more.get(ClaimId(row["leads_to"]))
        if target is not None:
            named[asked] = (*named.get(asked, ()), target)
    return named


def _followed(
    deps: CoreDeps, named: Mapping[ClaimId, tuple[Key, ...]]
) -> Result[Mapping[ClaimId, tuple[Key, ...]], StoreError]:
    """Follow the claims that others stand for to these."""
    merged = [key for keys in named.values() for key in keys if key.superseded_by is not None]
    if not merged:
        return Success(named)
    return living(merged)(deps).map(
        lambda stands: {
            one: tuple(stands.get(key.row_id, key) for key in keys) for one, keys in named.items()
        }
    )


@reader
def living(deps: CoreDeps, keys: Sequence[Key]) -> Result[Mapping[int, Key], StoreError]:
    """Return which claims stand for these in the end, by row id; a broken chain leads nowhere."""
    return _living(deps, {key.row_id: key for key in keys}, frozenset())


def _living(
    deps: CoreDeps, stands: Mapping[int, Key], seen: frozenset[ClaimId]
) -> Result[Mapping[int, Key], StoreError]:
    onward = {key.superseded_by for key in stands.values() if key.superseded_by is not None}
    onward -= seen
    if not onward:
        return Success(stands)
    return Result.do(
        after
        for found in _keys(deps, sorted(onward))
        for by_id in Success({key.id: key for key in found})
        for after in _living(
            deps,
            {
                row: by_id.get(key.superseded_by, key) if key.superseded_by is not None else key
                for row, key in stands.items()
            },
            seen | onward,
        )
    )


@reader
def with_twins(deps: CoreDeps, keys: Sequence[Key]) -> Result[tuple[Key, ...], StoreError]:
    """Return claims with all that say the same by the same speaker."""
    groups = sorted({key.twin for key in keys if key.twin is not None})
    if not groups:
        return Success(tuple(keys))
    return deps.db.query(with_rows(SQL["keys_of_twins"], groups)).map(
        lambda rows: (*keys, *map(_key, rows))
    )


@reader
def next_numbers(
    deps: CoreDeps, ids: Sequence[ClaimId]
) -> Result[Mapping[ClaimId, int], StoreError]:
    """Return for each id the number that tells the next claim of this id from the others."""
    if not ids:
        return Success({})
    sql = SQL["highest_numbers"].replace("{ids}", literals(ids))
    return deps.db.query(sql).map(
        lambda rows: {
            **dict.fromkeys(ids, 1),
            **{ClaimId(row["id"]): int(row["number"]) + 1 for row in rows},
        }
    )


@reader
def mark_twins(deps: CoreDeps, hashes: Collection[str]) -> Result[None, StoreError]:
    """Note which claims of these content hashes have one speaker: a view shows one of them."""
    if not hashes:
        return Success(None)
    sql = SQL["mark_twins"].replace("{hashes}", literals(sorted(hashes)))
    return deps.db.execute(sql)


@reader
def hashes_of(deps: CoreDeps, row_ids: Sequence[int]) -> Result[frozenset[str], StoreError]:
    """Return the content hashes of claims."""
    return deps.db.query(with_rows(SQL["hashes_of_rows"], row_ids)).map(
        lambda rows: frozenset(str(row["content_hash"]) for row in rows)
    )


@reader
def has_twins(deps: CoreDeps) -> Result[bool, StoreError]:
    """Return whether any two claims say the same by the same speaker."""
    return deps.db.query(SQL["has_twins"]).map(bool)


def _keys(deps: CoreDeps, ids: Sequence[str]) -> Result[tuple[Key, ...], StoreError]:
    if not ids:
        return Success(())
    sql = SQL["row_ids_of_ids"].replace("{ids}", literals(ids))
    return deps.db.query(sql).map(lambda rows: tuple(_key(row) for row in rows))


@reader
def survivor(deps: CoreDeps, claim_id: ClaimId) -> Result[Key, StoreError | UnknownClaim]:
    """Return where the claim stands that this id stands for to the owner, through every merge."""
    return Result.do(
        key
        for found in candidates([claim_id])(deps)
        for key in _first(claim_id, found.get(claim_id, ()))
    )


def _first(asked: ClaimId, keys: Sequence[Key]) -> Result[Key, UnknownClaim]:
    living_ones = [key for key in keys if key.superseded_by is None]
    return Success(living_ones[0]) if living_ones else Failure(UnknownClaim(asked))


@reader
def find(
    deps: CoreDeps, claim_id: ClaimId, policy: Policy, *, now: float
) -> Result[StoredClaim, StoreError | UnknownClaim]:
    """Return the claim an id stands for to the owner, its measures decayed to `now`."""
    return Result.do(
        stored
        for key in survivor(claim_id)(deps)
        for rows in fetch([key.row_id], policy, now=now)(deps)
        for stored in (
            Success(rows[key.row_id]) if key.row_id in rows else Failure(UnknownClaim(claim_id))
        )
    )
