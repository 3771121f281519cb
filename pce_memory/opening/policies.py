"""The policy a memory is opened with: found and parsed before a file is touched."""

from pathlib import Path
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidParameter, InvalidPolicy
from pce_memory.policy.source import parse_policy
from pce_memory.resources import resource

PACKAGED: Final = ("default", "dev", "team", "org")


def packaged(name: str) -> tuple[str, str]:
    """Return the text of a packaged policy, and its file's name."""
    file = f"{name}.yaml"
    return (resource("policies") / file).read_text("utf-8"), file


def policy_text(
    policy: object,
) -> Result[tuple[str, str] | None, InvalidParameter | InvalidPolicy]:
    """Return a policy's YAML and what to call it in faults; None asks for none.

    `policy` is the name of a packaged one, YAML text (it has a line break), or a file's path.
    """
    if policy is None:
        return Success(None)
    return Result.do(found for found in _found(policy) for _ in parse_policy(found[0], found[1]))


def _found(policy: object) -> Result[tuple[str, str], InvalidParameter]:
    if not isinstance(policy, (str, Path)):
        reason = f"it is a {type(policy).__name__}; give a name, YAML text or a path"
        return Failure(InvalidParameter("policy", reason))
    if isinstance(policy, str) and policy in PACKAGED:
        return Success(packaged(policy))
    if isinstance(policy, str) and "\n" in policy:
        return Success((policy, "policy.yaml"))
    try:
        return Success((Path(policy).read_text("utf-8"), str(policy)))
    except (OSError, ValueError) as error:
        names = ", ".join(PACKAGED)
        reason = f"no such file can be read ({type(error).__name__}), and it is none of {names}"
        return Failure(InvalidParameter("policy", reason))
