"""The SentenceTransformer adapter without its library; tests/extras runs the real one."""

import hashlib
import importlib
import sys
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from returns.result import Success

from pce_memory.adapters import torch_process
from pce_memory.adapters.embedders import SentenceTransformerEmbedder, resolve_embedder
from pce_memory.adapters.embedders.model_folder import declared_dimension
from pce_memory.errors import EmbeddingFailed


class TestSentenceTransformerFolder:
    """What can be said of a model's folder without the package."""

    @pytest.fixture
    def folder(self, tmp_path):
        model = tmp_path / "my-model"
        (model / "1_Pooling").mkdir(parents=True)
        (model / "onnx").mkdir()
        kinds = ("a.Transformer", "b.models.Pooling", "c.Normalize")
        paths = ("", "1_Pooling", "2_Normalize")
        modules = ", ".join(
            f'{{"type": "{k}", "path": "{p}"}}' for k, p in zip(kinds, paths, strict=True)
        )
        (model / "modules.json").write_text(f"[{modules}]")
        (model / "1_Pooling" / "config.json").write_text(
            '{"word_embedding_dimension": 12, "pooling_mode_mean_tokens": true}'
        )
        (model / "model.safetensors").write_bytes(b"weights")
        (model / "README.md").write_text("read")
        return model

    def test_name_dimension_and_version_without_loading(self, folder):
        embedder = SentenceTransformerEmbedder(str(folder))
        assert embedder.model_id == "sentence-transformers:my-model"
        assert embedder.dimension == 12
        assert embedder.version.startswith("sha256:")

    def test_version_is_the_content(self, folder):
        before = SentenceTransformerEmbedder(str(folder)).version
        (folder / "README.md").write_text("other")
        (folder / "onnx" / "model.bin").write_text("other")
        moved = folder.rename(folder.with_name("moved"))
        assert SentenceTransformerEmbedder(str(moved)).version == before
        (moved / "model.safetensors").write_bytes(b"weightz")
        assert SentenceTransformerEmbedder(str(moved)).version != before

    @pytest.mark.parametrize(
        ("pooling", "dimension"),
        [
            ('{"embedding_dimension": 8, "pooling_mode": "cls"}', 8),
            ('{"embedding_dimension": 8, "pooling_mode": ["cls", "mean"]}', None),
            (
                '{"word_embedding_dimension": 8, "pooling_mode_cls_token": true, "pooling_mode_max_tokens": true}',
                None,
            ),
            ('{"pooling_mode": "cls"}', None),
            ("[]", None),
            ("{", None),
        ],
    )
    def test_declared_dimension(self, folder, pooling, dimension):
        (folder / "1_Pooling" / "config.json").write_text(pooling)
        assert declared_dimension(folder) == dimension

    @pytest.mark.parametrize("modules", ["{}", "[3]", '[{"type": "x.Dense"}]', "", "null"])
    def test_other_modules_must_be_loaded(self, folder, modules):
        (folder / "modules.json").write_text(modules)
        assert declared_dimension(folder) is None

    def test_a_name_with_a_revision(self):
        pinned = SentenceTransformerEmbedder("org/model@abc123")
        assert (pinned.model_id, pinned.version) == ("sentence-transformers:org/model", "abc123")
        assert SentenceTransformerEmbedder("org/model").version == "unpinned"

    def test_a_missing_folder_is_not_looked_up(self, tmp_path):
        error = resolve_embedder(f"sentence-transformers:{tmp_path}/none").failure()
        assert error.reason == "there is no model folder at this path"

    def test_an_unreadable_folder(self, folder):
        (folder / "vocab.txt").symlink_to(folder / "vocab.txt")
        assert SentenceTransformerEmbedder(str(folder)).version.startswith("sha256:")

    def test_a_missing_package(self, folder, monkeypatch):
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
        error = resolve_embedder(f"sentence-transformers:{folder}").unwrap().embed("x").failure()
        assert error == EmbeddingFailed("x", "sentence-transformers:my-model", error.reason)
        assert error.reason.startswith("pip install 'sentence-transformers>=")


