"""Feedback on claims: decay to its time, apply the signal, remember what it did."""

from collections.abc import Sequence
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.critic.duplicates import representative
from pce_memory.critic.judged import under_of
from pce_memory.critic.moving import may_move, moved_by, standing_of, write_measures
from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim, anchor_of
from pce_memory.domain.feedback import CriticUpdateResult, Feedback
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.model import SKEW
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, InvalidParameter, StoreError
from pce_memory.result import collect, reader
from pce_memory.store import (
    events,
    evidence,
    feedback as feedback_log,
    graph,
    standing,
)
from pce_memory.store.claims import StoredClaim
from pce_memory.store.visibility import standing_for

DUPLICATE_SHARE: Final = 0.5
"""What is left of a duplicate's utility when another claim stands for it."""


@reader
def process_feedback(
    deps: CoreDeps, feedback: Feedback, policy: Policy, *, boundary: Boundary | None = None
) -> Result[CriticUpdateResult, CoreError]:
    """Move the claim's standing by `feedback`, and log it, in one transaction.

    Under a boundary, a duplicate is only ever merged into a claim that the boundary shows.

    The measures are decayed to the feedback's time first, so a helpful signal never lowers a
    claim. The same feedback again changes nothing and returns what it did the first time; under
    another boundary, or of another actor, its id was never used.
    """

    def work() -> Result[CriticUpdateResult, CoreError]:
        return Result.do(
            outcome
            for _ in _sound(feedback, deps.clock())
            for under in Success(under_of(deps, boundary, policy))
            for known in feedback_log.find(feedback, under)(deps)
            for outcome in (
                _judge(deps, feedback, policy, boundary, under)
                if known is None
                else _replayed(feedback, known)
            )
        )

    return deps.db.transaction(work)


@reader
def process_feedbacks(
    deps: CoreDeps,
    feedbacks: Sequence[Feedback],
    policy: Policy,
    *,
    boundary: Boundary | None = None,
) -> Result[tuple[CriticUpdateResult, ...], CoreError]:
    """Process many, in the order of their times, all or none; results come in the given order."""
    ordered = sorted(feedbacks, key=lambda one: one.ts)

    def work() -> Result[tuple[CriticUpdateResult, ...], CoreError]:
        return collect(process_feedback(one, policy, boundary=boundary)(deps) for one in ordered)

    return deps.db.transaction(work).map(
        lambda done: tuple(
            {one.id: result for one, result in zip(ordered, done, strict=True)}[feedback.id]
            for feedback in feedbacks
        )
    )


def _sound(feedback: Feedback, now: float) -> Result[None, InvalidParameter]:
    if feedback.ts > now + SKEW:
        return _invalid("ts", "it is more than 5 minutes in the future")
    if feedback.score is not None:
        wanted = 1 if feedback.signal == "helpful" else -1
        if feedback.score * wanted <= 0:
            kind = "above" if wanted > 0 else "below"
            return _invalid("score", f"the signal {feedback.signal} takes a score {kind} 0")
    if feedback.duplicate_of is not None and feedback.signal != "duplicate":
        return _invalid("duplicate_of", f"the signal {feedback.signal} takes none")
    return Success(None)


def _invalid(name: str, reason: str) -> Failure[InvalidParameter]:
    return Failure(InvalidParameter(name, reason))


def _replayed(
    feedback: Feedback, known: tuple[Feedback, CriticUpdateResult]
) -> Result[CriticUpdateResult, InvalidParameter]:
    before, outcome = known
    same = before.model_dump(exclude={"ts"}) == feedback.model_dump(exclude={"ts"})
    if same:
        return Success(outcome)
    return _invalid("feedback id", "it was used for another feedback; give each its own")


