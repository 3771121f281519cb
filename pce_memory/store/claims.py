"""The claims table: write claims, find them by key, id or hash, move their measures."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row, Visibility
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import ClaimId, called, parse_id
from pce_memory.domain.policy import Policy
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.claim_row import as_claim
from pce_memory.store.fitting import fitting
from pce_memory.store.statements import listed, masked, rows_json, statements, with_rows
from pce_memory.store.times import seconds_of

SQL: Final = statements("claims")
_SAFE: Final = re.compile(r"[A-Za-z0-9:_~-]+")


@dataclass(frozen=True, slots=True)
class StoredClaim:
    """A claim with the key that postings and vectors know it by."""

    row_id: int
    claim: AnyClaim
    near_key: str
    token_count: int
    said_by: str | None = None


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
    deps: CoreDeps, stored: str, judged: str, visible: Visibility, *, each: bool = False
) -> Result[Sequence[Row], StoreError]:
    """Return the visible ones of some claims' rows, by the cheaper of two statements.

    Where an invariant is to be judged, or one of equal claims to be chosen, `judged` says which
    are visible; else `stored` has the columns that say it. With `each`, none is chosen.
    """
    if visible.is_judged:
        return deps.db.query(*masked(judged, visible))

    def seen(rows: Sequence[Row]) -> Result[Sequence[Row], StoreError]:
        shown = [row for row in rows if is_seen(row, visible)]
        if each or all(row["twin"] is None for row in shown):
            return Success(shown)
        return deps.db.query(*masked(judged, replace(visible, twins=True)))

    return Result.do(shown for rows in deps.db.query(stored) for shown in seen(rows))


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
def ids_of(deps: CoreDeps, row_ids: Sequence[int]) -> Result[Mapping[int, ClaimId], StoreError]:
    """Return the ids of claims by row id."""
    if not row_ids:
        return Success({})
    return deps.db.query(with_rows(SQL["ids"], row_ids)).map(
        lambda rows: {
            int(row["row_id"]): ClaimId(row["id"])
            for row in rows
            # A file may have been edited: what is no id is left out.
            if isinstance(parse_id(ClaimId, called(ClaimId(str(row["id"])))), Success)
        }
    )


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
    """Return what sql/templates/visible.sql says without invariants, of a claim without twins."""
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
            # A file may have been edited: what is no id is left out.
            if isinstance(parse_id(ClaimId, called(ClaimId(str(row["id"])))), Success)
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
    sql = SQL["insert_aliases"].replace("{ids}", literals(list(aliases)))
    return deps.db.execute(sql, {"rows": rows_json(rows), "now": deps.clock()})


@reader
def validated_under(
    deps: CoreDeps, hashes: Sequence[str], policy_version: str
) -> Result[Mapping[int, str], StoreError]:
    """Return the hashes of claims that were recorded as valid under a policy version, by row."""
    if not hashes:
        return Success({})
    sql = SQL["validated_under"].replace("{hashes}", literals(hashes))
    return deps.db.query(sql, {"policy_version": policy_version}).map(
        lambda rows: {int(row["row_id"]): str(row["content_hash"]) for row in rows}
    )
