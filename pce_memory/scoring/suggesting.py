"""What the structure of a fused run suggests to change, and what it is about (seed 004 §5)."""

from collections.abc import Mapping
from typing import Final

from pce_memory.domain.fused import Measure, MutateDelta, Pattern, Suggestion, TargetProfile
from pce_memory.domain.fusion import StructuralMetrics
from pce_memory.scoring.structure import STEEP

GOOD_FPROXY: Final = 0.5
GOOD_LAS: Final = 0.3
GOOD_CCW: Final = 0.4
HIGH_CCW: Final = 0.5
NEARLY_ALL: Final = 0.8
"""From this share of the RRF part on a lane dominates."""
PROFILE: Final = 15
"""So many codes of a taxonomy make a profile."""
ABOUT_NOTHING: Final = frozenset({"kind", "scope"})
"""Taxonomies that say nothing of what a document is about."""

MEASURES: Final[Mapping[Pattern, Measure]] = {"low_precision": "CCW"}
"""What a change made for a pattern is judged by where that is not Fproxy.

S_shape judges none: it falls as well when what comes first is no longer what is relevant.
"""


def is_good(metrics: StructuralMetrics) -> bool:
    """Return whether nothing is to be changed: Fproxy ≥ .5, LAS ≥ .3 and CCW ≥ .4."""
    return metrics.Fproxy >= GOOD_FPROXY and metrics.LAS >= GOOD_LAS and metrics.CCW >= GOOD_CCW


def measure_of(pattern: Pattern) -> Measure:
    """Return what a change that a pattern suggested is judged by.

    >>> measure_of("low_precision"), measure_of("low_recall")
    ('CCW', 'Fproxy')
    """
    return MEASURES.get(pattern, "Fproxy")


def points_of(metrics: StructuralMetrics, measure: Measure) -> float:
    """Return a metric on 0 to 100."""
    return 100 * (metrics.CCW if measure == "CCW" else metrics.Fproxy)


def suggest_mutation(
    metrics: StructuralMetrics, contributions: Mapping[str, float] | None = None
) -> Suggestion:
    """Return the first pattern that fits, and what to overwrite by it.

    Too little is found where the codes agree but the lanes do not; too much where the codes do
    not agree; meaning dominates where the first three have most of the score and come from it.
    `contributions` are the shares of the lanes, by lane_name.
    """
    if is_good(metrics):
        return Suggestion(pattern="healthy")
    shares = contributions or {}
    if metrics.CCW >= HIGH_CCW and metrics.LAS < GOOD_LAS:
        return _suggested("low_recall", lane_weights={"recall": 1.5, "precision": 0.7})
    if metrics.CCW < GOOD_CCW:
        return _suggested(
            "low_precision",
            weights={"semantic": 0.5},
            lane_weights={"precision": 1.3},
            pi_weights={"code": 0.6},
        )
    if metrics.S_shape > STEEP and shares.get("semantic", 0.0) >= NEARLY_ALL:
        return _suggested(
            "semantic_dominance",
            weights={"semantic": 0.4, "fulltext": 1.3},
            lane_weights={"semantic": 0.5},
            beta_fuse=0.9,
        )
    return Suggestion(pattern="approach_imbalance", advice="widen the terms of the facets")


def part_of(suggestion: Suggestion) -> Suggestion | None:
    """Return what of a suggestion is tried alone where the whole did not help; None where nothing.

    Where the codes are to agree, that is what lifts by codes: the rest moves the lanes as well.

    >>> poor = StructuralMetrics(LAS=0.3, CCW=0.1, S_shape=0.2, F_struct=0.15, Fproxy=0.15)
    >>> part = part_of(suggest_mutation(poor))
    >>> part.delta.said, part_of(part)
    ({'pi_weights': {'code': 0.6}}, None)
    """
    delta = suggestion.delta
    if measure_of(suggestion.pattern) != "CCW" or delta is None or delta.pi_weights is None:
        return None
    part = MutateDelta(pi_weights=delta.pi_weights)
    return None if part == delta else suggestion.model_copy(update={"delta": part})


def _suggested(pattern: str, **delta: object) -> Suggestion:
    return Suggestion.model_validate(
        {"pattern": pattern, "delta": MutateDelta.model_validate(delta)}
    )


def target_profile_of(
    code_freqs: Mapping[str, Mapping[str, int]], *, top: int = PROFILE
) -> TargetProfile:
    """Return what the most frequent codes of each taxonomy are worth: count / highest count.

    >>> target_profile_of({"tag": {"db": 4, "ops": 1}, "kind": {"fact": 5}}).codes
    {'tag': {'db': 1.0, 'ops': 0.25}}
    """
    codes: dict[str, Mapping[str, float]] = {}
    for taxonomy, counts in code_freqs.items():
        most = max(counts.values(), default=0)
        if taxonomy in ABOUT_NOTHING or not most:
            continue
        best = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:top]
        codes[taxonomy] = {code: count / most for code, count in best}
    return TargetProfile(codes=codes)
