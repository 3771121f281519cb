"""From a boundary, a policy and a query to the mask that every lane takes first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from returns.context import RequiresContextResult
from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, RowFilter, Visibility
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.ids import ClaimId, given_out
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import Scope
from pce_memory.errors import (
    BoundaryDenied,
    CoreError,
    InvalidBoundary,
    InvalidScope,
    StoreError,
    UnknownClaim,
)
from pce_memory.policy.boundary import Narrowed, narrow
from pce_memory.result import fold, reader
from pce_memory.store import claim_keys, claims as claim_rows
from pce_memory.store.claim_keys import Key
from pce_memory.store.claims import ALWAYS, StoredClaim
from pce_memory.store.judged_rows import rows_that_hold
from pce_memory.store.search import visible_among

Called: TypeAlias = Mapping[ClaimId, StoredClaim]
ByRow: TypeAlias = Result[Mapping[int, StoredClaim], StoreError]
Fetch: TypeAlias = Callable[
    [Sequence[int], Visibility],
    RequiresContextResult[Mapping[int, StoredClaim], StoreError, CoreDeps],
]
REFUSALS: Final = (InvalidScope, BoundaryDenied, InvalidBoundary)
"""Why a boundary shows nothing at all."""


@dataclass(frozen=True, slots=True)
class View:
    """What a query reaches, in words and as a mask."""

    narrowed: Narrowed
    visible: Visibility


@reader
def view(
    deps: CoreDeps,
    boundary: Boundary,
    policy: Policy,
    *,
    scope: Sequence[Scope] | None = None,
    allow: Sequence[str] | None = None,
) -> Result[View, CoreError]:
    """Return what a query may see now: the order is scope, allow tags, class, invariants, life."""
    return Result.do(
        View(
            narrowed,
            Visibility(
                scopes=narrowed.scopes,
                classes=narrowed.classes,
                invariants=invariants,
                now=now,
                alive_since=policy.scopes.alive_since(now),
                utility_half_life=policy.critic.utility_half_life_days,
                quality_half_life=policy.critic.quality_half_life_days,
                twins=twins,
            ),
        )
        for now in Success(deps.clock())
        for narrowed in narrow(boundary, policy, query_scope=scope, query_allow=allow)
        for invariants in rows_that_hold(narrowed, boundary.context, policy, now=now)(deps)
        for twins in claim_keys.has_twins()(deps)
    )


@reader
def view_if_any(
    deps: CoreDeps, boundary: Boundary, policy: Policy
) -> Result[View | None, CoreError]:
    """Return what a boundary sees; None for one that may write and sees nothing."""

    def nothing(error: CoreError) -> Result[View | None, CoreError]:
        sees_nothing = isinstance(error, InvalidScope | BoundaryDenied | InvalidBoundary)
        return Success(None) if sees_nothing else Failure(error)

    return fold(view(boundary, policy)(deps), ok=Success, err=nothing)


def filtered(visible: Visibility, rows: RowFilter) -> Visibility:
    """Return the mask that asks for a filter too; it goes before whatever counts or ranks."""
    before = visible.invariants
    if rows.sql == ALWAYS:
        return visible
    both = RowFilter(f"({before.sql}) and ({rows.sql})", {**before.params, **rows.params})
    return replace(visible, invariants=both)


@reader
def rows_called(
    deps: CoreDeps, ids: Sequence[ClaimId], visible: Visibility
) -> Result[Mapping[ClaimId, int], StoreError]:
    """Return which visible claim each id stands for; an id of none that is visible has none.

    An id that was handed out keeps working: where another claim of the same words and speaker is
    shown instead of the one that has it, it stands for that.
    """
    return Result.do(
        {one: row for one, row in chosen.items() if row is not None}
        for found in claim_keys.candidates(given_out(ids))(deps)
        for keys in Success([key for some in found.values() for key in some])
        for peers in claim_keys.with_twins(keys)(deps)
        for shown in visible_among([key.row_id for key in peers], visible)(deps)
        # Only the id of a claim that is permitted itself leads to its equal.
        for permitted in (
            Success(shown)
            if len(peers) == len(keys)
            else visible_among([key.row_id for key in keys], replace(visible, twins=False))(deps)
        )
        for chosen in Success(
            {
                one: _shown([key for key in some if key.row_id in permitted], peers, shown)
                for one, some in found.items()
            }
        )
    )


@reader
def claims_called(
    deps: CoreDeps, ids: Sequence[ClaimId], visible: Visibility, fetch: Fetch
) -> Result[Mapping[ClaimId, StoredClaim], StoreError]:
    """Return the visible claim that each id stands for, as `fetch` reads those that are visible.

    Where no claim has an equal, reading them says as well which are visible.
    """

    def alone(named: Mapping[ClaimId, Sequence[Key]]) -> ByRow:
        rows = sorted({key.row_id for keys in named.values() for key in keys})
        return fetch(rows, visible)(deps)

    def chosen(named: Mapping[ClaimId, Sequence[Key]]) -> Result[Called, StoreError]:
        if all(key.twin is None for keys in named.values() for key in keys):
            return alone(named).map(partial(_first_of_each, named))
        return Result.do(
            {one: stored[row] for one, row in rows.items() if row in stored}
            for rows in rows_called(ids, visible)(deps)
            for stored in fetch(sorted(set(rows.values())), visible)(deps)
        )

    named = claim_keys.candidates(given_out(ids))(deps)
    return Result.do(claims for some in named for claims in chosen(some))


def _first_of_each(
    named: Mapping[ClaimId, Sequence[Key]], stored: Mapping[int, StoredClaim]
) -> Called:
    first = {
        one: next((key.row_id for key in keys if key.row_id in stored), None)
        for one, keys in named.items()
    }
    return {one: stored[row] for one, row in first.items() if row is not None}


def _shown(keys: Sequence[Key], peers: Sequence[Key], shown: frozenset[int]) -> int | None:
    groups = {key.twin for key in keys} - {None}
    instead = [key for key in peers if key.twin in groups]
    return next((key.row_id for key in (*keys, *instead) if key.row_id in shown), None)


@reader
def every_claim_called(
    deps: CoreDeps, ids: Sequence[ClaimId], seen: View, policy: Policy
) -> Result[tuple[StoredClaim, ...], CoreError]:
    """Return the claims that ids stand for in a view, their measures decayed to its time.

    An id of none that is visible, or of a row that cannot be read, is unknown.
    """
    return Result.do(
        claims
        for rows in rows_called(ids, seen.visible)(deps)
        for stored in claim_rows.fetch(sorted(set(rows.values())), policy, now=seen.visible.now)(
            deps
        )
        for claims in _each(ids, rows, stored)
    )


def _each(
    ids: Sequence[ClaimId], rows: Mapping[ClaimId, int], stored: Mapping[int, StoredClaim]
) -> Result[tuple[StoredClaim, ...], UnknownClaim]:
    for claim_id in ids:
        if rows.get(claim_id) not in stored:
            return Failure(UnknownClaim(claim_id))
    return Success(tuple(stored[rows[claim_id]] for claim_id in ids))


@reader
def standing_for(
    deps: CoreDeps, claim_id: ClaimId, boundary: Boundary | None, policy: Policy, *, now: float
) -> Result[StoredClaim, CoreError]:
    """Return the claim an id stands for, its measures decayed to `now`: without a boundary any."""
    if boundary is None:
        return claim_keys.find(claim_id, policy, now=now)(deps)
    return Result.do(
        claims[0]
        for seen in view(boundary, policy)(deps)
        for rows in rows_called([claim_id], seen.visible)(deps)
        for stored in claim_rows.fetch(tuple(rows.values()), policy, now=now)(deps)
        for claims in _each([claim_id], rows, stored)
    )


@reader
def shown_rows(
    deps: CoreDeps,
    row_ids: Sequence[int],
    boundary: Boundary,
    policy: Policy,
    *,
    status: str = "active",
    each: bool = False,
) -> Result[frozenset[int], CoreError]:
    """Return which claims a boundary shows; one that may write and see nothing shows none.

    With the status `review`: which of those that wait for a human it would show. With `each`:
    every one that it permits, also where an equal claim is shown instead.
    """

    def among(seen: View) -> Result[frozenset[int], CoreError]:
        twins = seen.visible.twins and not each
        return visible_among(row_ids, replace(seen.visible, status=status, twins=twins))(deps)

    return Result.do(
        shown
        for seen in view_if_any(boundary, policy)(deps)
        for shown in (Success(frozenset[int]()) if seen is None else among(seen))
    )
