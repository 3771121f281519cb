"""Warnings about numbers and durations: what nothing can reach, and what dies out of order."""

from collections.abc import Iterator
from itertools import pairwise

from pce_memory.domain.claim import Claim
from pce_memory.domain.policy import Policy, seconds
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, CLAIM_KINDS, SCOPES
from pce_memory.policy.lint_kinds import (
    COSINE,
    DISORDER,
    LATE,
    NO_HALF_LIFE,
    NO_LIFE,
    NO_STAGNATION,
    NOISE,
    THRESHOLD,
    TOO_MANY,
    Warned,
)
from pce_memory.scoring.noise import warnings_of
from pce_memory.scoring.rerank import rerank


def tuning_warnings(policy: Policy) -> Iterator[Warned]:
    """Yield what is to be said of retrieval, of scores and of the times of a policy."""
    yield from _retrieval(policy)
    yield from _noise(policy)
    yield from _layers(policy)
    yield from _half_lives(policy)
    yield from _lives(policy)


def best_fresh_score() -> float:
    """Return the highest score of a claim that nobody has judged yet, among claims of its like.

    S is 1 at the most, whatever alpha is; g is that of today's claim with the confidence it is
    made with and the best quality.

    >>> round(best_fresh_score(), 6)
    0.6
    """
    confidence: float = Claim.model_fields["confidence"].default
    return rerank(0.0, confidence, 1.0, quality=1.0)


def _retrieval(policy: Policy) -> Iterator[Warned]:
    retrieval, best = policy.retrieval, best_fresh_score()
    if retrieval.threshold > best + 1e-9:
        message = (
            f"a new claim that matches in full scores {best:.2f}; only what was found helpful, "
            "or stands far above the others, could reach this"
        )
        yield Warned(THRESHOLD, ("retrieval", "threshold"), message)
    if retrieval.min_cosine >= 1:
        message = "only a text with the very same vector is near enough; 0.2 to 0.3 is usual"
        yield Warned(COSINE, ("retrieval", "min_cosine"), message)
    hybrid = retrieval.hybrid
    if hybrid.k_final > hybrid.k_txt + hybrid.k_vec:
        message = (
            "the two searches bring fewer candidates than this; both are then widened to "
            "4 and 8 times k_final, and k_txt and k_vec have no say"
        )
        yield Warned(TOO_MANY, ("retrieval", "hybrid", "k_final"), message)


def _noise(policy: Policy) -> Iterator[Warned]:
    kinds, loc = {"unusual": NOISE, "not_below_delta": NO_STAGNATION}, ("refinement",)
    for odd, message in warnings_of(policy.refinement).items():
        also = (*loc, "delta_threshold") if odd == "not_below_delta" else None
        yield Warned(kinds[odd], (*loc, "noise_threshold"), message, also=also)


def _layers(policy: Policy) -> Iterator[Warned]:
    for faster, slower in pairwise(SCOPES):
        short, long = policy.scopes.of(slower).ttl, policy.scopes.of(faster).ttl
        if seconds(short) < seconds(long):
            message = f"{slower} is the slower layer, and its {short} end before {faster}'s {long}"
            loc, also = (("scopes", layer, "ttl") for layer in (slower, faster))
            yield Warned(DISORDER, loc, message, also=also)


def _half_lives(policy: Policy) -> Iterator[Warned]:
    rerank_policy = policy.retrieval.rerank
    by_kind = rerank_policy.recency.half_life_days_by_kind
    least = min(by_kind.get(kind, rerank_policy.recency_half_life_days) for kind in CLAIM_KINDS)
    for scope, days in rerank_policy.recency.half_life_days_by_scope.items():
        if days <= least:
            loc = ("retrieval", "rerank", "recency", "half_life_days_by_scope", scope)
            message = f"every kind has {least:g} days or more, and the longer of the two counts"
            yield Warned(NO_HALF_LIFE, loc, message)


def _lives(policy: Policy) -> Iterator[Warned]:
    for scope in SCOPES:
        if not seconds(policy.scopes.of(scope).ttl):
            message = f"a claim of {scope} is gone the moment it is kept"
            yield Warned(NO_LIFE, ("scopes", scope, "ttl"), message)
    if not seconds(policy.retrieval.context_ttl):
        message = "an active context has expired the moment it is made"
        yield Warned(NO_LIFE, ("retrieval", "context_ttl"), message)
    classes = policy.boundary_classes
    reviewed = [one for one in BOUNDARY_CLASSES if classes.of(one).escalation == "human_review"]
    session, deadline = policy.scopes.session.ttl, policy.review.deadline
    if set(reviewed) - {"secret"} and seconds(deadline) > seconds(session):
        message = f"a claim of session may die after {session}, before its review is due"
        also = ("scopes", "session", "ttl")
        yield Warned(LATE, ("review", "deadline"), message, also=also)
