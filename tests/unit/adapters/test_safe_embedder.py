"""The wrapper around every embedder: clean text in, unit vectors or an error out."""

import math
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import numpy as np
import pytest
from hypothesis import given, strategies as st
from returns.result import Failure, Success

from pce_memory.adapters.embedders import HashingEmbedder, checked
from pce_memory.adapters.embedders.recent import RecentVectors
from pce_memory.adapters.embedders.safe import RECENT
from pce_memory.errors import EmbeddingFailed, MemoryFault, PolicyMissing
from tests.embedders import TableEmbedder, bits, of_function, safe

HOSTILE = {
    "empty": "",
    "spaces": " \t\n\u3000",
    "lone surrogates": "a\ud83c b\udf89",
    "nul": "a\x00b\x00",
    "emoji": "🎉👩‍👩‍👧‍👦🇯🇵",
    "right to left": "\u202eمرحبا بالعالم שלום\u202c",
    "zero width": "\u200b\u200d\ufeff\u2060",
    "combining": "e" + "\u0301" * 5000,
    "ligature of 18 characters": "\ufdfa" * 200,
    "one megabyte": "memory 記憶 " * 100_000,
    "one character a million times": "x" * 1_000_000,
}


def reason_of(function: Callable[[list[str]], object]) -> str:
    error = of_function(function).embed_batch(["a", "b"]).failure()
    assert error == EmbeddingFailed("a", "mine", error.reason)
    return error.reason


class Asked:
    """A function that embeds every text as (1, 0) and remembers what it was asked."""

    def __init__(self) -> None:
        self.parts: list[list[str]] = []

    def __call__(self, texts: list[str]) -> object:
        self.parts.append(texts)
        return [[1, 0]] * len(texts)


