"""Which claim stands for a duplicate: the one named, else the nearest older one of its scope."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Vector, Visibility
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.feedback import Feedback
from pce_memory.domain.ids import ClaimId, called
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import stricter
from pce_memory.errors import CoreError, EmbeddingFailed, InvalidParameter
from pce_memory.policy.boundary import Narrowed
from pce_memory.policy.indexed import indexed_text
from pce_memory.result import fold, reader
from pce_memory.store import claim_keys, claims as claim_rows, embeddings
from pce_memory.store.claims import StoredClaim
from pce_memory.store.judged_rows import rows_that_hold
from pce_memory.store.visibility import standing_for, view_if_any

CLOSE: Final = 0.95
"""From this cosine on, two claims of one scope say the same."""
LOOK_AT: Final = 8


@reader
def representative(
    deps: CoreDeps,
    feedback: Feedback,
    stored: StoredClaim,
    policy: Policy,
    *,
    boundary: Boundary | None = None,
) -> Result[StoredClaim | None, CoreError]:
    """Return the claim to keep in place of a duplicate, or None.

    Where nobody names one it is looked for among what the boundary shows, or, without a boundary,
    among what the policy's rules let live.
    """
    if feedback.duplicate_of is not None:
        return _named(deps, feedback, feedback.duplicate_of, stored, policy, boundary)
    return Result.do(
        nearest
        for peers in _peers(deps, stored, policy, boundary, at=feedback.ts)
        # A boundary that sees nothing has nothing to keep instead.
        for nearest in (Success(None) if peers is None else _nearest(deps, stored, policy, peers))
    )


def _peers(
    deps: CoreDeps, stored: StoredClaim, policy: Policy, boundary: Boundary | None, *, at: float
) -> Result[Visibility | None, CoreError]:
    """Return the claims of the same scope and class that may stand for one."""
    claim = stored.claim
    own = Narrowed((claim.scope,), (), (claim.boundary_class,), policy.invariants)
    if boundary is not None:
        return view_if_any(boundary, policy)(deps).map(
            lambda seen: (
                None
                if seen is None
                else replace(seen.visible, scopes=own.scopes, classes=own.classes)
            )
        )
    return Result.do(
        Visibility(
            scopes=own.scopes,
            classes=own.classes,
            invariants=rules,
            now=at,
            alive_since=policy.scopes.alive_since(at),
            utility_half_life=policy.critic.utility_half_life_days,
            quality_half_life=policy.critic.quality_half_life_days,
            twins=twins,
        )
        for rules in rows_that_hold(own, {}, policy, now=at)(deps)
        for twins in claim_keys.has_twins()(deps)
    )


def _named(
    deps: CoreDeps,
    feedback: Feedback,
    wanted: ClaimId,
    stored: StoredClaim,
    policy: Policy,
    boundary: Boundary | None,
) -> Result[StoredClaim | None, CoreError]:
    return Result.do(
        other
        for other in standing_for(wanted, boundary, policy, now=feedback.ts)(deps)
        for _ in _another(other, stored)
    )


def _another(other: StoredClaim, stored: StoredClaim) -> Result[None, InvalidParameter]:
    if other.row_id == stored.row_id:
        return Failure(InvalidParameter("duplicate_of", "it stands for the claim itself"))
    if stricter(other.claim.boundary_class, stored.claim.boundary_class) != (
        other.claim.boundary_class
    ):
        reason = "its class is looser than the duplicate's; evidence would be shown more widely"
        return Failure(InvalidParameter("duplicate_of", reason))
    return Success(None)


def _nearest(
    deps: CoreDeps, stored: StoredClaim, policy: Policy, peers: Visibility
) -> Result[StoredClaim | None, CoreError]:
    claim = stored.claim
    text = indexed_text(claim.text, claim.boundary_class, policy, said_by=stored.said_by)

    def among(vectors: Mapping[str, Vector]) -> Result[StoredClaim | None, CoreError]:
        return Result.do(
            _oldest(stored, tuple(rows.values()))
            for _ in deps.search_index.follow()
            for near in deps.search_index.nearest(vectors[text], peers, limit=LOOK_AT)
            for rows in claim_rows.fetch(
                [row for row, cosine in near.items() if cosine >= CLOSE], policy, now=peers.now
            )(deps)
        )

    def without(error: CoreError) -> Result[StoredClaim | None, CoreError]:
        return Success(None) if isinstance(error, EmbeddingFailed) else Failure(error)

    return fold(embeddings.embed_all([text])(deps), ok=among, err=without)


def _oldest(stored: StoredClaim, others: tuple[StoredClaim, ...]) -> StoredClaim | None:
    found = [one for one in others if one.row_id != stored.row_id]
    return min(found, key=lambda one: (one.claim.created_at, called(one.claim.id)), default=None)
