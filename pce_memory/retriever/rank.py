"""From candidates to a ranking: normalise, fuse, weigh, cut, judge again, sort. Pure.

Everything is a column, a row for a candidate: hundreds are ranked where a dozen is shown.
"""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import called
from pce_memory.domain.model import DAY
from pce_memory.domain.policy import Policy
from pce_memory.retriever.lanes import Candidates
from pce_memory.scoring.blend import joined_ranks
from pce_memory.scoring.columnwise import (
    above_unrelated_all,
    half_lives_of,
    recency_all,
    relevance_all,
    rerank_all,
)
from pce_memory.scoring.fusion import hybrid_fusion
from pce_memory.scoring.normalize import normalize_text_scores, spread

Floats: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.int64]

LEAST_WIDTH: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Ranking:
    """Every candidate of a query with its scores, and the relevant ones in their order.

    `first` is S·g, which the threshold is asked of; `score` is what orders. `before` is the score
    without the reranker, which decides where it says the same of two; `reranked` is what it says,
    NaN where it was not asked.
    """

    found: Candidates
    alpha: float
    s_text: Floats
    s_vec: Floats
    combined: Floats
    utility_z: Floats
    recency: Floats
    g: Floats
    first: Floats
    relevance: Floats | None
    score: Floats
    before: Floats
    order: Places
    cut: int | None = None
    reranker: str | None = None
    reranked: Floats | None = None

    def __len__(self) -> int:
        return len(self.order)

    @property
    def below_threshold(self) -> int:
        """How many candidates were not relevant enough."""
        return len(self.score) - len(self.order) if self.cut is None else self.cut

    def column(self, name: str) -> npt.NDArray[np.float64]:
        """Return a column of the candidates."""
        return np.asarray(self.found.found.columns[name])

    def of(self, places: list[int]) -> "Ranking":
        """Return the ranking with these candidates alone, in this order."""
        return replace(self, order=np.asarray(places, np.int64), cut=len(self.score) - len(self))

    def chosen(self, places: list[int], worth: list[float], policy: Policy) -> "Ranking":
        """Return the ranking with these candidates alone, scored by what MMR found them worth.

        With relevance λ and threshold t a worth is in [λ t - (1 - λ), λ]; the score is the worth,
        stretched to [t, 1]. So the score still says what orders.
        """
        least, part = policy.retrieval.threshold, policy.retrieval.mmr.relevance
        low = part * least - (1.0 - part)
        score = self.score.copy()
        stretched = least + (1.0 - least) * (np.asarray(worth) - low) / max(
            part - low, LEAST_WIDTH
        )
        score[places] = np.clip(stretched, least, 1.0)
        own = replace(self, score=score, before=self.score).of(places)
        created, row = own.column("created_at")[places], own.column("row_id")[places]
        order = np.lexsort((row, -created, -own.before[places], -score[places]))
        return replace(own, order=own.order[order])

    def with_ties(self, limit: int) -> list[int]:
        """Return the places of the first `limit`, and of those that stand level with the last."""
        ends = min(limit, len(self.order))
        if ends:
            keys = [self.score, self.before, self.column("created_at")]
            level = np.all([key[self.order] == key[self.order[ends - 1]] for key in keys], axis=0)
            ends = max(ends, int(np.flatnonzero(level)[-1]) + 1)
        return [int(place) for place in self.order[:ends]]

    def key(self, place: int, claim: AnyClaim) -> tuple[float, float, float, str]:
        """Return what orders candidates: the score, the score before, the age, then the id."""
        score, before = float(self.score[place]), float(self.before[place])
        return -score, -before, -claim.created_at, called(claim.id)

    def row_id(self, place: int) -> int:
        """Return the key of a candidate."""
        return int(self.column("row_id")[place])


def rank(found: Candidates, policy: Policy, *, now: float, asks_when: bool) -> Ranking:
    """Return the ranking of the candidates: by score, then newest, then as they were recorded.

    With the second stage, score = threshold + (1 - threshold) R g, R the relevance: it is in
    [threshold, 1] as ever, and grows with g.
    """
    columns = found.found.columns
    alpha = effective_alpha(found, policy)
    s_text, s_vec = _matches(found, policy)
    combined = _combined(found, policy, (s_text, s_vec), alpha)
    utility_z = (columns["utility"] - found.found.utilities.mean) / found.found.utilities.std
    recency, g = _weights(found, policy, utility_z, now=now)
    first = combined * g
    fitting = _relevance(found, policy, g, asks_when=asks_when)
    threshold = policy.retrieval.threshold
    score = first if fitting is None else threshold + (1.0 - threshold) * fitting * g
    kept = np.flatnonzero(_is_relevant(found, first, policy))
    order = np.lexsort((columns["row_id"][kept], -columns["created_at"][kept], -score[kept]))
    return Ranking(
        found=found,
        alpha=alpha,
        s_text=s_text,
        s_vec=s_vec,
        combined=combined,
        utility_z=utility_z,
        recency=recency,
        g=g,
        first=first,
        relevance=fitting,
        score=score,
        before=score,
        order=kept[order],
    )