class TestSafe:
    @pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
    def test_hostile_texts_have_unit_vectors(self, text):
        embedder = safe(HashingEmbedder())
        alone = embedder.embed(text).unwrap()
        assert math.hypot(*alone) == pytest.approx(1, abs=1e-6)
        assert embedder.embed_batch(["other", text]).unwrap()[1] == alone

    @given(st.text(st.characters(exclude_categories=()), max_size=40))
    def test_the_embedder_sees_only_what_utf_8_can_hold(self, text):
        def function(texts):
            assert all("\x00" not in t and t.encode() for t in texts if t)
            return [[1, 0]] * len(texts)

        assert of_function(function).embed(text) == Success(array("f", [1, 0]))

    def test_long_texts_are_cut(self):
        asked = Asked()
        embedder = safe(TableEmbedder({"xxx": [1.0]}), max_chars=3)
        assert isinstance(embedder.embed("xxxx"), Success)
        assert isinstance(of_function(asked).embed("y" * 10**6), Success)
        assert asked.parts == [["y" * 20_000]]

    def test_a_batch_is_deduplicated_split_and_in_order(self):
        parts = []

        def function(texts):
            parts.append(len(texts))
            return [[float(t), 1] for t in texts]

        texts = [str(n % 150) for n in range(300)]
        vectors = of_function(function).embed_batch(texts).unwrap()
        assert parts == [64, 64, 22]
        assert [round(v[0] / v[1]) for v in vectors] == [n % 150 for n in range(300)]

    def test_an_empty_batch_asks_nothing(self):
        assert of_function(lambda _: 1 / 0).embed_batch([]).unwrap() == []

    def test_batch_size(self):
        table = TableEmbedder({"a": [1.0], "b": [1.0], "c": [1.0]})
        embedder = safe(table, batch_size=1)
        assert len(embedder.embed_batch("abcab").unwrap()) == 5
        assert table.asked == ["a", "b", "c"]

    @pytest.mark.parametrize(
        "give",
        [
            lambda _: [[3, 4], [3.0, 4.0]],
            lambda _: ((3, 4), (3, 4)),
            lambda _: np.array([[3, 4], [3, 4]], dtype=np.float64),
            lambda _: np.array([[3, 4], [3, 4]], dtype=np.float32),
            lambda _: np.array([[3, 4], [3, 4]], dtype=np.int8),
            lambda _: [np.array([3, 4]), array("d", [3, 4])],
            lambda _: [[np.float32(3), np.float64(4)], [3e200, 4e200]],
            lambda _: (row for row in ([3, 4], iter([3, 4]))),
            lambda _: Success([[3, 4], [3, 4]]),
            lambda _: [Success([3, 4]), Success((3, 4))],
            lambda _: Success([[3, 4], Success([3, 4])]),
        ],
    )
    def test_what_may_be_given(self, give):
        vectors = of_function(give).embed_batch(["a", "b"]).unwrap()
        assert vectors == [array("f", [0.6, 0.8])] * 2

    def test_unit_vectors_keep_their_bits(self):
        inside, outside = HashingEmbedder(), safe(HashingEmbedder())
        texts = [f"memory 記憶 {n}" for n in range(100)]
        assert bits(outside.embed_batch(texts).unwrap()) == bits(
            inside.embed_batch(texts).unwrap()
        )

    @pytest.mark.parametrize(
        ("give", "reason"),
        [
            (lambda _: [[1, 0]], "it gave 1 vectors for 2 texts"),
            (lambda _: [], "it gave 0 vectors for 2 texts"),
            (lambda _: [[1, 0], [1, 0, 0]], "it gave 3 numbers, not 2"),
            (lambda _: [[1, 0], []], "it gave 0 numbers, not 2"),
            (lambda _: [[1, 0], [math.nan, 0]], "it gave a vector that is not finite"),
            (lambda _: [[1, 0], [0, -math.inf]], "it gave a vector that is not finite"),
            (lambda _: [[1, 0], [0, 0]], "it gave a zero vector"),
            (lambda _: None, "it gave no list of vectors of numbers (TypeError)"),
            (lambda _: 3, "it gave no list of vectors of numbers (TypeError)"),
            (lambda _: np.array([1.0, 0.0]), "it gave no list of vectors of numbers (TypeError)"),
            (lambda _: [[1, 0], None], "it gave no list of vectors of numbers (TypeError)"),
            (lambda _: [[1, 0], "ab"], "it gave no list of vectors of numbers (TypeError)"),
            (lambda _: [[1, 0], [1j, 0]], "it gave no list of vectors of numbers (TypeError)"),
            (
                lambda _: [[1, 0], [10**400, 0]],
                "it gave no list of vectors of numbers (OverflowError)",
            ),
            (lambda _: 1 / 0, "it raised ZeroDivisionError"),
            (lambda texts: texts.clear() or [], "it gave 0 vectors for 2 texts"),
            (lambda texts: texts[9], "it raised IndexError"),
            (
                lambda _: (1 / 0 for _ in range(2)),
                "it gave no list of vectors of numbers (ZeroDivisionError)",
            ),
            (lambda _: Failure("no"), "it gave a Failure"),
            (
                lambda _: [Success([1, 0]), Failure("no")],
                "it gave no list of vectors of numbers (UnwrapFailedError)",
            ),
        ],
    )
    def test_what_may_not_be_given(self, give, reason):
        assert reason_of(give) == reason

    def test_the_embedders_own_failure_is_kept(self):
        table = safe(TableEmbedder({"a": [1.0]}))
        expected = EmbeddingFailed("b", "table", "the table has no such text")
        assert table.embed_batch(["a", "b"]) == Failure(expected)
        assert table.embed("b") == Failure(expected)

    def test_the_text_is_in_no_message(self):
        def function(texts):
            raise ValueError(f"cannot embed {texts}")

        error = of_function(function).embed("my secret").failure()
        assert "secret" not in f"{error.message}{error!r}{error.details}"
        assert error.text == "my secret"

    @pytest.mark.parametrize("error", [EmbeddingFailed("t", "p", "r"), PolicyMissing()])
    def test_a_raised_error_value_becomes_the_failure(self, error):
        def function(_):
            raise MemoryFault(error)

        found = of_function(function).embed("x").failure()
        assert found == (
            error
            if error.code == "EMBEDDING_FAILED"
            else EmbeddingFailed("x", "mine", error.message)
        )

    def test_one_that_ends_the_program_is_a_fault(self):
        def function(_):
            raise SystemExit(3)

        assert of_function(function).embed("x").failure().reason == "it raised SystemExit"

    def test_an_interrupt_passes(self):
        def function(_):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            of_function(function).embed("x")

    def test_warmup_asks_the_model(self):
        assert of_function(lambda texts: [[1, 0]] * len(texts)).warmup() == Success(None)
        assert isinstance(of_function(lambda _: 1 / 0).warmup(), Failure)


