"""What a score that somebody else gives a claim is worth as feedback."""

from typing import Final, Literal, NamedTuple, TypeAlias

from returns.result import Result

from pce_memory.domain.refinement import RefinementConfig, ScoreDirection
from pce_memory.errors import InvalidParameter
from pce_memory.scoring.noise import determine_score_direction

Signal: TypeAlias = Literal["helpful", "harmful"]
POINTS: Final = 100.0
"""Scores are on 0 to 100, the strength of a signal on 0 to 1."""


class Counts(NamedTuple):
    """How a score compares with the one before, whether it counts, and as which signal."""

    direction: ScoreDirection
    counted: bool
    signal: Signal | None = None
    weight: float = 0.0


def what_counts(
    score: float | None, previous: float | None, config: RefinementConfig
) -> Result[Counts, InvalidParameter]:
    """Return what a score amounts to after the last that counted: its change, beyond the noise.

    A claim's first score has none before it: it is held against the `quality_threshold`, whatever
    the noise. So what a series amounts to is the way its scores went, and noise adds nothing.

    >>> what_counts(80, 60, RefinementConfig()).unwrap()
    Counts(direction='improved', counted=True, signal='helpful', weight=0.2)
    >>> what_counts(62, 60, RefinementConfig()).unwrap()
    Counts(direction='stable', counted=False, signal=None, weight=0.0)
    >>> what_counts(10, None, RefinementConfig()).unwrap()
    Counts(direction='unknown', counted=True, signal='harmful', weight=0.5)
    """
    before = config.quality_threshold if previous is None else previous
    return determine_score_direction(score, previous, config.noise_threshold).map(
        lambda direction: _counts(direction, score, before)
    )


def _counts(direction: ScoreDirection, score: float | None, before: float) -> Counts:
    if score is None or direction == "stable":
        return Counts(direction, counted=False)
    if score == before:
        return Counts(direction, counted=True)
    signal: Signal = "helpful" if score > before else "harmful"
    return Counts(direction, counted=True, signal=signal, weight=abs(score - before) / POINTS)
