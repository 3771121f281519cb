"""What two claims with one content hash become: pure."""

from collections.abc import Sequence
from typing import Final

from pce_memory.domain.claim import AnyClaim, Claim, ClaimStatus, DerivedClaim, anchor_of
from pce_memory.domain.extraction import MergeStrategy
from pce_memory.domain.vocabulary import slower, stricter

MAX_TAGS: Final = 32
SAME: Final = 1e-6
"""Measures closer than this are equal: quality decays a little between two equal calls."""


def merge_claims(stored: AnyClaim, given: AnyClaim, *, strategy: MergeStrategy) -> AnyClaim:
    """Return the claim that stands for both; it has the id and the text of `stored`.

    The class is only ever stricter, the scope only ever slower, and sources are united. `merge`
    keeps the higher measures and the stored utility; `replace` takes the given ones;
    `keep_newest` takes those of the claim that was updated last.
    """
    newer = given if given.updated_at > stored.updated_at else stored
    leading = {"merge": stored, "replace": given, "keep_newest": newer}[strategy]
    derived = _united(stored.derived_from, given.derived_from)
    fields = {
        **stored.model_dump(),
        "kind": leading.kind,
        "utility": leading.utility,
        "boundary_class": stricter(stored.boundary_class, given.boundary_class),
        "scope": slower(stored.scope, given.scope),
        "derived_from": tuple(one for one in derived if one != stored.id),
        "tags": _tags(stored.tags, given.tags),
        "confidence": _higher(stored.confidence, given.confidence, leading.confidence, strategy),
        "quality": _higher(stored.quality, given.quality, leading.quality, strategy),
        "recency_anchor": _higher(
            anchor_of(stored), anchor_of(given), anchor_of(leading), strategy
        ),
        "updated_at": _higher(stored.updated_at, given.updated_at, leading.updated_at, strategy),
        "origin_observation_id": stored.origin_observation_id or given.origin_observation_id,
        "status": _status(stored, given),
        "superseded_by": None,
    }
    return (DerivedClaim if fields["derived_from"] else Claim).model_validate(fields)


def same_standing(one: AnyClaim, other: AnyClaim) -> bool:
    """Return whether two states of one claim differ in nothing that is stored."""
    differing = {"quality", "confidence", "utility", "recency", "recency_anchor"}
    return (
        one.model_dump(exclude=differing) == other.model_dump(exclude=differing)
        and anchor_of(one) == anchor_of(other)
        and abs(one.quality - other.quality) < SAME
        and abs(one.confidence - other.confidence) < SAME
        and abs(one.utility - other.utility) < SAME
    )


def _status(stored: AnyClaim, given: AnyClaim) -> ClaimStatus:
    """Return whether a human has to look: a claim leaves the queue by a decision only.

    One that stands already in as strict a class has been let in before.
    """
    stands = stored.status != "review"
    let_in = stricter(stored.boundary_class, given.boundary_class) == stored.boundary_class
    return "active" if stands and (given.status != "review" or let_in) else "review"


def _higher(stored: float, given: float, leading: float, strategy: MergeStrategy) -> float:
    return max(stored, given) if strategy == "merge" else leading


def _united(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))


def _tags(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    united = _united(one, other)
    if len(united) <= MAX_TAGS:
        return united
    # Where the union is too long, tags that an invariant may look at stay.
    return tuple(sorted(united, key=lambda tag: not tag.startswith("api."))[:MAX_TAGS])
