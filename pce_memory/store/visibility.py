"""From a boundary, a policy and a query to the mask that every lane takes first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, RowFilter, Visibility
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import Scope
from pce_memory.errors import BoundaryDenied, CoreError, InvalidBoundary, InvalidScope
from pce_memory.policy.boundary import Narrowed, narrow
from pce_memory.result import fold, reader
from pce_memory.store.claims import ALWAYS
from pce_memory.store.judged_rows import rows_that_hold
from pce_memory.store.search import visible_among


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
            ),
        )
        for now in Success(deps.clock())
        for narrowed in narrow(boundary, policy, query_scope=scope, query_allow=allow)
        for invariants in rows_that_hold(narrowed, boundary.context, policy, now=now)(deps)
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
def shown_rows(
    deps: CoreDeps,
    row_ids: Sequence[int],
    boundary: Boundary,
    policy: Policy,
    *,
    status: str = "active",
) -> Result[frozenset[int], CoreError]:
    """Return which claims a boundary shows; one that may write and see nothing shows none.

    With the status `review`: which of those that wait for a human it would show.
    """
    return Result.do(
        shown
        for seen in view_if_any(boundary, policy)(deps)
        for shown in (
            Success(frozenset[int]())
            if seen is None
            else visible_among(row_ids, replace(seen.visible, status=status))(deps)
        )
    )
