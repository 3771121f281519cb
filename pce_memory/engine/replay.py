"""Idempotency: a call that is repeated with its key returns what the first one did."""

import json
from collections.abc import Sequence

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.observation import Observation
from pce_memory.domain.policy import Policy
from pce_memory.domain.receipt import NewObservation, ObserveResult
from pce_memory.errors import CoreError, InvalidParameter, StoreError
from pce_memory.result import collect, reader
from pce_memory.store import claims as claim_rows, observations
from pce_memory.store.visibility import shown_rows


@reader
def find_replay(
    deps: CoreDeps, item: NewObservation, boundary: Boundary, policy: Policy
) -> Result[ObserveResult | None, CoreError]:
    """Return what the call that used the item's key first did, or None."""
    if item.idempotency_key is None:
        return Success(None)
    return Result.do(
        result
        for found in observations.find_idempotent(deps.digest(item.idempotency_key))(deps)
        for result in (
            Success(None) if found is None else _replayed(deps, item, found, boundary, policy)
        )
    )


@reader
def remember_outcome(
    deps: CoreDeps, item: NewObservation, result: ObserveResult
) -> Result[None, StoreError]:
    """Keep what a call did under its key, without any text."""
    key = item.idempotency_key
    if key is None:
        return Success(None)
    outcome = result.model_dump(mode="json", include={"refused", "redactions", "integration"})
    outcome["claims"] = [claim.id for claim in result.claims]
    return observations.record_idempotent(
        deps.digest(key), result.observation.id, outcome=json.dumps(outcome)
    )(deps)


def _replayed(
    deps: CoreDeps,
    item: NewObservation,
    found: tuple[ObservationId, str],
    boundary: Boundary,
    policy: Policy,
) -> Result[ObserveResult, CoreError]:
    observation_id, text = found
    outcome = json.loads(text)
    return Result.do(
        ObserveResult.model_validate(
            {**outcome, "observation": stored[0], "claims": claims, "replayed": True}
        )
        for stored in observations.by_id([observation_id])(deps)
        for _ in _same(stored[0], deps.digest(item.content))
        for claims in _claims(deps, [ClaimId(one) for one in outcome["claims"]], boundary, policy)
    )


def _claims(
    deps: CoreDeps, ids: Sequence[ClaimId], boundary: Boundary, policy: Policy
) -> Result[tuple[AnyClaim, ...], CoreError]:
    """Return the claims of the first call as they stand now, those that the boundary shows."""
    return Result.do(
        tuple(one.claim for one in found if one.row_id in shown)
        for living in _still_there(deps, ids)
        for found in collect(
            claim_rows.find(one, policy, now=deps.clock())(deps) for one in living
        )
        for shown in shown_rows([one.row_id for one in found], boundary, policy)(deps)
    )


def _still_there(
    deps: CoreDeps, ids: Sequence[ClaimId]
) -> Result[tuple[ClaimId, ...], StoreError]:
    """Return the claims that were not erased meanwhile."""
    return claim_rows.keys_of_ids(ids)(deps).map(
        lambda keys: tuple(one for one in ids if one in keys)
    )


def _same(stored: Observation, digest: str) -> Result[None, InvalidParameter]:
    if stored.content_digest == digest:
        return Success(None)
    reason = "it was used for another observation; give each its own key"
    return Failure(InvalidParameter("idempotency_key", reason))
