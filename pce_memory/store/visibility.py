"""From a boundary, a policy and a query to the mask that every lane takes first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from returns.context import RequiresContextResult
from returns.result import Failure, Result, Success

from pce_memory.deps import EVERY_ROW, CoreDeps, RowFilter, Visibility
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
from pce_memory.result import collect, fold, reader
from pce_memory.store import claim_keys, claims as claim_rows
from pce_memory.store.claim_keys import Key
from pce_memory.store.claims import StoredClaim
from pce_memory.store.judged_rows import rows_that_hold
from pce_memory.store.search import shown_instead, visible_among

T = TypeVar("T")
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
    """Return the mask that asks for a filter too; it goes before whatever counts or ranks.

    Of equal claims one is chosen first: a filter that it does not meet shows no other instead.
    """
    if rows.sql == EVERY_ROW.sql:
        return visible
    return replace(visible, filters=rows)


@reader
def rows_called(
    deps: CoreDeps, ids: Sequence[ClaimId], visible: Visibility
) -> Result[Mapping[ClaimId, int], StoreError]:
    """Return which visible claim each id stands for; an id of none that is visible has none.

    An id that was handed out keeps working: where another claim of the same words and speaker is
    shown instead of the one that has it, it stands for that. Only the id of a claim that is
    permitted itself does.
    """
    return Result.do(
        _first_of_each(named, instead)
        for named in claim_keys.candidates(given_out(ids))(deps)
        for instead in shown_instead(_rows(named), visible)(deps)
    )


def _rows(named: Mapping[ClaimId, Sequence[Key]]) -> list[int]:
    return sorted({key.row_id for keys in named.values() for key in keys})


def _first_of_each(
    named: Mapping[ClaimId, Sequence[Key]], known: Mapping[int, T]
) -> Mapping[ClaimId, T]:
    """Return of each id what is known of the first of its claims of which something is known."""
    first = {
        claim_id: [known[key.row_id] for key in keys if key.row_id in known][:1]
        for claim_id, keys in named.items()
    }
    return {claim_id: some[0] for claim_id, some in first.items() if some}


@reader
def claims_called(
    deps: CoreDeps, ids: Sequence[ClaimId], visible: Visibility, fetch: Fetch
) -> Result[Mapping[ClaimId, StoredClaim], StoreError]:
    """Return the visible claim that each id stands for, as `fetch` reads those that are visible.

    Where no claim has an equal, reading them says as well which are visible.
    """
    return Result.do(
        shown
        for named in claim_keys.candidates(given_out(ids))(deps)
        for shown in _shown(deps, named, visible, fetch)
    )


@reader
def claims_kept(
    deps: CoreDeps, ids: Sequence[ClaimId], visible: Visibility, fetch: Fetch
) -> Result[Mapping[ClaimId, StoredClaim], StoreError]:
    """Return the visible claim that is shown for each row that was kept by its own id.

    Unlike an id of a caller, the id of a row stands for no other claim that is called alike.
    """
    return Result.do(
        shown
        for named in claim_keys.standing(ids)(deps)
        for shown in _shown(deps, named, visible, fetch)
    )


def _shown(
    deps: CoreDeps, named: Mapping[ClaimId, Sequence[Key]], visible: Visibility, fetch: Fetch
) -> Result[Mapping[ClaimId, StoredClaim], StoreError]:
    each = replace(visible, twins=False)

    def read(named: Mapping[ClaimId, Sequence[Key]]) -> ByRow:
        if all(key.twin is None for keys in named.values() for key in keys):
            return fetch(_rows(named), each)(deps)
        return Result.do(
            {row: stored[shown] for row, shown in instead.items() if shown in stored}
            for instead in shown_instead(_rows(named), visible)(deps)
            for stored in fetch(sorted(set(instead.values())), each)(deps)
        )

    return read(named).map(lambda stored: _first_of_each(named, stored))


@reader
def every_claim_called(
    deps: CoreDeps, ids: Sequence[ClaimId], visible: Visibility
) -> Result[tuple[StoredClaim, ...], CoreError]:
    """Return the visible claim that each id stands for, its measures decayed to the view's time.

    An id of none that is visible, or of a row that cannot be read, is unknown.
    """
    return Result.do(
        claims
        for named in claims_called(ids, visible, claim_rows.fetch_seen)(deps)
        for claims in collect(_known(claim_id, named) for claim_id in ids)
    )


def _known(
    claim_id: ClaimId, named: Mapping[ClaimId, StoredClaim]
) -> Result[StoredClaim, UnknownClaim]:
    return Success(named[claim_id]) if claim_id in named else Failure(UnknownClaim(claim_id))


@reader
def standing_for(
    deps: CoreDeps, claim_id: ClaimId, boundary: Boundary | None, policy: Policy, *, now: float
) -> Result[StoredClaim, CoreError]:
    """Return the claim an id stands for, its measures decayed to `now`: without a boundary any."""
    if boundary is None:
        return claim_keys.find(claim_id, policy, now=now)(deps)
    return Result.do(
        claim
        for seen in view(boundary, policy)(deps)
        for rows in rows_called([claim_id], seen.visible)(deps)
        for stored in claim_rows.fetch(tuple(rows.values()), policy, now=now)(deps)
        for claim in _known(
            claim_id, {name: stored[row] for name, row in rows.items() if row in stored}
        )
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
