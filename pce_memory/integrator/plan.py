"""What an integration will write, worked out before anything is written: pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import MergeStrategy
from pce_memory.domain.ids import ClaimId
from pce_memory.integrator.merge import merge_claims, same_standing
from pce_memory.store.claims import StoredClaim


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

    def first_for(self, survivor: ClaimId) -> ClaimId:
        """Return the first incoming id that leads to a claim."""
        return next(one for one, other in self.leads_to.items() if other == survivor)


def plan(
    claims: Sequence[AnyClaim],
    stored: Mapping[str, StoredClaim],
    *,
    strategy: MergeStrategy,
) -> Plan:
    """Return what to write for `claims`, given the stored claims by content hash."""
    join: Callable[[AnyClaim, AnyClaim], AnyClaim] = lambda one, other: merge_claims(  # noqa: E731
        one, other, strategy=strategy
    )
    created: list[AnyClaim] = []
    merged: list[tuple[int, AnyClaim]] = []
    unchanged: list[ClaimId] = []
    leads_to: dict[ClaimId, ClaimId] = {}
    for group in _groups(claims, stored):
        there = stored.get(str(group[0].content_hash))
        result = reduce(join, group) if there is None else reduce(join, group, there.claim)
        leads_to.update({claim.id: result.id for claim in group})
        if there is None:
            created.append(result)
        elif same_standing(there.claim, result):
            unchanged.append(result.id)
        else:
            merged.append((there.row_id, result))
    waiting = frozenset(claim.id for claim in claims if claim.status == "review")
    return Plan(tuple(created), tuple(merged), tuple(unchanged), leads_to, waiting)


def _groups(
    claims: Sequence[AnyClaim], stored: Mapping[str, StoredClaim]
) -> Iterable[Sequence[AnyClaim]]:
    """Return the claims that become one: two texts do where one is a duplicate of the other."""
    groups: dict[int | str, list[AnyClaim]] = {}
    for claim in claims:
        digest = str(claim.content_hash)
        there = stored.get(digest)
        groups.setdefault(digest if there is None else there.row_id, []).append(claim)
    return groups.values()
