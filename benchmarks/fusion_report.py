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
from benchmarks.fusion_study import DELTAS, TRIED, Searched, Study, fill
from benchmarks.fusion_verdicts import (
    CLAIMED,
    TRULY,
    Step,
    counted,
    false_ones,
    rank_correlation,
)
from benchmarks.quality_tables import difference
from pce_memory import Memory

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
    _thresholds(found)


def _means(found: Sequence[Searched]) -> None:
    """Print nDCG of lanes and blends, and Fproxy before and after."""
    base = [one.base_truth for one in found]
    print("| ranking | nDCG@30 | beside the blend | Fproxy |")
    print("|---|--:|--:|--:|")
    for lane in found[0].lanes:
        own = [one.lanes[lane] for one in found]
        print(f"| lane {lane} alone | {_mean(own):.3f} | {difference(own, base)} | |")
    plain = [one.plain for one in found]
    print(f"| blend without a profile | {_mean(plain):.3f} | {difference(plain, base)} | |")
    before = [one.base.metrics.Fproxy for one in found]
    print(f"| blend with the profile | {_mean(base):.3f} | | {_mean(before):.3f} |")
    for name, truths, after in (
        ("tuned", [x.tuned_truth for x in found], [x.tuned.metrics.Fproxy for x in found]),
        (
            "tuned without tolerance",
            [x.eager_truth for x in found],
            [x.eager.metrics.Fproxy for x in found],
        ),
    ):
        told = f"{_mean(after):.3f} ({difference(after, before)})"
        print(f"| {name} | {_mean(truths):.3f} | {difference(truths, base)} | {told} |")


def _loop(found: Sequence[Searched], noise: float) -> None:
    """Print how tuning ended, and what its steps were worth."""
    ends = Counter(one.tuned.stopped for one in found)
    steps = [step for one in found for step in one.steps]
    kept = sum(step.kept for step in steps)
    says = ", ".join(f"{why} {count}" for why, count in ends.most_common())
    print(f"\nTuning ended: {says}; {len(steps)} steps, {kept} kept.")
    stopped, passed, lost, won = false_ones(steps, noise)
    print(
        f"Of rises of Fproxy, tolerance stopped {stopped} false and {lost} true ones; "
        f"{passed} false and {won} true ones passed.\n"
    )
    cells = counted(steps, noise)
    print("| Fproxy of a step | " + " | ".join(f"truly {what}" for what in TRULY) + " |")
    print("|---|" + "--:|" * len(TRULY))
    for said in CLAIMED:
        row = " | ".join(str(cells[said, what]) for what in TRULY)
        print(f"| {said} | {row} |")
    eager = [step for one in found for step in one.eager.steps]
    print(f"\nWithout tolerance: {len(eager)} steps, {sum(s.kept for s in eager)} kept.")


def _patterns(found: Sequence[Searched]) -> None:
    """Print what every pattern's change does to each blend, fitting or not."""
    suggested = Counter(step.pattern for one in found for step in one.steps[:1])
    print("\n| change of | suggested first | Fproxy, points | nDCG@30 | rank correlation |")
    print("|---|--:|--:|--:|--:|")
    for pattern in TRIED:
        steps = [step for one in found for step in one.each if step.pattern == pattern]
        claimed, true = _changes(steps)
        nothing = [0.0] * len(steps)
        size = statistics.median(abs(change) for change in claimed)
        print(
            f"| {pattern} | {suggested[pattern]} | {_mean(claimed):+.2f}, half within "
            f"±{size:.2f} | {difference(true, nothing)} | {rank_correlation(claimed, true):+.2f} |"
        )
    both = rank_correlation(
        [one.base.metrics.Fproxy for one in found], [one.base_truth for one in found]
    )
    parts = ", ".join(
        f"{name} {rank_correlation([getattr(x.base.metrics, name) for x in found], truths):+.2f}"
        for name in ("LAS", "CCW", "S_shape")
        for truths in [[x.base_truth for x in found]]
    )
    print(
        f"\nAcross topics, Fproxy and nDCG of the blend: rank correlation {both:+.2f} ({parts})."
    )


def _thresholds(found: Sequence[Searched]) -> None:
    """Print what other tolerances would let pass, of all changes tried."""
    steps = [step for one in found for step in one.each if step.pattern in DELTAS]
    print("\n| tolerance, points | pass | of these truly better | stopped false | stopped true |")
    print("|--:|--:|--:|--:|--:|")
    for limit in THRESHOLDS:
        stopped, passed, lost, won = false_ones(steps, limit)
        share = f"{won / (won + passed):.0%}" if won + passed else "–"
        print(f"| {limit:g} | {won + passed} | {share} | {stopped} | {lost} |")


def _changes(steps: Sequence[Step]) -> tuple[list[float], list[float]]:
    claimed = [one.after - one.before for one in steps]
    return claimed, [one.truth_after - one.truth_before for one in steps]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / max(len(values), 1)
