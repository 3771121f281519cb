"""What became of an observation: for the caller, as an event, and for the audit."""

from collections import Counter
from collections.abc import Mapping, Sequence

from returns.result import Result

from pce_memory.deps import CoreDeps
from pce_memory.domain.audit import DecisionKind
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import IntegrationResult
from pce_memory.domain.ids import ClaimId, EntityId
from pce_memory.domain.policy import Policy
from pce_memory.domain.receipt import NewObservation, ObserveResult
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES
from pce_memory.errors import StoreError
from pce_memory.extractor import Draft
from pce_memory.integrator.telling import not_linked
from pce_memory.result import reader
from pce_memory.store import audit, events
from pce_memory.store.audit import Decision
from pce_memory.store.events import Happened


def outcome_of(
    item: NewObservation,
    made: Draft | ObserveResult,
    done: IntegrationResult,
    standing: Mapping[ClaimId, AnyClaim],
    left_out: Sequence[EntityId],
) -> ObserveResult:
    """Return what became of one item; `left_out` are ids it refers to that are not known."""
    if isinstance(made, ObserveResult):
        return made
    claims = {standing[claim.id].id: standing[claim.id] for claim in made.extraction.claims}
    waiting = set(done.queued)
    return ObserveResult(
        observation=made.observation,
        claims=tuple(claim for one, claim in claims.items() if one not in waiting),
        refused=made.refused,
        redactions=made.redactions,
        integration=_share(done, set(claims)),
        linked=_linked(item, made, standing),
        warnings=not_linked(left_out),
    )


def _linked(
    item: NewObservation, made: Draft, standing: Mapping[ClaimId, AnyClaim]
) -> Mapping[EntityId, tuple[ClaimId, ...]]:
    """Return which claims each given entity is linked to, by the id it was given under."""
    mentions = made.extraction.mentions
    return {
        entity.id: tuple(
            dict.fromkeys(
                standing[one.claim_id].id for one in mentions if one.entity_id == entity.id
            )
        )
        for entity in item.entities
    }


def _share(done: IntegrationResult, ids: set[ClaimId]) -> IntegrationResult:
    """Return what a batch did to some of its claims."""
    return IntegrationResult(
        created=tuple(one for one in done.created if one in ids),
        merged=tuple(one for one in done.merged if one in ids),
        unchanged=tuple(one for one in done.unchanged if one in ids),
        queued=tuple(one for one in done.queued if one in ids),
        similar_existing=tuple(one for one in done.similar_existing if one.claim_id in ids),
    )


@reader
def ingested(
    deps: CoreDeps,
    fresh: Sequence[Draft],
    results: Sequence[ObserveResult],
    integrated: Happened,
    boundary: Boundary,
    policy: Policy,
) -> Result[None, StoreError]:
    """Tell what was observed and integrated: an event of each, and a decision for each item."""
    redacted: Counter[str] = Counter()
    for one in fresh:
        redacted.update(one.redactions)
    payload = {
        "observations": [one.observation.id for one in fresh],
        "claims": sum(len(one.extraction.claims) for one in fresh),
        "refused": sum(len(one.refused) for one in fresh),
        "redacted": dict(redacted),
    }
    new = {one.observation.id for one in fresh}
    decisions = [_decision(one, boundary, policy) for one in results if one.observation.id in new]
    return Result.do(
        None
        for _ in events.record_each(
            [integrated, ("ingest", payload)], policy_version=policy.version
        )(deps)
        for _ in audit.record(decisions)(deps)
    )


def _decision(one: ObserveResult, boundary: Boundary, policy: Policy) -> Decision:
    queued = len(one.integration.queued)
    counts = {"claims": len(one.claims), "queued": queued, "refused": len(one.refused)}
    scopes = {claim.scope for claim in one.claims}
    classes = {claim.boundary_class for claim in one.claims}
    return Decision(
        tool="observe",
        decision=_kind(one),
        policy_version=policy.version,
        who=boundary.actor,
        scopes=tuple(scope for scope in SCOPES if scope in scopes),
        classes=tuple(name for name in BOUNDARY_CLASSES if name in classes),
        reason=one.refused[0].reason if one.refused else None,
        counts={**counts, **one.redactions},
        digests={"content": str(one.observation.content_digest)},
    )


def _kind(one: ObserveResult) -> DecisionKind:
    """Return the strictest of what was decided of the pieces."""
    if one.refused and not one.claims:
        return "denied"
    if one.integration.queued:
        return "queued"
    return "redacted" if one.redactions else "allowed"
