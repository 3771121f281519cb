"""Promote what was achieved: a derived claim in the same or a slower scope."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import reduce
from typing import Annotated, Final

from pydantic import Field
from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import MAX_CLAIM_CHARS, DerivedClaim
from pce_memory.domain.extraction import ExtractionResult, IntegrationResult
from pce_memory.domain.ids import ActiveContextIdField, ClaimId, ClaimIdField, EvidenceId
from pce_memory.domain.model import SKEW, Model
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence, Provenance
from pce_memory.domain.vocabulary import ClaimKind, Scope, slower, stricter
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.integrator.integrate import integrate_extraction
from pce_memory.result import reader
from pce_memory.store import contexts, events, evidence
from pce_memory.store.claims import StoredClaim, fetch_seen
from pce_memory.store.visibility import View, claims_kept, every_claim_called, view

MOST_SOURCES: Final = 64


class Distillation(Model):
    """What to make of some claims: name them, or the active context that holds them."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_CLAIM_CHARS)]
    provenance: Provenance
    active_context_id: ActiveContextIdField | None = None
    claim_ids: tuple[ClaimIdField, ...] = ()
    scope: Scope | None = None
    kind: ClaimKind = "fact"
    note: str | None = None


@reader
def distill(
    deps: CoreDeps, wanted: Distillation, boundary: Boundary, policy: Policy
) -> Result[IntegrationResult, CoreError]:
    """Integrate one claim derived from others: their strictest class, their evidence united.

    The sources must be visible under the boundary; the scope is theirs or a slower one.
    """

    def work() -> Result[IntegrationResult, CoreError]:
        return Result.do(
            done
            for extraction in _extraction(deps, wanted, boundary, policy)
            for done in integrate_extraction(extraction, boundary, policy)(deps)
            for _ in events.record(
                "promote",
                {
                    "created": list(done.created),
                    "merged": list(done.merged),
                    "sources": list(extraction.claims[0].derived_from),
                    "scope": extraction.claims[0].scope,
                },
                policy_version=policy.version,
            )(deps)
        )

    return deps.db.transaction(work)


def _extraction(
    deps: CoreDeps, wanted: Distillation, boundary: Boundary, policy: Policy
) -> Result[ExtractionResult, CoreError]:
    return Result.do(
        ExtractionResult(claims=(claim,), evidences=_evidence(deps, wanted, claim, known))
        for _ in _not_in_the_future(wanted.provenance, deps.clock())
        for seen in view(boundary, policy)(deps)
        for sources in _sources(deps, wanted, seen)
        for _ in _some(sources)
        for claim in _derived(deps, wanted, sources)
        for known in evidence.of_claims(claim.derived_from)(deps)
    )


def _not_in_the_future(provenance: Provenance, now: float) -> Result[None, InvalidParameter]:
    if datetime.fromisoformat(provenance.at).timestamp() <= now + SKEW:
        return Success(None)
    return Failure(InvalidParameter("provenance", "its time is more than 5 minutes from now"))


def _sources(
    deps: CoreDeps, wanted: Distillation, seen: View
) -> Result[tuple[StoredClaim, ...], CoreError]:
    """Return the claims that are named; of a context, those of its items that are shown."""
    if (wanted.active_context_id is None) == (not wanted.claim_ids):
        reason = "name either claim_ids or an active_context_id"
        return Failure(InvalidParameter("distillation", reason))
    if len(wanted.claim_ids) > MOST_SOURCES:
        reason = f"at most {MOST_SOURCES} claims can be distilled at once"
        return Failure(InvalidParameter("claim_ids", reason))
    if wanted.active_context_id is None:
        return every_claim_called(wanted.claim_ids, seen.visible)(deps)
    return Result.do(
        # Two items may have one claim instead of them.
        tuple({by_id[one].row_id: by_id[one] for one in ids if one in by_id}.values())
        for saved in contexts.find(wanted.active_context_id)(deps)
        for ids in Success([item.claim_id for item in saved.items])
        for by_id in claims_kept(ids, seen.visible, fetch_seen)(deps)
    )


def _some(sources: Sequence[StoredClaim]) -> Result[None, InvalidParameter]:
    if sources:
        return Success(None)
    return Failure(InvalidParameter("distillation", "there is no claim to distill from"))


def _derived(
    deps: CoreDeps, wanted: Distillation, sources: Sequence[StoredClaim]
) -> Result[DerivedClaim, InvalidParameter]:
    claims = [one.claim for one in sources]
    slowest: Scope = reduce(slower, (claim.scope for claim in claims))
    scope = wanted.scope or slowest
    if slower(scope, slowest) != scope:
        reason = f"{scope} is faster than {slowest}, the scope of a source"
        return Failure(InvalidParameter("scope", reason))
    now = deps.clock()
    return Success(
        DerivedClaim(
            id=ClaimId(deps.ids("clm_")),
            text=wanted.text,
            kind=wanted.kind,
            scope=scope,
            boundary_class=reduce(stricter, (claim.boundary_class for claim in claims)),
            derived_from=tuple(dict.fromkeys(claim.id for claim in claims)),
            quality=max(claim.quality for claim in claims),
            confidence=max(claim.confidence for claim in claims),
            created_at=now,
            updated_at=now,
            recency_anchor=now,
        )
    )


def _evidence(
    deps: CoreDeps,
    wanted: Distillation,
    claim: DerivedClaim,
    known: Mapping[ClaimId, tuple[Evidence, ...]],
) -> tuple[Evidence, ...]:
    """Return the evidence of the sources, and the statement itself."""
    own = Evidence(
        id=EvidenceId(deps.ids("evd_")),
        claim_id=claim.id,
        method="manual",
        note=wanted.note,
        provenance=wanted.provenance,
        created_at=claim.created_at,
    )
    inherited = (
        one.model_copy(update={"id": EvidenceId(deps.ids("evd_")), "claim_id": claim.id})
        for group in known.values()
        for one in group
    )
    return (own, *inherited)
