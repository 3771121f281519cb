"""A cross-encoder in a folder of the host's; needs the extra sentence-transformers."""

from __future__ import annotations

import importlib
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from returns.result import Failure, Result

from pce_memory.adapters import torch_process
from pce_memory.adapters.embedders.model_folder import content_version, load_fault
from pce_memory.adapters.rerankers.attempt import attempt
from pce_memory.adapters.torch_process import (
    FORKED,
    INSTALL,
    NO_FOLDER,
    PACKAGE,
    OneModel,
)
from pce_memory.deps import RerankingFailed
from pce_memory.errors import InvalidParameter, MemoryFault
from pce_memory.result import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

_BATCH_SIZE: Final = 32


class _Model(Protocol):
    def predict(
        self,
        inputs: list[tuple[str, str]],
        *,
        batch_size: int,
        show_progress_bar: bool,
        activation_fn: Callable[[object], object],
    ) -> Sequence[float]: ...


class CrossEncoderReranker:
    """A cross-encoder, loaded from its folder at the first query; never looked up on a network.

    Its scores are the model's own logits, whatever activation its settings name: in single
    precision a sigmoid has no two values above 17. `model_id` is the name of the folder and a
    digest of what is in it; it raises MemoryFault where the folder cannot be read.
    """

    probabilities: Final = False

    def __init__(self, path: str | Path, *, device: str = "cpu") -> None:
        self._folder = Path(path).expanduser()
        self._device = device
        self._held = OneModel[_Model]()

    @property
    def model_id(self) -> str:
        """The name of the folder and the digest of its content."""
        return self._model_id

    @cached_property
    def _model_id(self) -> str:
        if not self._folder.is_dir():
            _fault(NO_FOLDER)
        if find_spec(PACKAGE) is None:
            _fault(INSTALL)
        # Where the folder stands is no part of the model; its content is.
        digest = fold(content_version(self._folder), ok=str, err=_fault)
        return f"sentence-transformers:{self._folder.resolve().name}@{digest}"

    def score(self, query: str, texts: Sequence[str]) -> Result[Sequence[float], RerankingFailed]:
        """Return the logit of each text for a query, in order."""
        pairs = [(query, text) for text in texts]
        return Result.do(
            scores
            for model in self._get()
            for scores in attempt(partial(_predict, model, pairs), self._name, "raised")
        )

    def warmup(self) -> Result[None, RerankingFailed]:
        """Load the model now (several seconds) instead of at the first query."""
        return self._get().map(lambda _: None)

    @property
    def _name(self) -> str:
        return f"sentence-transformers:{self._folder.name}"

    def _get(self) -> Result[_Model, RerankingFailed]:
        # Asked before the lock: a thread of the parent may have held it at the fork.
        if torch_process.torch_here.hangs:
            return Failure(RerankingFailed(self._name, "failed", FORKED))
        return self._held.get(lambda: attempt(self._load, self._name, "failed", say=load_fault))

    def _load(self) -> _Model:
        library = torch_process.sentence_transformers()
        with torch_process.no_progress_bars():
            model = library.CrossEncoder(
                str(self._folder), device=self._device, local_files_only=True
            )
        return cast("_Model", model)


def _predict(model: _Model, pairs: list[tuple[str, str]]) -> list[float]:
    torch: Any = importlib.import_module("torch")
    rows: Any = model.predict(
        pairs,
        batch_size=_BATCH_SIZE,
        show_progress_bar=False,
        activation_fn=torch.nn.Identity(),
    )
    # A model of several labels gives a row for a pair: what that says, nobody can know here.
    return [float(row) for row in rows.astype("float64").tolist()]


def _fault(reason: str) -> NoReturn:
    # A property has no room for a Result; `checked` turns this back into one.
    raise MemoryFault(InvalidParameter("reranker", reason))
