"""How well a search finds what answers a question: no LLM, four sets, any embedder, any policy.

    python -m benchmarks.quality [--sets locomo,jsquad,scifact,mini] [--embedder NAME ...]
        [--variants default,first-stage,...] [--limit N] [--distractors N]

Everything goes in through `observe_many`, an observation for each turn, paragraph, abstract or
fact, and is asked for by `activate`; items are mapped back to what they were drawn from by the
source ids of their evidence. Prints Markdown.

locomo   macro recall of the turns that answer a question, categories 1 to 4, all conversations
         each in a file of its own: of the distinct turns in their order (r@k), and of the turns
         behind the first k items (items@k)
jsquad   recall of the paragraph that answers
scifact  nDCG of the abstracts that bear on a claim
mini     recall of the one fact: English, Japanese, across, and in a store of both
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.locomo import BASE, conversations
from benchmarks.metrics import distinct, ndcg, recall
from pce_memory import ActivationResult, Memory, NewObservation

DATA: Final = Path(__file__).resolve().parents[2] / "shared" / "data"
TOP_K: Final = 24
VARIANTS: Final = {
    "default": "",
    "first-stage": "rerank: {second_stage: 'off'}, duplicates: {same_saying: 1}",
    "words": "hybrid: {alpha: 0}, threshold: 0.0001, rerank: {second_stage: 'off'}",
    "meaning": "hybrid: {alpha: 1}, threshold: 0, rerank: {second_stage: 'off'}",
    "minmax": "hybrid: {alpha: 0.5}, threshold: 0, text_normalizer: minmax, "
    "vector_normalizer: minmax, rerank: {second_stage: 'off'}",
    "dynamic-alpha": "dynamic_alpha: {enabled: true}, rerank: {second_stage: 'off'}",
    "no-completion": "score_completion: false, rerank: {second_stage: 'off'}",
    "mmr": "mmr: {enabled: true}",
    "similar": "duplicates: {similar: 0.97}",
    "every-saying": "duplicates: {same_saying: 1}",
    "expanding": "query_expansion: {enabled: true}",
    "expanding-same": "query_expansion: {enabled: true, include_related: false}",
    "words-expanding": "hybrid: {alpha: 0}, threshold: 0.0001, rerank: {second_stage: 'off'}, "
    "query_expansion: {enabled: true}",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the sources that answer it."""

    text: str
    wanted: frozenset[str]


@dataclass(frozen=True, slots=True)
class Store:
    """What one file holds, and what it is asked."""

    name: str
    told: Sequence[NewObservation]
    asked: Sequence[Asked]


Measure = Callable[[ActivationResult, Asked], dict[str, float]]


@dataclass(slots=True)
class Table:
    """The measures of each variant, question by question."""

    figures: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    seconds: float = 0.0
    claims: int = 0

    def add(self, variant: str, measured: dict[str, float]) -> None:
        of_variant = self.figures.setdefault(variant, {})
        for name, value in measured.items():
            of_variant.setdefault(name, []).append(value)


def sources(found: ActivationResult, items: int) -> list[str]:
    return distinct(
        one.source_id.rpartition("|")[2]
        for item in found.items[:items]
        for one in item.evidences
        if one.source_id is not None
    )


def of_turns(found: ActivationResult, asked: Asked) -> dict[str, float]:
    ranked = sources(found, TOP_K)
    return {
        "r@5": recall(ranked, asked.wanted, 5),
        "r@10": recall(ranked, asked.wanted, 10),
        "items@5": recall(sources(found, 5), asked.wanted, TOP_K),
        "items@10": recall(sources(found, 10), asked.wanted, TOP_K),
    }


def of_documents(found: ActivationResult, asked: Asked) -> dict[str, float]:
    ranked = sources(found, TOP_K)
    return {
        "r@1": recall(ranked, asked.wanted, 1),
        "r@5": recall(ranked, asked.wanted, 5),
        "r@10": recall(ranked, asked.wanted, 10),
        "nDCG@10": ndcg(ranked, asked.wanted, 10),
    }


def locomo(limit: int | None) -> Iterator[Store]:
    for conversation in conversations(DATA / "locomo-dev" / "locomo-dev.json"):
        told = [
            NewObservation(
                content=turn.text,
                actor=turn.speaker,
                source_id=f"{conversation.name}|{turn.id}",
                observed_at=turn.at,
            )
            for turn in conversation.turns
        ]
        asked = [
            Asked(one.text, one.evidence) for one in conversation.questions if one.category != 5
        ]
        yield Store(conversation.name, told, asked[:limit])


def documents(name: str, limit: int | None) -> Iterator[Store]:
    folder = DATA / f"{name}-dev"
    told = [
        NewObservation(
            content=_document(name, one), source_type="file", source_id=f"{name}|{one['id']}"
        )
        for one in _lines(folder / "corpus.jsonl")
    ]
    asked = [
        Asked(str(one["text"]), frozenset(map(str, one["relevant"])))
        for one in _lines(folder / "queries.jsonl")
    ]
    random.Random(7).shuffle(asked)
    yield Store(name, told, asked[:limit])


