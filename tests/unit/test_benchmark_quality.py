"""What the tables of quality rest on: paired differences, vectors that are kept, and variants."""

import doctest
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from returns.result import Result

from benchmarks import asking, noise, quality_tables
from benchmarks.asking import VARIANTS, Asking, Variant, source_of, weighing
from benchmarks.kept_vectors import KeptVectors
from benchmarks.locomo import BASE
from benchmarks.quality_sets import DATA, TOP_K, sources
from benchmarks.quality_tables import Table, difference, interval, joined, show
from pce_memory import Memory, NewObservation
from pce_memory.adapters.embedders import HashingEmbedder, checked
from pce_memory.adapters.mirror import context
from pce_memory.deps import Vector
from pce_memory.errors import EmbeddingFailed
from pce_memory.scoring import second_stage


class Counting(HashingEmbedder):
    """The embedder of the tests, which tells what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        self.asked += texts
        return super().embed_batch(texts)


def test_the_doctests_hold():
    assert doctest.testmod(quality_tables).failed == 0
    assert doctest.testmod(asking).failed == 0


def test_an_interval_holds_the_mean_and_is_the_same_each_time():
    given = [1.0] * 30 + [0.0] * 60 + [-1.0] * 10
    low, high = interval(given)
    assert low < 0.2 < high
    assert (low, high) == interval(given)
    # Of a mean of 0.2 with deviation 0.6 over 100 questions 95 % lie within about 0.12.
    assert 0.08 < 0.2 - low < 0.16
    assert 0.08 < high - 0.2 < 0.16


def test_a_difference_is_that_of_the_same_questions():
    # Apart, both lists have the same mean and spread; question by question they differ.
    assert difference([1.0, 0.0] * 50, [1.0, 0.0] * 50) == "+.000 [+.000, +.000]"
    assert difference([1.0, 0.0] * 50, [0.0, 1.0] * 50).startswith("+.000 [-.")


def test_tables_are_joined_question_by_question_and_shown(capsys: pytest.CaptureFixture[str]):
    one, other = Table(claims=2), Table(claims=3)
    one.add("default", {"r@5": 1.0})
    other.add("default", {"r@5": 0.0})
    one.add("words", {"r@5": 0.0})
    other.add("words", {"r@5": 0.0})
    show("both", "hashing", joined([one, other]))
    told = capsys.readouterr().out
    assert "| default | 2 | 0.500 |  |" in told
    assert "| words | 2 | 0.000 | -.500 [-1.000, +.000] |" in told
    assert "5 claims" in told


def test_kept_vectors_are_those_of_the_embedder_and_are_computed_once(tmp_path: Path):
    inner = Counting()
    safe = checked(inner).unwrap()
    texts = ["a cat", "猫", "a cat"]
    first = KeptVectors("counting", safe, tmp_path).embed_batch(texts).unwrap()
    again = KeptVectors("counting", safe, tmp_path).embed_batch(texts).unwrap()
    wanted = HashingEmbedder().embed_batch(texts).unwrap()
    assert np.array_equal(np.array(first), np.array(again))
    assert np.allclose(np.array(first), np.array(wanted), atol=1e-6)
    assert inner.asked == ["a cat", "猫"]


def test_a_question_and_a_text_of_the_same_words_are_kept_apart(tmp_path: Path):
    inner = Counting()
    kept = KeptVectors("counting", checked(inner).unwrap(), tmp_path)
    assert len(kept.embed("a cat").unwrap()) == len(kept.embed_query("a cat").unwrap())
    assert inner.asked == ["a cat", "a cat"]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_names_what_there_is_and_leaves_nothing_behind(name: str):
    variant = VARIANTS[name]
    numbers = {one: getattr(second_stage, one) for one in ("COSINE", "WINDOW", *variant.weights)}
    nearness = context.NEARNESS
    with weighing(variant):
        assert all(getattr(second_stage, one) == put for one, put in variant.weights.items())
        assert (context.NEARNESS is nearness) == (variant.nearness is None)
    assert numbers == {one: getattr(second_stage, one) for one in numbers}
    assert context.NEARNESS is nearness


def test_what_fails_while_it_is_measured_leaves_the_weights_as_they_were():
    before = second_stage.COSINE
    with pytest.raises(ZeroDivisionError), weighing(Variant(weights={"COSINE": 0.0})):
        _ = 1 / second_stage.COSINE
    assert before == second_stage.COSINE


SAID = (
    ("Ann", "Where did you go in May? I was in Rome."),
    ("Ben", "To Kyoto. The gardens were quiet, and it rained a lot."),
    ("Ann", "Did you take the cat? Thanks for the photo!"),
    ("Ben", "She stayed with my sister. Thanks for the photo!"),
    ("Ann", "I bought a green bicycle on 3 May 2023."),
    ("Ben", "京都の庭で写真を撮った。猫は姉の家にいた。"),
)


@pytest.mark.parametrize("name", ["default", "first-stage", "words", "mmr", "every-saying"])
@pytest.mark.parametrize("text", ["When did Ann buy a bicycle?", "猫はどこ", "the photo of Kyoto"])
def test_it_is_shown_what_activate_shows(name: str, text: str):
    with Memory.open(embedder="hashing") as memory:
        _ = memory.observe_many(
            NewObservation(
                content=said, actor=who, source_id=f"talk|{n}", observed_at=1.7e9 + 60 * n
            )
            for n, (who, said) in enumerate(SAID)
        )
        _, items = next(Asking(memory, {name: VARIANTS[name]}).ask(text))
        _ = memory.apply_policy(f'version: "1.0.1"\nretrieval: {{{VARIANTS[name].keys}}}{BASE}')
        wanted = memory.activate(text, top_k=TOP_K).items
    assert items
    assert [set(one) for one in items] == [
        {source_of(one.source_id) for one in item.evidences if one.source_id} for item in wanted
    ]


@pytest.mark.skipif(not DATA.is_dir(), reason="there is no shared/data beside this checkout")
def test_what_has_no_source_takes_a_place():
    with Memory.open(embedder="hashing") as memory:
        _ = memory.observe(content="The cat sleeps in Kyoto.", source_id="talk|1")
        _ = memory.integrate_many(noise.claims(4))
        for name in ("default", "mmr"):
            _, items = next(
                Asking(memory, {name: VARIANTS[name]}).ask("what takes place in Kyoto")
            )
            assert len(items) > 1
            assert len(sources(items, TOP_K)) == len(items)
