"""Select: which visible claims are shown for a query, in which order, and how they were found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Matrix, Reranker
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.context import ScoredClaim, Scores
from pce_memory.domain.policy import Policy
from pce_memory.domain.query import Query
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.result import reader
from pce_memory.retriever.context import looked_at, most_items, sizes_of
from pce_memory.retriever.lanes import Question, candidates, question
from pce_memory.retriever.showing import Kept, as_shown, within_budget
from pce_memory.store import claims as claim_rows, embeddings, evidence
from pce_memory.store.claims import StoredClaim
from pce_memory.store.visibility import View, view
from pce_memory.text.marks import asks_when

if TYPE_CHECKING:
    from pce_memory.retriever.rank import Ranking


@dataclass(frozen=True, slots=True)
class Ranked:
    """What was asked, the ranking of all that is relevant, and of what differs enough of it."""

    asked: Question
    all: "Ranking"
    chosen: "Ranking"


@dataclass(frozen=True, slots=True)
class Selection:
    """The items that are shown, why any were left out, and how they were found."""

    ranked: Ranked
    items: tuple[ScoredClaim, ...]
    kept: tuple[Kept, ...]
    view: View
    cut_by: str | None
    redacted: Mapping[str, int]

    @property
    def alpha(self) -> float:
        """The share of the meaning in S."""
        return self.ranked.chosen.alpha

    @property
    def reranker(self) -> str | None:
        """The reranker that judged the best; None where none did."""
        return self.ranked.chosen.reranker

    @property
    def below_threshold(self) -> int:
        """How many candidates were not relevant enough, or said what another says."""
        return self.ranked.chosen.below_threshold


@reader
def select(
    deps: CoreDeps, query: Query, boundary: Boundary, policy: Policy
) -> Result[Selection, CoreError]:
    """Return the ranked, relevant, visible claims; all reads see one state of the file."""
    # What may be seen at all is settled before anything is asked for, and before the snapshot
    # begins the index takes in what was committed.
    return Result.do(
        selection
        for _ in short_enough(query.q, policy)
        for _ in embeddings.same_model()(deps)
        for seen in view(boundary, policy, scope=query.scope, allow=query.allow)(deps)
        for asked in question(query.q, policy)(deps)
        for _ in deps.search_index.follow()
        for selection in _selected(deps, query, asked, seen, policy)
    )


def _selected(
    deps: CoreDeps, query: Query, asked: Question, seen: View, policy: Policy
) -> Result[Selection, CoreError]:
    """Return what is shown, from one view of the file; with a reranker, from two around it."""
    use, reranker = policy.retrieval.reranker, deps.reranker

    def shown(ranked: "Ranking") -> Result[Selection, CoreError]:
        return Result.do(
            selection
            for chosen in _chosen(deps, ranked, policy)
            for selection in _shown(deps, query, Ranked(asked, ranked, chosen), seen, policy)
        )

    def ranked() -> Result["Ranking", CoreError]:
        return _ranked(deps, query, asked, seen, policy)

    def at_once() -> Result[Selection, CoreError]:
        return Result.do(selection for found in ranked() for selection in shown(found))

    if reranker is None or not use.enabled or not asked.asked.text.strip():
        return deps.db.snapshot(at_once)
    return Result.do(
        selection
        for ranking in _reranked(deps, reranker, asked, seen, policy, ranked)
        for selection in deps.db.snapshot(partial(shown, ranking))
    )


def _ranked(
    deps: CoreDeps, query: Query, asked: Question, seen: View, policy: Policy
) -> Result["Ranking", CoreError]:
    from pce_memory.retriever.rank import rank  # noqa: PLC0415 - numpy

    k_txt, k_vec, _ = sizes_of(policy, query.top_k)
    sizes = (k_txt, k_vec, most_items(policy))
    when = asks_when(asked.asked.text)
    return candidates(asked, seen.visible, policy, sizes=sizes)(deps).map(
        lambda found: rank(found, policy, now=seen.visible.now, asks_when=when)
    )


def _reranked(
    deps: CoreDeps,
    reranker: Reranker,
    asked: Question,
    seen: View,
    policy: Policy,
    ranked: Callable[[], Result["Ranking", CoreError]],
) -> Result["Ranking", CoreError]:
    from pce_memory.retriever.reranking import (  # noqa: PLC0415 - numpy
        Given,
        reranked,
        texts_for_reranker,
    )

    def given() -> Result[Given, CoreError]:
        return Result.do(
            texts
            for ranking in ranked()
            for texts in texts_for_reranker(ranking, seen.visible, policy)(deps)
        )

    return Result.do(
        ranking
        for texts in deps.db.snapshot(given)
        for ranking in reranked(reranker, asked.asked.text, texts, policy)(deps)
    )


def short_enough(query: str, policy: Policy) -> Result[None, InvalidParameter]:
    """Return a failure where a query is longer than the policy allows."""
    size, limit = len(query.encode("utf-8", "replace")), policy.limits.query_bytes
    if size <= limit:
        return Success(None)
    reason = f"it is {size} bytes long; the policy allows {limit}"
    return Failure(InvalidParameter("query", reason))


def _chosen(deps: CoreDeps, ranking: "Ranking", policy: Policy) -> Result["Ranking", CoreError]:
    """Return the ranking without what is said already, or chosen by MMR, where the policy asks.

    As many are compared whatever top_k is, so the first of what is chosen do not depend on it.
    """
    from pce_memory.retriever.choose import by_mmr, different  # noqa: PLC0415 - numpy

    similar, mmr = policy.retrieval.duplicates.similar, policy.retrieval.mmr
    if similar >= 1.0 and not mmr.enabled:
        return Success(ranking)
    first = [int(place) for place in ranking.order[: looked_at(policy)]]

    def chosen(likeness: Matrix) -> "Ranking":
        places = different(likeness, similar=similar) if similar < 1.0 else list(range(len(first)))
        if not mmr.enabled:
            return ranking.of([first[place] for place in places])
        scores = [float(ranking.score[place]) for place in first]
        order, worth = by_mmr(places[: mmr.candidates], scores, likeness, mmr=mmr)
        return ranking.chosen([first[place] for place in order], worth, policy)

    rows = [ranking.row_id(place) for place in first]
    return deps.search_index.likeness(rows).map(chosen)


def _shown(
    deps: CoreDeps, query: Query, ranked: Ranked, seen: View, policy: Policy
) -> Result[Selection, CoreError]:
    ranking = ranked.chosen
    limit = query.top_k or policy.retrieval.hybrid.k_final
    wanted = {ranking.row_id(place): place for place in ranking.with_ties(limit)}
    return Result.do(
        Selection(
            ranked=ranked,
            items=leaving.items,
            kept=tuple(kept),
            view=seen,
            cut_by=cut_by,
            redacted=leaving.redacted,
        )
        # The mask is asked once more as the claims are read: what is shown rests on SQL alone.
        for rows in claim_rows.fetch_visible(tuple(wanted), seen.visible)(deps)
        for chosen in Success(_first(wanted, rows, ranking, limit, now=seen.visible.now))
        for kept, cut_by in Success(within_budget(chosen, seen.narrowed.scopes, policy))
        for known in evidence.of_claims([one.claim.id for one in kept])(deps)
        for show in Success(partial(as_shown, classes=seen.narrowed.classes))
        for leaving in Success(show(kept, known, policy, scores=query.include_meta))
    )


def _first(
    wanted: Mapping[int, int],
    rows: Mapping[int, StoredClaim],
    ranking: "Ranking",
    limit: int,
    *,
    now: float,
) -> list[Kept]:
    """Return the first so many; claims of one score and one age come in the order of their ids."""
    from pce_memory.retriever.reasons import reasons_of, scores_of  # noqa: PLC0415 - numpy

    order = sorted(rows, key=lambda row: ranking.key(wanted[row], rows[row].claim))[:limit]
    places = [wanted[row] for row in order]
    scores = scores_of(ranking, places)
    return [
        Kept(_standing(rows[row].claim, one), float(ranking.score[place]), one, reason)
        for row, place, one, reason in zip(
            order, places, scores, reasons_of(ranking, places, scores, now=now), strict=True
        )
    ]


def _standing(claim: AnyClaim, scores: Scores) -> AnyClaim:
    """Return a claim with its measures as of now, which it was ranked by."""
    now = {name: getattr(scores, name) for name in ("recency", "utility", "quality")}
    return claim.model_copy(update=now)
