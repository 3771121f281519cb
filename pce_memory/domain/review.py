"""Claims that wait for a human."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.ids import ClaimIdField, PolicyVersionField, ReviewIdField
from pce_memory.domain.model import EpochSeconds, Model
from pce_memory.domain.vocabulary import BoundaryClass, Scope

ReviewStatus: TypeAlias = Literal["pending", "approved", "rejected"]

Reviewer: TypeAlias = Annotated[str, Field(min_length=1, max_length=512)]


class Review(Model):
    """A claim in the review queue: why it waits, until when it should be looked at, what became of it.

    `text` is the claim's, redacted as its class says, for a boundary that would show it once it is
    approved; for any other it is None. `overdue` is True for one that waits past its deadline.
    """

    id: ReviewIdField
    claim_id: ClaimIdField
    reason: str
    scope: Scope
    boundary_class: BoundaryClass
    policy_version: PolicyVersionField
    status: ReviewStatus
    requested_at: EpochSeconds
    deadline: EpochSeconds
    overdue: bool = False
    reviewer: str | None = None
    note: str | None = None
    decided_at: EpochSeconds | None = None
    text: str | None = None
