"""Look at single claims, in the security order of every read."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim, anchor_of
from pce_memory.domain.context import ActiveContext, ActiveContextItem
from pce_memory.domain.ids import ClaimId, called
from pce_memory.domain.model import DAY
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence
from pce_memory.errors import CoreError, StoreError
from pce_memory.policy.boundary import narrowed_to
from pce_memory.policy.outgoing import Clean, as_told, cleaner, evidence_out, text_out
from pce_memory.result import reader
from pce_memory.retriever.context import provenances, window
from pce_memory.scoring.rerank import recency_decay
from pce_memory.store import claims as claim_rows, contexts, evidence
from pce_memory.store.claims import StoredClaim
from pce_memory.store.contexts import SavedContext
from pce_memory.store.visibility import (
    View,
    claims_called,
    claims_kept,
    every_claim_called,
    view,
    view_if_any,
)

_NOBODY: Final[Mapping[ClaimId, AnyClaim]] = {}
ContextAndItems: TypeAlias = tuple[ActiveContext, tuple[ActiveContextItem, ...]]


@reader
def find_claim(
    deps: CoreDeps, ids: Sequence[ClaimId], boundary: Boundary, policy: Policy
) -> Result[tuple[StoredClaim, ...], CoreError]:
    """Return claims that the boundary shows; another is as good as not there."""
    return Result.do(
        tuple(as_shown(one, policy, clean, now=seen.visible.now) for one in found)
        for seen in view(boundary, policy)(deps)
        for clean in Success(cleaner(policy, seen.narrowed.classes))
        for found in every_claim_called(ids, seen.visible)(deps)
    )


@reader
def leaving(
    deps: CoreDeps,
    ids: Sequence[ClaimId],
    boundary: Boundary,
    policy: Policy,
    *,
    just_written: bool = False,
) -> Result[Mapping[ClaimId, AnyClaim], CoreError]:
    """Return the claims that ids stand for, as they leave the engine, where a boundary shows any.

    Of claims that were `just_written` no measure has decayed since.

    A boundary that may write and see nothing is shown nothing.
    """
    fetch = claim_rows.fetch_visible if just_written else claim_rows.fetch_seen

    def among(seen: View) -> Result[Mapping[ClaimId, AnyClaim], CoreError]:
        return Result.do(
            {
                one: as_shown(stored, policy, clean, now=seen.visible.now).claim
                for one, stored in called_for.items()
            }
            for clean in Success(cleaner(policy, seen.narrowed.classes))
            for called_for in claims_called(ids, seen.visible, fetch)(deps)
        )

    return Result.do(
        shown
        for seen in view_if_any(boundary, policy)(deps)
        for shown in (Success(_NOBODY) if seen is None else among(seen))
    )


@reader
def shown_context(
    deps: CoreDeps, saved: SavedContext, boundary: Boundary, policy: Policy
) -> Result[ContextAndItems, CoreError]:
    """Return a context as a boundary may see it: nothing in it tells of a claim that is hidden.

    Where an equal claim is shown now instead of one that was kept, it stands at its rank.
    Ranks are counted anew, the window and the provenance are those of the claims that are shown.
    Scores stay only where the boundary reaches all that the context was made under: any other
    score tells of claims beyond it.
    """
    return Result.do(
        _retold(saved, shown, known, whole=whole)
        for seen in view(boundary, policy)(deps)
        for shown in claims_kept(
            [one.claim_id for one in saved.items], seen.visible, claim_rows.fetch_seen
        )(deps)
        for clean in Success(cleaner(policy, seen.narrowed.classes))
        for known in _evidences(deps, shown, clean)
        for whole in contexts.reaches(saved, narrowed_to(boundary, seen.narrowed), policy.version)(
            deps
        )
    )


def _evidences(
    deps: CoreDeps, shown: Mapping[ClaimId, StoredClaim], clean: Clean
) -> Result[Mapping[ClaimId, tuple[Evidence, ...]], StoreError]:
    return evidence.of_claims([one.claim.id for one in shown.values()])(deps).map(
        lambda known: {called(one): evidence_out(group, clean) for one, group in known.items()}
    )


def _retold(
    saved: SavedContext,
    shown: Mapping[ClaimId, StoredClaim],
    known: Mapping[ClaimId, tuple[Evidence, ...]],
    *,
    whole: bool,
) -> ContextAndItems:
    kept = [(item, shown[item.claim_id]) for item in saved.items if item.claim_id in shown]
    # Of two that have one claim instead of them, the first tells its rank.
    first = {stored.row_id: item for item, stored in reversed(kept)}
    left = [(item, stored.claim) for item, stored in kept if first[stored.row_id] is item]
    items = tuple(
        item.model_copy(
            update={
                "claim_id": called(claim.id),
                "rank": place,
                "score": item.score if whole else None,
            }
        )
        for place, (item, claim) in enumerate(left, start=1)
    )
    told = {
        "window": window([claim.created_at for _, claim in left]),
        "provenance": provenances([known.get(called(claim.id), ()) for _, claim in left]) or None,
    }
    return saved.context.model_copy(update=told), items


@reader
def find_evidence(
    deps: CoreDeps, claim_id: ClaimId, boundary: Boundary, policy: Policy
) -> Result[tuple[Evidence, ...], CoreError]:
    """Return the evidence of a claim that the boundary shows, as it leaves the engine."""
    return Result.do(
        evidence_out(known.get(found[0].claim.id, ()), cleaner(policy, seen.narrowed.classes))
        for seen in view(boundary, policy)(deps)
        for found in every_claim_called([claim_id], seen.visible)(deps)
        for known in evidence.of_claims([found[0].claim.id])(deps)
    )


def as_shown(stored: StoredClaim, policy: Policy, clean: Clean, *, now: float) -> StoredClaim:
    """Return a claim as it leaves the engine: fresh recency, text redacted as its class says."""
    claim = stored.claim
    half_life = policy.retrieval.rerank.half_life_days(claim.kind, claim.scope)
    recency = recency_decay((now - anchor_of(claim)) / DAY, half_life)
    told = as_told(claim, text_out(claim, policy).text, clean)
    return replace(stored, claim=told.model_copy(update={"recency": recency}))
