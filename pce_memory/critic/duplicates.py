"""Which claim stands for a duplicate: the one named, else the nearest older one of its scope."""

from collections.abc import Mapping
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, RowFilter, Vector, Visibility
from pce_memory.domain.feedback import Feedback
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import stricter
from pce_memory.errors import CoreError, EmbeddingFailed, InvalidParameter
from pce_memory.result import fold, reader
from pce_memory.store import claims as claim_rows, embeddings
from pce_memory.store.claims import StoredClaim

CLOSE: Final = 0.95
"""From this cosine on, two claims of one scope say the same."""
LOOK_AT: Final = 8


@reader
def representative(
    deps: CoreDeps, feedback: Feedback, stored: StoredClaim, policy: Policy
) -> Result[StoredClaim | None, CoreError]:
    """Return the claim to keep in place of a duplicate, or None."""
    if feedback.duplicate_of is not None:
        return _named(deps, feedback.duplicate_of, stored, policy, at=feedback.ts)
    return _nearest(deps, stored, policy, at=feedback.ts)


def _named(
    deps: CoreDeps, wanted: ClaimId, stored: StoredClaim, policy: Policy, *, at: float
) -> Result[StoredClaim | None, CoreError]:
    return Result.do(
        other
        for other in claim_rows.find(wanted, policy, now=at)(deps)
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
    deps: CoreDeps, stored: StoredClaim, policy: Policy, *, at: float
) -> Result[StoredClaim | None, CoreError]:
    return Result.do(
        found
        for rules in deps.invariant_evaluator.row_filter(policy.invariants, {})
        for found in _nearest_of(deps, stored, policy, rules, at=at)
    )


def _nearest_of(
    deps: CoreDeps, stored: StoredClaim, policy: Policy, rules: RowFilter, *, at: float
) -> Result[StoredClaim | None, CoreError]:
    claim = stored.claim
    peers = Visibility(
        scopes=(claim.scope,),
        classes=(claim.boundary_class,),
        invariants=rules,
        now=at,
        alive_since=policy.scopes.alive_since(at),
        utility_half_life=policy.critic.utility_half_life_days,
        quality_half_life=policy.critic.quality_half_life_days,
    )

    def among(vectors: Mapping[str, Vector]) -> Result[StoredClaim | None, CoreError]:
        return Result.do(
            _oldest(stored, tuple(rows.values()))
            for near in deps.vector_index.nearest(vectors[claim.text], peers, limit=LOOK_AT)
            for rows in claim_rows.fetch(
                [row for row, cosine in near.items() if cosine >= CLOSE], policy, now=at
            )(deps)
        )

    def without(error: CoreError) -> Result[StoredClaim | None, CoreError]:
        return Success(None) if isinstance(error, EmbeddingFailed) else Failure(error)

    return fold(embeddings.embed_all([claim.text])(deps), ok=among, err=without)


def _oldest(stored: StoredClaim, others: tuple[StoredClaim, ...]) -> StoredClaim | None:
    found = [one for one in others if one.row_id != stored.row_id]
    return min(found, key=lambda one: (one.claim.created_at, one.claim.id), default=None)
