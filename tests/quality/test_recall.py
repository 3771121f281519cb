"""Does it find what it should: floors of recall on small real sets, with the model that ships."""

import csv
import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from pce_memory import Memory

Folder = Callable[[str], Path]

WORDS_ONLY = """
version: "1.0.1"
retrieval: {hybrid: {alpha: 0.0}, threshold: 0.0}
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["answer:task"]}
  pii: {allow: []}
  secret: {allow: []}
"""


def sources(memory: Memory, query: str, top_k: int) -> list[str | None]:
    """Return where the items of a query come from, each source once, in order."""
    items = memory.activate(query, top_k=top_k).items
    found = [evidence.source_id for item in items for evidence in item.evidences[:1]]
    return list(dict.fromkeys(found))


@pytest.fixture(scope="module")
def facts(shared_data: Folder) -> list[list[str]]:
    """English fact, Japanese fact, English query, Japanese query."""
    with (shared_data("mini-bilingual") / "facts.tsv").open(encoding="utf-8") as file:
        return list(csv.reader(file, delimiter="\t"))


@pytest.fixture(scope="module")
def bilingual(facts: list[list[str]]) -> Iterator[dict[str, Memory]]:
    """One memory of the English facts and one of the Japanese, on the default embedder."""
    with Memory.open() as english, Memory.open() as japanese:
        for column, memory in enumerate((english, japanese)):
            done = memory.observe_many(
                {"content": row[column], "source_id": f"fact-{number}"}
                for number, row in enumerate(facts)
            )
            assert done.failed == ()
        yield {"en": english, "ja": japanese}


@pytest.mark.parametrize(
    ("store", "asked_in", "floor"),
    [("en", "en", 0.9), ("ja", "ja", 0.85), ("en", "ja", 0.9), ("ja", "en", 0.9)],
)
def test_facts_are_found_within_and_across_languages(
    bilingual: dict[str, Memory],
    facts: list[list[str]],
    store: str,
    asked_in: str,
    floor: float,
) -> None:
    column = {"en": 2, "ja": 3}[asked_in]
    hits = [
        f"fact-{number}" in sources(bilingual[store], row[column], 10)
        for number, row in enumerate(facts)
    ]
    assert sum(hits) / len(hits) >= floor


def test_japanese_paragraphs_are_found_by_their_words(shared_data: Folder) -> None:
    folder = shared_data("jsquad-dev")
    with (folder / "corpus.jsonl").open(encoding="utf-8") as lines:
        corpus = [json.loads(line) for line in islice(lines, 300)]
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        queries = [json.loads(line) for line in lines]
    known = {row["id"] for row in corpus}
    asked = [row for row in queries if row["relevant"][0] in known][:60]
    with Memory.open(embedder="hashing", policy=WORDS_ONLY) as memory:
        _ = memory.observe_many({"content": row["text"], "source_id": row["id"]} for row in corpus)
        hits = [row["relevant"][0] in sources(memory, row["text"], 20)[:5] for row in asked]
    assert len(hits) == 60
    assert sum(hits) / len(hits) >= 0.9
