"""From raw scores to a ranking: normalise, fuse, weigh, cut, sort. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from pce_memory.domain.claim import AnyClaim, anchor_of
from pce_memory.domain.context import Scores
from pce_memory.domain.model import DAY
from pce_memory.domain.policy import Policy
from pce_memory.retriever.lanes import Candidates
from pce_memory.scoring.fusion import hybrid_fusion
from pce_memory.scoring.normalize import normalize_cosine, normalize_text_scores
from pce_memory.scoring.rerank import Population, recency_decay, rerank, z_score


@dataclass(frozen=True, slots=True)
class Ranked:
    """A claim, as it stands now, with its score and every number behind it."""

    claim: AnyClaim
    score: float
    scores: Scores
    text_rank: int | None
    age_days: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """What every candidate of one query is scored by."""

    found: Candidates
    among: Population
    policy: Policy
    now: float
    alpha: float
    text: Mapping[int, float]
    places: Mapping[int, int]

    def scored(self, row: int, claim: AnyClaim) -> Ranked:
        """Return a candidate with its score."""
        s_text, s_vec = self.matches(row)
        rerank_policy = self.policy.retrieval.rerank
        age_days = (self.now - anchor_of(claim)) / DAY
        recency = recency_decay(age_days, rerank_policy.half_life_days(claim.kind, claim.scope))
        z = z_score(claim.utility, self.among)
        quality = claim.quality if rerank_policy.use_quality else None
        scores = Scores(
            text=s_text,
            vector=s_vec,
            combined=hybrid_fusion(s_text, s_vec, self.alpha),
            utility=claim.utility,
            utility_z=z,
            confidence=claim.confidence,
            quality=claim.quality,
            recency=recency,
            g=rerank(z, claim.confidence, recency, quality=quality),
            bm25=self.found.bm25.get(row),
            cosine=self.found.cosine.get(row),
        )
        standing = claim.model_copy(update={"recency": recency})
        score = scores.combined * scores.g
        return Ranked(standing, score, scores, self.places.get(row), max(0.0, age_days))

    def matches(self, row: int) -> tuple[float, float]:
        """Return S_text and S_vec; a query without words matches everything alike."""
        if self.found.is_empty_query:
            return 1.0, 1.0
        cosine = self.found.cosine.get(row)
        return self.text.get(row, 0.0), 0.0 if cosine is None else normalize_cosine(cosine)


def rank(
    found: Candidates,
    claims: Mapping[int, AnyClaim],
    among: Population,
    policy: Policy,
    *,
    now: float,
) -> tuple[Ranked, ...]:
    """Return every candidate, best first: by score, then newest, then by id."""
    ranking = Ranking(
        found=found,
        among=among,
        policy=policy,
        now=now,
        alpha=effective_alpha(found, policy),
        text=_text_scores(found, policy),
        places={row: place for place, row in enumerate(_by_bm25(found), start=1)},
    )
    ranked = [ranking.scored(row, claim) for row, claim in claims.items()]
    return tuple(sorted(ranked, key=lambda one: (-one.score, -one.claim.created_at, one.claim.id)))


def effective_alpha(found: Candidates, policy: Policy) -> float:
    """Return alpha, or 0 where there is no vector to compare: then the words decide alone."""
    if found.is_empty_query or found.has_vector:
        return policy.retrieval.hybrid.alpha
    return 0.0


def is_relevant(one: Ranked, found: Candidates, policy: Policy) -> bool:
    """Return whether a candidate shares a word, or is near enough, and reaches the threshold."""
    cosine = one.scores.cosine
    near = cosine is not None and cosine >= policy.retrieval.min_cosine
    matched = found.is_empty_query or one.scores.bm25 is not None or near
    return matched and one.score >= policy.retrieval.threshold


def _text_scores(found: Candidates, policy: Policy) -> Mapping[int, float]:
    how = policy.retrieval.text_normalizer
    return dict(
        zip(found.bm25, normalize_text_scores(list(found.bm25.values()), how=how), strict=True)
    )


def _by_bm25(found: Candidates) -> list[int]:
    return sorted(found.bm25, key=lambda row: (-found.bm25[row], row))


def reason_of(one: Ranked, found: Candidates) -> str:
    """Return why a claim stands where it does, as `key:value` pairs."""
    parts: list[str] = []
    if found.is_empty_query:
        parts.append("query=empty")
    if one.text_rank is not None:
        parts.append(f"FTS=rank:{one.text_rank}")
    if one.scores.cosine is not None:
        parts.append(f"cos:{one.scores.cosine:.2f}")
    parts.append(f"recent:{one.age_days:.0f}d")
    parts.append(f"util:{one.scores.utility:.2f}")
    parts.append(f"conf:{one.scores.confidence:.2f}")
    return "; ".join(parts)
