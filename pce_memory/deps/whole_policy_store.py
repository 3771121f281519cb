"""A host's store of policies that has the seed's three functions only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from returns.result import Failure, Result, Success

from pce_memory.deps.members import has
from pce_memory.deps.raised import RAISED, kind_of
from pce_memory.domain.policy import Policy
from pce_memory.errors import PolicyMissing, PortFailed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from pce_memory.deps import PolicyStore
    from pce_memory.domain.arguments import ApplyFields
    from pce_memory.domain.ids import PolicyVersion
    from pce_memory.domain.policy_record import PolicyRecord
    from pce_memory.errors import CoreError

SEED: Final = ("get_current", "get_version", "apply")
"""What a store of policies cannot do without."""


class SeedPolicyStore(Protocol):
    """What the design asks of a store of policies."""

    def get_current(self) -> Result[Policy, CoreError]:
        """Return the policy in force."""
        ...

    def get_version(self, version: PolicyVersion) -> Result[Policy, CoreError]:
        """Return one policy that was applied."""
        ...

    def apply(self, yaml: str) -> Result[PolicyVersion, CoreError]:
        """Parse a policy and put it in force."""
        ...


def whole_policy_store(given: SeedPolicyStore) -> PolicyStore:
    """Return a store that has everything, made of one that may have the seed's functions only."""
    if has(given, "history") or not all(has(given, name) for name in SEED):
        return cast("PolicyStore", given)
    return cast("PolicyStore", WholePolicyStore(given))


class WholePolicyStore:
    """A store of the host's, with what it lacks: it keeps no history, and says so if asked."""

    def __init__(self, given: SeedPolicyStore) -> None:
        self._given = given

    def get_current(self) -> Result[Policy, CoreError]:
        """Return the policy in force."""
        return _policy(self._given.get_current)

    def get_version(self, version: PolicyVersion) -> Result[Policy, CoreError]:
        """Return one policy that was applied."""
        return _policy(lambda: self._given.get_version(version))

    def apply(
        self, yaml: str, name: str = "policy.yaml", **how: Unpack[ApplyFields]
    ) -> Result[PolicyVersion, CoreError]:
        """Put a policy in force; the store knows of no other way than the plain one."""
        if how:
            return _failed(f"its apply knows no {', '.join(sorted(how))}")
        del name  # faults of the store's own parser stand without it
        return cast("Result[PolicyVersion, CoreError]", _answer(lambda: self._given.apply(yaml)))

    def history(self) -> Result[tuple[PolicyRecord, ...], CoreError]:
        """Return a failure: nobody has told the store to keep one."""
        return _failed("it has no history")


def _policy(work: Callable[[], object]) -> Result[Policy, CoreError]:
    def sound(said: Any) -> Result[Policy, CoreError]:  # noqa: ANN401 - of the host's
        if said is None:
            return Failure(PolicyMissing())
        fine = isinstance(said, Policy)
        return Success(said) if fine else _failed(f"it gave {type(said).__name__}, not a Policy")

    return Result.do(policy for said in _answer(work) for policy in sound(said))


def _answer(work: Callable[[], object]) -> Result[Any, CoreError]:
    try:
        said = work()
    except RAISED as fault:
        return _failed(kind_of(fault))
    return cast("Result[Any, CoreError]", said) if isinstance(said, Result) else Success(said)


def _failed(reason: str) -> Failure[PortFailed]:
    return Failure(PortFailed("policy_store", reason))


__all__ = ["SeedPolicyStore", "WholePolicyStore", "whole_policy_store"]
