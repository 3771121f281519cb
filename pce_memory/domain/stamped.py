"""Results that name the policy they were made under, and what is likely a slip."""

from pce_memory.domain.ids import PolicyVersionField
from pce_memory.domain.model import Model


class Stamped(Model):
    """A result of a memory's operation; `policy_version` is that of the policy in force then."""

    policy_version: PolicyVersionField | None = None


class Warned(Model):
    """A result that says what is likely a slip of the caller's.

    `warnings` has a sentence for each tag of the boundary that no class is shown to by its name.
    """

    warnings: tuple[str, ...] = ()
