"""Scores of others on claims: compare with the one before, move what changed beyond noise."""

from returns.result import Failure, Result, Success

from pce_memory.critic.moving import may_move, moved_by, standing_of, write_measures
from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import called
from pce_memory.domain.judged import GivenScore, Judgement
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, InvalidParameter, StoreError
from pce_memory.result import reader
from pce_memory.scoring.judged import Counts, what_counts
from pce_memory.store import claim_keys, events, judgements
from pce_memory.store.claims import StoredClaim
from pce_memory.store.reach import used_under
from pce_memory.store.visibility import standing_for


@reader
def process_score(
    deps: CoreDeps,
    given: GivenScore,
    policy: Policy,
    *,
    judge: str | None = None,
    boundary: Boundary | None = None,
) -> Result[Judgement, CoreError]:
    """Hold a score against the claim's last one that counted, and log it, in one transaction.

    Beyond the noise its change moves utility and confidence as feedback of that strength does,
    and makes the claim no fresher: nobody used it. Within the noise nothing moves. The same score
    again changes nothing and returns what it did the first time; under another boundary, or of
    another actor, its id was never used. `judge` names who gave it.
    """

    def work() -> Result[Judgement, CoreError]:
        return Result.do(
            done
            for under in Success(under_of(deps, boundary, policy))
            for stored in standing_for(given.claim_id, boundary, policy, now=deps.clock())(deps)
            for known in judgements.find(given, stored.claim.id, under)(deps)
            for done in (
                _judged(deps, given, stored, policy, judge, boundary)
                if known is None
                else _replayed(deps, given, stored, known)
            )
        )

    return deps.db.transaction(work)


@reader
def is_known(
    deps: CoreDeps, given: GivenScore, stored: StoredClaim, policy: Policy, *, boundary: Boundary
) -> Result[bool, StoreError]:
    """Return whether who has this boundary used the id of a score before."""
    under = under_of(deps, boundary, policy)
    return judgements.find(given, stored.claim.id, under)(deps).map(
        lambda known: known is not None
    )


def under_of(deps: CoreDeps, boundary: Boundary | None, policy: Policy) -> str:
    """Return what ids are used under by who has a boundary; without one they are the owner's."""
    return "" if boundary is None else used_under(boundary, policy, deps.digest)


def _replayed(
    deps: CoreDeps, given: GivenScore, stored: StoredClaim, known: Judgement
) -> Result[Judgement, CoreError]:
    """Return what a score did, if it is of the same claim; a call that asks gives no score."""
    reason = "it was used for another judgement; give each its own"
    return Result.do(
        done
        for first in claim_keys.survivor(known.claim_id)(deps)
        for done in (
            Success(_as_called(known))
            if first.row_id == stored.row_id and given.score in {None, known.score}
            else Failure(InvalidParameter("judgement_id", reason))
        )
    )


def _as_called(done: Judgement) -> Judgement:
    return done.model_copy(update={"claim_id": called(done.claim_id)})


def _judged(
    deps: CoreDeps,
    given: GivenScore,
    stored: StoredClaim,
    policy: Policy,
    judge: str | None,
    boundary: Boundary | None,
) -> Result[Judgement, CoreError]:
    now, claim = deps.clock(), stored.claim
    return Result.do(
        _as_called(done)
        for before in judgements.last_counted(claim.id)(deps)
        for counts in what_counts(given.score, before, policy.refinement)
        for moved in _move(deps, stored, counts, policy, boundary)
        for done in Success(
            Judgement(
                id=given.id,
                claim_id=claim.id,
                judge=judge,
                score=given.score,
                previous_score=before,
                score_direction=counts.direction,
                noise_threshold=policy.refinement.noise_threshold,
                counted=counts.counted,
                previous=standing_of(claim, policy, at=now),
                updated=standing_of(moved, policy, at=now),
            )
        )
        for _ in _logged(deps, done, counts, policy, boundary)
    )


def _logged(
    deps: CoreDeps, done: Judgement, counts: Counts, policy: Policy, boundary: Boundary | None
) -> Result[None, StoreError]:
    under = under_of(deps, boundary, policy)
    return Result.do(
        None
        for _ in judgements.record(done, now=deps.clock(), under=under)(deps)
        for _ in _event(deps, done, counts, policy)
    )


def _move(
    deps: CoreDeps,
    stored: StoredClaim,
    counts: Counts,
    policy: Policy,
    boundary: Boundary | None,
) -> Result[AnyClaim, CoreError]:
    """Return a claim as it stands after a score; it is written if that moves it, and if it may."""
    claim, now = stored.claim, deps.clock()
    permitted = may_move(claim, claim, policy, boundary=boundary)(deps)
    if counts.signal is None:
        return permitted.map(lambda _: claim)
    moved = moved_by(claim, counts.signal, policy, weight=counts.weight)
    return Result.do(
        moved
        for _ in permitted
        for _ in write_measures(stored.row_id, moved, decayed_at=now, now=now)(deps)
    )


def _event(
    deps: CoreDeps, done: Judgement, counts: Counts, policy: Policy
) -> Result[None, StoreError]:
    compared = {"judge", "score", "previous_score", "score_direction", "noise_threshold"}
    payload = {
        "judgement": done.id,
        "claim": done.claim_id,
        "signal": counts.signal,
        **done.model_dump(include=compared),
    }
    return events.record("critic", payload, policy_version=policy.version)(deps)
