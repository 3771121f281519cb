"""What is told of an integration: to the caller without a word of what is hidden, to the audit."""

from collections.abc import Sequence

from pce_memory.domain.audit import DecisionKind
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import IntegrationResult, SimilarClaim
from pce_memory.domain.ids import ClaimId
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


def unseen(
    given: Sequence[AnyClaim], planned: Plan, shown: frozenset[ClaimId]
) -> tuple[AnyClaim, ...]:
    """Return the incoming claims that lead to one which is not shown: to a caller, new ones."""
    created = {claim.id for claim in planned.created}
    firsts = {
        planned.first_for(one)
        for one in planned.leads_to.values()
        if one not in shown and one not in created
    }
    return tuple(claim for claim in given if claim.id in firsts)


def told(
    done: IntegrationResult,
    planned: Plan,
    *,
    before: frozenset[ClaimId],
    after: frozenset[ClaimId],
) -> IntegrationResult:
    """Return what was done without a word of claims that were not shown before.

    One that came to light, as an expired one does that is seen again, is told as created.
    """
    hidden = (set(done.merged) | set(done.unchanged)) - before - set(done.created)
    instead = sorted(one if one in after else planned.first_for(one) for one in hidden)
    similar = tuple(
        one.model_copy(update={"claim_id": planned.leads_to.get(one.claim_id, one.claim_id)})
        if planned.leads_to.get(one.claim_id) in after
        else one
        for one in done.similar_existing
    )
    waits = {claim.id for claim in waiting(planned)} - hidden
    waits |= planned.asked_to_wait.intersection(instead)
    created = (*done.created, *instead)
    merged = tuple(one for one in done.merged if one not in hidden)
    return done.model_copy(
        update={
            "similar_existing": similar,
            "created": tuple(one for one in created if one not in waits),
            "merged": tuple(one for one in merged if one not in waits),
            "unchanged": tuple(one for one in done.unchanged if one not in hidden),
            "queued": tuple(one for one in (*created, *merged) if one in waits),
        }
    )


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
