"""Claims that wait for a human."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.ids import ClaimIdField, PolicyVersionField, ReviewIdField
from pce_memory.domain.model import EpochSeconds, Model
from pce_memory.domain.vocabulary import BoundaryClass, Scope

ReviewStatus: TypeAlias = Literal["pending", "approved", "rejected", "withdrawn"]
"""Withdrawn is what waited for a claim that was erased meanwhile."""

Reviewer: TypeAlias = Annotated[str, Field(strict=True, min_length=1, max_length=512)]


class ReviewQuery(Model):
    """Which reviews to show."""

    status: ReviewStatus | None = "pending"
    limit: Annotated[int, Field(ge=1, le=10_000)] = 100


class Verdict(Model):
    """What a reviewer says of a review."""

    review_id: ReviewIdField
    status: ReviewStatus
    reviewer: Reviewer
    note: Annotated[str, Field(strict=True, max_length=2_000)] | None = None


class Review(Model):
    """A claim in the review queue: why it waits, until when to look at it, what became of it.

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
