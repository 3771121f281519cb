"""From candidates to a ranking: normalise, fuse, weigh, cut, judge again, sort. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pce_memory.deps import Candidate
from pce_memory.domain.context import Scores
from pce_memory.domain.model import DAY
from pce_memory.domain.policy import Policy
from pce_memory.retriever.lanes import Candidates
from pce_memory.scoring.fusion import hybrid_fusion
from pce_memory.scoring.normalize import normalize_cosine, normalize_text_scores
from pce_memory.scoring.rerank import recency_decay, rerank, z_score
from pce_memory.scoring.second_stage import Signs, relevance


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score and every number behind it."""

    one: Candidate
    score: float
    scores: Scores
    text_rank: int | None
    age_days: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """What every candidate of one query is scored by."""

    found: Candidates
    policy: Policy
    now: float
    alpha: float
    text: Mapping[int, float]
    places: Mapping[int, int]

    def scored(self, one: Candidate) -> Ranked:
        """Return a candidate with its score."""
        s_text, s_vec = self.matches(one)
        rerank_policy = self.policy.retrieval.rerank
        age_days = (self.now - one.recency_anchor) / DAY
        recency = recency_decay(age_days, rerank_policy.half_life_days(one.kind, one.scope))
        z = z_score(one.utility, self.found.found.utilities)
        quality = one.quality if rerank_policy.use_quality else None
        scores = Scores.model_construct(
            text=s_text,
            vector=s_vec,
            combined=hybrid_fusion(s_text, s_vec, self.alpha),
            utility=one.utility,
            utility_z=z,
            confidence=one.confidence,
            quality=one.quality,
            recency=recency,
            g=rerank(z, one.confidence, recency, quality=quality),
            bm25=one.bm25,
            cosine=one.cosine,
        )
        score = scores.combined * scores.g
        return Ranked(one, score, scores, self.places.get(one.row_id), max(0.0, age_days))

    def matches(self, one: Candidate) -> tuple[float, float]:
        """Return S_text and S_vec; a query without words matches everything alike."""
        if self.found.is_empty_query:
            return 1.0, 1.0
        s_vec = 0.0 if one.cosine is None else normalize_cosine(one.cosine)
        return self.text.get(one.row_id, 0.0), s_vec


def rank(found: Candidates, policy: Policy, *, now: float) -> tuple[Ranked, ...]:
    """Return every candidate with its S·g, best first: by score, then newest, then as recorded."""
    by_words = _by_words(found)
    ranking = Ranking(
        found=found,
        policy=policy,
        now=now,
        alpha=effective_alpha(found, policy),
        text=_text_scores(by_words, policy),
        places={one.row_id: place for place, one in enumerate(by_words, start=1)},
    )
    return in_order(tuple(ranking.scored(one) for one in found.found.candidates))


def in_order(ranked: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
    """Return candidates best first: by score, then newest, then in the order of their keys."""
    return tuple(sorted(ranked, key=lambda it: (-it.score, -it.one.created_at, it.one.row_id)))


def judged(ranked: tuple[Ranked, ...], policy: Policy, *, asks_when: bool) -> tuple[Ranked, ...]:
    """Return what passed the threshold in the order of the second stage.

    score = threshold + (1 - threshold) R g, with R the relevance: in [threshold, 1] as ever, and
    growing with g.
    """
    threshold = policy.retrieval.threshold

    def again(it: Ranked) -> Ranked:
        fitting = relevance(_signs(it.one, asks_when=asks_when))
        score = threshold + (1.0 - threshold) * fitting * it.scores.g
        scores = it.scores.model_copy(update={"relevance": fitting, "window": it.one.window})
        return replace(it, score=score, scores=scores)

    return in_order(tuple(again(it) for it in ranked))


def with_ties(ranked: tuple[Ranked, ...], limit: int) -> tuple[Ranked, ...]:
    """Return the first `limit`, and those of the same score and age as the last of them."""
    if limit >= len(ranked):
        return ranked
    last = ranked[limit - 1]
    ends = limit
    while ends < len(ranked) and _standing(ranked[ends]) == _standing(last):
        ends += 1
    return ranked[:ends]


def _standing(it: Ranked) -> tuple[float, float]:
    return it.score, it.one.created_at


def _signs(one: Candidate, *, asks_when: bool) -> Signs:
    return Signs(
        cosine=0.0 if one.cosine is None else one.cosine,
        window=one.window,
        period=one.period,
        asks=one.asks,
        answers=one.answers,
        timed=one.timed and asks_when,
    )


def effective_alpha(found: Candidates, policy: Policy) -> float:
    """Return alpha, or 0 where there is no vector to compare: then the words decide alone."""
    if found.is_empty_query or found.has_vector:
        return policy.retrieval.hybrid.alpha
    return 0.0


def is_relevant(it: Ranked, found: Candidates, policy: Policy) -> bool:
    """Return whether a candidate shares a word, or is near enough, and reaches the threshold."""
    cosine = it.one.cosine
    near = cosine is not None and cosine >= policy.retrieval.min_cosine
    matched = found.is_empty_query or it.one.bm25 is not None or near
    return matched and it.score >= policy.retrieval.threshold


def _by_words(found: Candidates) -> list[Candidate]:
    hits = [one for one in found.found.candidates if one.bm25 is not None]
    return sorted(hits, key=lambda one: (-(one.bm25 or 0.0), one.row_id))


def _text_scores(hits: list[Candidate], policy: Policy) -> Mapping[int, float]:
    how = policy.retrieval.text_normalizer
    scores = normalize_text_scores([one.bm25 or 0.0 for one in hits], how=how)
    return dict(zip((one.row_id for one in hits), scores, strict=True))


def reason_of(it: Ranked, found: Candidates) -> str:
    """Return why a claim stands where it does, as `key:value` pairs."""
    parts: list[str] = []
    if found.is_empty_query:
        parts.append("query=empty")
    if it.text_rank is not None:
        parts.append(f"FTS=rank:{it.text_rank}")
    if it.one.cosine is not None:
        parts.append(f"cos:{it.one.cosine:.2f}")
    parts.append(f"recent:{it.age_days:.0f}d")
    parts.append(f"util:{it.one.utility:.2f}")
    parts.append(f"conf:{it.one.confidence:.2f}")
    return "; ".join(parts)
