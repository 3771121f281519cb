"""Idempotency: a call that is repeated with its key returns what the first one did.

A key is that of who used it, and of whose words it was: under another boundary, or of another
actor, it was never used.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.extraction import IntegrationResult
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.observation import Observation
from pce_memory.domain.policy import Policy
from pce_memory.domain.receipt import NewObservation, ObserveResult
from pce_memory.engine.lookup import leaving
from pce_memory.errors import CoreError, InvalidParameter, StoreError
from pce_memory.result import reader
from pce_memory.store import observations
from pce_memory.store.fitting import mapping_in, whole
from pce_memory.store.reach import used_under


@reader
def find_replay(
    deps: CoreDeps, item: NewObservation, boundary: Boundary, policy: Policy
) -> Result[ObserveResult | None, CoreError]:
    """Return what the call that used the item's key first did, or None."""
    key = item.idempotency_key
    if key is None:
        return Success(None)
    return Result.do(
        result
        for found in _found(deps, item, key, boundary, policy)
        for result in (
            Success(None) if found is None else _replayed(deps, item, found, boundary, policy)
        )
    )


def _found(
    deps: CoreDeps, item: NewObservation, key: str, boundary: Boundary, policy: Policy
) -> Result[tuple[ObservationId, str] | None, CoreError]:
    """Return the call that used a key under this boundary for this actor.

    Also of before keys were so told.
    """
    current = _digest(deps, item, key, boundary, policy)
    return Result.do(
        earlier if call is None else call
        for call in observations.find_idempotent(current)(deps)
        for earlier in (_of_before(deps, item, key, boundary) if call is None else Success(None))
    )


def _of_before(
    deps: CoreDeps, item: NewObservation, key: str, boundary: Boundary
) -> Result[tuple[ObservationId, str] | None, CoreError]:
    """Return the call that used a key when its digest was of the key alone."""
    mine = deps.digest(boundary.model_dump_json(exclude={"actor"}))
    return Result.do(
        call if call is not None and stored and stored[0].actor == item.actor else None
        for recorded in observations.find_idempotent(deps.digest(key))(deps)
        for call in Success(
            recorded
            if recorded is not None and (mapping_in(recorded[1]) or {}).get("under") == mine
            else None
        )
        for stored in (Success(()) if call is None else observations.by_id([call[0]])(deps))
    )


def _digest(
    deps: CoreDeps, item: NewObservation, key: str, boundary: Boundary, policy: Policy
) -> str:
    """Return the digest of a key, of who uses it, and of whose words it is used for."""
    return deps.digest(json.dumps([used_under(boundary, policy, deps.digest), item.actor, key]))


@reader
def remember_outcome(
    deps: CoreDeps, item: NewObservation, result: ObserveResult, boundary: Boundary, policy: Policy
) -> Result[None, StoreError]:
    """Keep what a call did under its key, without any text."""
    key = item.idempotency_key
    if key is None:
        return Success(None)
    outcome = result.model_dump(
        mode="json", include={"refused", "redactions", "integration", "linked"}
    )
    outcome["claims"] = [claim.id for claim in result.claims]
    return observations.record_idempotent(
        _digest(deps, item, key, boundary, policy),
        result.observation.id,
        outcome=json.dumps(outcome),
    )(deps)


def _replayed(
    deps: CoreDeps,
    item: NewObservation,
    found: tuple[ObservationId, str],
    boundary: Boundary,
    policy: Policy,
) -> Result[ObserveResult, CoreError]:
    observation_id, text = found
    return Result.do(
        ObserveResult.model_validate(
            {
                **kept.others,
                "observation": stored,
                "claims": tuple(shown[one] for one in kept.drawn if one in shown),
                "integration": kept.integration,
                "linked": _linked(kept.linked, {*shown, *kept.integration.queued}),
                "replayed": True,
            }
        )
        for kept in whole({"outcome": text}, _outcome, "idempotency")
        for some in observations.by_id([observation_id])(deps)
        for stored in whole(
            {"observations": some}, lambda row: row["observations"][0], "observations"
        )
        for _ in _same(stored, deps.digest(item.content))
        for shown in leaving(kept.drawn, boundary, policy)(deps)
    )


class _Outcome(NamedTuple):
    """What a call did, as it was kept under its key."""

    integration: IntegrationResult
    drawn: tuple[ClaimId, ...]
    linked: Mapping[str, Sequence[ClaimId]]
    others: Mapping[str, object]


def _outcome(row: Row) -> _Outcome:
    fields: dict[str, Any] = json.loads(row["outcome"])
    fields.pop("under", None)
    integration = IntegrationResult.model_validate_json(json.dumps(fields.pop("integration")))
    drawn = tuple(ClaimId(one) for one in fields.pop("claims"))
    linked = {entity: tuple(ids) for entity, ids in fields.pop("linked", {}).items()}
    return _Outcome(integration, drawn, linked, fields)


def _linked(
    linked: Mapping[str, Sequence[ClaimId]], named: Collection[ClaimId]
) -> Mapping[str, tuple[ClaimId, ...]]:
    """Return which claims each entity is linked to, of those that may be named.

    An entity that was linked, and is to none of these any more, is not named either.
    """
    standing = {
        entity: tuple(claim_id for claim_id in ids if claim_id in named)
        for entity, ids in linked.items()
    }
    return {entity: ids for entity, ids in standing.items() if ids or not linked[entity]}


def _same(stored: Observation, digest: str) -> Result[None, InvalidParameter]:
    if stored.content_digest == digest:
        return Success(None)
    reason = "it was used for another observation; give each its own key"
    return Failure(InvalidParameter("idempotency_key", reason))
