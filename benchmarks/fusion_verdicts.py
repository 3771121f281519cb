"""What steps of the tuning loop were worth: what they claimed beside what they truly did. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

SAME: Final = 1e-9
"""A change of nDCG up to this is none."""
Cell: TypeAlias = tuple[str, str]
CLAIMED: Final = ("up, beyond the noise", "up, within the noise", "not up")
TRULY: Final = ("better", "the same", "worse")


@dataclass(frozen=True, slots=True)
class Step:
    """One mutation: points of what judges it and the true nDCG, each before and after.

    `whole` is the change of Fproxy in points, which may not fall beyond the noise.
    """

    pattern: str
    before: float
    after: float
    truth_before: float
    truth_after: float
    whole: float = 0.0


def claimed(step: Step, noise: float) -> str:
    """Return what is said of a step by what judges it.

    >>> claimed(Step("low_recall", 30, 34, 0, 0), 3)
    'up, beyond the noise'
    >>> claimed(Step("low_precision", 30, 34, 0, 0, whole=-3), 3)
    'not up'
    """
    change = step.after - step.before
    if change <= 0 or (step.whole < 0 and -step.whole >= noise):
        return CLAIMED[2]
    return CLAIMED[0] if change > noise else CLAIMED[1]


def truly(step: Step) -> str:
    """Return what a step truly did.

    >>> truly(Step("low_recall", 30, 34, 0.5, 0.4))
    'worse'
    """
    change = step.truth_after - step.truth_before
    if abs(change) <= SAME:
        return TRULY[1]
    return TRULY[0] if change > 0 else TRULY[2]


def counted(steps: Sequence[Step], noise: float) -> Counter[Cell]:
    """Return how many steps claimed what, and truly did what."""
    return Counter((claimed(one, noise), truly(one)) for one in steps)


def false_ones(steps: Sequence[Step], noise: float) -> tuple[int, int, int, int]:
    """Return false improvements that were stopped and passed, then true ones stopped and passed.

    A false improvement raises what judges it, and the true nDCG not; tolerance stops what lies
    within the noise, and what lies beyond it passes.
    """
    found = counted(steps, noise)
    within = {what: found[CLAIMED[1], what] for what in TRULY}
    beyond = {what: found[CLAIMED[0], what] for what in TRULY}
    return (
        within["the same"] + within["worse"],
        beyond["the same"] + beyond["worse"],
        within["better"],
        beyond["better"],
    )


def walked(tried: Sequence[Step], noise: float) -> list[Step]:
    """Return the steps of a loop: one after the other is tried until one is kept.

    >>> steps = [Step("low_precision", 1, 1.2, 0, 0), Step("low_precision", 1, 2, 0, 1)]
    >>> [len(walked(steps, noise)) for noise in (0.1, 0.3, 3)]
    [1, 2, 2]
    """
    kept = [one for one, step in enumerate(tried) if claimed(step, noise) == CLAIMED[0]]
    return list(tried[: kept[0] + 1] if kept else tried)


def kept_of(tried: Sequence[Step], noise: float) -> Step | None:
    """Return the step that such a loop keeps; None where it goes back to where it began."""
    last = walked(tried, noise)[-1]
    return last if claimed(last, noise) == CLAIMED[0] else None


def by_fproxy(steps: Sequence[Step]) -> list[Step]:
    """Return steps as if Fproxy alone judged them."""
    return [replace(one, before=0.0, after=one.whole) for one in steps]


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's rho, equal values with their mean rank; 0 where all of one are equal.

    >>> rank_correlation([1, 2, 3], [10, 20, 30]), rank_correlation([1, 2, 3], [3, 2, 1])
    (1.0, -1.0)
    >>> rank_correlation([1, 1], [1, 2])
    0.0
    """
    first, second = _ranks(one), _ranks(other)
    if not first.std() or not second.std():
        return 0.0
    return round(float(np.corrcoef(first, second)[0, 1]), 12)


def _ranks(values: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    given = np.asarray(values, np.float64)
    _, places, counts = np.unique(given, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return ((last - counts + 1 + last) / 2)[places]
