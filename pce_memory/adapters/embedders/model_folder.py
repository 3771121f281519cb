"""What is told of a SentenceTransformer model without it, or where it does not load."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.embedders.attempt import told
from pce_memory.adapters.regular_file import read_regular
from pce_memory.adapters.torch_process import INSTALL

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# The files that decide the vectors; other exports of the same weights are left out.
_WEIGHTS: Final = frozenset({".bin", ".model", ".safetensors"})
_SETTINGS: Final = frozenset(
    {
        "config.json",
        "config_sentence_transformers.json",
        "modules.json",
        "sentence_bert_config.json",
        "tokenizer.json",
        "vocab.txt",
    }
)
_EXPORTS: Final = frozenset({"onnx", "openvino"})
_KEEP_DIMENSION: Final = frozenset({"Transformer", "Normalize"})


def content_version(folder: Path) -> Result[str, str]:
    """Return `sha256:` and the start of the digest of the model's weights and settings."""
    total = hashlib.sha256()
    try:
        for path in sorted(filter(_decides, folder.rglob("*"))):
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            total.update(f"{path.relative_to(folder).as_posix()} {digest}\n".encode())
    except OSError as fault:
        return Failure(f"the model's folder cannot be read: {fault.strerror}")
    return Success(f"sha256:{total.hexdigest()[:16]}")


def declared_dimension(folder: Path) -> int | None:
    """Return the dimension the settings declare, if the model is of the plain kind.

    Plain is a transformer, one pooling and at most a normalisation; others have to be loaded.
    """
    modules = _entries(_json(folder / "modules.json"))
    kinds = [str(module.get("type", "")).rpartition(".")[2] for module in modules]
    if kinds.count("Pooling") != 1 or not _KEEP_DIMENSION.issuperset({*kinds} - {"Pooling"}):
        return None
    where = str(modules[kinds.index("Pooling")].get("path", ""))
    return _pooled(_mapping(_json(folder / where / "config.json")))


def _decides(path: Path) -> bool:
    decisive = path.suffix in _WEIGHTS or path.name in _SETTINGS
    return decisive and not _EXPORTS.intersection(path.parts) and path.is_file()


def _pooled(config: Mapping[str, object]) -> int | None:
    size = config.get("embedding_dimension", config.get("word_embedding_dimension"))
    mode = config.get("pooling_mode")
    modes = [
        name for name, on in config.items() if name.startswith("pooling_mode_") and on is True
    ]
    single = len(modes) == 1 if mode is None else isinstance(mode, str)
    return size if single and isinstance(size, int) else None


def _json(path: Path) -> object:
    try:
        return cast("object", json.loads(read_regular(path).value_or(b"null")))
    except ValueError:
        # Only a shortcut is lost: the model itself will say what is wrong.
        return None


def _mapping(given: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", given) if isinstance(given, dict) else {}


def _entries(given: object) -> list[Mapping[str, object]]:
    return (
        [_mapping(entry) for entry in cast("list[object]", given)]
        if isinstance(given, list)
        else []
    )


def load_fault(fault: BaseException) -> str:
    """Return what is told of a model that could not be loaded."""
    if isinstance(fault, ModuleNotFoundError):
        return f"{INSTALL} ({fault.name} is missing)"
    return told(fault)
