"""Activate: the visible claims that bear on a query, ranked, explained and kept for a while."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.context import ActivationResult, ScoredClaim
from pce_memory.domain.ids import ClaimId
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
from pce_memory.retriever.lanes import Candidates, candidates
from pce_memory.retriever.rank import Ranked, is_relevant, rank
from pce_memory.retriever.showing import as_shown, within_budget
from pce_memory.scoring.rerank import population
from pce_memory.store import (
    audit,
    claims as claim_rows,
    contexts,
    events,
    evidence,
    search as search_rows,
)
from pce_memory.store.audit import Decision
from pce_memory.store.visibility import View, view


@dataclass(frozen=True, slots=True)
class Selection:
    """The items that are shown, why any were left out, and how they were found."""

    items: tuple[ScoredClaim, ...]
    ranked: tuple[Ranked, ...]
    found: Candidates
    view: View
    cut_by: str | None
    below_threshold: tuple[ClaimId, ...]
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
                below_threshold=len(selected.below_threshold),
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

    def work() -> Result[Selection, CoreError]:
        return Result.do(
            selection
            for seen in view(boundary, policy, scope=query.scope, allow=query.allow)(deps)
            for found in candidates(
                query.q, seen.visible, policy, sizes=sizes_of(policy, query.top_k)
            )(deps)
            for ranked in _ranked(deps, found, seen, policy)
            for selection in _shown(deps, query, ranked, found, seen, policy)
        )

    return Result.do(
        selection for _ in _short_enough(query.q, policy) for selection in deps.db.snapshot(work)
    )


def _short_enough(query: str, policy: Policy) -> Result[None, InvalidParameter]:
    size, limit = len(query.encode("utf-8", "replace")), policy.limits.query_bytes
    if size <= limit:
        return Success(None)
    reason = f"it is {size} bytes long; the policy allows {limit}"
    return Failure(InvalidParameter("query", reason))


def _ranked(
    deps: CoreDeps, found: Candidates, seen: View, policy: Policy
) -> Result[tuple[Ranked, ...], CoreError]:
    now = seen.visible.now
    return Result.do(
        rank(found, {row: one.claim for row, one in rows.items()}, among, policy, now=now)
        for utilities in search_rows.utilities(seen.visible)(deps)
        for among in Success(population(utilities))
        for rows in claim_rows.fetch(found.row_ids, policy, now=now)(deps)
    )


def _shown(
    deps: CoreDeps,
    query: Query,
    ranked: tuple[Ranked, ...],
    found: Candidates,
    seen: View,
    policy: Policy,
) -> Result[Selection, CoreError]:
    relevant = [one for one in ranked if is_relevant(one, found, policy)]
    wanted = relevant[: query.top_k or policy.retrieval.hybrid.k_final]
    kept, cut_by = within_budget(wanted, seen.narrowed.scopes, policy)
    left = tuple(one.claim.id for one in ranked if not is_relevant(one, found, policy))
    return Result.do(
        Selection(
            items=leaving.items,
            ranked=tuple(kept),
            found=found,
            view=seen,
            cut_by=cut_by,
            below_threshold=left,
            redacted=leaving.redacted,
        )
        for known in evidence.of_claims([one.claim.id for one in kept])(deps)
        for show in Success(partial(as_shown, classes=seen.narrowed.classes))
        for leaving in Success(show(kept, found, known, policy, scores=query.include_meta))
    )


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
