"""What became of the policies of a memory: which was put in force, when and by whom."""

from typing import Literal, TypeAlias

from pce_memory.domain.ids import PolicyVersionField
from pce_memory.domain.model import EpochSeconds, Model

PolicyAction: TypeAlias = Literal["apply", "downgrade"]


class PolicyRecord(Model):
    """One time that a policy was put in force; `seq` counts them from the first.

    `sha256` is of its text together with those it extends. A downgrade put a lower version over a
    higher one.
    """

    seq: int
    version: PolicyVersionField
    sha256: str
    approver: str | None
    action: PolicyAction
    applied_at: EpochSeconds
