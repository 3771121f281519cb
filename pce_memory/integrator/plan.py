"""What an integration will write, worked out before anything is written: pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import MergeStrategy
from pce_memory.domain.ids import ClaimId, numbered
from pce_memory.integrator.matching import Matches, MergeKey
from pce_memory.integrator.merge import merge_claims, same_standing


@dataclass(frozen=True, slots=True)
class Plan:
    """New claims, claims to update, and what every incoming id leads to.

    `asked_to_wait` are the incoming ids that a human has to see, whatever is there already.
    """

    created: tuple[AnyClaim, ...] = ()
    merged: tuple[tuple[int, AnyClaim], ...] = ()
    unchanged: tuple[ClaimId, ...] = ()
    leads_to: Mapping[ClaimId, ClaimId] = field(default_factory=dict[ClaimId, ClaimId])
    asked_to_wait: frozenset[ClaimId] = frozenset()

    @property
    def survivors(self) -> tuple[AnyClaim, ...]:
        """The claims as they will stand."""
        return (*self.created, *(claim for _, claim in self.merged))

    @property
    def aliases(self) -> Mapping[ClaimId, ClaimId]:
        """The incoming ids that are merged away."""
        return {one: other for one, other in self.leads_to.items() if one != other}


def plan(claims: Sequence[AnyClaim], found: Matches, *, strategy: MergeStrategy) -> Plan:
    """Return what to write for `claims`, given the stored claims that they merge with."""
    join: Callable[[AnyClaim, AnyClaim], AnyClaim] = lambda one, other: merge_claims(  # noqa: E731
        one, other, strategy=strategy
    )
    created: list[AnyClaim] = []
    merged: list[tuple[int, AnyClaim]] = []
    unchanged: list[ClaimId] = []
    leads_to: dict[ClaimId, ClaimId] = {}
    for group in _groups(claims, found):
        there = found.by_id.get(group[0].id)
        result = (
            _named(reduce(join, group), found)
            if there is None
            else reduce(join, group, there.claim)
        )
        leads_to.update({claim.id: result.id for claim in group})
        if there is None:
            created.append(result)
        elif same_standing(there.claim, result):
            unchanged.append(result.id)
        else:
            merged.append((there.row_id, result))
    waiting = frozenset(claim.id for claim in claims if claim.status == "review")
    return Plan(tuple(created), tuple(merged), tuple(unchanged), leads_to, waiting)


def _named(claim: AnyClaim, found: Matches) -> AnyClaim:
    """Return a new claim under an id that no row has: a hidden one may have its own."""
    others = found.hidden.get(claim.id)
    if others is None:
        return claim
    return claim.model_copy(update={"id": numbered(claim.id, others)})


def _groups(claims: Sequence[AnyClaim], found: Matches) -> Iterable[Sequence[AnyClaim]]:
    """Return the claims that become one: two texts do where one is a duplicate of the other."""
    groups: dict[int | MergeKey, list[AnyClaim]] = {}
    for claim in claims:
        there = found.by_id.get(claim.id)
        key = found.keys[claim.id] if there is None else there.row_id
        groups.setdefault(key, []).append(claim)
    return groups.values()