class FakeModel:
    """What the adapter needs of a SentenceTransformer, under the name of the old versions."""

    def __init__(self, name: str, **options: object) -> None:
        self.given = (name, options)

    def encode(self, texts, *, batch_size, show_progress_bar, normalize_embeddings):
        assert (batch_size, show_progress_bar, normalize_embeddings) == (32, False, True)
        return np.array([[0.6, 0.8]] * len(texts), dtype=np.float16)

    def get_sentence_embedding_dimension(self) -> object:
        return 2


class TestSentenceTransformerLibrary:
    """The adapter over a library of its shape."""

    @pytest.fixture
    def bars(self, monkeypatch):
        """The calls that switch the progress bars, while the library stands in for the real one."""
        calls: list[str] = []
        library = SimpleNamespace(SentenceTransformer=FakeModel)
        torch = SimpleNamespace(get_num_threads=lambda: 64, set_num_threads=calls.append)
        logging = SimpleNamespace(
            is_progress_bar_enabled=lambda: True,
            disable_progress_bar=lambda: calls.append("off"),
            enable_progress_bar=lambda: calls.append("on"),
        )
        fakes = {
            "sentence_transformers": library,
            "torch": torch,
            "transformers.utils.logging": logging,
        }
        real = importlib.import_module
        monkeypatch.setattr(importlib, "import_module", lambda name: fakes.get(name) or real(name))
        monkeypatch.setattr(torch_process, "torch_here", torch_process.TorchProcess())
        monkeypatch.delitem(sys.modules, "torch", raising=False)
        return calls

    def test_it_loads_once_and_quietly(self, bars):
        embedder = SentenceTransformerEmbedder("org/model@abc", device="mps")
        assert embedder.warmup() == Success(None)
        assert embedder.embed("x").unwrap() == pytest.approx([0.6, 0.8], abs=1e-3)
        assert bars == [4, "off", "on"]
        options = {"device": "mps", "local_files_only": False, "revision": "abc"}
        assert cast("FakeModel", embedder._held.model).given == ("org/model", options)

    def test_a_folder_is_loaded_from_the_disk_alone(self, bars, tmp_path):
        embedder = SentenceTransformerEmbedder(str(tmp_path))
        assert embedder.dimension == 2
        options = {"device": "cpu", "local_files_only": True, "revision": None}
        assert cast("FakeModel", embedder._held.model).given == (str(tmp_path), options)
        assert bars

    def test_a_host_that_uses_torch_keeps_its_threads(self, bars, monkeypatch):
        monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
        assert resolve_embedder("sentence-transformers:org/model").unwrap().dimension == 2
        assert bars == ["off", "on"]

    def test_a_model_that_does_not_know_its_dimension(self, bars, monkeypatch):
        monkeypatch.setattr(FakeModel, "get_embedding_dimension", lambda _: None, raising=False)
        error = resolve_embedder("sentence-transformers:org/model").failure()
        assert error.reason == "TypeError: the model does not know its dimension"
        assert bars

    def test_a_model_that_does_not_load(self, bars, monkeypatch):
        def broken(self, name, **_):
            raise OSError(f"no {name}\nand a long explanation")

        monkeypatch.setattr(FakeModel, "__init__", broken)
        error = resolve_embedder("sentence-transformers:org/model").failure()
        assert error.reason == "OSError: no org/model"
        assert bars[-1] == "on"

    def test_after_a_fork_it_refuses(self, bars):
        embedder = SentenceTransformerEmbedder("org/model")
        assert isinstance(embedder.embed("x"), Success)
        torch_process.torch_here.forked()
        for one in (embedder, SentenceTransformerEmbedder("org/other")):
            assert "before this process was forked" in one.embed("x").failure().reason
        assert bars


def test_a_folder_that_cannot_be_read(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(5, "Input/output error")

    (tmp_path / "model.safetensors").write_bytes(b"x")
    monkeypatch.setattr(hashlib, "file_digest", fail)
    error = resolve_embedder(f"sentence-transformers:{tmp_path}").failure()
    assert error.reason == "the model's folder cannot be read: Input/output error"
