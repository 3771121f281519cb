"""Write what a plan says: claims with their terms and vectors, evidence, graph."""

from collections.abc import Collection, Mapping, Sequence

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
from pce_memory.integrator.plan import Plan
from pce_memory.integrator.rows import merged_row, new_row, standing
from pce_memory.result import reader
from pce_memory.store import (
    claims as claim_rows,
    evidence,
    graph,
    search,
)
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


@reader
def write_evidence(
    deps: CoreDeps, given: ExtractionResult, planned: Plan
) -> Result[frozenset[str], StoreError]:
    """Write new reasons to believe; return the claims that gained one."""
    offered = [*given.evidences, *_origins(deps, given, planned)]
    moved = [
        one.model_copy(update={"claim_id": planned.leads_to.get(one.claim_id, one.claim_id)})
        for one in offered
    ]
    created = {one.id for one in planned.created}
    # A claim that is new has no evidence yet.
    standing = [one for one in dict.fromkeys(planned.leads_to.values()) if one not in created]
    return Result.do(
        frozenset(one.claim_id for one in new)
        for known in evidence.of_claims(standing)(deps)
        for new in Success(_unknown(moved, [one for group in known.values() for one in group]))
        for _ in evidence.insert(new)(deps)
    )


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
    deps: CoreDeps, given: ExtractionResult, planned: Plan
) -> Result[None, StoreError]:
    """Write entities, relations and mentions under the ids that are there already."""
    if not (given.entities or given.relations or given.mentions):
        return Success(None)
    return Result.do(
        None
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
