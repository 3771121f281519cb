"""Build an active context, and the event that tells of it: pure."""

import math
import statistics
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import reduce
from typing import Final

from pce_memory.deps import Ids
from pce_memory.domain.context import (
    ActivationResult,
    ActiveContext,
    ScoredClaim,
    Scores,
    ScoringParams,
)
from pce_memory.domain.ids import ActiveContextId
from pce_memory.domain.model import LAST_MOMENT
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence, Provenance
from pce_memory.domain.query import MOST_ITEMS
from pce_memory.domain.vocabulary import Scope, slower

MOST_PROVENANCES: Final = 50
TEXT_FACTOR: Final = 4
VECTOR_FACTOR: Final = 8
"""k_txt and k_vec are at least these multiples of the policy's k_final."""
LEAST_TEXT: Final = MOST_ITEMS
LEAST_VECTOR: Final = 2 * MOST_ITEMS
"""And at least these: either search alone fills the largest top_k."""
LIKENESS_FACTOR: Final = 2


def active_context(
    items: Sequence[ScoredClaim],
    scopes: Sequence[Scope],
    policy: Policy,
    *,
    now: float,
    ids: Ids,
) -> ActiveContext:
    """Return the context of `items`: its scope is the slowest that was searched."""
    return ActiveContext(
        id=ActiveContextId(ids("ac_")),
        window=window([item.claim.created_at for item in items]),
        scope=reduce(slower, scopes),
        provenance=provenances([item.evidences for item in items]) or None,
        created_at=now,
        expires_at=min(now + policy.context_ttl_seconds, LAST_MOMENT),
        policy_version=policy.version,
    )


def window(times: Sequence[float]) -> str | None:
    """Return the ISO 8601 interval from the oldest claim to the newest; None without claims."""
    if not times:
        return None
    return f"{iso(min(times))}/{iso(max(times))}"


def iso(seconds: float) -> str:
    """Return epoch seconds as an ISO 8601 time in UTC.

    >>> iso(0.0)
    '1970-01-01T00:00:00Z'
    """
    moment = datetime.fromtimestamp(math.floor(seconds), UTC)
    return moment.isoformat().replace("+00:00", "Z")


def provenances(known: Sequence[Sequence[Evidence]]) -> tuple[Provenance, ...]:
    """Return the distinct provenances of the evidence of claims, in order, at most 50."""
    distinct: dict[str, Provenance] = {}
    for evidences in known:
        for evidence in evidences:
            if evidence.provenance is not None:
                _ = distinct.setdefault(evidence.provenance.model_dump_json(), evidence.provenance)
    return tuple(distinct.values())[:MOST_PROVENANCES]


def sizes_of(policy: Policy, top_k: int | None) -> tuple[int, int, int]:
    """Return k_txt, k_vec and the number of items wanted; only the last depends on top_k.

    What is found, and everything that is compared over it, is the same for every top_k. So the
    first of a ranking are too.
    """
    hybrid = policy.retrieval.hybrid
    return (
        max(hybrid.k_txt, TEXT_FACTOR * hybrid.k_final, LEAST_TEXT),
        max(hybrid.k_vec, VECTOR_FACTOR * hybrid.k_final, LEAST_VECTOR),
        top_k or hybrid.k_final,
    )


def most_items(policy: Policy) -> int:
    """Return how many items a query under a policy can show at most."""
    return max(MOST_ITEMS, policy.retrieval.hybrid.k_final)


def looked_at(policy: Policy) -> int:
    """Return how many of the best of a ranking are compared with each other, for any top_k."""
    return max(policy.retrieval.mmr.candidates, LIKENESS_FACTOR * most_items(policy))


def params_of(
    alpha: float, policy: Policy, *, top_k: int | None, reranker: str | None = None
) -> ScoringParams:
    """Return the parameters a ranking was made with."""
    retrieval = policy.retrieval
    k_txt, k_vec, _ = sizes_of(policy, top_k)
    return ScoringParams(
        mode=retrieval.hybrid.mode,
        alpha=alpha,
        k_txt=k_txt,
        k_vec=k_vec,
        k_final=top_k or retrieval.hybrid.k_final,
        recency_half_life_days=retrieval.rerank.recency_half_life_days,
        threshold=retrieval.threshold,
        reranker=reranker,
    )


def activation_event(
    activation: ActivationResult,
    scores: Sequence[Scores],
    below_threshold: int,
    *,
    query_digest: str,
) -> Mapping[str, object]:
    """Return what an `activate` event tells: ids, sizes and the spread of each score."""
    params = activation.scoring_params
    return {
        "active_context": activation.active_context.id,
        "query_digest": query_digest,
        "items": [item.claim.id for item in activation.items],
        "mode": params.mode,
        "alpha": params.alpha,
        "k_txt": params.k_txt,
        "k_vec": params.k_vec,
        "k_final": params.k_final,
        "s_text": spread([one.text for one in scores]),
        "s_vec": spread([one.vector for one in scores]),
        "S": spread([one.combined for one in scores]),
        "g": spread([one.g for one in scores]),
        "score_final": spread([item.score for item in activation.items]),
        "reranker": params.reranker,
        "reranked": spread([one.reranked for one in scores if one.reranked is not None]),
        "below_threshold": below_threshold,
        "verdict": None if activation.verdict is None else activation.verdict.model_dump(),
        "cut_by": activation.cut_by,
    }


def spread(values: Sequence[float]) -> Mapping[str, float] | None:
    """Return the mean, the median and the value nine tenths stay below; None without values.

    >>> spread([1.0, 2.0, 3.0])
    {'avg': 2.0, 'p50': 2.0, 'p90': 3.0}
    """
    if not values:
        return None
    ordered = sorted(values)
    place = max(0, math.ceil(0.9 * len(ordered)) - 1)
    return {
        "avg": statistics.fmean(ordered),
        "p50": statistics.median(ordered),
        "p90": ordered[place],
    }
