"""Why a claim is shown or not: every check by name, in the order they are made."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from returns.result import Result, Success

from pce_memory import retriever
from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim, anchor_of
from pce_memory.domain.explanation import Check, Explanation
from pce_memory.domain.ids import ClaimId, called
from pce_memory.domain.policy import Policy
from pce_memory.domain.query import Query
from pce_memory.errors import CoreError
from pce_memory.policy.boundary import all_invariants, covers
from pce_memory.policy.invariants import applying
from pce_memory.policy.judging import Invariants, invariants_of
from pce_memory.policy.outgoing import text_out
from pce_memory.result import collect, reader
from pce_memory.retriever.context import iso
from pce_memory.retriever.enough import with_enough
from pce_memory.retriever.standing import Told
from pce_memory.store import claim_keys
from pce_memory.store.claims import StoredClaim
from pce_memory.store.visibility import View, every_claim_called, view

REFUSED: Final = Check(
    check="invariants", passed=False, detail="the evaluator refuses the claim by none alone"
)
"""Stands where no invariant alone hides a claim, but the evaluator does."""


@reader
def explain(
    deps: CoreDeps, claim_id: ClaimId, boundary: Boundary, policy: Policy
) -> Result[Explanation, CoreError]:
    """Return why a boundary shows a claim or does not; it is the owner who asks."""
    now = deps.clock()
    return Result.do(
        _explanation(stored.claim, checks, policy)
        for stored in claim_keys.find(claim_id, policy, now=now)(deps)
        for rules in invariants_of(
            deps.invariant_evaluator, all_invariants(boundary, policy), boundary.context
        )
        for checks in _checks(stored.claim, boundary, policy, rules, now=now)
    )


@reader
def explain_search(
    deps: CoreDeps, query: Query, claim_id: ClaimId, boundary: Boundary, policy: Policy
) -> Result[Explanation, CoreError]:
    """Return why a query shows a claim or does not; it is the caller who asks.

    A claim that the boundary hides from the caller, or that is past its time to live, is as good
    as not there. What the query itself rules out is told.
    """

    def told(stored: StoredClaim, seen: View) -> Result[Explanation, CoreError]:
        reached = boundary.model_copy(
            update={"scope": seen.narrowed.scopes, "allow": seen.narrowed.allow}
        )
        return Result.do(
            explanation
            for rules in invariants_of(
                deps.invariant_evaluator, seen.narrowed.invariants, boundary.context
            )
            for checks in _checks(stored.claim, reached, policy, rules, now=seen.visible.now)
            for explanation in _searched(deps, stored, query, boundary, policy, checks=checks)
        )

    return Result.do(
        explanation
        for whole in view(boundary, policy)(deps)
        for seen in view(boundary, policy, scope=query.scope, allow=query.allow)(deps)
        for found in every_claim_called([claim_id], whole.visible)(deps)
        for explanation in told(found[0], seen)
    )


def _searched(
    deps: CoreDeps,
    stored: StoredClaim,
    query: Query,
    boundary: Boundary,
    policy: Policy,
    *,
    checks: tuple[Check, ...],
) -> Result[Explanation, CoreError]:
    explained = partial(_explanation, stored.claim, policy=policy)
    if not all(one.passed for one in checks):
        return Success(explained(checks))

    def standing(asked: Query) -> Result[Told, CoreError]:
        return Result.do(
            told
            for selection in retriever.select(asked, boundary, policy)(deps)
            for told in retriever.standing(stored, asked, selection, policy)(deps)
        )

    return Result.do(
        explained((*checks, *told.checks)).model_copy(update={"search": search})
        for told in standing(query)
        for search in with_enough(told, query, standing)
    )


def _explanation(claim: AnyClaim, checks: tuple[Check, ...], policy: Policy) -> Explanation:
    hidden_by = next((one.check for one in checks if not one.passed), None)
    redaction = text_out(claim, policy)
    return Explanation(
        claim_id=called(claim.id),
        shown=hidden_by is None,
        decided_by=hidden_by,
        checks=checks,
        redacted=dict(redaction.counts) if hidden_by is None else {},
        policy_version=policy.version,
    )


def _checks(
    claim: AnyClaim, boundary: Boundary, policy: Policy, rules: Invariants, *, now: float
) -> Result[tuple[Check, ...], CoreError]:
    """Return the checks in the security order of every read."""
    return _invariants(claim, rules).map(
        lambda judged: (
            _scope(claim, boundary),
            _class(claim, boundary),
            _allow(claim, boundary, policy),
            *judged,
            _ttl(claim, policy, now=now),
            _status(claim),
        )
    )


def _scope(claim: AnyClaim, boundary: Boundary) -> Check:
    return Check(
        check="scope",
        passed=claim.scope in boundary.scope,
        detail=f"the claim is of scope {claim.scope}; the boundary has {_names(boundary.scope)}",
    )


def _class(claim: AnyClaim, boundary: Boundary) -> Check:
    known = claim.boundary_class != "secret"
    return Check(
        check="class",
        passed=known and claim.boundary_class in boundary.boundary_classes,
        detail=f"the claim is of class {claim.boundary_class}; the boundary has "
        f"{_names(boundary.boundary_classes)}" + ("" if known else "; no secret is ever shown"),
    )


def _allow(claim: AnyClaim, boundary: Boundary, policy: Policy) -> Check:
    patterns = policy.boundary_classes.of(claim.boundary_class).allow
    by = [(one, tag) for tag in boundary.allow for one in patterns if covers([one], tag)]
    told = f"the policy shows class {claim.boundary_class} to {_names(patterns)}"
    held = f"{by[0][0]} covers {by[0][1]}" if by else f"the caller holds {_names(boundary.allow)}"
    return Check(check="allow", passed=bool(by), detail=f"{told}; {held}")


def _invariants(claim: AnyClaim, rules: Invariants) -> Result[tuple[Check, ...], CoreError]:
    """Ask for each invariant alone, and for all of them: an evaluator may refuse only that."""
    return Result.do(
        each if together or not all(one.passed for one in each) else (*each, REFUSED)
        for each in collect(
            _invariant(claim, rules, place) for place in range(len(rules.definitions))
        )
        for together in rules.hold_for([claim])
    )


def _invariant(claim: AnyClaim, rules: Invariants, place: int) -> Result[Check, CoreError]:
    definition = rules.definitions[place]
    applies = claim.scope in applying(definition.applies_to).value_or(())
    if not applies:
        told = f"it is not asked in scope {claim.scope}"
        return Success(Check(check=f"invariant {definition.name}", passed=True, detail=told))
    return rules.holds_for(place, claim).map(
        lambda holds: Check(
            check=f"invariant {definition.name}",
            passed=holds,
            detail=f"it {'holds' if holds else 'does not hold'} of the claim",
        )
    )


def _ttl(claim: AnyClaim, policy: Policy, *, now: float) -> Check:
    ttl = policy.scopes.of(claim.scope).ttl
    anchor = anchor_of(claim)
    lives = anchor > policy.scopes.alive_since(now)[claim.scope]
    return Check(
        check="ttl",
        passed=lives,
        detail=f"a claim of scope {claim.scope} lives {ttl} since it was last seen or found "
        f"helpful, which was {iso(anchor)}",
    )


def _status(claim: AnyClaim) -> Check:
    waits = "it waits for a human review" if claim.status == "review" else "nothing holds it back"
    return Check(check="review", passed=claim.status == "active", detail=waits)


def _names(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "nobody"
