"""Idempotency: a call that is repeated with its key returns what the first one did."""

import json
from collections.abc import Collection, Mapping, Sequence

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import IntegrationResult
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.observation import Observation
from pce_memory.domain.policy import Policy
from pce_memory.domain.receipt import NewObservation, ObserveResult
from pce_memory.engine.lookup import leaving
from pce_memory.errors import CoreError, InvalidParameter, StoreError
from pce_memory.result import collect, reader
from pce_memory.store import claims as claim_rows, observations


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
    deps: CoreDeps, item: NewObservation, result: ObserveResult, boundary: Boundary
) -> Result[None, StoreError]:
    """Keep what a call did under its key, without any text."""
    key = item.idempotency_key
    if key is None:
        return Success(None)
    outcome = result.model_dump(
        mode="json", include={"refused", "redactions", "integration", "linked"}
    )
    outcome["claims"] = [claim.id for claim in result.claims]
    outcome["under"] = _reach(deps, boundary)
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
    same = outcome.pop("under", None) == _reach(deps, boundary)
    done = IntegrationResult.model_validate_json(json.dumps(outcome.pop("integration")))
    drawn = [ClaimId(one) for one in outcome.pop("claims")]
    linked: Mapping[str, list[str]] = outcome.pop("linked", {})
    known = set(done.queued) if same else set[ClaimId]()
    return Result.do(
        ObserveResult.model_validate(
            {
                **outcome,
                "observation": stored[0] if same else _unsaid(stored[0]),
                "claims": tuple(shown[one] for one in drawn if one in shown),
                "integration": done if same else told_again(done, set(shown)),
                "linked": {
                    entity: tuple(one for one in ids if one in shown or one in known)
                    for entity, ids in linked.items()
                },
                "replayed": True,
            }
        )
        for stored in observations.by_id([observation_id])(deps)
        for _ in _same(stored[0], deps.digest(item.content))
        for shown in _shown(deps, [*drawn, *ids_in(done)], boundary, policy)
    )


def _unsaid(observation: Observation) -> Observation:
    """Return an observation without what its first caller said beside the text."""
    beside = ("actor", "source_id", "tags", "provenance")
    return observation.model_copy(update=dict.fromkeys(beside))


def _reach(deps: CoreDeps, boundary: Boundary) -> str:
    """Return a digest of all of a boundary that decides what is seen."""
    return deps.digest(boundary.model_dump_json(exclude={"actor"}))


def ids_in(done: IntegrationResult) -> tuple[ClaimId, ...]:
    """Return every claim that an integration names."""
    similar = (one for pair in done.similar_existing for one in (pair.claim_id, pair.existing_id))
    return (*done.created, *done.merged, *done.unchanged, *done.queued, *similar)


def told_again(done: IntegrationResult, shown: Collection[ClaimId]) -> IntegrationResult:
    """Return what an integration did, for a boundary that shows these claims only."""
    return IntegrationResult(
        created=tuple(one for one in done.created if one in shown),
        merged=tuple(one for one in done.merged if one in shown),
        unchanged=tuple(one for one in done.unchanged if one in shown),
        queued=tuple(one for one in done.queued if one in shown),
        similar_existing=tuple(
            one
            for one in done.similar_existing
            if one.claim_id in shown and one.existing_id in shown
        ),
    )


def _shown(
    deps: CoreDeps, ids: Sequence[ClaimId], boundary: Boundary, policy: Policy
) -> Result[Mapping[ClaimId, AnyClaim], CoreError]:
    """Return the claims of the first call as they stand now, those that the boundary shows."""
    return Result.do(
        {one: shown[row] for one, row in rows.items() if row in shown}
        for living in _still_there(deps, tuple(dict.fromkeys(ids)))
        for keys in collect(claim_rows.survivor(one)(deps) for one in living)
        for rows in Success({one: key.row_id for one, key in zip(living, keys, strict=True)})
        for shown in leaving(tuple(rows.values()), boundary, policy)(deps)
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
