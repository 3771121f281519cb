"""New claims that read much like claims already there: reported, never merged."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Vector, Visibility
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import SimilarClaim
from pce_memory.domain.ids import ClaimId, called
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, StoreError
from pce_memory.integrator.indexing import Indexed
from pce_memory.result import collect, reader
from pce_memory.store import claims as claim_rows
from pce_memory.store.search import shown_instead
from pce_memory.store.visibility import View, view_if_any
from pce_memory.text.content_hash import near_key

CLOSE: Final = 0.85
"""From this cosine on, two claims of one scope are reported as similar."""
MOST_CLAIMS: Final = 16
"""Above this many new claims only the near key is compared: each cosine search is a scan."""
MOST_SIMILAR: Final = 3


@reader
def near_duplicates(
    deps: CoreDeps,
    created: Sequence[AnyClaim],
    boundary: Boundary,
    policy: Policy,
    *,
    indexed: Indexed,
) -> Result[tuple[SimilarClaim, ...], CoreError]:
    """Return the visible claims that new ones resemble, within one scope, most alike first.

    Where a claim of the scope has an equal that is shown instead of it, that one is named.
    """

    def found(seen: View) -> Result[tuple[SimilarClaim, ...], CoreError]:
        return Result.do(
            _joined(by_key, by_vector)
            for by_key in _by_key(deps, created, seen.visible)
            for by_vector in _by_vector(deps, created, seen.visible, indexed)
        )

    # A boundary that may write but sees nothing learns nothing.
    return Result.do(
        similar
        for seen in view_if_any(boundary, policy)(deps)
        for similar in (Success(()) if seen is None else found(seen))
    )


def _joined(*groups: Sequence[SimilarClaim]) -> tuple[SimilarClaim, ...]:
    best: dict[tuple[str, str], SimilarClaim] = {}
    for one in (one for group in groups for one in group):
        _ = best.setdefault((one.claim_id, one.existing_id), one)
    return tuple(sorted(best.values(), key=lambda one: (-one.similarity, called(one.existing_id))))


def _by_key(
    deps: CoreDeps, created: Sequence[AnyClaim], visible: Visibility
) -> Result[tuple[SimilarClaim, ...], StoreError]:
    """Return the claims that differ in case, width or outer punctuation only."""
    keys = {claim.id: near_key(claim.text) for claim in created}
    return Result.do(
        tuple(
            SimilarClaim(claim_id=claim.id, existing_id=ids[row], similarity=1.0)
            for claim in created
            for row, key, scope in rows
            if keys[claim.id] == key and claim.scope == scope and row in ids
        )
        for rows in claim_rows.near_keys(list(dict.fromkeys(keys.values())), visible)(deps)
        for ids in _ids_shown(deps, [row for row, _, _ in rows], visible)
    )


def _ids_shown(
    deps: CoreDeps, rows: Sequence[int], visible: Visibility
) -> Result[Mapping[int, ClaimId], StoreError]:
    """Return the ids of permitted claims: where an equal one is shown instead, the id of that."""
    return Result.do(
        {row: ids[shown] for row, shown in instead.items() if shown in ids}
        for instead in (
            shown_instead(rows, visible)(deps)
            if visible.twins
            else Success({row: row for row in rows})
        )
        for ids in claim_rows.ids_of(sorted(set(instead.values())))(deps)
    )


def _by_vector(
    deps: CoreDeps,
    created: Sequence[AnyClaim],
    visible: Visibility,
    indexed: Indexed,
) -> Result[tuple[SimilarClaim, ...], StoreError]:
    """Return the claims that mean nearly the same, of each new claim's scope."""
    vectors = [(claim, indexed.vector(claim)) for claim in created]
    if len(created) > MOST_CLAIMS:
        return Success(())
    return Result.do(
        tuple(one for group in found for one in group)
        for _ in deps.search_index.follow()
        for found in collect(
            _nearest(deps, claim, vector, visible)
            for claim, vector in vectors
            if vector is not None
        )
    )


def _nearest(
    deps: CoreDeps, claim: AnyClaim, vector: Vector, visible: Visibility
) -> Result[tuple[SimilarClaim, ...], StoreError]:
    # Of equal claims of the scope one is looked at; which of all is shown is asked afterwards.
    within = replace(visible, scopes=(claim.scope,))
    return Result.do(
        tuple(
            SimilarClaim(claim_id=claim.id, existing_id=ids[row_id], similarity=min(cosine, 1.0))
            for row_id, cosine in close.items()
            if row_id in ids
        )
        for nearest in deps.search_index.nearest(vector, within, limit=MOST_SIMILAR)
        for close in Success({key: cos for key, cos in nearest.items() if cos >= CLOSE})
        for ids in _ids_shown(deps, tuple(close), visible)
    )
