"""Which stored claims new ones merge with: those of their speaker and words that a boundary shows.

The key of a merge is the speaker and the content hash. What is not shown now is, to its caller,
not there: it neither takes in what he writes nor tells that it exists. An id that is shown names
its claim: written again with the same words, it is that claim, whoever is known to have said it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES
from pce_memory.errors import CoreError
from pce_memory.result import reader
from pce_memory.store import claim_keys, claims as claim_rows
from pce_memory.store.claim_keys import HashKey, Key
from pce_memory.store.claims import StoredClaim
from pce_memory.store.observations import Said
from pce_memory.store.visibility import shown_rows

MergeKey: TypeAlias = tuple[str | None, str]
"""Who said it, and the hash of what was said."""


@dataclass(frozen=True, slots=True)
class Matches:
    """The claims that new ones merge with, and what else is known of their keys and ids.

    `hidden` are ids that stand only for claims that the boundary does not show, with the number
    that another claim of this id gets. `repeated` are the content hashes that any row has.
    """

    by_id: Mapping[ClaimId, StoredClaim]
    keys: Mapping[ClaimId, MergeKey]
    shown: frozenset[ClaimId] = frozenset()
    hidden: Mapping[ClaimId, int] = field(default_factory=dict[ClaimId, int])
    repeated: frozenset[str] = frozenset()

    def stored(self) -> Iterable[StoredClaim]:
        """Return every claim that something merges with."""
        return {one.row_id: one for one in self.by_id.values()}.values()


def speaker_of(claim: AnyClaim, said: Mapping[ObservationId, Said]) -> str | None:
    """Return who said a claim; None where it came without an observation that names him."""
    origin = claim.origin_observation_id
    known = None if origin is None else said.get(origin)
    return None if known is None else known.by


@reader
def matches(
    deps: CoreDeps,
    claims: Sequence[AnyClaim],
    said: Mapping[ObservationId, Said],
    boundary: Boundary,
    policy: Policy,
) -> Result[Matches, CoreError]:
    """Return what new claims merge with under a boundary."""
    keys = {one.id: (speaker_of(one, said), str(one.content_hash)) for one in claims}
    hashes = list(dict.fromkeys(digest for _, digest in keys.values()))
    return Result.do(
        Matches(
            by_id={one: rows[row] for one, row in _matched(keys, chosen, named, rows).items()},
            keys=keys,
            shown=frozenset(named.keys() - hidden),
            hidden=numbers,
            repeated=frozenset(one.content_hash for one in of_hashes),
        )
        for of_hashes in claim_keys.keys_of_hashes(hashes)(deps)
        for named in claim_keys.candidates(list(keys))(deps)
        for standing in claim_keys.living([one.key for one in of_hashes])(deps)
        for visible in _permitted(deps, _all(standing, named), boundary, policy)
        for hidden in Success(_hidden(named, visible))
        for numbers in claim_keys.next_numbers(hidden)(deps)
        for rows in claim_rows.fetch(sorted(visible), policy, now=deps.clock())(deps)
        for chosen in Success(_by_key(of_hashes, standing, rows))
    )


def _all(standing: Mapping[int, Key], named: Mapping[ClaimId, Sequence[Key]]) -> list[Key]:
    return [*standing.values(), *(key for keys in named.values() for key in keys)]


def _hidden(named: Mapping[ClaimId, Sequence[Key]], visible: frozenset[int]) -> list[ClaimId]:
    """Return the ids of which no claim is permitted."""
    return [one for one, keys in named.items() if not any(key.row_id in visible for key in keys)]


def _permitted(
    deps: CoreDeps, keys: Sequence[Key], boundary: Boundary, policy: Policy
) -> Result[frozenset[int], CoreError]:
    """Return which rows the boundary permits; of equal ones the preferred is chosen later."""
    if not keys:
        return Success(frozenset())
    rows = sorted({key.row_id for key in keys})
    return shown_rows(rows, boundary, policy, each=True)(deps)


def _by_key(
    of_hashes: Sequence[HashKey], standing: Mapping[int, Key], rows: Mapping[int, StoredClaim]
) -> Mapping[MergeKey, int]:
    """Return the visible claim of each speaker and hash: of several, the one a view prefers."""
    found: dict[MergeKey, list[int]] = {}
    for one in of_hashes:
        row = standing[one.key.row_id].row_id
        if row in rows:
            found.setdefault((one.said_by, one.content_hash), []).append(row)
    return {key: min(some, key=lambda row: _order(rows[row])) for key, some in found.items()}


def _order(stored: StoredClaim) -> tuple[int, int, int]:
    claim = stored.claim
    return (
        -SCOPES.index(claim.scope),
        -BOUNDARY_CLASSES.index(claim.boundary_class),
        stored.row_id,
    )


def _matched(
    keys: Mapping[ClaimId, MergeKey],
    chosen: Mapping[MergeKey, int],
    named: Mapping[ClaimId, Sequence[Key]],
    rows: Mapping[int, StoredClaim],
) -> Mapping[ClaimId, int]:
    found: dict[ClaimId, int] = {}
    for one, key in keys.items():
        own = [k.row_id for k in named.get(one, ()) if k.row_id in rows]
        same = [row for row in own if rows[row].claim.content_hash == key[1]]
        if key in chosen:
            found[one] = chosen[key]
        elif same:
            found[one] = chosen.get((rows[same[0]].said_by, key[1]), same[0])
    return found
