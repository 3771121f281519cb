"""Observe: extract, judge every claim alone, and write what passes in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import ExtractionResult, Refusal
from pce_memory.domain.graph import Entity
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.observation import Observation
from pce_memory.domain.policy import Policy
from pce_memory.domain.receipt import NewObservation, ObserveResult
from pce_memory.engine.lookup import leaving
from pce_memory.engine.outcome import ingested, outcome_of
from pce_memory.engine.ready import settled
from pce_memory.engine.replay import find_replay, remember_outcome
from pce_memory.errors import BoundaryDenied, CoreError, InvalidParameter
from pce_memory.extractor import Draft, draft
from pce_memory.extractor.links import ids_of_item, of_item, still_linked
from pce_memory.integrator import Prepared, prepare, write
from pce_memory.policy.boundary import all_invariants
from pce_memory.policy.escalation import awaiting
from pce_memory.policy.judging import invariants_of
from pce_memory.result import collect, fold, partition, reader, refill
from pce_memory.store import observations
from pce_memory.store.observations import Said


@dataclass(frozen=True, slots=True)
class Drafted:
    """An item of a batch with its draft, or with what a call with the same key did before."""

    item: NewObservation
    made: Draft | ObserveResult


Outcome: TypeAlias = Result[ObserveResult, CoreError]
"""What became of one item, or why it could not be taken."""

ITEM_FAULTS: Final = (InvalidParameter, BoundaryDenied)
"""Faults of an item: they stop no other. Any other fault is the memory's, and ends the call."""


@reader
def observe(
    deps: CoreDeps, item: NewObservation, boundary: Boundary, policy: Policy
) -> Result[ObserveResult, CoreError]:
    """Observe one thing."""
    return Result.do(
        seen for outcomes in observe_each([item], boundary, policy)(deps) for seen in outcomes[0]
    )


@reader
def observe_each(
    deps: CoreDeps, items: Sequence[NewObservation], boundary: Boundary, policy: Policy
) -> Result[tuple[Outcome, ...], CoreError]:
    """Observe many things in one transaction; an item that cannot be taken is left out of it.

    Where one can be told from the others only as it is written, each is taken by itself.
    """

    def apart(error: CoreError) -> Result[tuple[Outcome, ...], CoreError]:
        if not isinstance(error, ITEM_FAULTS):
            return Failure(error)
        return collect(_alone(deps, item, boundary, policy) for item in items)

    # What cuts texts into terms may fail at one of them, with a fault that is raised.
    together = settled(lambda: _together(deps, items, boundary, policy))
    return fold(together, ok=Success, err=apart)


def _alone(
    deps: CoreDeps, item: NewObservation, boundary: Boundary, policy: Policy
) -> Result[Outcome, CoreError]:
    """Return what became of one item; a failure is a fault that is not the item's."""
    done = settled(lambda: _together(deps, [item], boundary, policy))
    return fold(done, ok=lambda one: Success(one[0]), err=_told)


def _told(error: CoreError) -> Result[Outcome, CoreError]:
    return Success(Failure(error)) if isinstance(error, ITEM_FAULTS) else Failure(error)


def _together(
    deps: CoreDeps, items: Sequence[NewObservation], boundary: Boundary, policy: Policy
) -> Result[tuple[Outcome, ...], CoreError]:
    """Observe many things in one transaction.

    With an idempotency key the look and the write are one transaction: of two calls at once with
    one key, the second finds what the first did. Without, embedding holds up nobody.
    """

    def work() -> Result[tuple[Outcome, ...], CoreError]:
        return Result.do(
            refill(drafts, map(Success, results))
            for drafts in collect(_tried(deps, item, boundary, policy) for item in items)
            for good in Success(partition(drafts)[0])
            for results in _kept(deps, good, boundary, policy)
        )

    keyed = any(item.idempotency_key is not None for item in items)
    return deps.db.transaction(work) if keyed else work()


def _kept(
    deps: CoreDeps, good: Sequence[Drafted], boundary: Boundary, policy: Policy
) -> Result[tuple[ObserveResult, ...], CoreError]:
    """Write the drafts; what was done before is not written again, nor told as an event."""
    known = tuple(one.made for one in good if isinstance(one.made, ObserveResult))
    if len(known) == len(good):
        return Success(known)
    return Result.do(
        results
        for prepared in prepare(_united(good), boundary, policy, observed=_said(good))(deps)
        for results in deps.db.transaction(partial(_write, deps, good, prepared))
    )


def _tried(
    deps: CoreDeps, item: NewObservation, boundary: Boundary, policy: Policy
) -> Result[Result[Drafted, CoreError], CoreError]:
    """Return an item's draft or fault; a failure is a fault that is not the item's."""

    def told(error: CoreError) -> Result[Result[Drafted, CoreError], CoreError]:
        return Success(Failure(error)) if isinstance(error, ITEM_FAULTS) else Failure(error)

    return fold(
        _drafted(deps, item, boundary, policy), ok=lambda one: Success(Success(one)), err=told
    )


