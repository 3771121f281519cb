"""The study of the tuning loop as tables in Markdown."""

import math
import statistics
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.fusion_planted import Shape, SynonymEmbedder, planted
from benchmarks.fusion_study import TRIED, Searched, Study, fill, judged_by
from benchmarks.fusion_verdicts import (
    TRULY,
    Step,
    by_fproxy,
    false_ones,
    kept_of,
    rank_correlation,
    truly,
    walked,
)
from benchmarks.quality_tables import difference
from pce_memory import Memory
from pce_memory.domain.fusion import StructuralMetrics

TOLERANCES: Final = (0.0, 0.1, 0.2, 0.3, 0.5, 1.0, 3.0)


@dataclass(frozen=True, slots=True)
class Kind:
    """A corpus to search: how codes are given, and how far meaning errs."""

    says: str
    forgotten: float = 0.3
    wrong: float = 0.8
    error: float = 0.6


KINDS: Final[Mapping[str, Kind]] = {
    "usual": Kind("codes with gaps and errors, meaning with some noise"),
    "tidy": Kind("nearly every code given, few wrong ones", forgotten=0.05, wrong=0.1),
    "dull": Kind("as usual, and a meaning that errs much", error=1.5),
}


def study(kind: str, *, documents: int, queries: int, seed: int) -> list[Searched]:
    """Search over one kind of corpus, print what came of it, and return it."""
    how = KINDS[kind]
    share = documents / Shape().documents
    shape = Shape(
        documents=documents,
        topics=max(queries, Shape().families, round(Shape().topics * share)),
        siblings=round(Shape().siblings * share),
        forgotten=how.forgotten,
        wrong=how.wrong,
    )
    corpus = planted(shape, seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.duckdb"
        with Memory.open(path, embedder=SynonymEmbedder(error=how.error)) as memory:
            fill(memory, corpus)
            made = Study(memory, corpus)
            found = [made.searched(topic, seed + topic) for topic in range(queries)]
    print(f"\n### {kind}: {how.says}; {documents} documents, {queries} topics, seed {seed}\n")
    _means(found)
    loops(found)
    _patterns(found)
    return found


def _means(found: Sequence[Searched]) -> None:
    """Print nDCG of lanes and blends, and Fproxy and CCW before and after."""
    base = [one.base_truth for one in found]
    print("| ranking | nDCG@30 | beside the blend | Fproxy | CCW |")
    print("|---|--:|--:|--:|--:|")
    for lane in found[0].lanes:
        own = [one.lanes[lane] for one in found]
        print(f"| lane {lane} alone | {_mean(own):.3f} | {difference(own, base)} | | |")
    plain = [one.plain for one in found]
    print(f"| blend without a profile | {_mean(plain):.3f} | {difference(plain, base)} | | |")
    before = [one.base.metrics for one in found]
    says = " | ".join(f"{_mean(_all(before, name)):.3f}" for name in ("Fproxy", "CCW"))
    print(f"| blend with the profile | {_mean(base):.3f} | | {says} |")
    after = [one.tuned.metrics for one in found]
    told = " | ".join(
        f"{_mean(_all(after, one)):.3f}, points: {difference(*_points(after, before, one))}"
        for one in ("Fproxy", "CCW")
    )
    tuned = [one.tuned_truth for one in found]
    print(f"| tuned | {_mean(tuned):.3f} | {difference(tuned, base)} | {told} |")


def _points(
    after: Sequence[StructuralMetrics], before: Sequence[StructuralMetrics], name: str
) -> tuple[list[float], list[float]]:
    return [100 * one for one in _all(after, name)], [100 * one for one in _all(before, name)]


def loops(found: Sequence[Searched]) -> None:
    """Print what the loop is worth by every tolerance, and what tolerance stops."""
    ends = Counter(one.tuned.stopped for one in found)
    said = ", ".join(f"{why} {count}" for why, count in ends.most_common())
    print(f"\nTuning ended, {len(found)} loops: {said}.\n")
    print(
        "| tolerance, points | kept | truly better | nDCG@30 | Fproxy, points | CCW, points "
        "| false rises stopped, passed | true rises stopped, passed |"
    )
    print("|--:|" + "--:|" * 7)
    for noise in TOLERANCES:
        steps = [step for one in found for step in walked(one.loop, noise)]
        kept = [kept_of(one.loop, noise) for one in found]
        truths, wholes, points = zip(*(_moves(one) for one in kept), strict=True)
        whole = [one for one in kept if one is not None]
        better = sum(truly(one) == TRULY[0] for one in whole)
        share = f"{better / len(whole):.0%}" if whole else "–"
        stopped, passed, lost, won = false_ones(steps, noise)
        changes = " | ".join(_changed(one) for one in (truths, wholes, points))
        print(
            f"| {noise:g} | {len(whole)} | {share} | {changes} "
            f"| {stopped}, {passed} | {lost}, {won} |"
        )


def _moves(step: Step | None) -> tuple[float, float, float]:
    """Return by what a kept step changes nDCG, Fproxy and what judges it; none changes nothing."""
    if step is None:
        return 0.0, 0.0, 0.0
    return step.truth_after - step.truth_before, step.whole, step.after - step.before


def _changed(values: Sequence[float]) -> str:
    return difference(values, [0.0] * len(values))


def _patterns(found: Sequence[Searched]) -> None:
    """Print what every pattern's change does to each blend, fitting or not."""
    suggested = Counter[str](step.pattern for one in found for step in one.tuned.steps[:1])
    print(
        "\n| change of | suggested first | judged by | points | Fproxy, points | nDCG@30 "
        "| rank correlation | of Fproxy |"
    )
    print("|---|--:|---|--:|--:|--:|--:|--:|")
    for pattern in TRIED:
        steps = [one.each[pattern] for one in found]
        true = [one.truth_after - one.truth_before for one in steps]
        judged, whole = (_claims(some) for some in (steps, by_fproxy(steps)))
        print(
            f"| {pattern} | {suggested[pattern]} | {judged_by(pattern)} | {_moved(judged)} "
            f"| {_moved(whole)} | {_changed(true)} "
            f"| {rank_correlation(judged, true):+.2f} | {rank_correlation(whole, true):+.2f} |"
        )
    metrics = [one.base.metrics for one in found]
    truths = [one.base_truth for one in found]
    says = ", ".join(
        f"{name} {rank_correlation(_all(metrics, name), truths):+.2f}"
        for name in ("Fproxy", "LAS", "CCW", "S_shape")
    )
    print(f"\nAcross topics, rank correlation with the nDCG of the blend: {says}.")


def _all(metrics: Sequence[StructuralMetrics], name: str) -> list[float]:
    return [getattr(one, name) for one in metrics]


def _claims(steps: Sequence[Step]) -> list[float]:
    return [one.after - one.before for one in steps]


def _moved(changes: Sequence[float]) -> str:
    size = statistics.median(abs(change) for change in changes)
    return f"{_mean(changes):+.2f}, half within ±{size:.2f}"


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / max(len(values), 1)
