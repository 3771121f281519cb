"""The policy a memory is opened with: found and read before a file is touched."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import time

from returns.result import Failure, Result, Success

from pce_memory.adapters.connecting import connect
from pce_memory.adapters.duck import DuckDatabase
from pce_memory.adapters.policy_files import beside, policy_file
from pce_memory.adapters.policy_store import FilePolicyStore
from pce_memory.errors import CoreError, InvalidParameter, InvalidPolicy
from pce_memory.policy.bases import PACKAGED, Find, packaged_only, packaged_text
from pce_memory.policy.source import Reading, read_policy
from pce_memory.store import migrations


@dataclass(frozen=True, slots=True)
class PolicyText:
    """A policy as it was written: its text, what it is called in faults, and what it extends."""

    text: str
    name: str
    bases: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class _Found:
    text: str
    name: str
    find: Find


def packaged(name: str) -> PolicyText:
    """Return a packaged policy."""
    return PolicyText(packaged_text(name), f"{name}.yaml")


def policy_text(
    policy: object,
) -> Result[PolicyText | None, InvalidParameter | InvalidPolicy]:
    """Return a policy's YAML and what to call it in faults; None asks for none.

    `policy` is the name of a packaged one, YAML text (it has a line break), or a file's path.
    """
    if policy is None:
        return Success(None)
    return Result.do(
        PolicyText(found.text, found.name, reading.bases)
        for found in _found(policy)
        for reading in _sound(read_policy(found.text, found.name, find=found.find))
    )


def text_to_apply(
    policy: object, name: str
) -> Result[PolicyText, InvalidParameter | InvalidPolicy]:
    """Return what is to be put in force: a packaged policy, a file's, or a text as it is."""
    if isinstance(policy, Path) or (isinstance(policy, str) and policy in PACKAGED):
        return Result.do(
            PolicyText(found.text, found.name, reading.bases)
            for found in _found(policy)
            for reading in _sound(read_policy(found.text, found.name, find=found.find))
        )
    if isinstance(policy, str):
        return Success(PolicyText(policy, name))
    reason = f"it is a {type(policy).__name__}; give a name, YAML text or a path"
    return Failure(InvalidParameter("policy", reason))


def policy_reading(policy: object) -> Result[Reading, InvalidParameter]:
    """Return what a policy says, with its faults if it has any: a name, YAML text, or a path."""
    return Result.do(
        read_policy(found.text, found.name, find=found.find) for found in _found(policy)
    )


def policy_in_force(path: str) -> Result[Reading, CoreError]:
    """Return what the policy in force in a memory's file says; the file is only read."""
    return Result.do(
        reading for db in connect(path, read_only=True) for reading in _closing(db, _stored(db))
    )


def _stored(db: DuckDatabase) -> Result[Reading, CoreError]:
    return Result.do(
        reading for _ in migrations.check(db) for reading in FilePolicyStore(db, time).reading()
    )


def _closing(db: DuckDatabase, found: Result[Reading, CoreError]) -> Result[Reading, CoreError]:
    db.close()
    return found


def _sound(reading: Reading) -> Result[Reading, InvalidPolicy]:
    return Failure(InvalidPolicy(reading.rendered())) if reading.faults else Success(reading)


def _found(policy: object) -> Result[_Found, InvalidParameter]:
    if not isinstance(policy, (str, Path)):
        reason = f"it is a {type(policy).__name__}; give a name, YAML text or a path"
        return Failure(InvalidParameter("policy", reason))
    if isinstance(policy, str) and policy in PACKAGED:
        return Success(_Found(packaged_text(policy), f"{policy}.yaml", packaged_only))
    if isinstance(policy, str) and "\n" in policy:
        return Success(_Found(policy, "policy.yaml", packaged_only))
    names = ", ".join(PACKAGED)
    return (
        policy_file(policy)
        .map(lambda text: _Found(text, str(policy), beside(policy)))
        .alt(
            lambda why: InvalidParameter(
                "policy", f"no such file can be read ({why}), and it is none of {names}"
            )
        )
    )
