"""Whether what was selected answers; where that is open, once more in other words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.context import Scores, Verdict
from pce_memory.domain.policy import Policy
from pce_memory.domain.query import Query
from pce_memory.errors import CoreError
from pce_memory.result import reader
from pce_memory.retriever.select import Selection, select
from pce_memory.scoring.noise import determine_score_direction
from pce_memory.scoring.relevance import calibrated, verdict_of

CONFIDENT: Final = 3
"""The confidence is the mean over so many of the best."""
POINTS: Final = 100.0
"""Scores are compared on 0 to 100."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What is shown, and the verdict on it; None where nothing was asked or none was wanted."""

    selection: Selection
    verdict: Verdict | None


@reader
def select_and_judge(
    deps: CoreDeps, query: Query, boundary: Boundary, policy: Policy
) -> Result[Judged, CoreError]:
    """Return what is shown for a query and whether it answers, as the policy wants it judged."""
    first = select(query, boundary, policy)(deps)
    if not policy.retrieval.crag.enabled:
        return first.map(lambda found: Judged(found, None))
    return Result.do(
        _as_told(best, policy)
        for found in first
        for best in _again(deps, _judged(found, policy), query, boundary, policy)
    )


def verdict_on(scores: Sequence[Scores]) -> Verdict:
    """Return whether some items answer, by what is known of each."""
    return verdict_on_relevance([_relevance(one) for one in scores])


def verdict_on_relevance(relevance_of_each: Sequence[float]) -> Verdict:
    """Return whether claims of these relevances answer.

    The relevance is that of the best, the confidence the mean of the best three, both calibrated;
    of nothing both are 0.
    """
    known = sorted(map(calibrated, relevance_of_each), reverse=True)
    best = known[:CONFIDENT]
    relevance = best[0] if best else 0.0
    verdict = verdict_of(relevance)
    return Verdict(
        verdict=verdict,
        relevance=relevance,
        confidence=sum(best) / len(best) if best else 0.0,
        needs_external=verdict != "correct",
    )


def _relevance(scores: Scores) -> float:
    return scores.combined if scores.relevance is None else scores.relevance


def _judged(found: Selection, policy: Policy) -> Judged:
    """Return a selection with its verdict: on the first k_final of the ranking, for any top_k.

    What the verdict decides, a second pass or that nothing is shown, must not depend on top_k.
    """
    if found.ranked.asked.is_empty:
        return Judged(found, None)
    ranking = found.ranked.chosen
    known = ranking.combined if ranking.relevance is None else ranking.relevance
    first = ranking.order[: policy.retrieval.hybrid.k_final] if found.kept else ()
    return Judged(found, verdict_on_relevance([float(known[place]) for place in first]))


def _again(
    deps: CoreDeps, first: Judged, query: Query, boundary: Boundary, policy: Policy
) -> Result[Judged, CoreError]:
    """Return the better of the first pass and a second with expansions, where one is wanted."""
    verdict, retrieval, noise = first.verdict, policy.retrieval, policy.refinement.noise_threshold
    wanted = retrieval.crag.on_ambiguous == "expand" and not retrieval.query_expansion.enabled
    if verdict is None or verdict.verdict != "ambiguous" or not wanted:
        return Success(first)
    return select(query, boundary, _expanding(policy))(deps).map(
        lambda found: _better(first, verdict, _judged(found, policy), noise)
    )


def _expanding(policy: Policy) -> Policy:
    expansion = policy.retrieval.query_expansion.model_copy(update={"enabled": True})
    retrieval = policy.retrieval.model_copy(update={"query_expansion": expansion})
    return policy.model_copy(update={"retrieval": retrieval})


def _better(first: Judged, before: Verdict, second: Judged, noise: float) -> Judged:
    """Return the second pass where it is better beyond the noise, else the first; both say so."""
    after = second.verdict
    if after is None:
        return first
    direction = determine_score_direction(
        POINTS * after.confidence, POINTS * before.confidence, noise
    ).value_or("unknown")
    told = {"passes": 2, "score_direction": direction, "noise_threshold": noise}
    best, verdict = (second, after) if direction == "improved" else (first, before)
    return replace(best, verdict=verdict.model_copy(update=told))


def _as_told(judged: Judged, policy: Policy) -> Judged:
    verdict = judged.verdict
    drops = policy.retrieval.crag.on_incorrect == "drop"
    if verdict is None or verdict.verdict != "incorrect" or not drops:
        return judged
    return replace(judged, selection=replace(judged.selection, items=(), kept=(), redacted={}))
