"""How a claim stands, how a signal moves it, and whether it may be moved."""

from returns.result import Result

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim, anchor_of
from pce_memory.domain.feedback import Standing
from pce_memory.domain.model import DAY
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import FeedbackSignal
from pce_memory.errors import CoreError, StoreError
from pce_memory.policy.offences import each_permitted
from pce_memory.result import reader
from pce_memory.scoring.feedback import Measures, Step, apply_signal
from pce_memory.scoring.rerank import recency_decay
from pce_memory.store import standing


def moved_by(
    claim: AnyClaim, signal: FeedbackSignal, policy: Policy, *, weight: float
) -> AnyClaim:
    """Return a claim with the utility and the confidence that a signal leaves it."""
    delta = policy.critic.deltas.of(signal)
    after = apply_signal(
        Measures(claim.utility, claim.confidence),
        Step(delta.utility, delta.confidence),
        weight=weight,
    )
    return claim.model_copy(update={"utility": after.utility, "confidence": after.confidence})


def standing_of(claim: AnyClaim, policy: Policy, *, at: float) -> Standing:
    """Return a claim's measures as they stand at a time."""
    half_life = policy.retrieval.rerank.half_life_days(claim.kind, claim.scope)
    return Standing(
        utility=claim.utility,
        confidence=claim.confidence,
        recency=recency_decay((at - anchor_of(claim)) / DAY, half_life),
    )


@reader
def may_move(
    deps: CoreDeps,
    before: AnyClaim,
    after: AnyClaim,
    policy: Policy,
    *,
    boundary: Boundary | None,
) -> Result[None, CoreError]:
    """Return a failure unless the evaluator permits a claim as it stands and as it will stand.

    Measures that a signal moves are no reason to refuse it: what falls below a rule's bound is
    hidden by that rule from then on, and nobody could say that a claim is outdated otherwise.
    Without a boundary nobody has asked yet: it is the owner who judges.
    """
    claims = [before] if after == before else [before, after]
    return each_permitted(deps.invariant_evaluator, claims, policy, boundary=boundary)


@reader
def write_measures(
    deps: CoreDeps, row_id: int, claim: AnyClaim, *, decayed_at: float, now: float
) -> Result[None, StoreError]:
    """Write the measures of a claim, which stand as of `decayed_at`."""
    measures = {
        "utility": claim.utility,
        "confidence": claim.confidence,
        "quality": claim.quality,
        "recency_anchor": anchor_of(claim),
        "decayed_at": decayed_at,
    }
    return standing.set_measures(row_id, measures, now=now)(deps)
