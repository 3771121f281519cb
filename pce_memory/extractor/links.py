"""The graph of an extraction: what its texts state outright, and what the caller gave. Pure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pce_memory.deps import Ids
from pce_memory.domain.extraction import ExtractionResult
from pce_memory.domain.graph import Entity, Mention, Relation
from pce_memory.domain.ids import EntityId

if TYPE_CHECKING:
    from pce_memory.extractor.mentions import MentionedEntity


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
    # Its patterns are compiled with the first observation.
    from pce_memory.extractor.mentions import mentions  # noqa: PLC0415

    found: dict[tuple[str, str], Entity] = {}
    for entity in entities:
        _ = found.setdefault((entity.type, entity.canonical_key or entity.name), entity)
    rows: list[Mention] = []
    for claim in extraction.claims:
        said = claim.text.casefold()
        named = [entity for entity in entities if entity.name.casefold() in said]
        stated = [
            found.setdefault((one.type, one.canonical_key), _entity(one, ids))
            for one in mentions(claim.text)
        ]
        rows += [Mention(claim_id=claim.id, entity_id=one.id) for one in (*named, *stated)]
    return extraction.model_copy(
        update={
            "entities": tuple(found.values()),
            "relations": tuple(relations),
            "mentions": tuple(dict.fromkeys(rows)),
        }
    )


def _entity(one: "MentionedEntity", ids: Ids) -> Entity:
    return Entity(
        id=EntityId(ids("ent_")), type=one.type, name=one.name, canonical_key=one.canonical_key
    )
