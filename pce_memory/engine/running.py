"""Run an operation under the boundary of a call and the policy in force, and tell the audit."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, TypeVar

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.stamped import can_warn, stamped
from pce_memory.engine.ready import Ready, as_boundary, settled
from pce_memory.errors import (
    BoundaryDenied,
    CoreError,
    InvalidBoundary,
    InvalidScope,
    UnknownClaim,
    UnknownDocument,
)
from pce_memory.policy.tags import warned_tags
from pce_memory.result import fold
from pce_memory.store import audit
from pce_memory.store.audit import Decision, decided

T = TypeVar("T")

Told: TypeAlias = Callable[[Ready, T], Decision | None]
"""What the audit is told of an operation that came through; None where it was told already."""

_DENIALS: Final = (
    BoundaryDenied,
    InvalidScope,
    InvalidBoundary,
    UnknownClaim,
    UnknownDocument,
)
"""Failures by which a boundary refuses: what it hides is as good as not there."""


def nothing(_ready: Ready, _value: object) -> None:
    """Tell the audit nothing: the operation did so in its own transaction."""


def shown(tool: str, ready: Ready, claims: int) -> Decision:
    """Return what the audit is told of claims that were shown or judged by their ids."""
    return decided(tool, "allowed", ready.boundary, ready.policy, counts={"claims": claims})


def apart(fields: Mapping[str, object]) -> tuple[object, dict[str, object]]:
    """Return the boundary of a call, and its other arguments."""
    rest = dict(fields)
    return rest.pop("boundary", None), rest


class Runner:
    """What every operation is run by."""

    def __init__(self, deps: CoreDeps, boundary: Boundary) -> None:
        self.deps = deps
        self.boundary = boundary

    def run(
        self,
        tool: str,
        boundary: object,
        work: Callable[[Ready], Result[T, CoreError]],
        told: Told[T] = nothing,
    ) -> Result[T, CoreError]:
        """Do some work under the boundary of a call and the policy in force.

        A decision that cannot be written down is not carried out: a read shows nothing then.
        """
        return settled(
            lambda: Result.do(
                value
                for _ in Result.from_value(self.deps.clock())
                for limits in as_boundary(boundary, self.boundary)
                for policy in self.deps.policy_store.get_current()
                for ready in Success(Ready(policy, limits))
                for value in self._audited(tool, ready, work(ready), told)
            )
        )

    def _audited(
        self, tool: str, ready: Ready, outcome: Result[T, CoreError], told: Told[T]
    ) -> Result[T, CoreError]:
        def came_through(value: T) -> Result[T, CoreError]:
            slips = warned_tags(ready.boundary.allow, ready.policy) if can_warn(value) else ()
            return self._record(told(ready, value)).map(
                lambda _: stamped(value, ready.policy.version, slips)
            )

        def failed(error: CoreError) -> Result[T, CoreError]:
            if not isinstance(error, _DENIALS):
                return Failure(error)
            reason = error.reason if isinstance(error, BoundaryDenied) else error.code
            denial = decided(tool, "denied", ready.boundary, ready.policy, reason=reason)
            return fold(self._record(denial), ok=lambda _: Failure(error), err=Failure)

        return fold(outcome, ok=came_through, err=failed)

    def _record(self, decision: Decision | None) -> Result[None, CoreError]:
        if decision is None or self.deps.db.read_only:
            return Success(None)
        return audit.record([decision])(self.deps)
