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
from benchmarks.fusion_study import DELTAS, TRIED, Searched, Study, fill, judged_by
from benchmarks.fusion_verdicts import (
    CLAIMED,
    TRULY,
    Step,
    by_fproxy,
    counted,
    false_ones,
    rank_correlation,
)
from benchmarks.quality_tables import difference
from pce_memory import Memory
from pce_memory.domain.fusion import StructuralMetrics

THRESHOLDS: Final = (0.0, 0.1, 0.3, 1.0, 3.0)


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


def study(kind: str, *, documents: int, queries: int, seed: int, noise: float) -> None:
    """Search over one kind of corpus, and print what came of it."""
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
            made = Study(memory, corpus, noise=noise)
            found = [made.searched(topic, seed + topic) for topic in range(queries)]
    print(f"\n### {kind}: {how.says}; {documents} documents, {queries} topics, seed {seed}\n")
    _means(found)
    _loop(found, noise)
    _patterns(found)
    steps = [step for one in found for step in one.each]
    for pattern in DELTAS:
        some = [step for step in steps if step.pattern == pattern]
        _thresholds(f"`{pattern}` by {judged_by(pattern)}", some)
        if judged_by(pattern) != "Fproxy":
            _thresholds(f"`{pattern}` by Fproxy alone", by_fproxy(some))


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
    for name, truths, after in (
        ("tuned", [x.tuned_truth for x in found], [x.tuned.metrics for x in found]),
        (
            "tuned without tolerance",
            [x.eager_truth for x in found],
            [x.eager.metrics for x in found],
        ),
    ):
        told = " | ".join(
            f"{_mean(_all(after, one)):.3f} ({difference(_all(after, one), _all(before, one))})"
            for one in ("Fproxy", "CCW")
        )
        print(f"| {name} | {_mean(truths):.3f} | {difference(truths, base)} | {told} |")


def _loop(found: Sequence[Searched], noise: float) -> None:
    """Print how tuning ended, and what its steps were worth."""
    ends = Counter(one.tuned.stopped for one in found)
    steps = [step for one in found for step in one.steps]
    kept = sum(step.kept for step in steps)
    says = ", ".join(f"{why} {count}" for why, count in ends.most_common())
    print(f"\nTuning ended: {says}; {len(steps)} steps, {kept} kept.")
    for what, judged in (("as judged", steps), ("if by Fproxy alone", by_fproxy(steps))):
        stopped, passed, lost, won = false_ones(judged, noise)
        print(
            f"Rises {what}: tolerance stopped {stopped} false and {lost} true ones; "
            f"{passed} false and {won} true ones passed."
        )
    cells = counted(steps, noise)
    print("\n| what judges a step | " + " | ".join(f"truly {what}" for what in TRULY) + " |")
    print("|---|" + "--:|" * len(TRULY))
    for said in CLAIMED:
        row = " | ".join(str(cells[said, what]) for what in TRULY)
        print(f"| {said} | {row} |")
    eager = [step for one in found for step in one.eager.steps]
    print(f"\nWithout tolerance: {len(eager)} steps, {sum(s.kept for s in eager)} kept.")


def _patterns(found: Sequence[Searched]) -> None:
    """Print what every pattern's change does to each blend, fitting or not."""
    suggested = Counter(step.pattern for one in found for step in one.steps[:1])
    print(
        "\n| change of | suggested first | judged by | points | Fproxy, points | nDCG@30 "
        "| rank correlation | of Fproxy |"
    )
    print("|---|--:|---|--:|--:|--:|--:|--:|")
    for pattern in TRIED:
        steps = [step for one in found for step in one.each if step.pattern == pattern]
        true = [one.truth_after - one.truth_before for one in steps]
        judged, whole = (_claims(some) for some in (steps, by_fproxy(steps)))
        print(
            f"| {pattern} | {suggested[pattern]} | {judged_by(pattern)} | {_moved(judged)} "
            f"| {_moved(whole)} | {difference(true, [0.0] * len(true))} "
            f"| {rank_correlation(judged, true):+.2f} | {rank_correlation(whole, true):+.2f} |"
        )
    metrics = [one.base.metrics for one in found]
    truths = [one.base_truth for one in found]
    says = ", ".join(
        f"{name} {rank_correlation(_all(metrics, name), truths):+.2f}"
        for name in ("Fproxy", "LAS", "CCW", "S_shape")
    )
    print(f"\nAcross topics, rank correlation with the nDCG of the blend: {says}.")


def _thresholds(name: str, steps: Sequence[Step]) -> None:
    """Print what other tolerances would let pass, of changes tried."""
    print(f"\n{name}:")
    print("\n| tolerance, points | pass | of these truly better | stopped false | stopped true |")
    print("|--:|--:|--:|--:|--:|")
    for limit in THRESHOLDS:
        stopped, passed, lost, won = false_ones(steps, limit)
        share = f"{won / (won + passed):.0%}" if won + passed else "–"
        print(f"| {limit:g} | {won + passed} | {share} | {stopped} | {lost} |")


def _all(metrics: Sequence[StructuralMetrics], name: str) -> list[float]:
    return [getattr(one, name) for one in metrics]


def _claims(steps: Sequence[Step]) -> list[float]:
    return [one.after - one.before for one in steps]


def _moved(changes: Sequence[float]) -> str:
    size = statistics.median(abs(change) for change in changes)
    return f"{_mean(changes):+.2f}, half within ±{size:.2f}"


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / max(len(values), 1)
