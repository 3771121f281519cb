"""A word that was forgotten stands nowhere: not in what was searched for, nor in a blend's recipe."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from pce_memory import Memory
from pce_memory.domain.fused import RunHandle
from tests.engine.raw_search import places

LAMP: Final = {"query": "lamp"}


def lane(memory: Memory, name: str = "recall", **params: Any) -> tuple[RunHandle, ...]:
    asked = {"tool": "rrf_search_fulltext_raw", "lane": "fulltext", "lane_name": name}
    found = memory.fusion.run_multilane_search([{**asked, "params": {**LAMP, **params}}])
    return found.handles


def blend(memory: Memory, **how: Any) -> str:
    runs = [one.weighed() for one in lane(memory)]
    return memory.fusion.rrf_blend_frontier(runs, **how).run_id


KEPT: Final[dict[str, Callable[[Memory, str], object]]] = {
    "a facet": lambda memory, word: blend(memory, facet_terms={"A": [word]}),
    "one of the words of a facet": lambda m, word: blend(
        m, facet_terms={"A": ["x", f"old {word}"]}
    ),
    "the name of a facet": lambda memory, word: blend(memory, facet_terms={word: ["hall"]}),
    "a code that is aimed at": lambda m, word: blend(m, target_profile={"fi": {word: 1.0}}),
    "a taxonomy": lambda memory, word: blend(memory, target_profile={word: {"x": 1.0}}),
    "what was searched for": lambda memory, word: lane(memory, query=f"lamp {word}"),
    "the name of a lane": lane,
    "a category": lambda memory, word: memory.fusion.register_representatives(
        [memory.search("lamp")[0].claim.id], word
    ),
    "a mutation": lambda memory, word: memory.fusion.rrf_mutate_run(
        blend(memory, facet_terms={"A": [word]}), {"rrf_k": 30}
    ),
}


def ways(memory: Memory, word: str) -> Mapping[str, Mapping[str, Any]]:
    """Store a word in a claim of somebody and in a document; return the ways to forget it."""
    seen = memory.observe(f"{word} is green.", actor="bob")
    _ = memory.add_documents([{"pub_id": "d1", "title": f"Of {word}"}])
    document = {"document_id": memory.publication("d1").id}
    return {
        "query": {"query": word},
        "claim_id": {"claim_id": seen.claims[0].id},
        "observation_id": {"observation_id": seen.observation.id},
        "actor": {"actor": "bob"},
        "document_id": document,
    }


@pytest.fixture
def memory() -> Memory:
    memory = Memory.open(embedder="hashing")
    _ = memory.observe("The lamp is red. It hangs in the hall.", actor="ken")
    return memory


@pytest.mark.parametrize("way", ["query", "claim_id", "observation_id", "actor", "document_id"])
@pytest.mark.parametrize("kept", KEPT)
def test_a_forgotten_word_stands_nowhere(memory: Memory, kept: str, way: str) -> None:
    word = "zanzibarine"
    known = ways(memory, word)
    _ = KEPT[kept](memory, word)
    assert "runs" in places(memory, word)
    other = {"query": "d1"} if way != "document_id" else known["claim_id"]
    _ = memory.forget(**other)  # as long as the other holds the word, it is not forgotten
    if way == "query":
        assert "runs" in places(memory, word)
    _ = memory.forget(**known[way])
    assert places(memory, word) == []


def test_japanese(memory: Memory) -> None:
    seen = memory.observe("健康診断の結果が届いた。")
    _ = blend(memory, facet_terms={"A": ["健康診断"]})
    _ = memory.forget(claim_id=seen.claims[0].id)
    assert places(memory, "健康診断") == []


def test_what_others_still_say_is_no_forgotten_word(memory: Memory) -> None:
    seen = memory.observe("The hall is weighed by a lane of green tiles.")
    run = blend(memory, facet_terms={"A": ["hall"]})
    _ = memory.forget(claim_id=seen.claims[0].id)
    assert memory.fusion.get_provenance(run).run_id == run
