"""Whether a change of a score is more than its noise (seed 003 §2). Scores are on 0 to 100."""

from returns.result import Failure, Result, Success

from pce_memory.domain.refinement import ScoreDirection
from pce_memory.errors import InvalidParameter


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
    if not 0.0 < noise_threshold < float("inf"):
        return Failure(InvalidParameter("noise_threshold", f"{noise_threshold} is not above 0"))
    if current_score is None or previous_score is None:
        return Success("unknown")
    difference = current_score - previous_score
    if difference != difference:  # noqa: PLR0124 - the one number that is not equal to itself
        return Success("unknown")
    if abs(difference) < noise_threshold:
        return Success("stable")
    return Success("improved" if difference > 0 else "degraded")
