"""The claims table: write claims, find them by key, id or hash, move their measures."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Row, Visibility
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import ClaimId, parse_id
from pce_memory.domain.policy import Policy
from pce_memory.errors import StoreError, UnknownClaim
from pce_memory.result import reader
from pce_memory.store.claim_row import as_claim
from pce_memory.store.fitting import fitting
from pce_memory.store.statements import listed, masked, rows_json, statements, with_rows
from pce_memory.store.times import seconds_of

SQL: Final = statements("claims")
ALWAYS: Final = "true"
"""The predicate of a policy without invariants."""
_SAFE: Final = re.compile(r"[A-Za-z0-9:_-]+")


@dataclass(frozen=True, slots=True)
class StoredClaim:
    """A claim with the key that postings and vectors know it by."""

    row_id: int
    claim: AnyClaim
    near_key: str
    token_count: int
    said_by: str | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """Where a claim stands, live or not."""

    row_id: int
    id: ClaimId
    status: str
    superseded_by: ClaimId | None


def literals(values: Sequence[str]) -> str:
    """Return ids or hashes as the inside of `in (...)`: a key lookup needs literals.

    Anything that is not an id or a hash is left out, so no other text becomes SQL.
    """
    return listed([f"'{value}'" for value in values if _SAFE.fullmatch(value)])


def _stored(row: Row) -> StoredClaim:
    return StoredClaim(
        row_id=int(row["row_id"]),
        claim=as_claim(row),
        near_key=row["near_key"],
        token_count=int(row["token_count"]),
        said_by=row["said_by"],
    )


def _key(row: Row) -> Key:
    after = row["superseded_by"]
    return Key(
        row_id=int(row["row_id"]),
        id=ClaimId(row["id"]),
        status=row["status"],
        superseded_by=None if after is None else ClaimId(str(after)),
    )


@reader
def fetch_visible(
    deps: CoreDeps, row_ids: Sequence[int], visible: Visibility
) -> Result[Mapping[int, StoredClaim], StoreError]:
    """Return those of the claims that are visible, by row id; measures are not yet decayed."""
    if not row_ids:
        return Success({})
    stored = with_rows(SQL["stored_by_key"], row_ids)
    judged = with_rows(SQL["visible_by_key"], row_ids)
    return rows_seen(stored, judged, visible)(deps).map(_by_key)


@reader
def rows_seen(
    deps: CoreDeps, stored: str, judged: str, visible: Visibility
) -> Result[Sequence[Row], StoreError]:
    """Return the visible ones of some claims' rows, by the cheaper of two statements.

    Where an invariant is to be judged, `judged` says which are visible; else `stored` has the
    columns that say it.
    """
    if visible.invariants.sql != ALWAYS:
        return deps.db.query(*masked(judged, visible))
    return deps.db.query(stored).map(lambda rows: [row for row in rows if is_seen(row, visible)])


@reader
def fetch_seen(
    deps: CoreDeps, row_ids: Sequence[int], visible: Visibility
) -> Result[Mapping[int, StoredClaim], StoreError]:
    """Return those of the claims that are visible, by row id, their measures decayed to then."""
    if not row_ids:
        return Success({})
    sql, params = masked(with_rows(SQL["visible_by_key"], row_ids), visible)
    return deps.db.query(sql, params).map(_by_key)


@reader
def texts(deps: CoreDeps, row_ids: Sequence[int]) -> Result[Mapping[int, str], StoreError]:
    """Return the texts of claims by row id, to be judged, not to be shown."""
    if not row_ids:
        return Success({})
    return deps.db.query(with_rows(SQL["texts"], row_ids)).map(
        lambda rows: {int(row["row_id"]): str(row["text"]) for row in rows}
    )


def _by_key(rows: Sequence[Row]) -> Mapping[int, StoredClaim]:
    return {item.row_id: item for item in fitting(rows, _stored)}


def is_seen(row: Row, visible: Visibility) -> bool:
    """Return what sql/templates/visible.sql says without invariants."""
    scope = row["scope"]
    return (
        row["status"] == visible.status
        and scope in visible.scopes
        and row["boundary_class"] in visible.classes
        and seconds_of(row["recency_anchor"]) > visible.alive_since[scope]
    )


@reader
def fetch(
    deps: CoreDeps, row_ids: Sequence[int], policy: Policy, *, now: float
) -> Result[Mapping[int, StoredClaim], StoreError]:
    """Return claims by row id, their measures decayed to `now`."""
    if not row_ids:
        return Success({})
    params = {
        "now": now,
        "utility_half_life": policy.critic.utility_half_life_days,
        "quality_half_life": policy.critic.quality_half_life_days,
    }
    rows = deps.db.query(with_rows(SQL["claims_by_key"], row_ids), params)
    return rows.map(_by_key)


@reader
def keys_of_hashes(deps: CoreDeps, hashes: Sequence[str]) -> Result[Mapping[str, Key], StoreError]:
    """Return where the claims with these content hashes stand, by hash."""
    if not hashes:
        return Success({})
    sql = SQL["row_ids_of_hashes"].replace("{hashes}", literals(hashes))
    return deps.db.query(sql).map(
        lambda rows: {str(row["content_hash"]): _key(row) for row in rows}
    )


@reader
def keys_of_ids(
    deps: CoreDeps, ids: Sequence[ClaimId]
) -> Result[Mapping[ClaimId, Key], StoreError]:
    """Return where these claims stand, by id; ids that were merged away are followed."""
    if not ids:
        return Success({})
    return Result.do(
        _resolve(ids, led, {key.id: key for key in found})
        for rows in deps.db.query(SQL["keys_of_ids"].replace("{ids}", literals(ids)))
        for led in Success(
            {ClaimId(row["id"]): ClaimId(row["leads_to"]) for row in rows if row["leads_to"]}
        )
        for there in Success([_key(row) for row in rows if row["leads_to"] is None])
        for more in (_keys(deps, list(led.values())) if led else Success(()))
        for found in Success((*there, *more))
    )


def _keys(deps: CoreDeps, ids: Sequence[str]) -> Result[tuple[Key, ...], StoreError]:
    sql = SQL["row_ids_of_ids"].replace("{ids}", literals(ids))
    return deps.db.query(sql).map(lambda rows: tuple(_key(row) for row in rows))


def _resolve(
    ids: Sequence[ClaimId], led: Mapping[ClaimId, ClaimId], found: Mapping[ClaimId, Key]
) -> Mapping[ClaimId, Key]:
    named = {one: led.get(one, one) for one in ids}
    return {one: found[target] for one, target in named.items() if target in found}


@reader
def survivor(deps: CoreDeps, claim_id: ClaimId) -> Result[Key, StoreError | UnknownClaim]:
    """Return where the claim stands that this id stands for, through every merge."""
    return _follow(deps, claim_id, claim_id, frozenset())


def _follow(
    deps: CoreDeps, asked: ClaimId, current: ClaimId, seen: frozenset[ClaimId]
) -> Result[Key, StoreError | UnknownClaim]:
    return Result.do(
        key
        for found in keys_of_ids([current])(deps)
        for key in _next(deps, asked, found.get(current), seen)
    )


def _next(
    deps: CoreDeps, asked: ClaimId, key: Key | None, seen: frozenset[ClaimId]
) -> Result[Key, StoreError | UnknownClaim]:
    if key is None or key.id in seen:
        return Failure(UnknownClaim(asked))
    if key.superseded_by is None:
        return Success(key)
    return _follow(deps, asked, key.superseded_by, seen | {key.id})


@reader
def find(
    deps: CoreDeps, claim_id: ClaimId, policy: Policy, *, now: float
) -> Result[StoredClaim, StoreError | UnknownClaim]:
    """Return the claim an id stands for, its measures decayed to `now`."""
    return Result.do(
        stored
        for key in survivor(claim_id)(deps)
        for rows in fetch([key.row_id], policy, now=now)(deps)
        for stored in (
            Success(rows[key.row_id]) if key.row_id in rows else Failure(UnknownClaim(claim_id))
        )
    )


@reader
def next_row_ids(deps: CoreDeps, count: int) -> Result[tuple[int, ...], StoreError]:
    """Return fresh keys for new claims."""
    return deps.db.query(SQL["next_row_ids"], {"count": count}).map(
        lambda rows: tuple(int(row["row_id"]) for row in rows)
    )


@reader
def near_keys(
    deps: CoreDeps, keys: Sequence[str], visible: Visibility
) -> Result[tuple[tuple[ClaimId, str, str], ...], StoreError]:
    """Return (id, near key, scope) of visible claims that read nearly the same."""
    if not keys:
        return Success(())
    stored, judged = (
        SQL[name].replace("{hashes}", literals(keys)) for name in ("stored_near_keys", "near_keys")
    )
    return rows_seen(stored, judged, visible)(deps).map(
        lambda rows: tuple(
            (ClaimId(row["id"]), row["near_key"], row["scope"])
            for row in rows
            if isinstance(parse_id(ClaimId, row["id"]), Success)  # a file may have been edited
        )
    )


@reader
def insert(deps: CoreDeps, rows: Sequence[Row]) -> Result[None, StoreError]:
    """Write new claims."""
    if not rows:
        return Success(None)
    return deps.db.execute(SQL["insert_claims"], {"rows": rows_json(rows)})


@reader
def update_merged(deps: CoreDeps, rows: Sequence[Row]) -> Result[None, StoreError]:
    """Write claims after a merge."""
    if not rows:
        return Success(None)
    return deps.db.execute(SQL["update_merged"], {"rows": rows_json(rows)})


@reader
def insert_aliases(deps: CoreDeps, aliases: Mapping[ClaimId, ClaimId]) -> Result[None, StoreError]:
    """Remember what ids that were merged away lead to."""
    if not aliases:
        return Success(None)
    rows = [{"id": one, "claim_id": other} for one, other in aliases.items()]
    return deps.db.execute(SQL["insert_aliases"], {"rows": rows_json(rows), "now": deps.clock()})


@reader
def validated_under(
    deps: CoreDeps, hashes: Sequence[str], policy_version: str
) -> Result[frozenset[str], StoreError]:
    """Return those hashes whose claims were recorded as valid under a policy version."""
    if not hashes:
        return Success(frozenset())
    sql = SQL["validated_under"].replace("{hashes}", literals(hashes))
    return deps.db.query(sql, {"policy_version": policy_version}).map(
        lambda rows: frozenset(str(row["content_hash"]) for row in rows)
    )
