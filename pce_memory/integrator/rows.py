"""Claims as the rows that are written."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from pce_memory.domain.claim import AnyClaim, anchor_of
from pce_memory.domain.ids import ObservationId
from pce_memory.policy.invariants import breaking_change, claim_flags
from pce_memory.store.observations import Said
from pce_memory.text.content_hash import near_key
from pce_memory.text.marks import marks_of

Row: TypeAlias = Mapping[str, object]

MOST_TOGETHER: Final = 16
"""Claims of one observation that are found by what the others say: about a paragraph."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A new claim, its key, the key of the first of its observation, and who said it."""

    row_id: int
    claim: AnyClaim
    saying: int
    said: Said | None


def standing(
    created: Mapping[int, AnyClaim], said: Mapping[ObservationId, Said]
) -> tuple[Standing, ...]:
    """Return where each new claim stands; those of one observation share a saying.

    A long text is many sayings, of `MOST_TOGETHER` claims each.
    """
    firsts: dict[tuple[ObservationId, int], int] = {}
    counts: Counter[ObservationId] = Counter()
    stands: list[Standing] = []
    for row_id, claim in created.items():
        origin = claim.origin_observation_id
        first = row_id
        if origin is not None:
            first = firsts.setdefault((origin, counts[origin] // MOST_TOGETHER), row_id)
            counts[origin] += 1
        known = None if origin is None else said.get(origin)
        stands.append(Standing(row_id, claim, first, known))
    return tuple(stands)


def merged_row(row_id: int, claim: AnyClaim, *, policy_version: str, now: float) -> Row:
    """Return what `update_merged` writes; text and hash stay as they are."""
    return {
        "row_id": row_id,
        "kind": claim.kind,
        "scope": claim.scope,
        "boundary_class": claim.boundary_class,
        "quality": claim.quality,
        "confidence": claim.confidence,
        "utility": claim.utility,
        "derived_from": claim.derived_from,
        "tags": claim.tags,
        "status": claim.status,
        "breaking_change": breaking_change(claim.tags),
        "validated_under": policy_version,
        "updated_at": claim.updated_at,
        "recency_anchor": anchor_of(claim),
        "decayed_at": now,
    }


def new_row(
    stand: Standing, terms: Sequence[str], *, embedded: int, policy_version: str, now: float
) -> Row:
    """Return what `insert_claims` writes; `embedded` is the hash of the text that is indexed."""
    claim, said = stand.claim, stand.said
    flags = claim_flags(claim)
    return {
        **merged_row(stand.row_id, claim, policy_version=policy_version, now=now),
        "saying": stand.saying,
        "stream": None if said is None else said.stream,
        "said_by": None if said is None else said.by,
        "said_at": claim.created_at if said is None else said.at,
        "marks": int(marks_of(claim.text)),
        "id": claim.id,
        "text": claim.text,
        "content_hash": claim.content_hash,
        "near_key": near_key(claim.text),
        "origin_observation_id": claim.origin_observation_id,
        "superseded_by": claim.superseded_by,
        "contains_pii": flags.contains_pii,
        "contains_secret": flags.contains_secret,
        "text_length": flags.text_length,
        "token_count": len(terms),
        "embedded": embedded,
        "created_at": claim.created_at,
    }
