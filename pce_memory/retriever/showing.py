"""What leaves the engine: the items that fit, their texts redacted as their classes say. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.context import ScoredClaim, Scores
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence
from pce_memory.domain.vocabulary import BoundaryClass, Scope
from pce_memory.policy.outgoing import as_told, cleaner, evidence_out, redactor_out
from pce_memory.text.budget import estimate_tokens, most_tokens


@dataclass(frozen=True, slots=True)
class Kept:
    """A claim as it stands now, the score that orders it, every number behind it, and why."""

    claim: AnyClaim
    score: float
    scores: Scores
    reason: str


@dataclass(frozen=True, slots=True)
class Shown:
    """Items as they are shown, and what was taken out of their texts, by kind."""

    items: tuple[ScoredClaim, ...]
    redacted: Mapping[str, int]


def as_shown(
    kept: Sequence[Kept],
    known: Mapping[ClaimId, tuple[Evidence, ...]],
    policy: Policy,
    *,
    classes: Sequence[BoundaryClass],
    scores: bool,
) -> Shown:
    """Return ranked claims as items for a view of some classes; with scores if they are wanted."""
    clean = cleaner(policy, classes)
    # What a class redacts is looked up once, not for every claim of it.
    redacted = cache(partial(redactor_out, policy=policy))
    counts: Counter[str] = Counter()
    items: list[ScoredClaim] = []
    for place, one in enumerate(kept, start=1):
        claim = one.claim
        redaction = redacted(claim.boundary_class)(claim.text)
        counts.update(redaction.counts)
        items.append(
            ScoredClaim(
                claim=as_told(claim, redaction.text, clean),
                score=one.score,
                rank=place,
                evidences=evidence_out(known.get(claim.id, ()), clean),
                scores=one.scores if scores else None,
                reason=one.reason,
            )
        )
    return Shown(tuple(items), dict(counts))


def within_budget(
    items: Sequence[Kept], scopes: Sequence[Scope], policy: Policy
) -> tuple[list[Kept], str | None]:
    """Return the items that fit the smallest token budget of the scopes, and what cut the rest."""
    budgets = [policy.scopes.of(scope).max_tokens for scope in scopes]
    limit = min((budget for budget in budgets if budget is not None), default=None)
    if limit is None or sum(most_tokens(one.claim.text) for one in items) <= limit:
        return list(items), None
    kept: list[Kept] = []
    used = 0
    for one in items:
        used += estimate_tokens(one.claim.text)
        if used > limit:
            return kept, "tokens"
        kept.append(one)
    return kept, None