def _drafted(
    deps: CoreDeps, item: NewObservation, boundary: Boundary, policy: Policy
) -> Result[Drafted, CoreError]:
    """Return the draft of an item, unless its key was used before."""
    return Result.do(
        drafted
        for found in find_replay(item, boundary, policy)(deps)
        for drafted in (
            _fresh(deps, item, boundary, policy)
            if found is None
            else Success(Drafted(item, found))
        )
    )


def _fresh(
    deps: CoreDeps, item: NewObservation, boundary: Boundary, policy: Policy
) -> Result[Drafted, CoreError]:
    return Result.do(
        Drafted(item, judged)
        for made in draft(
            as_observation(deps, item),
            awaiting(boundary, policy),
            policy,
            entities=item.entities,
            relations=item.relations,
        )(deps)
        for judged in _judged(deps, made, item.entities, boundary, policy)
    )


def as_observation(deps: CoreDeps, item: NewObservation) -> Observation:
    """Return an item as an observation of now."""
    return Observation(
        id=ObservationId(deps.ids("obs_")),
        content=item.content,
        source_type=item.source_type,
        source_id=item.source_id,
        actor=item.actor,
        tags=item.tags or None,
        created_at=deps.clock(),
        observed_at=item.observed_at,
        provenance=item.provenance,
    )


def _judged(
    deps: CoreDeps, made: Draft, given: Sequence[Entity], boundary: Boundary, policy: Policy
) -> Result[Draft, CoreError]:
    """Return the draft without the claims that the evaluator refuses."""
    claims, rules = made.extraction.claims, all_invariants(boundary, policy)
    return Result.do(
        _without(made, {refused.claim_id: refused.reason for refused in refusals}, given)
        for invariants in invariants_of(deps.invariant_evaluator, rules, boundary.context)
        for refusals in invariants.sifted(claims)
    )


def _without(made: Draft, offenders: Mapping[ClaimId, str], given: Sequence[Entity]) -> Draft:
    if not offenders:
        return made
    extraction = made.extraction
    refused = tuple(
        Refusal(
            position=position,
            line=1,
            length=len(claim.text),
            code=BoundaryDenied.code,
            reason=offenders[claim.id],
        )
        for position, claim in enumerate(extraction.claims, start=1)
        if claim.id in offenders
    )
    kept = extraction.model_copy(
        update={
            "claims": tuple(one for one in extraction.claims if one.id not in offenders),
            "evidences": tuple(
                one for one in extraction.evidences if one.claim_id not in offenders
            ),
            "mentions": tuple(one for one in extraction.mentions if one.claim_id not in offenders),
        }
    )
    linked = still_linked(kept, given)
    return replace(made, extraction=linked, refused=(*made.refused, *refused))


def _united(drafted: Sequence[Drafted]) -> ExtractionResult:
    """Return all drafts as one extraction: equal texts of a batch merge like any others."""
    found = [
        of_item(one.made.extraction, place)
        for place, one in enumerate(drafted)
        if isinstance(one.made, Draft)
    ]
    return ExtractionResult(
        claims=tuple(claim for one in found for claim in one.claims),
        evidences=tuple(evidence for one in found for evidence in one.evidences),
        entities=tuple(entity for one in found for entity in one.entities),
        relations=tuple(relation for one in found for relation in one.relations),
        mentions=tuple(mention for one in found for mention in one.mentions),
    )


def _said(drafted: Sequence[Drafted]) -> Mapping[ObservationId, Said]:
    kept = [one.made.observation for one in drafted if isinstance(one.made, Draft)]
    return {one.id: observations.said_of(one) for one in kept}


def _write(
    deps: CoreDeps, drafted: Sequence[Drafted], prepared: Prepared
) -> Result[tuple[ObserveResult, ...], CoreError]:
    fresh = [one.made for one in drafted if isinstance(one.made, Draft)]
    return Result.do(
        results
        for _ in observations.insert([one.observation for one in fresh])(deps)
        for done, event, left_out in write(prepared)(deps)
        for standing in _standing(deps, fresh, prepared, just_written=not done.unchanged)
        for results in Success(
            tuple(
                outcome_of(one.item, one.made, done, standing, ids_of_item(left_out, place))
                for place, one in enumerate(drafted)
            )
        )
        for _ in collect(
            remember_outcome(one.item, result, prepared.boundary, prepared.policy)(deps)
            for one, result in zip(drafted, results, strict=True)
            if isinstance(one.made, Draft)
        )
        for _ in ingested(fresh, results, event, prepared.boundary, prepared.policy)(deps)
    )


def _standing(
    deps: CoreDeps, fresh: Sequence[Draft], prepared: Prepared, *, just_written: bool
) -> Result[Mapping[ClaimId, AnyClaim], CoreError]:
    """Return the claims that now stand for those drawn, by the ids they were drawn as.

    They are told as they leave the memory. Where the boundary does not show the one that stands,
    the drawn one is told instead.
    """
    drawn = {claim.id: claim for one in fresh for claim in one.extraction.claims}
    return Result.do(
        {**drawn, **shown}
        for shown in leaving(
            tuple(drawn), prepared.boundary, prepared.policy, just_written=just_written
        )(deps)
    )
