"""What the boundary and the policy refuse."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from pce_memory.errors.base import PCEError, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pce_memory.domain.boundary import Boundary


@dataclass(frozen=True, slots=True)
class BoundaryDenied(PCEError):
    """The boundary or an invariant forbids it; nothing was written or shown."""

    tag: ClassVar[str] = "BoundaryDeniedError"
    code: ClassVar[str] = "BOUNDARY_DENIED"
    status: ClassVar[int] = 403
    remedy: ClassVar[str] = "Use a boundary that covers it, or change the policy."
    boundary: Boundary | None = field(repr=False)
    reason: str

    @property
    def message(self) -> str:
        """Name the reason."""
        return f"Boundary denied: {self.reason}"


@dataclass(frozen=True, slots=True)
class InvalidScope(PCEError):
    """A scope that does not exist, or that the boundary does not cover."""

    tag: ClassVar[str] = "InvalidScopeError"
    code: ClassVar[str] = "INVALID_SCOPE"
    status: ClassVar[int] = 422
    remedy: ClassVar[str] = "Ask for one of the allowed scopes."
    provided: str
    allowed: tuple[str, ...]

    @property
    def message(self) -> str:
        """Name the scope and the allowed ones."""
        return f"Invalid scope: {shown(self.provided)}. Allowed: {', '.join(self.allowed)}"

    @property
    def details(self) -> Mapping[str, object]:
        """Return the allowed scopes, and what may be shown of the given one."""
        return {"provided": shown(self.provided), "allowed": self.allowed}


@dataclass(frozen=True, slots=True)
class PolicyMissing(PCEError):
    """No policy is loaded: everything is refused."""

    tag: ClassVar[str] = "PolicyMissingError"
    code: ClassVar[str] = "POLICY_MISSING"
    status: ClassVar[int] = 424
    remedy: ClassVar[str] = "Apply a policy first, with memory.apply_policy(yaml)."
    policy_version: str | None = None

    @property
    def message(self) -> str:
        """Name the version that was asked for, if one was."""
        if self.policy_version is None:
            return "No policy loaded"
        return f"Policy {shown(self.policy_version)} not loaded"


@dataclass(frozen=True, slots=True)
class InvalidPolicy(PCEError):
    """The policy text has faults; every one is listed as `file:line:column: path: message`."""

    tag: ClassVar[str] = "InvalidPolicyError"
    code: ClassVar[str] = "INVALID_POLICY"
    status: ClassVar[int] = 422
    remedy: ClassVar[str] = "Mend every fault listed; the policy in force was not changed."
    validation_errors: tuple[str, ...]

    @property
    def message(self) -> str:
        """List every fault."""
        return f"Invalid policy: {', '.join(self.validation_errors)}"


@dataclass(frozen=True, slots=True)
class PolicyConflict(PCEError):
    """Another policy is in force than the one a change was made for; nothing was changed."""

    tag: ClassVar[str] = "PolicyConflictError"
    code: ClassVar[str] = "POLICY_CONFLICT"
    status: ClassVar[int] = 409
    remedy: ClassVar[str] = "Look at the policy in force, and apply the change over it again."
    expected: str
    in_force: str | None

    @property
    def message(self) -> str:
        """Name both versions."""
        now = f"version {shown(self.in_force)}" if self.in_force else "none"
        return f"Policy version {shown(self.expected)} was expected in force, but it is {now}"
