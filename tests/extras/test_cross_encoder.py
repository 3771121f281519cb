"""The adapter for cross-encoders, run for real on a tiny one that is made here, of random weights."""

import os
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pce_memory import Memory
from pce_memory.adapters.rerankers import CrossEncoderReranker, resolve_reranker
from pce_memory.store import events

# Only looked for here: importing it takes seconds, and its warnings are filtered in the tests.
if find_spec("sentence_transformers") is None:
    pytest.skip(
        "sentence_transformers is not installed; see make test-extras", allow_module_level=True
    )

pytestmark = [
    pytest.mark.extras,
    # What torch and transformers deprecate among themselves is not ours to mend.
    pytest.mark.filterwarnings("default"),
]

TEXTS = ("The lamp in the hall is red.", "A lamp is blue.", "The lamp on the desk is green.")
WORDS = ["lamp", "the", "a", "in", "on", "hall", "desk", "is", "red", "blue", "green", "which", "ランプ", "は", "赤", "い"]  # fmt: skip

# Runs in a new process, so that torch has not been used before.
QUIET = """
import sys
from pce_memory.adapters.rerankers import resolve_reranker
reranker = resolve_reranker(sys.argv[1]).unwrap()
assert "torch" not in sys.modules, "loaded to know its name"
reranker.score("which lamp?", ["A lamp is blue."]).unwrap()
"""
FORK = """
import os, signal, sys
from pce_memory.adapters.rerankers import resolve_reranker
reranker = resolve_reranker(sys.argv[1]).unwrap()
reranker.score("which lamp?", ["A lamp is blue."]).unwrap()
child = os.fork()
if child == 0:
    signal.alarm(60)
    print(reranker.score("which lamp?", ["x"]).failure().reason, flush=True)
    os._exit(0)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def made(folder: Path, *, labels: int = 1, seed: int = 1) -> Path:
    """Write a BERT of two small layers, of random weights, as the folder of a cross-encoder."""
    torch, transformers = import_module("torch"), import_module("transformers")
    source = folder.with_name(folder.name + "-bert")
    source.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (source / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        num_labels=labels,
        initializer_range=0.5,
    )
    torch.manual_seed(seed)
    transformers.BertForSequenceClassification(config).save_pretrained(source)
    transformers.BertTokenizerFast(str(source / "vocab.txt")).save_pretrained(source)
    library = import_module("sentence_transformers")
    library.CrossEncoder(str(source), device="cpu", local_files_only=True).save_pretrained(
        str(folder)
    )
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return made(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def model(folder) -> Any:
    """The model itself, as its library loads it."""
    library = import_module("sentence_transformers")
    return library.CrossEncoder(str(folder), device="cpu", local_files_only=True)


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": ":".join(sys.path), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_its_scores_are_those_of_the_model(folder, model):
    torch = import_module("torch")
    pairs = [("which lamp?", text) for text in TEXTS]
    logits = model.predict(pairs, activation_fn=torch.nn.Identity()).tolist()
    found = CrossEncoderReranker(folder).score("which lamp?", TEXTS).unwrap()
    assert found == pytest.approx(logits, abs=1e-5)
    assert len({round(one, 3) for one in found}) == 3
    # Made safe they are what the model itself says by its sigmoid.
    safe = resolve_reranker(f"sentence-transformers:{folder}").unwrap()
    assert safe is not None
    assert safe.score("which lamp?", TEXTS).unwrap() == pytest.approx(
        model.predict(pairs).tolist(), abs=1e-5
    )


def test_an_activation_is_in_its_order(folder, model):
    with Memory.open(
        ":memory:", embedder="hashing", reranker=f"sentence-transformers:{folder}"
    ) as memory:
        for text in TEXTS:
            _ = memory.observe(text)
        found = memory.activate("which lamp?", include_meta=True)
        said = dict(
            zip(TEXTS, model.predict([("which lamp?", text) for text in TEXTS]), strict=True)
        )
        wanted = sorted(TEXTS, key=said.__getitem__, reverse=True)
        assert [item.claim.text for item in found.items] == wanted
        for item in found.items:
            assert item.scores is not None
            assert item.scores.reranked == pytest.approx(float(said[item.claim.text]), abs=1e-5)
        assert found.scoring_params.reranker == CrossEncoderReranker(folder).model_id


def test_its_name_tells_its_weights_apart(folder, tmp_path):
    name = CrossEncoderReranker(folder).model_id
    assert name.startswith("sentence-transformers:tiny@sha256:")
    other = CrossEncoderReranker(made(tmp_path / "tiny", seed=2)).model_id
    assert other.startswith("sentence-transformers:tiny@sha256:")
    assert other != name


def test_long_and_hostile_texts(folder):
    texts = ["", "\0", "\ud83c", "🎉", "ランプは赤い。", "lamp " * 20_000]
    safe = resolve_reranker(f"sentence-transformers:{folder}").unwrap()
    assert safe is not None
    scores = safe.score("which lamp? \ud83c", texts).unwrap()
    assert all(0.0 <= one <= 1.0 for one in scores)


def test_a_batch_gives_what_each_gives_alone(folder):
    reranker = CrossEncoderReranker(folder)
    texts = [" ".join(WORDS[: 1 + n % 12]) for n in range(70)]
    batch = reranker.score("which lamp?", texts).unwrap()
    for text, score in zip(texts[::10], batch[::10], strict=True):
        assert score == pytest.approx(reranker.score("which lamp?", [text]).unwrap()[0], abs=1e-4)


def test_a_model_of_several_labels_is_not_guessed_at(tmp_path):
    folder = made(tmp_path / "nli", labels=3)
    safe = resolve_reranker(f"sentence-transformers:{folder}").unwrap()
    assert safe is not None
    assert safe.score("which lamp?", ["a lamp"]).failure().why == "failed"


def test_a_broken_model_leaves_an_event(tmp_path):
    (tmp_path / "config.json").write_text("{")
    spec = f"sentence-transformers:{tmp_path}"
    with Memory.open(":memory:", embedder="hashing", reranker=spec) as memory:
        _ = memory.observe(TEXTS[0])
        assert [item.claim.text for item in memory.activate("lamp").items] == [TEXTS[0]]
        (event,) = events.newest(topic="search_fallback")(memory.deps).unwrap()
        assert event.payload["why"] == "failed"


def test_it_loads_late_and_without_a_word(folder):
    quiet = run(QUIET, f"sentence-transformers:{folder}")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
def test_a_fork_after_use_is_refused_not_hung(folder):
    forked = run(FORK, f"sentence-transformers:{folder}")
    assert forked.returncode == 0, forked.stderr
    assert "torch was used before this process was forked" in forked.stdout
