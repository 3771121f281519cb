"""Learns what the relevance of the first items says of an answer, and tells how far it is right.

    python -m benchmarks.learn_crag [--embedder NAME] [--limit N]

Every set of `benchmarks.quality_sets` is told by halves: of paragraphs, abstracts and facts every
second is left out, so half of the questions have no answer; a conversation is asked its own
questions and as many of another. A question is answered where one of the first five items leads
back to what answers it. Two numbers, of a logistic curve over the best relevance R of the second
stage, are fitted with the same weight for every set and for both outcomes; each set is judged once
by a curve that was fitted on the others. Prints reliability tables, and the numbers
`pce_memory/scoring/relevance.py` holds.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from zlib import crc32

import numpy as np
import numpy.typing as npt

from benchmarks.asking import leads_of
from benchmarks.quality_sets import DATA, SETS, Asked, Store
from pce_memory import Memory
from pce_memory.domain.query import Query
from pce_memory.engine.ready import default_boundary
from pce_memory.retriever.select import select

Floats = npt.NDArray[np.float64]

FIRST = 5
STEPS = 50
LINES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Case:
    """The best relevance among the items of a question, and whether one of the first answers."""

    relevance: float
    answered: bool


def told_by_halves(name: str, limit: int | None) -> Iterator[Store]:
    """Yield the stores of a set so that some of their questions have no answer."""
    stores = list(SETS[name][0](limit))
    if name == "locomo":
        for one, other in pairwise([*stores, stores[0]]):
            strange = [Asked(asked.text, frozenset({"nowhere"})) for asked in other.asked]
            yield replace(one, asked=[*one.asked, *strange[: len(one.asked)]])
        return
    for store in stores:
        kept = [one for one in store.told if crc32(str(one.source_id).encode()) % 2]
        yield replace(store, told=kept)


def cases(store: Store, embedder: str) -> Iterator[Case]:
    with Memory.open(embedder=embedder) as memory:
        _ = memory.observe_many(store.told)
        leads, policy = leads_of(memory), memory.policy()
        rows = {
            str(row["id"]): int(row["row_id"])
            for row in memory.deps.db.query("select id, row_id from claims").unwrap()
        }
        for asked in store.asked:
            asking = select(Query(q=asked.text, include_meta=True), default_boundary(), policy)
            items = asking(memory.deps).unwrap().items
            found = [item.scores.relevance or 0.0 for item in items if item.scores is not None]
            first = [set(leads.get(rows[item.claim.id], ())) for item in items[:FIRST]]
            yield Case(max(found, default=0.0), any(asked.wanted & one for one in first))


def fitted(sets: Sequence[Sequence[Case]]) -> tuple[float, float]:
    """Return slope and middle of the curve: Newton's steps on the balanced likelihood."""
    x = np.array([one.relevance for some in sets for one in some])
    y = np.array([float(one.answered) for some in sets for one in some])
    weight = np.concatenate([balanced(some) for some in sets])
    design = np.stack([np.ones(len(x)), x], axis=1)
    beta = np.zeros(2)
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-(design @ beta)))
        slope = design.T @ (weight * (y - p))
        bend = (design * (weight * p * (1 - p))[:, None]).T @ design
        beta = beta + np.linalg.solve(bend + 1e-9 * np.eye(2), slope)
    return float(beta[1]), float(-beta[0] / beta[1])


def balanced(some: Sequence[Case]) -> Floats:
    answered = np.array([one.answered for one in some])
    share = max(1e-9, answered.mean()), max(1e-9, 1 - answered.mean())
    weight = np.where(answered, 0.5 / share[0], 0.5 / share[1])
    return np.asarray(weight / len(some), np.float64)


def curve(relevance: Floats, slope: float, middle: float) -> Floats:
    return np.asarray(1 / (1 + np.exp(-slope * (relevance - middle))), np.float64)


def table(name: str, some: Sequence[Case], slope: float, middle: float) -> None:
    said = curve(np.array([one.relevance for one in some]), slope, middle)
    answered = np.array([one.answered for one in some])
    cells: list[str] = []
    for low, high in pairwise(LINES):
        within = (said >= low) & ((said < high) | (high == 1.0))
        rate = f"{answered[within].mean():.2f}" if within.any() else "–"
        cells.append(f"{rate} ({int(within.sum())})")
    print(
        f"| {name} | {answered.mean():.2f} | {auc(said, answered):.3f} |", " | ".join(cells), "|"
    )


def auc(said: Floats, answered: npt.NDArray[np.bool_]) -> float:
    """Return how often what is answered is above what is not."""
    order = np.argsort(np.argsort(said, kind="stable"), kind="stable") + 1.0
    yes, no = answered.sum(), (~answered).sum()
    if not yes or not no:
        return float("nan")
    return float((order[answered].sum() - yes * (yes + 1) / 2) / (yes * no))


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    _ = parser.add_argument("--embedder", default="use-multilingual")
    _ = parser.add_argument("--limit", type=int, default=150, help="questions of a store")
    options = parser.parse_args()
    if not DATA.is_dir():
        print("skipped: there is no shared/data beside this checkout")
        return
    found = {
        name: [
            case
            for store in told_by_halves(name, options.limit)
            for case in cases(store, options.embedder)
        ]
        for name in ("locomo", "jsquad", "scifact", "mini")
    }
    print("| set | answered | AUC |", " | ".join(f"{a}–{b}" for a, b in pairwise(LINES)), "|")
    print("|---|--:|--:|" + "--:|" * (len(LINES) - 1))
    for name, some in found.items():
        slope, middle = fitted([one for other, one in found.items() if other != name])
        table(f"{name}, by the others ({slope:.1f}, {middle:.3f})", some, slope, middle)
    slope, middle = fitted(list(found.values()))
    for name, some in found.items():
        table(f"{name}, by all", some, slope, middle)
    print(f"\nslope {slope:.2f}, middle {middle:.4f}")


if __name__ == "__main__":
    main()
