"""The review queue: list what waits, let it in, or erase it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.ids import ClaimId, called
from pce_memory.domain.policy import Policy
from pce_memory.domain.review import Review, ReviewQuery, Verdict
from pce_memory.engine.ready import Ready
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.policy.offences import permitted
from pce_memory.policy.outgoing import text_out
from pce_memory.result import reader
from pce_memory.store import audit, claim_keys, claims as claim_rows, erasure, events, reviews
from pce_memory.store.audit import Decision, decided
from pce_memory.store.claims import StoredClaim
from pce_memory.store.visibility import shown_rows

MOST: Final = 100_000
"""So many reviews are looked through for those that a boundary shows."""


@reader
def queue(
    deps: CoreDeps,
    wanted: ReviewQuery,
    boundary: Boundary,
    policy: Policy,
    *,
    only_shown: bool,
) -> Result[tuple[Review, ...], CoreError]:
    """Return reviews; a claim's text only where the boundary would show it once it is let in.

    With `only_shown`, reviews of claims that the boundary would not show are left out.
    """
    # What a boundary does not show takes no place of what it shows.
    limit = MOST if only_shown else wanted.limit
    return Result.do(
        tuple(
            as_told(one.model_copy(update={"text": texts.get(one.claim_id)}))
            for one in found
            if one.claim_id in texts or not only_shown
        )[: wanted.limit]
        for found in reviews.find(status=wanted.status, limit=limit)(deps)
        for texts in _texts(deps, found, boundary, policy)
    )


def _texts(
    deps: CoreDeps, found: Sequence[Review], boundary: Boundary, policy: Policy
) -> Result[Mapping[ClaimId, str], CoreError]:
    """Return the texts of waiting claims that the boundary would show, as it would show them."""
    return Result.do(
        {one.claim.id: text_out(one.claim, policy).text for one in rows.values()}
        for keys in claim_keys.candidates([one.claim_id for one in found])(deps)
        for shown in shown_rows(
            [key.row_id for some in keys.values() for key in some],
            boundary,
            policy,
            status="review",
        )(deps)
        for rows in claim_rows.fetch(sorted(shown), policy, now=deps.clock())(deps)
    )


def as_told(review: Review) -> Review:
    """Return a review with its claim as it is called outside."""
    return review.model_copy(update={"claim_id": called(review.claim_id)})


def listed(ready: Ready, found: Sequence[Review]) -> Decision:
    """Return what the audit is told of a look into the queue."""
    shown = sum(one.text is not None for one in found)
    counts = {"reviews": len(found), "texts": shown}
    return decided("reviews.list", "allowed", ready.boundary, ready.policy, counts=counts)


@reader
def decide(deps: CoreDeps, verdict: Verdict, policy: Policy) -> Result[Review, CoreError]:
    """Let a claim in, or erase it with what it was drawn from; a decision is made once."""
    act = _let_in if verdict.status == "approved" else _erased
    return deps.db.transaction(lambda: _decided(deps, verdict, policy, act))


def _let_in(deps: CoreDeps, stored: StoredClaim, policy: Policy) -> Result[None, CoreError]:
    """Let a claim in, if the evaluator permits it as it will stand: the rules may be new."""
    let_in = stored.claim.model_copy(update={"status": "active"})
    return Result.do(
        None
        for _ in permitted(deps.invariant_evaluator, [let_in], policy, boundary=None)
        for _ in reviews.set_status(stored.row_id, "active")(deps)
    )


def _erased(deps: CoreDeps, stored: StoredClaim, _policy: Policy) -> Result[None, CoreError]:
    return Result.do(
        None
        for sources in erasure.sources_of([stored.row_id])(deps)
        for _ in erasure.scrub(sources, why="rejected", evidence=False)(deps)
        for _ in erasure.erase_claims([stored.row_id], why="rejected")(deps)
    )


def _decided(
    deps: CoreDeps,
    verdict: Verdict,
    policy: Policy,
    act: Callable[[CoreDeps, StoredClaim, Policy], Result[None, CoreError]],
) -> Result[Review, CoreError]:
    return Result.do(
        as_told(after[0])
        for found in reviews.find(review_id=verdict.review_id)(deps)
        for review in _pending(found)
        for stored in claim_keys.find(review.claim_id, policy, now=deps.clock())(deps)
        for _ in reviews.decide(
            review, verdict.status, reviewer=verdict.reviewer, note=verdict.note
        )(deps)
        for _ in act(deps, stored, policy)
        for after in reviews.find(review_id=verdict.review_id)(deps)
        for _ in _told(deps, verdict, review, stored, policy)
    )


def _pending(found: Sequence[Review]) -> Result[Review, InvalidParameter]:
    if not found:
        return Failure(InvalidParameter("review_id", "no review has it; reviews.list names them"))
    if found[0].status != "pending":
        reason = f"it was {found[0].status} already; a decision is made once"
        return Failure(InvalidParameter("review_id", reason))
    return Success(found[0])


def _told(
    deps: CoreDeps, verdict: Verdict, review: Review, stored: StoredClaim, policy: Policy
) -> Result[None, CoreError]:
    approved = verdict.status == "approved"
    decision = Decision(
        tool="reviews.approve" if approved else "reviews.reject",
        decision="allowed" if approved else "denied",
        policy_version=policy.version,
        who=verdict.reviewer,
        scopes=(review.scope,),
        classes=(stored.claim.boundary_class,),
        reason=review.reason,
        counts={"claims": 1},
        digests={"claim": deps.digest(stored.claim.text)},
    )
    payload = {"review": review.id, "claim": called(review.claim_id), "status": verdict.status}
    return Result.do(
        None
        for _ in audit.record([decision])(deps)
        for _ in events.record("review", payload, policy_version=policy.version)(deps)
    )
