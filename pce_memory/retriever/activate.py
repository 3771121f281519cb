"""Activate: the visible claims that bear on a query, ranked, explained and kept for a while."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Matrix
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.context import ActivationResult, ScoredClaim
from pce_memory.domain.policy import Policy
from pce_memory.domain.query import Query
from pce_memory.domain.vocabulary import Scope
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.policy.boundary import narrowed_to
from pce_memory.result import reader
from pce_memory.retriever.context import (
    activation_event,
    active_context,
    params_of,
    sizes_of,
)
from pce_memory.retriever.lanes import Question, candidates, question
from pce_memory.retriever.showing import Kept, as_shown, within_budget
from pce_memory.store import (
    audit,
    claims as claim_rows,
    contexts,
    events,
    evidence,
)
from pce_memory.store.audit import Decision
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
    def below_threshold(self) -> int:
        """How many candidates were not relevant enough, or said what another says."""
        return self.ranked.chosen.below_threshold


@reader
def activate(
    deps: CoreDeps, query: Query, boundary: Boundary, policy: Policy
) -> Result[ActivationResult, CoreError]:
    """Return, and keep, the active context of `query`; read-only memories keep nothing."""
    return Result.do(
        activation
        for selected in select(query, boundary, policy)(deps)
        for scopes in Success(selected.view.narrowed.scopes)
        for context in Success(
            active_context(selected.items, scopes, policy, now=deps.clock(), ids=deps.ids)
        )
        for activation in Success(
            ActivationResult(
                active_context=context,
                items=selected.items,
                scoring_params=params_of(selected.alpha, policy, top_k=query.top_k),
                boundary=narrowed_to(boundary, selected.view.narrowed),
                saved=not deps.db.read_only,
                cut_by=selected.cut_by,
                below_threshold=selected.below_threshold,
            )
        )
        for told in Success(
            _decision("activate", selected, boundary, policy, deps.digest(query.q))
        )
        for _ in (Success(None) if deps.db.read_only else _save(deps, activation, selected, told))
    )


@reader
def search(
    deps: CoreDeps,
    query: str,
    scope: Sequence[Scope] | None,
    k: int,
    *,
    boundary: Boundary,
    policy: Policy,
) -> Result[tuple[ScoredClaim, ...], CoreError]:
    """Return ranked claims without an active context."""
    asked = Query(q=query, scope=None if scope is None else tuple(scope), top_k=k)
    return Result.do(
        selected.items
        for selected in select(asked, boundary, policy)(deps)
        for _ in (
            Success(None)
            if deps.db.read_only
            else audit.record(
                [_decision("search", selected, boundary, policy, deps.digest(query))]
            )(deps)
        )
    )


@reader
def select(
    deps: CoreDeps, query: Query, boundary: Boundary, policy: Policy
) -> Result[Selection, CoreError]:
    """Return the ranked, relevant, visible claims; all reads see one state of the file."""
    from pce_memory.retriever.rank import rank  # noqa: PLC0415 - numpy

    def work(seen: View, asked: Question) -> Result[Selection, CoreError]:
        return Result.do(
            selection
            for found in candidates(
                asked, seen.visible, policy, sizes=sizes_of(policy, query.top_k)
            )(deps)
            for ranked in Success(
                rank(found, policy, now=seen.visible.now, asks_when=asks_when(asked.asked.text))
            )
            for chosen in _chosen(deps, ranked, policy, query)
            for selection in _shown(deps, query, Ranked(asked, ranked, chosen), seen, policy)
        )

    # What may be seen at all is settled before anything is asked for, and before the snapshot
    # begins the index takes in what was committed.
    return Result.do(
        selection
        for _ in _short_enough(query.q, policy)
        for seen in view(boundary, policy, scope=query.scope, allow=query.allow)(deps)
        for asked in question(query.q, policy)(deps)
        for _ in deps.search_index.follow()
        for selection in deps.db.snapshot(partial(work, seen, asked))
    )


def _short_enough(query: str, policy: Policy) -> Result[None, InvalidParameter]:
    size, limit = len(query.encode("utf-8", "replace")), policy.limits.query_bytes
    if size <= limit:
        return Success(None)
    reason = f"it is {size} bytes long; the policy allows {limit}"
    return Failure(InvalidParameter("query", reason))


def _chosen(
    deps: CoreDeps, ranking: "Ranking", policy: Policy, query: Query
) -> Result["Ranking", CoreError]:
    """Return the ranking without what is said already, or chosen by MMR, where the policy asks."""
    from pce_memory.retriever.choose import by_mmr, different  # noqa: PLC0415 - numpy

    similar, mmr = policy.retrieval.duplicates.similar, policy.retrieval.mmr
    if similar >= 1.0 and not mmr.enabled:
        return Success(ranking)
    limit = query.top_k or policy.retrieval.hybrid.k_final
    first = [int(place) for place in ranking.order[: max(mmr.candidates, 2 * limit)]]

    def chosen(likeness: Matrix) -> "Ranking":
        places = different(likeness, similar=similar) if similar < 1.0 else list(range(len(first)))
        if mmr.enabled:
            scores = [float(ranking.score[place]) for place in first]
            places = by_mmr(places[: mmr.candidates], scores, likeness, mmr=mmr, limit=limit)
        return ranking.of([first[place] for place in places])

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
    from pce_memory.retriever.rank import reason_of  # noqa: PLC0415 - numpy

    def key(row: int) -> tuple[float, float, str]:
        claim = rows[row].claim
        return -float(ranking.score[wanted[row]]), -claim.created_at, claim.id

    kept: list[Kept] = []
    for row in sorted(rows, key=key)[:limit]:
        place = wanted[row]
        scores = ranking.scores(place)
        standing = {name: getattr(scores, name) for name in ("recency", "utility", "quality")}
        claim = rows[row].claim.model_copy(update=standing)
        reason = reason_of(ranking, place, now=now)
        kept.append(Kept(claim, float(ranking.score[place]), scores, reason))
    return kept


def _decision(
    tool: str, selected: Selection, boundary: Boundary, policy: Policy, digest: str
) -> Decision:
    """Return what the audit is told: how many claims were shown, what was taken out."""
    reach = selected.view.narrowed
    return Decision(
        tool=tool,
        decision="redacted" if selected.redacted else "allowed",
        policy_version=policy.version,
        who=boundary.actor,
        scopes=reach.scopes,
        classes=reach.classes,
        counts={"claims": len(selected.items), **selected.redacted},
        digests={"query": digest},
    )


def _save(
    deps: CoreDeps, activation: ActivationResult, selected: Selection, told: Decision
) -> Result[None, CoreError]:
    digest = told.digests["query"]

    def work() -> Result[None, CoreError]:
        return Result.do(
            None
            for _ in contexts.insert(activation, query_digest=digest)(deps)
            for _ in events.record(
                "activate",
                activation_event(
                    activation,
                    [one.scores for one in selected.kept],
                    selected.below_threshold,
                    query_digest=digest,
                ),
                policy_version=activation.policy_version,
            )(deps)
            for _ in audit.record([told])(deps)
        )

    return deps.db.transaction(work)
