"""Integrate claims into the memory: invariants → merge → write → graph → event."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import (
    ExtractionResult,
    IntegrationOptions,
    IntegrationResult,
    SimilarClaim,
)
from pce_memory.domain.ids import EntityId, called
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, DuplicateClaim, InvalidParameter, shown
from pce_memory.integrator.admit import hold
from pce_memory.integrator.anew import embed_anew, write_anew
from pce_memory.integrator.indexing import Bulk
from pce_memory.integrator.linking import Linked, write_graph, write_support
from pce_memory.integrator.matching import Matches, matches
from pce_memory.integrator.plan import Plan, plan
from pce_memory.integrator.prepare import DEFAULTS, Prepared, prepare, prepare_bulk
from pce_memory.integrator.similar import near_duplicates
from pce_memory.integrator.telling import decision_of, not_linked, result_of, told, waiting
from pce_memory.integrator.write import write_claims, write_evidence
from pce_memory.result import reader
from pce_memory.store import audit, claim_keys, events, reviews
from pce_memory.store.events import Happened


class Integrated(NamedTuple):
    """What was done as it leaves, the event that tells of it, and entities that are not known."""

    result: IntegrationResult
    event: Happened
    left_out: tuple[EntityId, ...] = ()


@reader
def integrate(
    deps: CoreDeps, claims: Sequence[AnyClaim], boundary: Boundary, policy: Policy
) -> Result[IntegrationResult, CoreError]:
    """Write claims, all or none; equal content merges."""
    return integrate_extraction(ExtractionResult(claims=tuple(claims)), boundary, policy)(deps)


@reader
def integrate_with_options(
    deps: CoreDeps,
    claims: Sequence[AnyClaim],
    boundary: Boundary,
    policy: Policy,
    options: IntegrationOptions,
) -> Result[IntegrationResult, CoreError]:
    """Write claims, all or none, as `options` say."""
    extraction = ExtractionResult(claims=tuple(claims))
    return integrate_extraction(extraction, boundary, policy, options=options)(deps)


@reader
def integrate_extraction(
    deps: CoreDeps,
    extraction: ExtractionResult,
    boundary: Boundary,
    policy: Policy,
    *,
    options: IntegrationOptions = DEFAULTS,
) -> Result[IntegrationResult, CoreError]:
    """Write claims with their evidence and graph, all or none."""
    return Result.do(
        done
        for prepared in prepare(extraction, boundary, policy, options=options)(deps)
        for done in write_told(prepared)(deps)
    )


@reader
def integrate_bulk(
    deps: CoreDeps, admitted: Sequence[AnyClaim], vectors: Bulk, boundary: Boundary, policy: Policy
) -> Result[IntegrationResult, CoreError]:
    """Write very many claims that were admitted, all or none, with the vectors that are given."""
    return Result.do(
        done
        for prepared in prepare_bulk(admitted, vectors, boundary, policy)(deps)
        for done in write_told(prepared)(deps)
    )


@reader
def write_told(deps: CoreDeps, prepared: Prepared) -> Result[IntegrationResult, CoreError]:
    """Write what was prepared, and tell the audit, in one transaction."""

    def work() -> Result[IntegrationResult, CoreError]:
        return Result.do(
            done
            for done, event, _ in write(prepared)(deps)
            for _ in events.record_each([event], policy_version=prepared.policy.version)(deps)
            for _ in audit.record([decision_of(done, prepared.boundary, prepared.policy)])(deps)
        )

    return deps.db.transaction(work)


@reader
def write(deps: CoreDeps, prepared: Prepared) -> Result[Integrated, CoreError]:
    """Write what was prepared; run it in a transaction that records its event too.

    A claim merges with one that the boundary shows, and stands by itself otherwise: what a caller
    may not see is, to him, not there.
    """
    given, policy, boundary = prepared.given, prepared.policy, prepared.boundary
    return Result.do(
        integrated
        for _ in _one_text_each(given.claims)
        for found in matches(given.claims, prepared.indexed.said, boundary, policy)(deps)
        for planned in Success(plan(given.claims, found, strategy=prepared.options.merge_strategy))
        for _ in _none_taken([claim.id for claim in planned.created if claim.id in found.shown])
        for _ in _no_duplicates(found, prepared.options)
        for integrated in _written(deps, prepared, planned, found)
    )


def _event_of(done: IntegrationResult, prepared: Prepared) -> Happened:
    return "integrate", {
        "created": list(done.created),
        "merged": list(done.merged),
        "unchanged": len(done.unchanged),
        "strategy": prepared.options.merge_strategy,
        "validated": prepared.options.validate_invariants,
    }


def _written(
    deps: CoreDeps, prepared: Prepared, planned: Plan, found: Matches
) -> Result[Integrated, CoreError]:
    return Result.do(
        Integrated(told(done, planned), _event_of(done, prepared), linked.left_out)
        for similar in _checked(deps, prepared, planned)
        for _ in write_claims(planned, prepared.indexed, prepared.policy)(deps)
        for _ in claim_keys.mark_twins(_repeated(planned, found))(deps)
        for _ in _indexed_as_they_stand(deps, prepared, planned, found)
        for _ in reviews.request(waiting(planned), prepared.policy)(deps)
        for done, linked in _rest(deps, prepared, planned, found, similar)
    )


def _repeated(planned: Plan, found: Matches) -> frozenset[str]:
    """Return the content hashes of new claims that another row has too."""
    return found.repeated & {str(claim.content_hash) for claim in planned.created}


def _indexed_as_they_stand(
    deps: CoreDeps, prepared: Prepared, planned: Plan, found: Matches
) -> Result[None, CoreError]:
    """Index claims anew that merging has put in another class: it may redact something else."""
    before = {one.row_id: one.claim.boundary_class for one in found.stored()}
    moved = [row for row, claim in planned.merged if before.get(row) != claim.boundary_class]
    return Result.do(
        None
        for _ in write_anew(moved, prepared.policy)(deps)
        for _ in embed_anew(moved, prepared.policy)(deps)
    )


def _checked(
    deps: CoreDeps, prepared: Prepared, planned: Plan
) -> Result[tuple[SimilarClaim, ...], CoreError]:
    """Judge the claims again as they will stand, and look what they resemble.

    Of claims that were valid before only those are judged that merging moves.
    """
    boundary, policy = prepared.boundary, prepared.policy
    moved = tuple(claim for _, claim in planned.merged)
    judged = planned.survivors if prepared.options.validate_invariants else moved
    return Result.do(
        similar
        for _ in hold(judged, boundary, policy)(deps)
        for similar in (
            Success(())
            if prepared.indexed.in_bulk
            else near_duplicates(planned.created, boundary, policy, indexed=prepared.indexed)(deps)
        )
    )


def _rest(
    deps: CoreDeps,
    prepared: Prepared,
    planned: Plan,
    found: Matches,
    similar: tuple[SimilarClaim, ...],
) -> Result[tuple[IntegrationResult, Linked], CoreError]:
    given, boundary, policy = prepared.given, prepared.boundary, prepared.policy
    return Result.do(
        (result.model_copy(update={"warnings": not_linked(linked.left_out)}), linked)
        for reasons in write_evidence(given, planned)(deps)
        for linked in (
            write_graph(given, planned, boundary, policy)(deps)
            if prepared.options.update_graph
            else Success(Linked())
        )
        for _ in write_support(given, reasons, found, linked.rows)(deps)
        for result in Success(result_of(planned, reasons.touched, similar))
    )


def _one_text_each(claims: Sequence[AnyClaim]) -> Result[None, InvalidParameter]:
    """Refuse a call in which one id stands for two texts."""
    pairs = {(claim.id, claim.content_hash) for claim in claims}
    counts = Counter(one for one, _ in pairs)
    return _none_taken([one for one, times in counts.items() if times > 1])


def _no_duplicates(found: Matches, options: IntegrationOptions) -> Result[None, DuplicateClaim]:
    if options.on_duplicate == "merge":
        return Success(None)
    for there in found.stored():
        digest = str(there.claim.content_hash)
        return Failure(DuplicateClaim(digest, called(there.claim.id)))
    return Success(None)


def _none_taken(taken: Sequence[str]) -> Result[None, InvalidParameter]:
    if not taken:
        return Success(None)
    named = ", ".join(map(shown, taken[:5]))
    reason = f"{named} stands for another text already; give it a new id"
    return Failure(InvalidParameter("claim id", reason))
