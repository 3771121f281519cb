"""Write the graph of a call: entities, which claim names which, edges, and what came with what.

An id of an entity means the entity of the call, or else one that a claim names which the boundary
shows now. What refers to anything else is left out: what is hidden is, to its caller, not there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import ExtractionResult
from pce_memory.domain.graph import Entity, Mention, Relation
from pce_memory.domain.ids import ClaimId, EntityId, called
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, StoreError
from pce_memory.integrator.matching import Matches
from pce_memory.integrator.plan import Plan
from pce_memory.integrator.write import Reasons
from pce_memory.result import reader
from pce_memory.store import graph, support
from pce_memory.store.graph import Naming
from pce_memory.store.support import Support
from pce_memory.store.visibility import shown_rows


@dataclass(frozen=True, slots=True)
class Linked:
    """The row that each id of a call stands for, and the ids that stand for none."""

    rows: Mapping[EntityId, EntityId] = field(default_factory=dict[EntityId, EntityId])
    left_out: tuple[EntityId, ...] = ()


@reader
def write_graph(
    deps: CoreDeps, given: ExtractionResult, planned: Plan, boundary: Boundary, policy: Policy
) -> Result[Linked, CoreError]:
    """Write entities, relations and mentions, once the claims are written."""
    if not (given.entities or given.relations or given.mentions):
        return Success(Linked())
    return Result.do(
        Linked(rows, tuple(one for one in others if one not in rows))
        for own in graph.write_entities(given.entities)(deps)
        for others in Success(_others(given, own))
        for _ in graph.insert_mentions(_mentions(given.mentions, own, planned))(deps)
        for known in _known(deps, others, boundary, policy)
        for _ in graph.insert_mentions(_mentions(given.mentions, known, planned))(deps)
        for rows in Success({**own, **known})
        for _ in graph.write_relations(_relations(given.relations, rows, planned))(deps)
    )


def _others(given: ExtractionResult, own: Mapping[EntityId, EntityId]) -> list[EntityId]:
    """Return the ids that are referred to, and are of no entity of the call."""
    ids = [one.entity_id for one in given.mentions]
    ids += [end for one in given.relations for end in (one.src_id, one.dst_id)]
    return [one for one in dict.fromkeys(ids) if one not in own]


def _known(
    deps: CoreDeps, ids: Sequence[EntityId], boundary: Boundary, policy: Policy
) -> Result[Mapping[EntityId, EntityId], CoreError]:
    """Return the row of each id that the claims which a boundary shows name an entity by.

    An id by which they name several entities means none of them for sure, and has no row.
    """
    names = sorted({called(one) for one in ids})
    if not names:
        return Success({})
    return Result.do(
        {one: chosen[called(one)] for one in ids if called(one) in chosen}
        for namings in graph.claims_naming(names)(deps)
        for shown in shown_rows(
            sorted({one.row_id for one in namings}), boundary, policy, each=True
        )(deps)
        for chosen in Success(_chosen([one for one in namings if one.row_id in shown]))
    )


def _chosen(namings: Sequence[Naming]) -> Mapping[EntityId, EntityId]:
    """Return the row that the newest claim names, of each id that stands for one entity."""
    meant: dict[EntityId, set[tuple[str, str]]] = {}
    newest: dict[EntityId, EntityId] = {}
    for one in namings:
        name = called(one.entity_id)
        meant.setdefault(name, set()).add((one.type, one.key))
        _ = newest.setdefault(name, one.entity_id)
    return {name: row for name, row in newest.items() if len(meant[name]) == 1}


def _mentions(
    mentions: Sequence[Mention], rows: Mapping[EntityId, EntityId], planned: Plan
) -> list[Mention]:
    return [
        one.model_copy(
            update={
                "claim_id": planned.leads_to.get(one.claim_id, one.claim_id),
                "entity_id": rows[one.entity_id],
            }
        )
        for one in mentions
        if one.entity_id in rows
    ]


def _relations(
    relations: Sequence[Relation], rows: Mapping[EntityId, EntityId], planned: Plan
) -> list[Relation]:
    return [
        one.model_copy(
            update={
                "src_id": rows[one.src_id],
                "dst_id": rows[one.dst_id],
                "evidence_claim_id": None
                if one.evidence_claim_id is None
                else planned.leads_to.get(one.evidence_claim_id, one.evidence_claim_id),
            }
        )
        for one in relations
        if one.src_id in rows and one.dst_id in rows
    ]


@reader
def write_support(
    deps: CoreDeps,
    given: ExtractionResult,
    reasons: Reasons,
    found: Matches,
    rows: Mapping[EntityId, EntityId],
) -> Result[None, StoreError]:
    """Write what came with each reason: it goes with that reason.

    Entities of which the text itself says all are those of everybody who says it. A reason that
    stood already brings what the claim did not have.
    """
    claims = {claim.id: claim for claim in given.claims}
    new = {one.id for one in reasons.new}
    beside = _beside_the_text(given, claims, rows)
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
    rows: Mapping[EntityId, EntityId],
) -> Mapping[ClaimId, tuple[str, ...]]:
    entities = {one.id: one for one in given.entities}
    beside: dict[ClaimId, tuple[str, ...]] = {}
    for one in given.mentions:
        if one.claim_id not in claims or one.entity_id not in rows:
            continue
        entity = entities.get(one.entity_id)
        if entity is None or not _says_all(claims[one.claim_id].text, entity):
            beside[one.claim_id] = (*beside.get(one.claim_id, ()), rows[one.entity_id])
    return beside


def _says_all(text: str, entity: Entity) -> bool:
    """Return whether a text says all that is said of an entity: its name and its key."""
    plain = text.casefold()
    words = (entity.name, graph.key_of(entity))
    return entity.attrs is None and all(one.casefold() in plain for one in words)
