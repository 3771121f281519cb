"""Whether a change of a score is more than its noise (seed 003 §2). Scores are on 0 to 100."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.domain.refinement import RefinementConfig, ScoreDirection
from pce_memory.errors import InvalidParameter
from pce_memory.scoring.given import number_of, seen

USUAL_NOISE: Final = (2.0, 5.0)
"""Below, scores of a model vary by themselves; above, improvements are missed (seed 003)."""

Odd: TypeAlias = Literal["unusual", "not_below_delta"]


def is_score_change_significant(
    current_score: float | None, previous_score: float | None, noise_threshold: float = 3.0
) -> Result[bool, InvalidParameter]:
    """Return whether two scores differ by the noise threshold or more; a missing one always does.

    >>> [is_score_change_significant(now, 70, 3).unwrap() for now in (72, 73)]
    [False, True]
    """
    return determine_score_direction(current_score, previous_score, noise_threshold).map(
        lambda direction: direction != "stable"
    )


def determine_score_direction(
    current_score: float | None, previous_score: float | None, noise_threshold: float = 3.0
) -> Result[ScoreDirection, InvalidParameter]:
    """Return whether a score improved, degraded or is stable; unknown where one is missing.

    >>> [determine_score_direction(now, 70, 3).unwrap() for now in (72, 75, 66)]
    ['stable', 'improved', 'degraded']
    """
    noise = number_of(noise_threshold)
    if noise is None or noise <= 0:
        reason = f"{seen(noise_threshold)} is not above 0"
        return Failure(InvalidParameter("noise_threshold", reason))
    scores = {"current_score": current_score, "previous_score": previous_score}
    wrong = next((name for name, one in scores.items() if not _comparable(one)), None)
    if wrong is not None:
        return Failure(InvalidParameter(wrong, "give a number, or None where there is none"))
    if current_score is None or previous_score is None:
        return Success("unknown")
    difference = current_score - previous_score
    if difference != difference:  # noqa: PLR0124 - the one number that is not equal to itself
        return Success("unknown")
    if abs(difference) < noise:
        return Success("stable")
    return Success("improved" if difference > 0 else "degraded")


def _comparable(score: object) -> bool:
    return score is None or isinstance(score, float) or number_of(score) is not None


def warnings_of(config: RefinementConfig) -> Mapping[Odd, str]:
    """Return what is odd about a noise threshold, a sentence each.

    >>> dict(warnings_of(RefinementConfig(noise_threshold=5)))
    {'not_below_delta': 'it is 5, and delta_threshold is 5: all that is not noise is progress'}
    """
    (low, high), noise, delta = USUAL_NOISE, config.noise_threshold, config.delta_threshold
    found: dict[Odd, str] = {}
    if noise < low:
        found["unusual"] = f"it is {noise:g}: scores of a model vary by {low:g} to {high:g} points"
    if noise > high:
        found["unusual"] = f"it is {noise:g}: changes of {high:g} points would count as none"
    if noise >= delta:
        found["not_below_delta"] = (
            f"it is {noise:g}, and delta_threshold is {delta:g}: all that is not noise is progress"
        )
    return found
