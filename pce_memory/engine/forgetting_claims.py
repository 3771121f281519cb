"""Which claims are forgotten: those an id stands for, of those that a boundary permits."""

from collections.abc import Sequence

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.ids import ClaimId, given_out
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, UnknownClaim
from pce_memory.store import claim_keys, reviews
from pce_memory.store.claim_keys import Key
from pce_memory.store.visibility import shown_rows


def rows_named(
    deps: CoreDeps, claim_id: ClaimId, boundary: Boundary | None, policy: Policy
) -> Result[tuple[int, ...], CoreError]:
    """Return the claims that an id stands for, with their equals: of these one would be left.

    For the owner, none if only what a reviewer wrote of a rejected claim is left of it.
    """

    def told(keys: Sequence[Key]) -> Result[tuple[int, ...], CoreError]:
        if not keys:
            return _only_noted(deps, claim_id, owner=boundary is None)
        return claim_keys.with_twins(keys)(deps).map(
            lambda peers: tuple(dict.fromkeys(key.row_id for key in peers))
        )

    return Result.do(
        rows
        for found in claim_keys.candidates(given_out([claim_id]))(deps)
        for keys in Success(found.get(claim_id, ()))
        for named in permitted_rows(deps, [key.row_id for key in keys], boundary, policy)
        for rows in told([key for key in keys if key.row_id in named])
    )


def _only_noted(
    deps: CoreDeps, claim_id: ClaimId, *, owner: bool
) -> Result[tuple[int, ...], CoreError]:
    unknown = UnknownClaim(claim_id)
    if not owner:
        return Failure(unknown)
    return Result.do(
        rows
        for notes in reviews.notes_of_gone(claim_id)(deps)
        for rows in (Success(()) if notes else Failure(unknown))
    )


def permitted_rows(
    deps: CoreDeps, rows: Sequence[int], boundary: Boundary | None, policy: Policy
) -> Result[tuple[int, ...], CoreError]:
    """Return those of the claims that a boundary shows; the owner sees all."""
    if boundary is None:
        return Success(tuple(rows))
    return shown_rows(rows, boundary, policy, each=True)(deps).map(
        lambda shown: tuple(row for row in rows if row in shown)
    )
