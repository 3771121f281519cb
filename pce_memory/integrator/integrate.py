"""Integrate claims into the memory: invariants → merge → write → graph → event."""

from collections import Counter
from collections.abc import Mapping, Sequence

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
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, DuplicateClaim, InvalidParameter, StoreError, shown
from pce_memory.integrator.admit import hold
from pce_memory.integrator.anew import embed_anew, write_anew
from pce_memory.integrator.indexing import Bulk
from pce_memory.integrator.plan import Plan, plan
from pce_memory.integrator.prepare import DEFAULTS, Prepared, prepare, prepare_bulk
from pce_memory.integrator.similar import near_duplicates
from pce_memory.integrator.telling import decision_of, result_of, told, unseen, waiting
from pce_memory.integrator.write import write_claims, write_evidence, write_graph
from pce_memory.result import collect, reader
from pce_memory.store import audit, claims as claim_rows, events, reviews
from pce_memory.store.claims import Key, StoredClaim
from pce_memory.store.visibility import shown_rows


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
            for done in write(prepared)(deps)
            for _ in audit.record([decision_of(done, prepared.boundary, prepared.policy)])(deps)
        )

    return deps.db.transaction(work)


@reader
def write(deps: CoreDeps, prepared: Prepared) -> Result[IntegrationResult, CoreError]:
    """Write what was prepared; run it in a transaction.

    A claim that the boundary does not show is merged into as any other, and told as if it had
    been created: what a caller may not see is, to him, not there.
    """
    given, policy = prepared.given, prepared.policy
    return Result.do(
        result
        for stored in _stored(deps, given.claims, policy)
        for shown in _shown(deps, stored, prepared)
        for planned in Success(
            plan(given.claims, stored, strategy=prepared.options.merge_strategy)
        )
        for _ in _fresh_ids(deps, planned)
        for _ in _no_duplicates(stored, shown, prepared.options)
        for result in _written(deps, prepared, planned, stored, shown)
    )


def _written(
    deps: CoreDeps,
    prepared: Prepared,
    planned: Plan,
    stored: Mapping[str, StoredClaim],
    shown: frozenset[ClaimId],
) -> Result[IntegrationResult, CoreError]:
    return Result.do(
        result
        for similar in _checked(deps, prepared, planned, shown)
        for _ in write_claims(planned, prepared.indexed, prepared.policy)(deps)
        for _ in _indexed_as_they_stand(deps, prepared, planned, stored)
        for _ in reviews.request(waiting(planned), prepared.policy)(deps)
        for done in _rest(deps, prepared, planned, similar)
        # Only one that was hidden can have come to light.
        for after in (
            Success(shown)
            if all(one.claim.id in shown for one in stored.values())
            else _shown(deps, stored, prepared)
        )
        for result in Success(told(done, planned, before=shown, after=after))
    )


def _indexed_as_they_stand(
    deps: CoreDeps, prepared: Prepared, planned: Plan, stored: Mapping[str, StoredClaim]
) -> Result[None, CoreError]:
    """Index claims anew that merging has put in another class: it may redact something else."""
    before = {one.row_id: one.claim.boundary_class for one in stored.values()}
    moved = [row for row, claim in planned.merged if before.get(row) != claim.boundary_class]
    return Result.do(
        None
        for _ in write_anew(moved, prepared.policy)(deps)
        for _ in embed_anew(moved, prepared.policy)(deps)
    )


def _shown(
    deps: CoreDeps, stored: Mapping[str, StoredClaim], prepared: Prepared
) -> Result[frozenset[ClaimId], CoreError]:
    """Return which of the stored claims the boundary shows."""
    by_row = {one.row_id: one.claim.id for one in stored.values()}
    if not by_row:
        return Success(frozenset())
    return shown_rows(tuple(by_row), prepared.boundary, prepared.policy)(deps).map(
        lambda rows: frozenset(by_row[row] for row in rows)
    )