def _document(name: str, one: dict[str, Any]) -> str:
    """Return a document as it is told: an abstract has its title before it."""
    return f"{one['title']}\n{one['text']}" if name == "scifact" else str(one["text"])


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


def mini(_limit: int | None) -> Iterator[Store]:
    lines = (DATA / "mini-bilingual" / "facts.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    rows = [row for row in rows if len(row) >= 4 and row[0] != "en"]
    facts = {
        column: [
            NewObservation(content=row[column], source_id=f"mini|{n}")
            for n, row in _numbered(rows)
        ]
        for column in (0, 1)
    }
    asked = {
        column: [Asked(row[column], frozenset({str(n)})) for n, row in _numbered(rows)]
        for column in (2, 3)
    }
    yield Store("mini en→en", facts[0], asked[2])
    yield Store("mini ja→ja", facts[1], asked[3])
    yield Store("mini ja→en", facts[0], asked[3])
    yield Store("mini en→ja", facts[1], asked[2])
    yield Store("mini ja→both", [*facts[0], *facts[1]], asked[3])


def _numbered(rows: list[list[str]]) -> Iterable[tuple[int, list[str]]]:
    return enumerate(rows)


SETS: Final[dict[str, tuple[Callable[[int | None], Iterator[Store]], Measure]]] = {
    "locomo": (locomo, of_turns),
    "jsquad": (lambda limit: documents("jsquad", limit), of_documents),
    "scifact": (lambda limit: documents("scifact", limit), of_documents),
    "mini": (mini, of_documents),
}


def distractors(count: int) -> Iterator[NewObservation]:
    """Yield `count` seeded texts that answer nothing: sentences, and turns made of others."""
    chance = random.Random(11)
    sentences = [
        sentence.strip()
        for name in ("scifact", "jsquad")
        for one in _lines(DATA / f"{name}-dev" / "corpus.jsonl")
        for sentence in str(one["text"]).replace("。", "。\n").replace(". ", ".\n").splitlines()
        if len(sentence.strip()) > 20
    ]
    turns = [
        turn.text
        for conversation in conversations(DATA / "locomo-dev" / "locomo-dev.json")
        for turn in conversation.turns
    ]
    for number in range(count):
        if number % 2:
            one, other = chance.choice(turns).split(), chance.choice(turns).split()
            text = " ".join([*one[: len(one) // 2], *other[len(other) // 2 :]])
        else:
            text = chance.choice(sentences)
        yield NewObservation(content=f"{text} ({number})", source_id=f"noise|{number}")


def measure(store: Store, table: Table, how: Measure, options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.duckdb"
        with Memory.open(path, embedder=options.embedding) as memory:
            began = time.process_time()
            done = memory.observe_many(store.told)
            _ = memory.observe_many(distractors(options.distractors))
            table.seconds += time.process_time() - began
            table.claims += done.claims_created
            for number, variant in enumerate(options.variants):
                text = f'version: "1.0.{number + 1}"\nretrieval: {{{VARIANTS[variant]}}}{BASE}'
                _ = memory.apply_policy(text)
                for asked in store.asked:
                    found = memory.activate(asked.text, top_k=TOP_K)
                    table.add(variant, how(found, asked))


def show(name: str, embedder: str, table: Table) -> None:
    print(f"\n### {name}, {embedder}\n")
    names = list(next(iter(table.figures.values())))
    print("| policy | questions |", " | ".join(names), "|")
    print("|---|--:|" + "--:|" * len(names))
    for variant, figures in table.figures.items():
        cells = " | ".join(f"{statistics.fmean(figures[one]):.3f}" for one in names)
        print(f"| {variant} | {len(figures[names[0]])} | {cells} |", flush=True)
    print(f"\n{table.claims} claims, taken in {table.seconds:.0f} s of CPU.", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    _ = parser.add_argument("--sets", default=",".join(SETS))
    _ = parser.add_argument("--embedder", nargs="+", default=["use-multilingual"])
    _ = parser.add_argument("--variants", default="default,first-stage,words,meaning")
    _ = parser.add_argument("--limit", type=int, default=None, help="at most N questions a store")
    _ = parser.add_argument("--distractors", type=int, default=0)
    options = parser.parse_args()
    options.variants = options.variants.split(",")
    return options


def main() -> None:
    options = arguments()
    if not DATA.is_dir():
        print("skipped: there is no shared/data beside this checkout")
        return
    for embedder in options.embedder:
        options.embedding = embedder
        for name in options.sets.split(","):
            stores, how = SETS[name]
            tables: dict[str, Table] = {}
            for store in stores(options.limit):
                title = store.name if name == "mini" else name
                measure(store, tables.setdefault(title, Table()), how, options)
            for title, table in tables.items():
                show(title, embedder, table)


if __name__ == "__main__":
    main()
