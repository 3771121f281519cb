"""The cross-encoder adapter without its library; tests/extras runs the real one."""

import importlib
import sys
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from returns.result import Success

from pce_memory.adapters import torch_process
from pce_memory.adapters.rerankers import CrossEncoderReranker, cross_encoder, resolve_reranker
from pce_memory.errors import InvalidParameter


class FakeModel:
    """What the adapter needs of a CrossEncoder: a text scores as many as it has letters."""

    def __init__(self, folder: str, **options: object) -> None:
        self.given = (folder, options)

    def predict(self, pairs, *, batch_size, show_progress_bar, activation_fn):
        assert (batch_size, show_progress_bar, activation_fn) == (32, False, "identity")
        return np.array([len(text) for _, text in pairs], dtype=np.float32)


@pytest.fixture
def calls(monkeypatch):
    """The calls that set torch and the progress bars, while a library stands in for the real one."""
    made: list[object] = []
    logging = SimpleNamespace(
        is_progress_bar_enabled=lambda: True,
        disable_progress_bar=lambda: made.append("off"),
        enable_progress_bar=lambda: made.append("on"),
    )
    fakes = {
        "sentence_transformers": SimpleNamespace(CrossEncoder=FakeModel),
        "torch": SimpleNamespace(
            get_num_threads=lambda: 64,
            set_num_threads=made.append,
            nn=SimpleNamespace(Identity=lambda: "identity"),
        ),
        "transformers.utils.logging": logging,
    }
    real = importlib.import_module
    monkeypatch.setattr(importlib, "import_module", lambda name: fakes.get(name) or real(name))
    monkeypatch.setattr(cross_encoder, "find_spec", lambda _: "there")
    monkeypatch.setattr(torch_process, "torch_here", torch_process.TorchProcess())
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    return made


@pytest.fixture
def folder(tmp_path):
    model = tmp_path / "my-reranker"
    model.mkdir()
    (model / "config.json").write_text("{}")
    return model


def test_it_loads_once_quietly_and_from_the_disk_alone(calls, folder):
    reranker = CrossEncoderReranker(folder, device="mps")
    assert reranker.warmup() == Success(None)
    assert reranker.score("q", ["a", "bb"]) == Success([1.0, 2.0])
    assert calls == [4, "off", "on"]
    options = {"device": "mps", "local_files_only": True}
    assert cast("FakeModel", reranker._held.model).given == (str(folder), options)


def test_its_name_is_that_of_the_content_wherever_it_stands(calls, folder, tmp_path):
    name = CrossEncoderReranker(folder).model_id
    assert name.startswith("sentence-transformers:my-reranker@sha256:")
    (tmp_path / "elsewhere").mkdir()
    moved = folder.rename(tmp_path / "elsewhere" / "my-reranker")
    assert CrossEncoderReranker(moved).model_id == name
    (moved / "config.json").write_text("{} ")
    assert CrossEncoderReranker(moved).model_id != name


def test_after_a_fork_it_refuses(calls, folder):
    reranker = CrossEncoderReranker(folder)
    assert isinstance(reranker.score("q", ["a"]), Success)
    torch_process.torch_here.forked()
    error = reranker.score("q", ["a"]).failure()
    assert (error.why, error.reason) == ("failed", torch_process.FORKED)


def test_a_model_that_does_not_load(calls, folder, monkeypatch):
    def broken(self, name, **_):
        raise OSError("no such weights\nand a long explanation")

    monkeypatch.setattr(FakeModel, "__init__", broken)
    error = CrossEncoderReranker(folder).score("q", ["a"]).failure()
    assert (error.why, error.reason) == ("failed", "OSError: no such weights")
    assert calls[-1] == "on"


def test_a_missing_package_is_told_at_opening(folder, monkeypatch):
    monkeypatch.setattr(cross_encoder, "find_spec", lambda _: None)
    error = resolve_reranker(f"sentence-transformers:{folder}").failure()
    assert error == InvalidParameter("reranker", torch_process.INSTALL)


def test_a_package_that_goes_meanwhile(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    error = CrossEncoderReranker(folder).score("q", ["a"]).failure()
    assert error.reason.startswith(torch_process.INSTALL)


def test_a_folder_that_cannot_be_read(calls, folder, monkeypatch):
    def fail(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("hashlib.file_digest", fail)
    error = resolve_reranker(f"sentence-transformers:{folder}").failure()
    assert error.reason == "the model's folder cannot be read: Input/output error"
