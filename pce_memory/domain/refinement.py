"""Whether to keep a result, try again or give up: what is asked, what is decided (seed 003)."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.model import Finite, Model

ScoreDirection: TypeAlias = Literal["improved", "degraded", "stable", "unknown"]
RefinementDecision: TypeAlias = Literal["accept", "replan", "reject"]
Points: TypeAlias = Annotated[float, Field(ge=0, le=100)]
Times: TypeAlias = Annotated[int, Field(ge=0)]


class RefinementConfig(Model):
    """When a change of a score counts and when to stop. Scores are on 0 to 100."""

    max_refinement_attempts: Annotated[
        int, Field(ge=0, le=10, description="So many times a result is tried again, 0 to 10.")
    ] = 2
    delta_threshold: Annotated[
        Points, Field(description="A smaller improvement, in points, is stagnation.")
    ] = 5
    delta_threshold_percent: Annotated[
        Points, Field(description="A smaller improvement, in percent, is stagnation.")
    ] = 5
    noise_threshold: Annotated[
        float, Field(gt=0, le=100, description="A smaller change, in points, is noise; 2 to 5.")
    ] = 3
    target_score: Annotated[
        Points, Field(description="From this score on a result is taken as it is.")
    ] = 85
    quality_threshold: Annotated[
        Points, Field(description="What a claim's first judged score is held against.")
    ] = 60


class RefinementPolicy(RefinementConfig):
    """The section `refinement` of a policy: scores that are judged, and metrics of a tuning."""

    tuning_noise_threshold: Annotated[
        float,
        Field(gt=0, le=100, description="A smaller change of a tuned run's metric is noise."),
    ] = 0.1

    @property
    def for_tuning(self) -> RefinementConfig:
        """What a tuning goes by: what is computed differs by less than what is judged.

        Asked twice, a judge says something else; a metric is the same. What is progress shrinks
        as the noise does.
        """
        share = self.tuning_noise_threshold / self.noise_threshold
        return RefinementConfig(
            max_refinement_attempts=self.max_refinement_attempts,
            delta_threshold=min(100.0, share * self.delta_threshold),
            delta_threshold_percent=min(100.0, share * self.delta_threshold_percent),
            noise_threshold=self.tuning_noise_threshold,
            target_score=self.target_score,
            quality_threshold=self.quality_threshold,
        )


class RefinementState(Model):
    """What is known of a result when it is decided on; a score that is missing is None.

    `attempt_count` counts the attempts made; `stable_replans` those that ended within the noise.
    """

    is_acceptable: bool
    score: Finite | None = None
    previous_score: Finite | None = None
    issues: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    attempt_count: Times = 0
    suggestion_replan_count: Times = 0
    previous_decision: RefinementDecision | None = None
    stable_replans: Times = 0


class RefinementFeedback(Model):
    """What the next attempt should mind."""

    issues: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()


class RefinementResult(Model):
    """What was decided and why, the two scores, the direction between them, and by what.

    A change is noise below `noise_threshold`; an improvement is stagnation below either delta.
    """

    decision: RefinementDecision
    reason: str
    score_direction: ScoreDirection
    noise_threshold: Finite
    delta_threshold: Finite
    delta_threshold_percent: Finite
    feedback: RefinementFeedback | None = None
    attempt_count: Times = 0
    suggestion_replan_count: Times = 0
    current_score: Finite | None = None
    previous_score: Finite | None = None
