"""Results that name the policy they were made under."""

from typing import TypeVar, cast

from pce_memory.domain.ids import PolicyVersion, PolicyVersionField
from pce_memory.domain.model import Model

T = TypeVar("T")


class Stamped(Model):
    """A result of a memory's operation; `policy_version` is that of the policy in force then."""

    policy_version: PolicyVersionField | None = None


def stamped(value: T, version: PolicyVersion) -> T:
    """Return a result, each of several, and the results in one, with the version of a policy."""
    if isinstance(value, Stamped):
        parts = {name: getattr(value, name) for name in type(value).model_fields}
        within = {
            name: stamped(part, version)
            for name, part in parts.items()
            if isinstance(part, Stamped)
        }
        return value.model_copy(update={**within, "policy_version": version})
    if isinstance(value, tuple):
        each = cast("tuple[object, ...]", value)
        return cast("T", tuple(stamped(one, version) for one in each))
    return value