def _combined(
    found: Candidates, policy: Policy, matches: tuple[Floats, Floats], alpha: float
) -> Floats:
    """Return S: of the scores of both lanes, or of their ranks, as the policy joins them."""
    s_text, s_vec = matches
    if policy.retrieval.hybrid.mode == "alpha" or found.is_empty_query:
        return np.asarray(hybrid_fusion(s_text, s_vec, alpha))  # type: ignore[arg-type]
    bm25, cosine = _lanes(found, policy)
    keys = found.found.columns["row_id"].astype(np.int64)
    return joined_ranks(keys, [(1.0 - alpha, bm25), (alpha, cosine)], policy.fusion.rrf_k)


def _lanes(found: Candidates, policy: Policy) -> tuple[Floats, Floats]:
    """Return the scores of both lanes, NaN where one does not list a candidate."""
    columns = found.found.columns
    bm25, cosine = columns["bm25"], columns["cosine"]
    if policy.retrieval.score_completion:
        return bm25, cosine
    return (
        np.where(columns["by_words"], bm25, np.nan),
        np.where(columns["by_meaning"], cosine, np.nan),
    )


def _follows(passage: Places, weight: Floats) -> npt.NDArray[np.bool_]:
    """Return which candidates are not the best of what was said together."""
    order = np.lexsort((-weight, passage))
    follows = np.zeros(len(passage), np.bool_)
    follows[order[1:]] = passage[order[1:]] == passage[order[:-1]]
    return follows


def _weights(
    found: Candidates, policy: Policy, utility_z: Floats, *, now: float
) -> tuple[Floats, Floats]:
    columns, rerank = found.found.columns, policy.retrieval.rerank
    age_days = (now - columns["recency_anchor"]) / DAY
    recency = recency_all(age_days, half_lives_of(columns["kind"], columns["scope"], rerank))
    quality = columns["quality"] if rerank.use_quality else None
    return recency, rerank_all(utility_z, columns["confidence"], recency, quality)


def _matches(found: Candidates, policy: Policy) -> tuple[Floats, Floats]:
    """Return S_text and S_vec; a query without words matches everything alike."""
    columns = found.found.columns
    if found.is_empty_query:
        ones = np.ones(len(columns["row_id"]))
        return ones, ones
    bm25, cosine = _lanes(found, policy)
    s_text = np.zeros(len(bm25))
    hit = ~np.isnan(bm25)
    how = policy.retrieval.text_normalizer
    s_text[hit] = normalize_text_scores(bm25[hit].tolist(), how=how)
    if policy.retrieval.query_expansion.enabled and hit.any():
        # The best is measured by what it would have if it held the words themselves.
        s_text *= bm25[hit].max() / max(bm25[hit].max(), columns["bm25_whole"][hit].max())
    return s_text, _normal_cosines(cosine, policy)


def _normal_cosines(cosine: Floats, policy: Policy) -> Floats:
    """Return cosines in [0, 1], 0 where there is none: see `scoring.normalize`."""
    known = ~np.isnan(cosine)
    s_vec = np.zeros(len(cosine))
    if policy.retrieval.vector_normalizer == "minmax":
        s_vec[known] = spread(cosine[known].tolist())
    else:
        s_vec[known] = np.clip((cosine[known] + 1.0) / 2.0, 0.0, 1.0)
    return s_vec


def _relevance(found: Candidates, policy: Policy, g: Floats, *, asks_when: bool) -> Floats | None:
    """Return what the second stage says; None where there is none."""
    if policy.retrieval.rerank.second_stage == "off" or found.is_empty_query:
        return None
    columns = found.found.columns
    fitting = relevance_all(
        above_unrelated_all(columns["cosine"], found.unrelated),
        (columns["window"], columns["whole"]),
        columns["period"],
        asks=columns["asks"],
        answers=columns["answers"],
        timed=columns["timed"] & asks_when,
    )
    if found.holds is not None:
        # What holds a quoted phrase is in the upper half, all else in the lower.
        fitting = np.asarray(0.5 * fitting + 0.5 * np.asarray(found.holds, np.bool_), np.float64)
    again = policy.retrieval.duplicates.same_saying
    return np.where(_follows(columns["passage"], fitting * g), again * fitting, fitting)


def _is_relevant(found: Candidates, first: Floats, policy: Policy) -> npt.NDArray[np.bool_]:
    """Return which share a word, or are near enough, and reach the threshold in S·g."""
    columns = found.found.columns
    reached: npt.NDArray[np.bool_] = first >= policy.retrieval.threshold
    if found.is_empty_query:
        return reached
    # A comparison with NaN, no vector, is false.
    near = columns["cosine"] >= policy.retrieval.min_cosine
    if found.is_quotation and found.holds is not None:
        reached = reached & np.asarray(found.holds, np.bool_)
    return np.asarray(reached & (~np.isnan(columns["bm25"]) | near), np.bool_)


def effective_alpha(found: Candidates, policy: Policy) -> float:
    """Return alpha, or 0 where there is no vector to compare: then the words decide alone."""
    if found.is_empty_query or not found.has_vector:
        return policy.retrieval.hybrid.alpha if found.is_empty_query else 0.0
    dynamic = policy.retrieval.dynamic_alpha
    if not dynamic.enabled:
        return policy.retrieval.hybrid.alpha
    if found.words >= dynamic.long_terms:
        return dynamic.long
    return dynamic.short if found.is_short else policy.retrieval.hybrid.alpha