class TestRecent:
    def test_a_text_is_asked_once(self):
        table = TableEmbedder({"a": [1.0, 0.0], "b": [0.0, 1.0]})
        embedder = safe(table)
        first, again = embedder.embed("a").unwrap(), embedder.embed("a").unwrap()
        assert first == again
        assert table.asked == ["a"]

    def test_changing_a_vector_changes_no_other(self):
        embedder = safe(TableEmbedder({"a": [1.0, 0.0]}))
        for _ in range(3):
            vector = embedder.embed("a").unwrap()
            assert vector == array("f", [1, 0])
            cast("array[float]", vector)[0] = 9

    def test_the_oldest_is_forgotten(self):
        asked = Asked()
        embedder = of_function(asked)
        texts = [str(n) for n in range(RECENT + 1)]
        for text in [*texts[:-1], "0", texts[-1], "0", "1"]:
            assert isinstance(embedder.embed(text), Success)
        assert asked.parts == [[text] for text in [*texts, "1"]]

    def test_failures_are_not_kept(self):
        answers = iter([[], [[1, 0]]])
        embedder = of_function(lambda _: next(answers))
        assert isinstance(embedder.embed("a"), Failure)
        assert isinstance(embedder.embed("a"), Success)

    def test_threads(self):
        embedder = safe(HashingEmbedder(16))
        texts = [f"text {n % 300}" for n in range(3000)]
        with ThreadPoolExecutor(8) as pool:
            vectors = [result.unwrap() for result in pool.map(embedder.embed, texts)]
        assert bits(vectors) == bits(HashingEmbedder(16).embed_batch(texts).unwrap())


class Asymmetric(TableEmbedder):
    """Gives a question the vector of the same words with a question mark."""

    def embed_query(self, text):
        return self.embed(f"{text}?")


class TestQueries:
    def test_a_model_may_read_questions_differently(self):
        table = Asymmetric({"a": [1.0, 0.0], "a?": [0.0, 2.0]})
        embedder = safe(table)
        for _ in range(2):
            assert embedder.embed("a") == Success(array("f", [1, 0]))
            assert embedder.embed_query("a") == Success(array("f", [0, 1]))
        assert embedder.embed_batch(["a"]).unwrap() == [array("f", [1, 0])]
        assert table.asked == ["a", "a?", "a"]

    def test_of_other_models_a_question_is_a_text(self):
        table = TableEmbedder({"a": [1.0, 0.0]})
        embedder = safe(table)
        assert embedder.embed_query("a") == embedder.embed("a") == Success(array("f", [1, 0]))
        assert table.asked == ["a"]

    def test_questions_are_made_clean(self):
        embedder = safe(Asymmetric({"a \ufffd?": [1.0]}), max_chars=3)
        assert embedder.embed_query("a\x00\ud83c b") == Success(array("f", [1]))

    @pytest.mark.parametrize(
        ("give", "found"),
        [
            (lambda _: [3, 4], Success(array("f", [0.6, 0.8]))),
            (lambda _: np.array([3.0, 4.0]), Success(array("f", [0.6, 0.8]))),
            (lambda _: Success((3, 4)), Success(array("f", [0.6, 0.8]))),
            (lambda _: [[3, 4]], "it gave no list of vectors of numbers (TypeError)"),
            (lambda _: None, "it gave no list of vectors of numbers (TypeError)"),
            (lambda _: [1], "it gave 1 numbers, not 2"),
            (lambda _: [0, 0], "it gave a zero vector"),
            (lambda _: 1 / 0, "it raised ZeroDivisionError"),
            (lambda _: Failure("no"), "it gave a Failure"),
        ],
    )
    def test_what_may_be_given(self, give, found):
        table = TableEmbedder({"a": [1.0, 0.0]})
        vars(table)["embed_query"] = give
        expected = (
            Failure(EmbeddingFailed("q", "table", found)) if isinstance(found, str) else found
        )
        assert safe(table).embed_query("q") == expected

    def test_a_property_that_raises(self):
        class Broken(TableEmbedder):
            @property
            def embed_query(self):
                raise OSError("disk on fire")

        assert checked(Broken({"a": [1.0]})) == Failure(
            EmbeddingFailed("", "Broken", "it raised OSError")
        )


def test_a_busy_cache_is_a_miss():
    recent = RecentVectors(2)
    recent.put("a", [1.0])
    with recent._lock:
        assert recent.get("a") is None
        recent.put("b", [1.0])
    assert (recent.get("a"), recent.get("b")) == (array("f", [1]), None)
