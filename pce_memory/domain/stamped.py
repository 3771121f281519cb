"""Results that name the policy they were made under."""

from pce_memory.domain.ids import PolicyVersionField
from pce_memory.domain.model import Model


class Stamped(Model):
    """A result of a memory's operation; `policy_version` is that of the policy in force then."""

    policy_version: PolicyVersionField | None = None
