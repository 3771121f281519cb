"""How far a signal moves a claim's measures."""

from typing import NamedTuple


class Step(NamedTuple):
    """How much one signal adds to each measure."""

    utility: float
    confidence: float


class Measures(NamedTuple):
    """What a signal moves: utility is unbounded, confidence is in [0, 1]."""

    utility: float
    confidence: float


def apply_signal(measures: Measures, step: Step, *, weight: float = 1.0) -> Measures:
    """Return the measures after one signal; `weight` in (0, 1] scales it.

    >>> apply_signal(Measures(0.0, 0.5), Step(0.1, 0.05))
    Measures(utility=0.1, confidence=0.55)
    >>> apply_signal(Measures(0.0, 0.05), Step(-0.2, -0.1))
    Measures(utility=-0.2, confidence=0.0)
    """
    return Measures(
        measures.utility + step.utility * weight,
        min(1.0, max(0.0, measures.confidence + step.confidence * weight)),
    )
