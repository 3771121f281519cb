"""Learns the weights of the second stage, and tells how they do on conversations left out.

    python -m benchmarks.learn_rerank [--embedder NAME] [--l2 STRENGTH]

The signs of every candidate are those the engine itself computes for the questions of LoCoMo,
categories 1 to 4. A linear score is fitted so that, of the candidates of a question, those that
lead back to a turn that answers it take most of a softmax. Each conversation is answered once by
weights that were learned on the others. Prints the weights over that of the window, as
`pce_memory/scoring/second_stage.py` holds them.

A claim that leads to more than two observations ("Thanks!") is no example of an answer: it would
teach that what is said often answers everything.
"""

import argparse
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.asking import leads_of
from benchmarks.metrics import distinct, recall
from benchmarks.quality_sets import DATA, Asked, Store, locomo
from pce_memory import Memory
from pce_memory.engine.ready import default_boundary
from pce_memory.retriever.context import sizes_of
from pce_memory.retriever.lanes import candidates, question
from pce_memory.scoring.columnwise import above_unrelated_all
from pce_memory.store import embeddings
from pce_memory.store.visibility import view
from pce_memory.text.marks import asks_when

Floats = npt.NDArray[np.float64]

SIGNS = ("cosine", "window", "period", "asks", "answers", "timed")
MOST_SOURCES = 2
STEPS = 400
RATE = 0.05


@dataclass(frozen=True, slots=True)
class Example:
    """The candidates of one question: their signs, which answer, and where each leads back to."""

    signs: Floats
    answers: npt.NDArray[np.bool_]
    sources: Sequence[Sequence[str]]
    wanted: frozenset[str]


def examples(store: Store, embedder: str) -> Iterator[Example]:
    with Memory.open(embedder=embedder) as memory:
        _ = memory.observe_many(store.told)
        leads = leads_of(memory)
        for asked in store.asked:
            yield example(memory, asked, leads)


def example(memory: Memory, asked: Asked, leads: Mapping[int, Sequence[str]]) -> Example:
    deps, policy = memory.deps, memory.policy()
    visible = view(default_boundary(), policy)(deps).unwrap().visible
    put = question(asked.text, policy)(deps).unwrap()
    deps.search_index.follow().unwrap()
    found = candidates(put, visible, policy, sizes=sizes_of(policy, None))(deps).unwrap()
    columns = found.found.columns
    signs = np.stack(
        [
            above_unrelated_all(columns["cosine"], embeddings.unrelated(deps.embedding)),
            columns["window"],
            columns["period"],
            columns["asks"].astype(float),
            columns["answers"].astype(float),
            (columns["timed"] & asks_when(asked.text)).astype(float),
        ],
        axis=1,
    )
    sources = [leads.get(row, ()) for row in columns["row_id"].tolist()]
    answers = [len(one) <= MOST_SOURCES and bool(asked.wanted & set(one)) for one in sources]
    return Example(signs, np.array(answers, np.bool_), sources, asked.wanted)


def learned(given: Sequence[Example], l2: float) -> Floats:
    """Return the weights: gradient steps with momentum on the log of the answers' share."""
    usable = [one for one in given if one.answers.any()]
    weights, speed = np.zeros(len(SIGNS)), np.zeros(len(SIGNS))
    for _ in range(STEPS):
        slope = sum((slope_of(one, weights) for one in usable), np.zeros(len(SIGNS)))
        speed = 0.9 * speed + RATE * (slope / len(usable) - l2 * weights)
        weights = weights + speed * 10
    return weights


def slope_of(one: Example, weights: Floats) -> Floats:
    score = one.signs @ weights
    share = np.exp(score - score.max())
    among = share * one.answers
    wanted = among / among.sum() - share / share.sum()
    return np.asarray(wanted @ one.signs)


def measured(given: Sequence[Example], weights: Floats) -> tuple[float, float]:
    """Return the recall of the turns that answer at 5 and at 10."""
    at5, at10 = [], []
    for one in given:
        order = np.argsort(-(one.signs @ weights), kind="stable")
        turns = distinct(turn for place in order for turn in one.sources[place])
        at5.append(recall(turns, one.wanted, 5))
        at10.append(recall(turns, one.wanted, 10))
    return statistics.fmean(at5), statistics.fmean(at10)


def told(name: str, weights: Floats, recalls: tuple[float, float]) -> None:
    relative = " | ".join(f"{weight:+.2f}" for weight in weights / weights[SIGNS.index("window")])
    print(f"| {name} | {relative} | {recalls[0]:.3f} | {recalls[1]:.3f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    _ = parser.add_argument("--embedder", default="use-multilingual")
    _ = parser.add_argument("--l2", type=float, default=1e-4)
    options = parser.parse_args()
    if not DATA.is_dir():
        print("skipped: there is no shared/data beside this checkout")
        return
    folds = {one.name: list(examples(one, options.embedder)) for one in locomo(None)}
    print("| left out |", " | ".join(SIGNS), "| r@5 | r@10 |")
    print("|---|" + "--:|" * (len(SIGNS) + 2))
    left: list[tuple[float, float]] = []
    for name, fold in folds.items():
        rest = [one for other, some in folds.items() if other != name for one in some]
        weights = learned(rest, options.l2)
        left += [measured([one], weights) for one in fold]
        told(name, weights, measured(fold, weights))
    every = [one for some in folds.values() for one in some]
    weights = learned(every, options.l2)
    at5, at10 = (statistics.fmean(column) for column in zip(*left, strict=True))
    print(f"\nEach left out in turn: r@5 {at5:.3f}, r@10 {at10:.3f}. Weights of all:\n")
    print("| learned on |", " | ".join(SIGNS), "| r@5 | r@10 |")
    print("|---|" + "--:|" * (len(SIGNS) + 2))
    told("all", weights, measured(every, weights))


if __name__ == "__main__":
    main()
