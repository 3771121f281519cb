"""Have a reranker of the host's judge the best of a ranking.

By default its order decides among these, as is usual for a cross-encoder behind a cheap first
search: it reads query and text together, which nothing before it did. What it was not given keeps
its order below. Which claims are relevant at all stays with S·g and the threshold.

The reranker is code of others, and may be slow. So it is given only what its caller is shown: read
under the mask, redacted. And it is asked between two views of the file, not within one: nobody
waits for it who writes or compacts, and it may itself call the memory. What is shown afterwards is
read anew under the mask.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Reranker, RerankingFailed, Visibility
from pce_memory.domain.policy import Policy
from pce_memory.errors import StoreError
from pce_memory.policy.outgoing import query_out, text_out
from pce_memory.result import fold, reader
from pce_memory.retriever.rank import Floats, Ranking
from pce_memory.scoring.reranked import reranked_scores
from pce_memory.store import claims, events
from pce_memory.store.claims import StoredClaim


@dataclass(frozen=True, slots=True)
class Given:
    """A ranking, and the texts of its best as they would be shown, by place, best first."""

    ranking: Ranking
    texts: Mapping[int, str]


@reader
def texts_for_reranker(
    deps: CoreDeps, ranking: Ranking, visible: Visibility, policy: Policy
) -> Result[Given, StoreError]:
    """Return the best of a ranking with the texts a reranker may see."""
    most = policy.retrieval.reranker.candidates
    # Those that stand level with the last are read too: which of them go is up to their ids.
    wanted = {ranking.row_id(place): place for place in ranking.with_ties(most)}

    def first(rows: Mapping[int, StoredClaim]) -> Given:
        chosen = sorted(rows, key=lambda row: ranking.key(wanted[row], rows[row].claim))[:most]
        texts = {wanted[row]: text_out(rows[row].claim, policy).text for row in chosen}
        return Given(ranking, texts)

    return claims.fetch_visible(tuple(wanted), visible)(deps).map(first)


@reader
def reranked(
    deps: CoreDeps, reranker: Reranker, query: str, given: Given, policy: Policy
) -> Result[Ranking, StoreError]:
    """Return the ranking as a reranker sees it; as it was, with an event, if it fails."""
    if not given.texts:
        return Success(given.ranking)

    def judged(scores: Floats) -> Result[Ranking, StoreError]:
        return Success(_judged(given, scores, reranker.model_id, policy))

    def without(error: RerankingFailed) -> Result[Ranking, StoreError]:
        return _fallback(deps, error, policy).map(lambda _: given.ranking)

    said = reranker.score(query_out(query, policy), list(given.texts.values()))
    return fold(said.map(np.asarray), ok=judged, err=without)


def _judged(given: Given, scores: Floats, model_id: str, policy: Policy) -> Ranking:
    ranking, use = given.ranking, policy.retrieval.reranker
    said = np.full(len(ranking.score), np.nan)
    said[list(given.texts)] = scores
    holds = ranking.found.holds
    # What holds a quoted phrase is in the upper half, as in the second stage.
    counts = said if holds is None else 0.5 * said + 0.5 * np.asarray(holds, np.bool_)
    score = reranked_scores(
        counts, ranking.score, threshold=policy.retrieval.threshold, weight=use.weight
    )
    kept = ranking.order
    created, row = ranking.column("created_at")[kept], ranking.column("row_id")[kept]
    order = np.lexsort((row, -created, -ranking.score[kept], -score[kept]))
    return replace(
        ranking,
        score=score,
        before=ranking.score,
        order=kept[order],
        reranker=model_id,
        reranked=said,
    )


def _fallback(deps: CoreDeps, error: RerankingFailed, policy: Policy) -> Result[None, StoreError]:
    """Leave an event; what a reranker says of its failure may quote a text, so it is not in it."""
    if deps.db.read_only:
        return Success(None)
    payload = {
        "at": "activate",
        "error": error.code,
        "reranker": error.provider,
        "why": error.why,
    }
    return events.record("search_fallback", payload, policy_version=policy.version)(deps)
