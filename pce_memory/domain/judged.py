"""A score that somebody else gave a claim, and what it did."""

from typing import Annotated

from pydantic import Field

from pce_memory.domain.feedback import Standing
from pce_memory.domain.ids import ClaimIdField, JudgementIdField
from pce_memory.domain.model import Finite, Model
from pce_memory.domain.refinement import Points, ScoreDirection
from pce_memory.domain.stamped import Stamped


class GivenScore(Model):
    """A score of one claim on 0 to 100; None where whoever judges cannot say."""

    id: JudgementIdField
    claim_id: ClaimIdField
    score: Annotated[Points, Field(strict=True)] | None = None


class Judgement(Stamped):
    """A score of a claim, what it was compared with and how, and what that did.

    `judge` is the `model_id` of the judge that was asked, None where the score was given.
    `previous_score` is the last score of the claim that counted; a first one has none, and its
    direction is unknown. A change below `noise_threshold` does not count: it moves nothing, and
    the next score is not compared with it either. `previous` is decayed to now.
    """

    id: JudgementIdField
    claim_id: ClaimIdField
    judge: str | None
    score: Finite | None
    previous_score: Finite | None
    score_direction: ScoreDirection
    noise_threshold: Finite
    counted: bool
    previous: Standing
    updated: Standing
