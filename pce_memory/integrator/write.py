"""Write what a plan says: claims with their terms and vectors, evidence, graph."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Ids
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import ExtractionResult
from pce_memory.domain.graph import Entity, Mention, Relation
from pce_memory.domain.ids import ClaimId, EntityId, EvidenceId
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence
from pce_memory.errors import StoreError
from pce_memory.integrator.indexing import Indexed
from pce_memory.integrator.matching import Matches
from pce_memory.integrator.plan import Plan
from pce_memory.integrator.rows import merged_row, new_row, standing
from pce_memory.result import reader
from pce_memory.store import (
    claims as claim_rows,
    evidence,
    graph,
    search,
    support,
)
from pce_memory.store.support import Support
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


@reader
def write_graph(
    deps: CoreDeps, given: ExtractionResult, planned: Plan, *, update: bool
) -> Result[Mapping[EntityId, EntityId], StoreError]:
    """Write entities, relations and mentions under the ids that are there already: these ids."""
    if not update or not (given.entities or given.relations or given.mentions):
        return Success({})
    return Result.do(
        ids
        for known in graph.entity_ids(given.entities)(deps)
        for taken in graph.taken([one.id for one in given.entities])(deps)
        for ids in Success(_entity_ids(given.entities, known, taken, new=deps.ids))
        for _ in graph.insert_entities(_new_entities(given.entities, ids, set(known.values())))(
            deps
        )
        for _ in graph.insert_relations([_relation(one, ids, planned) for one in given.relations])(
            deps
        )
        for _ in graph.insert_mentions([_mention(one, ids, planned) for one in given.mentions])(
            deps
        )
    )


@reader
def write_support(
    deps: CoreDeps,
    given: ExtractionResult,
    reasons: Reasons,
    found: Matches,
    ids: Mapping[EntityId, EntityId],
) -> Result[None, StoreError]:
    """Write what came with each reason: it goes with that reason.

    Entities that the text itself names are those of all who say it. A reason that stood already
    brings what the claim did not have.
    """
    claims = {claim.id: claim for claim in given.claims}
    new = {one.id for one in reasons.new}
    beside = _beside_the_text(given, claims, ids)
    return support.insert(
        [
            Support(reason, claims[one].tags, beside.get(one, ()))
            for reason, one in reasons.came_with.items()
            if (claims[one].tags or beside.get(one))
            and (reason in new or _brings_tags(claims[one], found))
        ]
    )(deps)


def _brings_tags(claim: AnyClaim, found: Matches) -> bool:
    there = found.by_id.get(claim.id)
    return there is None or not set(claim.tags) <= set(there.claim.tags)


def _beside_the_text(
    given: ExtractionResult,
    claims: Mapping[ClaimId, AnyClaim],
    ids: Mapping[EntityId, EntityId],
) -> Mapping[ClaimId, tuple[str, ...]]:
    names = {one.id: one.name.casefold() for one in given.entities}
    beside: dict[ClaimId, tuple[str, ...]] = {}
    for one in given.mentions:
        if one.claim_id not in claims:
            continue
        name = names.get(one.entity_id)
        if name is None or name not in claims[one.claim_id].text.casefold():
            entity = ids.get(one.entity_id, one.entity_id)
            beside[one.claim_id] = (*beside.get(one.claim_id, ()), entity)
    return beside


def _new_entities(
    entities: Sequence[Entity], ids: Mapping[EntityId, EntityId], there: Collection[EntityId]
) -> list[Entity]:
    """Return the first of every type and key that is not there, under the id it stands for."""
    firsts = {(one.type, graph.key_of(one)): one for one in reversed(entities)}
    return [
        one.model_copy(update={"id": ids[one.id]})
        for one in firsts.values()
        if ids[one.id] not in there
    ]


def _mention(one: Mention, ids: Mapping[EntityId, EntityId], planned: Plan) -> Mention:
    return one.model_copy(
        update={
            "claim_id": planned.leads_to.get(one.claim_id, one.claim_id),
            "entity_id": ids.get(one.entity_id, one.entity_id),
        }
    )


def _entity_ids(
    entities: Sequence[Entity],
    known: Mapping[tuple[str, str], EntityId],
    taken: Collection[EntityId],
    *,
    new: Ids,
) -> Mapping[EntityId, EntityId]:
    """Return what each incoming entity id stands for: equal type and key are one entity.

    An id that another entity has is no name for this one, which gets one of its own.
    """
    first = dict(known)
    leads_to: dict[EntityId, EntityId] = {}
    for one in entities:
        key = (one.type, graph.key_of(one))
        if key not in first:
            first[key] = EntityId(new("ent_")) if one.id in taken else one.id
        leads_to[one.id] = first[key]
    return leads_to


def _relation(one: Relation, ids: Mapping[EntityId, EntityId], planned: Plan) -> Relation:
    claim_id = one.evidence_claim_id
    return one.model_copy(
        update={
            "src_id": ids.get(one.src_id, one.src_id),
            "dst_id": ids.get(one.dst_id, one.dst_id),
            "evidence_claim_id": None
            if claim_id is None
            else planned.leads_to.get(claim_id, claim_id),
        }
    )
