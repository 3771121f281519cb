"""The graph of an extraction: what its texts state outright, and what the caller gave. Pure."""

from collections.abc import Sequence

from pce_memory.deps import Ids
from pce_memory.domain.extraction import ExtractionResult
from pce_memory.domain.graph import Entity, Mention, Relation
from pce_memory.domain.ids import EntityId
from pce_memory.extractor.mentions import mentions


def link(
    extraction: ExtractionResult,
    entities: Sequence[Entity],
    relations: Sequence[Relation],
    *,
    ids: Ids,
) -> ExtractionResult:
    """Return the extraction with its entities, relations and mentions.

    A caller's entity is mentioned by the claims whose text has its name.
    """
    found: dict[tuple[str, str], Entity] = {}
    for entity in entities:
        _ = found.setdefault((entity.type, entity.canonical_key or entity.name), entity)
    rows: list[Mention] = []
    for claim in extraction.claims:
        said = claim.text.casefold()
        rows.extend(
            Mention(claim_id=claim.id, entity_id=entity.id)
            for entity in entities
            if entity.name.casefold() in said
        )
        for one in mentions(claim.text):
            entity = found.setdefault(
                (one.type, one.canonical_key),
                Entity(
                    id=EntityId(ids("ent_")),
                    type=one.type,
                    name=one.name,
                    canonical_key=one.canonical_key,
                ),
            )
            rows.append(Mention(claim_id=claim.id, entity_id=entity.id))
    return extraction.model_copy(
        update={
            "entities": tuple(found.values()),
            "relations": tuple(relations),
            "mentions": tuple(dict.fromkeys(rows)),
        }
    )
