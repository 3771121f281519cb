"""Activate: the visible claims that bear on a query, ranked, explained and kept for a while."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
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
from pce_memory.retriever.lanes import Candidates, Question, candidates, question
from pce_memory.retriever.rank import Ranked, is_relevant, judged, rank, with_ties
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


@dataclass(frozen=True, slots=True)
class Selection:
    """The items that are shown, why any were left out, and how they were found."""

    items: tuple[ScoredClaim, ...]
    ranked: tuple[Ranked, ...]
    found: Candidates
    view: View
    cut_by: str | None
    below_threshold: int
    redacted: Mapping[str, int]


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
                scoring_params=params_of(selected.found, policy, top_k=query.top_k),
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

    def work(seen: View, asked: Question) -> Result[Selection, CoreError]:
        return Result.do(
            selection
            for found in candidates(
                asked, seen.visible, policy, sizes=sizes_of(policy, query.top_k)
            )(deps)
            for ranked in Success(_order(found, asked, policy, now=seen.visible.now))
            for selection in _shown(deps, query, ranked, found, seen, policy)
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


@dataclass(frozen=True, slots=True)
class Order:
    """The relevant candidates, best first, and how many were not relevant enough."""

    ranked: tuple[Ranked, ...]
    below_threshold: int


def _order(found: Candidates, asked: Question, policy: Policy, *, now: float) -> Order:
    ranked = rank(found, policy, now=now)
    relevant = tuple(one for one in ranked if is_relevant(one, found, policy))
    if not found.is_empty_query:
        relevant = judged(relevant, policy, asks_when=asks_when(asked.text))
    return Order(relevant, len(ranked) - len(relevant))


def _shown(
    deps: CoreDeps,
    query: Query,
    order: Order,
    found: Candidates,
    seen: View,
    policy: Policy,
) -> Result[Selection, CoreError]:
    wanted = with_ties(order.ranked, query.top_k or policy.retrieval.hybrid.k_final)
    return Result.do(
        Selection(
            items=leaving.items,
            ranked=tuple(one.ranked for one in kept),
            found=found,
            view=seen,
            cut_by=cut_by,
            below_threshold=order.below_threshold,
            redacted=leaving.redacted,
        )
        # The mask is asked once more as the claims are read: what is shown rests on SQL alone.
        for rows in claim_rows.fetch_visible([one.one.row_id for one in wanted], seen.visible)(
            deps
        )
        for chosen in Success(_first(wanted, rows, query, policy))
        for kept, cut_by in Success(within_budget(chosen, seen.narrowed.scopes, policy))
        for known in evidence.of_claims([one.claim.id for one in kept])(deps)
        for show in Success(partial(as_shown, classes=seen.narrowed.classes))
        for leaving in Success(show(kept, found, known, policy, scores=query.include_meta))
    )


def _first(
    wanted: Sequence[Ranked], rows: Mapping[int, StoredClaim], query: Query, policy: Policy
) -> list[Kept]:
    """Return the first so many; claims of one score and one age come in the order of their ids."""
    known = [Kept(one, rows[one.one.row_id].claim) for one in wanted if one.one.row_id in rows]
    known.sort(key=lambda it: (-it.ranked.score, -it.claim.created_at, it.claim.id))
    return known[: query.top_k or policy.retrieval.hybrid.k_final]


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
                    [one.scores for one in selected.ranked],
                    selected.below_threshold,
                    query_digest=digest,
                ),
                policy_version=activation.policy_version,
            )(deps)
            for _ in audit.record([told])(deps)
        )

    return deps.db.transaction(work)