def _checked(
    deps: CoreDeps, prepared: Prepared, planned: Plan, shown: frozenset[ClaimId]
) -> Result[tuple[SimilarClaim, ...], CoreError]:
    """Judge the claims again as they will stand, and look what they resemble.

    One that merges into a claim that is not shown was judged by itself, and stays unseen: what is
    there already can neither refuse it nor be told of.
    """
    boundary, policy = prepared.boundary, prepared.policy
    seen = (*planned.created, *(claim for _, claim in planned.merged if claim.id in shown))
    new = (*planned.created, *unseen(prepared.given.claims, planned, shown))
    validate = prepared.options.validate_invariants
    return Result.do(
        similar
        for _ in (hold(seen, boundary, policy)(deps) if validate else Success(None))
        for similar in (
            Success(())
            if prepared.indexed.in_bulk
            else near_duplicates(new, boundary, policy, indexed=prepared.indexed)(deps)
        )
    )


def _rest(
    deps: CoreDeps, prepared: Prepared, planned: Plan, similar: tuple[SimilarClaim, ...]
) -> Result[IntegrationResult, StoreError]:
    given, options = prepared.given, prepared.options
    return Result.do(
        result
        for touched in write_evidence(given, planned)(deps)
        for _ in (write_graph(given, planned)(deps) if options.update_graph else Success(None))
        for result in Success(result_of(planned, touched, similar))
        for _ in events.record(
            "integrate",
            {
                "created": list(result.created),
                "merged": list(result.merged),
                "unchanged": len(result.unchanged),
                "strategy": options.merge_strategy,
                "validated": options.validate_invariants,
            },
            policy_version=prepared.policy.version,
        )(deps)
    )


def _stored(
    deps: CoreDeps, claims: Sequence[AnyClaim], policy: Policy
) -> Result[Mapping[str, StoredClaim], CoreError]:
    """Return the claims that stand for the given content hashes, through every merge."""
    hashes = list(dict.fromkeys(str(claim.content_hash) for claim in claims))
    return Result.do(
        # A row that cannot be read, in a file that somebody edited, is merged with nothing.
        {digest: rows[key.row_id] for digest, key in living.items() if key.row_id in rows}
        for keys in claim_rows.keys_of_hashes(hashes)(deps)
        for living in _living(deps, keys)
        for rows in claim_rows.fetch(
            [key.row_id for key in living.values()], policy, now=deps.clock()
        )(deps)
    )


def _living(deps: CoreDeps, keys: Mapping[str, Key]) -> Result[Mapping[str, Key], CoreError]:
    """Return the keys with every one that another claim stands for followed to it."""
    return collect(
        Success(key) if key.superseded_by is None else claim_rows.survivor(key.superseded_by)(deps)
        for key in keys.values()
    ).map(lambda followed: dict(zip(keys, followed, strict=True)))


def _fresh_ids(deps: CoreDeps, planned: Plan) -> Result[None, CoreError]:
    """Refuse a new claim under an id that another text has."""
    ids = [claim.id for claim in planned.created]
    twice = [one for one, times in Counter(ids).items() if times > 1]
    return Result.do(
        None
        for _ in _none_taken(twice)
        for taken in claim_rows.keys_of_ids(ids)(deps)
        for _ in _none_taken([str(one) for one in taken])
    )


def _no_duplicates(
    stored: Mapping[str, StoredClaim], shown: frozenset[ClaimId], options: IntegrationOptions
) -> Result[None, DuplicateClaim]:
    if options.on_duplicate == "merge":
        return Success(None)
    for digest, there in stored.items():
        if there.claim.id in shown:
            return Failure(DuplicateClaim(digest, there.claim.id))
    return Success(None)


def _none_taken(taken: Sequence[str]) -> Result[None, InvalidParameter]:
    if not taken:
        return Success(None)
    named = ", ".join(map(shown, taken[:5]))
    reason = f"{named} stands for another text already; give it a new id"
    return Failure(InvalidParameter("claim id", reason))
