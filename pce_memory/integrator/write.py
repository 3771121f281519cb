"""Write what a plan says: claims with their terms and vectors, and evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import ExtractionResult
from pce_memory.domain.ids import ClaimId, EvidenceId
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence
from pce_memory.errors import StoreError
from pce_memory.integrator.indexing import Indexed
from pce_memory.integrator.plan import Plan
from pce_memory.integrator.rows import merged_row, new_row, standing
from pce_memory.result import reader
from pce_memory.store import claims as claim_rows, evidence, search
from pce_memory.text.tokens import term_hash


@reader
def write_claims(
    deps: CoreDeps, planned: Plan, indexed: Indexed, policy: Policy
) -> Result[None, StoreError]:
    """Insert new claims with postings and vectors, update merged ones, remember aliases."""
    now = deps.clock()
    merged = [
        merged_row(row_id, claim, policy_version=policy.version, now=now)
        for row_id, claim in planned.merged
    ]
    return Result.do(
        None
        for row_ids in claim_rows.next_row_ids(len(planned.created))(deps)
        for _ in _insert(
            deps,
            dict(zip(row_ids, planned.created, strict=True)),
            indexed,
            policy,
            now=now,
        )
        for _ in claim_rows.update_merged(merged)(deps)
        for _ in claim_rows.insert_aliases(planned.aliases)(deps)
    )


def _insert(
    deps: CoreDeps,
    created: Mapping[int, AnyClaim],
    indexed: Indexed,
    policy: Policy,
    *,
    now: float,
) -> Result[None, StoreError]:
    texts = {row_id: indexed.text(claim) for row_id, claim in created.items()}
    words = {row_id: deps.tokenizer.terms(text) for row_id, text in texts.items()}
    rows = [
        new_row(
            one,
            words[one.row_id],
            embedded=term_hash(texts[one.row_id]),
            policy_version=policy.version,
            now=now,
        )
        for one in standing(created, indexed.said)
    ]
    vectors = indexed.vectors
    keyed = [(row_id, vectors[text]) for row_id, text in texts.items() if text in vectors]
    return Result.do(
        None
        for _ in claim_rows.insert(rows)(deps)
        for _ in search.insert_postings(words)(deps)
        for _ in deps.vector_index.add(keyed)
    )


@dataclass(frozen=True, slots=True)
class Reasons:
    """The evidence that is written, and the incoming claim that each offered reason came with."""

    new: tuple[Evidence, ...]
    came_with: Mapping[EvidenceId, ClaimId]

    @property
    def touched(self) -> frozenset[str]:
        """The claims that gained evidence."""
        return frozenset(one.claim_id for one in self.new)


@reader
def write_evidence(
    deps: CoreDeps, given: ExtractionResult, planned: Plan
) -> Result[Reasons, StoreError]:
    """Write new reasons to believe."""
    offered = [*given.evidences, *_origins(deps, given, planned)]
    moved = [
        one.model_copy(update={"claim_id": planned.leads_to.get(one.claim_id, one.claim_id)})
        for one in offered
    ]
    created = {one.id for one in planned.created}
    # A claim that is new has no evidence yet.
    standing = [one for one in dict.fromkeys(planned.leads_to.values()) if one not in created]
    return Result.do(
        Reasons(new, _came_with(offered, moved, (*old, *new)))
        for known in evidence.of_claims(standing)(deps)
        for old in Success([one for group in known.values() for one in group])
        for new in Success(_unknown(moved, old))
        for _ in evidence.insert(new)(deps)
    )


def _came_with(
    offered: Sequence[Evidence], moved: Sequence[Evidence], written: Sequence[Evidence]
) -> Mapping[EvidenceId, ClaimId]:
    """Return the incoming claim of each reason that stands; a repeated one stands already."""
    ids = {_reason(one): one.id for one in reversed(written)}
    return {
        ids[_reason(after)]: before.claim_id
        for before, after in zip(offered, moved, strict=True)
        if _reason(after) in ids
    }


def _origins(deps: CoreDeps, given: ExtractionResult, planned: Plan) -> list[Evidence]:
    """Return evidence for claims that came with an origin but without evidence of it."""
    backed = {one.claim_id for one in given.evidences}
    return [
        Evidence(
            id=EvidenceId(deps.ids("evd_")),
            claim_id=claim.id,
            observation_id=claim.origin_observation_id,
            method="manual",
            created_at=claim.created_at,
        )
        for claim in given.claims
        if claim.id not in backed and claim.id in planned.leads_to
    ]


def _reason(one: Evidence) -> tuple[ClaimId, str | None, str, str | None, str | None]:
    return one.claim_id, one.observation_id, one.method, one.note, one.source_id


def _unknown(offered: Sequence[Evidence], known: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the offered evidence that says something new."""
    seen = {_reason(one) for one in known}
    new: list[Evidence] = []
    for one in offered:
        if _reason(one) not in seen:
            seen.add(_reason(one))
            new.append(one)
    return tuple(new)
