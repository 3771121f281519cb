"""What is told of an integration: to the caller, and to the audit."""

from collections.abc import Collection, Sequence

from pce_memory.domain.audit import DecisionKind
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import IntegrationResult, SimilarClaim
from pce_memory.domain.ids import ClaimId, EntityId, called
from pce_memory.domain.policy import Policy
from pce_memory.integrator.plan import Plan
from pce_memory.store.audit import Decision, decided


def waiting(planned: Plan) -> tuple[AnyClaim, ...]:
    """Return the claims as they will stand that a human has to see first."""
    return tuple(claim for claim in planned.survivors if claim.status == "review")


def result_of(
    planned: Plan, touched: frozenset[str], similar: tuple[SimilarClaim, ...]
) -> IntegrationResult:
    """Return what was done; a claim that only gained evidence counts as merged."""
    gained = tuple(one for one in planned.unchanged if one in touched)
    return IntegrationResult(
        created=tuple(claim.id for claim in planned.created),
        merged=(*(claim.id for _, claim in planned.merged), *gained),
        unchanged=tuple(one for one in planned.unchanged if one not in touched),
        similar_existing=similar,
    )


def not_linked(left_out: Sequence[EntityId]) -> tuple[str, ...]:
    """Return a sentence for each id that stands for no entity: what refers to it is not kept.

    >>> not_linked([EntityId("ent_9")])[0][:60]
    'ent_9 is no entity of the call, nor one that is known here f'
    """
    return tuple(
        f"{name} is no entity of the call, nor one that is known here for sure; its mentions and "
        "relations were left out"
        for name in dict.fromkeys(map(called, left_out))
    )


def told(done: IntegrationResult, planned: Plan) -> IntegrationResult:
    """Return what was done as it leaves: what waits for a human apart, ids as they are called."""
    waits = {claim.id for claim in waiting(planned)}
    return done.model_copy(
        update={
            "similar_existing": tuple(
                one.model_copy(
                    update={
                        "claim_id": called(one.claim_id),
                        "existing_id": called(one.existing_id),
                    }
                )
                for one in done.similar_existing
            ),
            "created": _called(done.created, waits),
            "merged": _called(done.merged, waits),
            "unchanged": _called(done.unchanged, frozenset()),
            "queued": tuple(called(one) for one in (*done.created, *done.merged) if one in waits),
        }
    )


def _called(ids: Sequence[ClaimId], without: Collection[ClaimId]) -> tuple[ClaimId, ...]:
    return tuple(called(one) for one in ids if one not in without)


def decision_of(done: IntegrationResult, boundary: Boundary, policy: Policy) -> Decision:
    """Return what the audit is told of an integration."""
    counts = {
        "created": len(done.created),
        "merged": len(done.merged),
        "unchanged": len(done.unchanged),
        "queued": len(done.queued),
    }
    return decided("integrate", _kind(done), boundary, policy, counts=counts)


def _kind(done: IntegrationResult) -> DecisionKind:
    return "queued" if done.queued else "allowed"
