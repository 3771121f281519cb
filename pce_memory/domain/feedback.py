"""Feedback on a claim, and what it did."""

from typing import Annotated

from pydantic import Field

from pce_memory.domain.ids import ClaimIdField, FeedbackIdField
from pce_memory.domain.model import EpochSeconds, Finite, Model, Unit
from pce_memory.domain.stamped import Stamped
from pce_memory.domain.vocabulary import FeedbackSignal


class Feedback(Model):
    """What a reader of the memory thought of one claim.

    `score` in [-1, 1] scales the signal by its size; its sign must agree with the signal.
    `duplicate_of` names the claim to keep when the signal is `duplicate`.
    """

    id: FeedbackIdField
    claim_id: ClaimIdField
    ts: EpochSeconds
    signal: FeedbackSignal
    score: Annotated[float, Field(ge=-1, le=1)] | None = None
    duplicate_of: ClaimIdField | None = None


class Standing(Model):
    """What the critic keeps about a claim."""

    utility: Finite
    confidence: Unit
    recency: Unit


class CriticUpdateResult(Stamped):
    """A claim's standing before and after one feedback; `previous` is decayed to its time."""

    claim_id: ClaimIdField
    previous: Standing
    updated: Standing
    merged_into: ClaimIdField | None = None


class DecayResult(Stamped):
    """What a decay run did."""

    claims: Annotated[int, Field(ge=0)]
    at: EpochSeconds
