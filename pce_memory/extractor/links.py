"""The graph of an extraction: what its texts state outright, and what the caller gave. Pure."""

import json
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import ExtractionResult
from pce_memory.domain.graph import Entity, Mention, Relation
from pce_memory.domain.ids import EntityId, called, numbered
from pce_memory.text.words import word_list

if TYPE_CHECKING:
    from pce_memory.extractor.mentions import MentionedEntity


def link(
    extraction: ExtractionResult,
    entities: Sequence[Entity],
    relations: Sequence[Relation],
) -> ExtractionResult:
    """Return the extraction with its entities, relations and mentions.

    A caller's entity is mentioned by the claims whose text has its name, or else by all of them:
    it was given as what the observation is about. A relation of the caller's rests on a claim.
    Without a claim nothing is linked, and nothing is kept that nobody could find or forget.
    """
    if not extraction.claims:
        return extraction
    # Its patterns are compiled with the first observation.
    from pce_memory.extractor.mentions import mentions  # noqa: PLC0415

    found: dict[tuple[str, str], Entity] = {}
    for entity in entities:
        _ = found.setdefault((entity.type, entity.canonical_key or entity.name), entity)
    rows = [row for entity in entities for row in _mentioned(entity, extraction.claims)]
    for claim in extraction.claims:
        stated = [
            found.setdefault((one.type, one.canonical_key), _entity(one))
            for one in mentions(claim.text)
        ]
        rows += [Mention(claim_id=claim.id, entity_id=one.id) for one in stated]
    return extraction.model_copy(
        update={
            "entities": tuple(found.values()),
            "relations": tuple(_resting(one, extraction.claims, rows) for one in relations),
            "mentions": tuple(dict.fromkeys(rows)),
        }
    )


def _mentioned(entity: Entity, claims: Sequence[AnyClaim]) -> list[Mention]:
    """Return the mentions of an entity: by the claims that name it, or by all where none does."""
    plain, name = entity.name.casefold(), word_list((entity.name,))
    naming = [
        claim
        for claim in claims
        # To look for whole words costs more than to see that there is nothing like them.
        if plain in claim.text.casefold() and next(name.find(claim.text), None) is not None
    ]
    return [Mention(claim_id=one.id, entity_id=entity.id) for one in naming or claims]


def _resting(
    relation: Relation, claims: Sequence[AnyClaim], mentions: Sequence[Mention]
) -> Relation:
    """Return a relation with the claim it rests on: the one that names most of its two ends."""
    if relation.evidence_claim_id is not None:
        return relation
    ends = {relation.src_id, relation.dst_id}
    named = Counter(one.claim_id for one in dict.fromkeys(mentions) if one.entity_id in ends)
    best = max(claims, key=lambda claim: named[claim.id])
    return relation.model_copy(update={"evidence_claim_id": best.id})


def still_linked(extraction: ExtractionResult, given: Sequence[Entity]) -> ExtractionResult:
    """Return an extraction of which claims were taken out, with what was given linked to the rest.

    What only the text of those claims stated goes with them.
    """
    claims = extraction.claims
    if not claims:
        return extraction.model_copy(update={"entities": (), "relations": (), "mentions": ()})
    ids, named = {one.id for one in claims}, {one.entity_id for one in extraction.mentions}
    lost = [one for one in given if one.id not in named]
    more = [Mention(claim_id=one.id, entity_id=entity.id) for entity in lost for one in claims]
    known = named | {one.id for one in lost}
    relations = (
        one
        if one.evidence_claim_id in ids
        else one.model_copy(update={"evidence_claim_id": claims[0].id})
        for one in extraction.relations
    )
    return extraction.model_copy(
        update={
            "entities": tuple(one for one in extraction.entities if one.id in known),
            "relations": tuple(relations),
            "mentions": (*extraction.mentions, *more),
        }
    )


def of_item(extraction: ExtractionResult, place: int) -> ExtractionResult:
    """Return the extraction of one item of a batch, its ids told from those of the others.

    An id that was given with an item means what that item says it is.
    """
    if not (extraction.entities or extraction.relations or extraction.mentions):
        return extraction

    def own(one: EntityId) -> EntityId:
        return numbered(one, place)

    relations = (
        one.model_copy(
            update={
                "id": numbered(one.id, place),
                "src_id": own(one.src_id),
                "dst_id": own(one.dst_id),
            }
        )
        for one in extraction.relations
    )
    return extraction.model_copy(
        update={
            "entities": tuple(
                one.model_copy(update={"id": own(one.id)}) for one in extraction.entities
            ),
            "relations": tuple(relations),
            "mentions": tuple(
                one.model_copy(update={"entity_id": own(one.entity_id)})
                for one in extraction.mentions
            ),
        }
    )


def ids_of_item(ids: Sequence[EntityId], place: int) -> tuple[EntityId, ...]:
    """Return those of such ids that are of one item, as they were given."""
    return tuple(called(one) for one in ids if one == numbered(called(one), place))


def _entity(one: "MentionedEntity") -> Entity:
    """Return an entity that a text states, under one id wherever it is stated so."""
    said = json.dumps([one.type, one.canonical_key, one.name])
    digest = blake2b(said.encode(), digest_size=8).hexdigest()
    return Entity(
        id=EntityId(f"ent_{digest}"),
        type=one.type,
        name=one.name,
        canonical_key=one.canonical_key,
    )
