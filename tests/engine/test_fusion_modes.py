"""Two ways to join the lanes of an activation: their scores, or the ranks in them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pce_memory import Memory

TEXTS = (
    "The gateway reads its certificates from the vault.",
    "Certificates of the gateway expire in May.",
    "The vault is sealed at night.",
    "証明書は五月に切れる。",
    "Lunch is at noon.",
)
POLICY = """
version: "1.0.1"
extends: default
retrieval: {hybrid: {mode: MODE}, rerank: {second_stage: "off"}}
"""


@pytest.fixture(params=["rrf", "alpha"])
def told(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY.replace("MODE", request.param), "utf-8")
    with Memory.open(":memory:", embedder="hashing", policy=policy) as memory:
        for text in TEXTS:
            _ = memory.observe(text)
        yield memory


def test_the_mode_says_what_is_joined(told: Memory) -> None:
    found = told.activate("certificates of the gateway", include_meta=True)
    mode, alpha = found.scoring_params.mode, found.scoring_params.alpha
    assert found.items[0].claim.text == TEXTS[1]
    for item in found.items:
        scores = item.scores
        assert scores is not None
        if mode == "alpha":
            wanted = alpha * scores.vector + (1 - alpha) * scores.text
            assert scores.combined == pytest.approx(wanted)
    if mode == "rrf":
        best = found.items[0].scores
        assert best is not None
        assert best.combined == pytest.approx(1.0)
        words = [item for item in found.items if item.scores and item.scores.bm25 is not None]
        near = sorted(found.items, key=lambda one: -(one.scores.cosine or 0) if one.scores else 0)
        by_words = sorted(words, key=lambda one: -(one.scores.bm25 or 0) if one.scores else 0)
        for item in found.items:
            assert item.scores is not None
            ranks = [
                weight * 61 / (61 + lane.index(item))
                for weight, lane in ((1 - alpha, by_words), (alpha, near))
                if item in lane
            ]
            assert item.scores.combined == pytest.approx(sum(ranks))


def test_both_answer_when_nothing_is_asked(told: Memory) -> None:
    assert len(told.activate("").items) == len(TEXTS)


def test_an_explanation_counts_with_the_mode(told: Memory) -> None:
    found = told.activate("certificates of the gateway", include_meta=True)
    first = found.items[0]
    why = told.explain("certificates of the gateway", first.claim.id)
    assert why.search is not None
    assert why.search.scores is not None
    assert first.scores is not None
    assert why.search.scores.combined == pytest.approx(first.scores.combined)
