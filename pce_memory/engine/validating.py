"""Judge a payload on a caller's behalf, and tell the audit."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field
from returns.result import Result

from pce_memory.deps import CoreDeps
from pce_memory.domain.audit import DecisionKind
from pce_memory.domain.boundary import AllowTag, Boundary, BoundaryValidationResult
from pce_memory.domain.model import Model
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BoundaryClass, Scope
from pce_memory.engine.ready import Ready
from pce_memory.errors import BoundaryDenied, CoreError
from pce_memory.policy import boundary as boundaries
from pce_memory.policy.judged_payload import Judge
from pce_memory.store.audit import Decision, decided


class Payload(Model):
    """A text to judge: which tags it is for, where it goes, which class it is said to have."""

    payload: Annotated[str, Field(strict=True)]
    allow: Annotated[tuple[AllowTag, ...] | None, Field(max_length=256)] = None
    scope: Scope | None = None
    boundary_class: BoundaryClass | None = None


def validate(
    deps: CoreDeps, given: Payload, boundary: Boundary, policy: Policy
) -> Result[BoundaryValidationResult, CoreError]:
    """Judge a payload under a boundary; its tags may only narrow the boundary's."""
    return Result.do(
        judgement
        for narrowed in _narrowed(boundary, policy, given)
        for judgement in boundaries.validate(
            given.payload,
            narrowed,
            policy,
            boundary_class=given.boundary_class,
            scope=given.scope,
            judge=Judge(deps.invariant_evaluator, deps.clock),
        )
    )


def _narrowed(
    boundary: Boundary, policy: Policy, given: Payload
) -> Result[Boundary, BoundaryDenied]:
    return boundaries.tags_within(boundary, policy, given.allow).map(
        lambda allow: boundary.model_copy(update={"allow": allow})
    )


def judged(
    deps: CoreDeps, payload: str, ready: Ready, judgement: BoundaryValidationResult
) -> Decision:
    """Return what the audit is told of a judgement: a digest of the payload, never the payload."""
    decision = decided(
        "validate",
        _kind(judgement),
        ready.boundary,
        ready.policy,
        reason=judgement.reason,
    )
    return replace(decision, digests={"payload": deps.digest(payload)})


def _kind(judgement: BoundaryValidationResult) -> DecisionKind:
    if not judgement.allowed:
        return "denied"
    return "allowed" if judgement.redacted is None else "redacted"
