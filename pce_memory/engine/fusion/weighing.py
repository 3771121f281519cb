"""A weight by name has to weigh something: one for what is not in a blend is a slip."""

from collections.abc import Iterable
from typing import Final, get_args

from returns.result import Failure, Result, Success

from pce_memory.domain.fused import FusionParams
from pce_memory.domain.fusion import Lane
from pce_memory.domain.policy import Policy
from pce_memory.errors import InvalidParameter, shown

USUAL: Final = frozenset({"recall", "precision", *get_args(Lane)})
"""Lanes that settings for several blends, and what is suggested, weigh, there or not."""


def all_weigh(params: FusionParams, policy: Policy) -> Result[None, InvalidParameter]:
    """Return a failure that names what there is, where a weight is of nothing there.

    The lanes are those of the runs; what the policy weighs, and `USUAL`, may be absent.
    """
    lanes = {one.lane_name or one.lane for one in params.runs}
    absent = {*policy.fusion.lane_weights, *USUAL}
    categories = {one.category for one in params.representatives if one.category is not None}
    return Result.do(
        None
        for _ in _known("lane_weights", params.lane_weights, lanes, absent)
        for _ in _known("facet_weights", params.facet_weights, params.facet_terms)
        for _ in _known("category_weights", params.category_weights, categories)
    )


def _known(
    name: str, given: Iterable[str], there: Iterable[str], absent: Iterable[str] = ()
) -> Result[None, InvalidParameter]:
    unknown = sorted(set(given) - {*there, *absent})
    if not unknown:
        return Success(None)
    known = ", ".join(sorted(map(shown, there))) or "none"
    reason = f"{shown(unknown[0])} is not in this blend; give a weight for what is: {known}"
    return Failure(InvalidParameter(name, reason))
