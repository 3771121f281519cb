"""A host's store of policies that has the seed's three functions only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from returns.result import Failure, Result, Success

from pce_memory.deps.guarding import Guarded
from pce_memory.deps.members import has
from pce_memory.deps.raised import RAISED, kind_of
from pce_memory.domain.ids import parse_policy_version
from pce_memory.domain.policy import Policy
from pce_memory.domain.policy_record import PolicyRecord
from pce_memory.errors import PCEError, PolicyMissing, PortFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from pce_memory.deps import PolicyStore
    from pce_memory.domain.arguments import ApplyFields
    from pce_memory.domain.ids import PolicyVersion
    from pce_memory.errors import CoreError


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
    if isinstance(given, Guarded):
        return cast("PolicyStore", given)
    return cast("PolicyStore", WholePolicyStore(given))


class WholePolicyStore(Guarded):
    """A store of the host's, with what it may lack: a history, and other ways to apply."""

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
        """Put a policy in force; one of the seed knows of no other way than the plain one."""
        if not has(self._given, "history"):
            if how:
                return _failed(f"its apply knows no {', '.join(sorted(how))}")
            # Faults of the store's own parser stand without the name.
            return _version(lambda: self._given.apply(yaml))
        whole = cast("PolicyStore", self._given)
        return _version(lambda: whole.apply(yaml, name, **how))

    def history(self) -> Result[tuple[PolicyRecord, ...], CoreError]:
        """Return what it keeps; of the seed's it is a failure: nobody told it to keep one."""
        if not has(self._given, "history"):
            return _failed("it has no history")
        return _records(cast("PolicyStore", self._given).history)


def _version(work: Callable[[], object]) -> Result[PolicyVersion, CoreError]:
    return Result.do(
        version for said in _answer(work) for version in parse_policy_version(said).alt(_odd)
    )


def _odd(_: object) -> PortFailed:
    return PortFailed("policy_store", "it gave no version of a policy")


def _records(work: Callable[[], object]) -> Result[tuple[PolicyRecord, ...], CoreError]:
    def sound(said: object) -> Result[tuple[PolicyRecord, ...], CoreError]:
        items = tuple(cast("Sequence[object]", said)) if isinstance(said, (tuple, list)) else None
        if items is None or not all(isinstance(one, PolicyRecord) for one in items):
            return _failed("its history is no list of records")
        return Success(cast("tuple[PolicyRecord, ...]", items))

    return Result.do(records for said in _answer(work) for records in sound(said))


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
    if not isinstance(said, Result):
        return Success(said)
    if isinstance(said, Failure) and not isinstance(said.failure(), PCEError):
        return _failed("it gave a Failure that is no error of ours")
    return cast("Result[Any, CoreError]", said)


def _failed(reason: str) -> Failure[PortFailed]:
    return Failure(PortFailed("policy_store", reason))


__all__ = ["SeedPolicyStore", "WholePolicyStore", "whole_policy_store"]
