"""Activate: the visible claims that bear on a query, ranked, explained and kept for a while."""

from collections.abc import Sequence

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.context import ActivationResult, ScoredClaim
from pce_memory.domain.policy import Policy
from pce_memory.domain.query import Query
from pce_memory.domain.vocabulary import Scope
from pce_memory.errors import CoreError
from pce_memory.policy.boundary import narrowed_to
from pce_memory.result import reader
from pce_memory.retriever.context import activation_event, active_context, params_of
from pce_memory.retriever.select import Selection, select
from pce_memory.retriever.verdict import select_and_judge
from pce_memory.store import audit, contexts, events
from pce_memory.store.audit import Decision


@reader
def activate(
    deps: CoreDeps, query: Query, boundary: Boundary, policy: Policy
) -> Result[ActivationResult, CoreError]:
    """Return, and keep, the active context of `query`; read-only memories keep nothing."""
    return Result.do(
        activation
        for judged in select_and_judge(query, boundary, policy)(deps)
        for selected in Success(judged.selection)
        for scopes in Success(selected.view.narrowed.scopes)
        for context in Success(
            active_context(selected.items, scopes, policy, now=deps.clock(), ids=deps.ids)
        )
        for activation in Success(
            ActivationResult(
                active_context=context,
                items=selected.items,
                scoring_params=params_of(
                    selected.alpha, policy, top_k=query.top_k, reranker=selected.reranker
                ),
                boundary=narrowed_to(boundary, selected.view.narrowed),
                saved=not deps.db.read_only,
                cut_by=selected.cut_by,
                below_threshold=selected.below_threshold,
                verdict=judged.verdict,
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
            for ids in Success([one.claim.id for one in selected.kept])
            for _ in contexts.insert(activation, ids, query_digest=digest)(deps)
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
