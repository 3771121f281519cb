"""The four sets: what is told, what is asked, and how a ranking is judged; and noise for them."""

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.locomo import conversations
from benchmarks.metrics import distinct, ndcg, recall
from pce_memory import NewObservation

DATA: Final = Path(__file__).resolve().parents[2] / "shared" / "data"
TOP_K: Final = 24


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


Items = Sequence[Sequence[str]]
"""The sources of what was shown, item by item."""
Measure = Callable[[Items, Asked], dict[str, float]]


def sources(found: Items, items: int) -> list[str]:
    return distinct(source for item in found[:items] for source in item)


def of_turns(found: Items, asked: Asked) -> dict[str, float]:
    ranked = sources(found, TOP_K)
    return {
        "r@5": recall(ranked, asked.wanted, 5),
        "r@10": recall(ranked, asked.wanted, 10),
        "items@5": recall(sources(found, 5), asked.wanted, TOP_K),
        "items@10": recall(sources(found, 10), asked.wanted, TOP_K),
    }


def of_documents(found: Items, asked: Asked) -> dict[str, float]:
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


def documents(name: str, limit: int | None, title: str) -> Iterator[Store]:
    folder = DATA / f"{name}-dev"
    told = [
        NewObservation(
            content=_document(one, title),
            source_type="file",
            source_id=f"{name}|{one['id']}",
        )
        for one in _lines(folder / "corpus.jsonl")
    ]
    asked = [
        Asked(str(one["text"]), frozenset(map(str, one["relevant"])))
        for one in _lines(folder / "queries.jsonl")
    ]
    random.Random(7).shuffle(asked)
    yield Store(name, told, asked[:limit])


def _document(one: dict[str, Any], title: str) -> str:
    """Return a document as it is told; `title` has a place for its title, or none."""
    return title.format(one["title"]) + str(one["text"])


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
    "jsquad": (lambda limit: documents("jsquad", limit, ""), of_documents),
    "jsquad-titled": (lambda limit: documents("jsquad", limit, "{}："), of_documents),
    "scifact": (lambda limit: documents("scifact", limit, "{}\n"), of_documents),
    "mini": (mini, of_documents),
}