def _judge(
    deps: CoreDeps, feedback: Feedback, policy: Policy, boundary: Boundary | None, under: str
) -> Result[CriticUpdateResult, CoreError]:
    return Result.do(
        feedback_log.as_called(outcome)
        for stored in standing_for(feedback.claim_id, boundary, policy, now=feedback.ts)(deps)
        for outcome in (
            _merge_duplicate(deps, feedback, stored, policy, boundary)
            if feedback.signal == "duplicate"
            else _move(deps, feedback, stored, policy, boundary)
        )
        for _ in feedback_log.record(feedback, outcome, under)(deps)
        for _ in _event(deps, feedback, feedback_log.as_called(outcome), policy)
    )


def _move(
    deps: CoreDeps,
    feedback: Feedback,
    stored: StoredClaim,
    policy: Policy,
    boundary: Boundary | None,
) -> Result[CriticUpdateResult, CoreError]:
    """Apply a signal to the measures; a helpful one also makes the claim fresh again."""
    claim, now = stored.claim, deps.clock()
    moved = _moved(claim, feedback, policy, now=now)
    write = write_measures(stored.row_id, moved, decayed_at=feedback.ts, now=now)
    return Result.do(
        CriticUpdateResult(
            claim_id=claim.id,
            previous=standing_of(claim, policy, at=feedback.ts),
            updated=standing_of(moved, policy, at=feedback.ts),
        )
        for _ in may_move(claim, claim, policy, boundary=boundary)(deps)
        for _ in write(deps)
    )


def _moved(claim: AnyClaim, feedback: Feedback, policy: Policy, *, now: float) -> AnyClaim:
    """Return a claim as it stands after a signal."""
    weight = 1.0 if feedback.score is None else abs(feedback.score)
    anchor = anchor_of(claim)
    if feedback.signal == "helpful":
        anchor = max(anchor, min(feedback.ts, now))
    moved = moved_by(claim, feedback.signal, policy, weight=weight)
    return moved.model_copy(update={"recency_anchor": anchor})


def _merge_duplicate(
    deps: CoreDeps,
    feedback: Feedback,
    stored: StoredClaim,
    policy: Policy,
    boundary: Boundary | None,
) -> Result[CriticUpdateResult, CoreError]:
    """Let the representative stand for the claim; without one, the claim loses a little."""
    return Result.do(
        outcome
        for other in representative(feedback, stored, policy, boundary=boundary)(deps)
        for outcome in (
            _move(deps, feedback, stored, policy, boundary)
            if other is None
            else _merge_into(deps, feedback, stored, other, policy, boundary)
        )
    )


def _merge_into(
    deps: CoreDeps,
    feedback: Feedback,
    stored: StoredClaim,
    other: StoredClaim,
    policy: Policy,
    boundary: Boundary | None,
) -> Result[CriticUpdateResult, CoreError]:
    claim, into = stored.claim, other.claim.id
    less = _replaced(claim, into)
    return Result.do(
        CriticUpdateResult(
            claim_id=claim.id,
            previous=standing_of(claim, policy, at=feedback.ts),
            updated=standing_of(less, policy, at=feedback.ts),
            merged_into=into,
        )
        for _ in may_move(claim, less, policy, boundary=boundary)(deps)
        for _ in may_move(other.claim, other.claim, policy, boundary=boundary)(deps)
        for _ in evidence.move(claim.id, into=into)(deps)
        for _ in graph.move_mentions(claim.id, into=into)(deps)
        for _ in standing.tombstone(stored.row_id, into, utility=less.utility, now=deps.clock())(
            deps
        )
    )


def _replaced(claim: AnyClaim, into: ClaimId) -> AnyClaim:
    """Return a claim as it stands when another one stands for it."""
    utility = claim.utility * DUPLICATE_SHARE
    return claim.model_copy(
        update={"utility": utility, "status": "tombstone", "superseded_by": into}
    )


def _event(
    deps: CoreDeps, feedback: Feedback, outcome: CriticUpdateResult, policy: Policy
) -> Result[None, StoreError]:
    payload = {
        "feedback": deps.digest(feedback.id),  # a caller may have made it up
        "claim": outcome.claim_id,
        "signal": feedback.signal,
        "merged_into": outcome.merged_into,
    }
    return events.record("critic", payload, policy_version=policy.version)(deps)
