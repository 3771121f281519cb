"""Torch in this process: brought in late, quietly and with few threads, never after a fork."""

from __future__ import annotations

import importlib
import os
import sys
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from returns.result import Result, Success

from pce_memory.adapters.extras import install

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

M = TypeVar("M")
E = TypeVar("E")

PACKAGE: Final = "sentence_transformers"
INSTALL: Final = install("sentence-transformers")
FORKED: Final = (
    "torch was used before this process was forked and would hang in it; "
    "start processes with spawn, or ask the model for the first time after the fork"
)
NO_FOLDER: Final = "there is no model folder at this path"

_MAX_THREADS: Final = 4


class TorchProcess:
    """Whether this process, or the one it was forked from, has run torch."""

    def __init__(self) -> None:
        self._used = False
        self.hangs = False

    def use(self) -> None:
        """Note that torch is going to run: its threads do not survive a fork."""
        if not self._used and hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.forked)
        self._used = True

    def forked(self) -> None:
        """Note that this is the child of a process that used torch."""
        self.hangs = True


torch_here = TorchProcess()
"""One for all adapters: whichever of them used torch, none may use it after a fork."""


def sentence_transformers() -> Any:  # noqa: ANN401 - an optional package
    """Return the library, and note that torch is going to run."""
    host_uses_torch = "torch" in sys.modules
    library = importlib.import_module(PACKAGE)
    torch = importlib.import_module("torch")
    torch_here.use()
    if not host_uses_torch:
        # Torch's threads wait by spinning: on a busy machine all its cores are slower than
        # half of them, and sentences gain little from many. A host with torch chose its own.
        torch.set_num_threads(max(1, min(_MAX_THREADS, torch.get_num_threads() // 2)))
    return library


class OneModel(Generic[M]):
    """A model that is loaded once, by whichever thread wants it first."""

    def __init__(self) -> None:
        self.model: M | None = None
        self._lock = Lock()

    def get(self, load: Callable[[], Result[M, E]]) -> Result[M, E]:
        """Return the model; `load` is asked for it until it succeeds."""
        with self._lock:
            return load().map(self._keep) if self.model is None else Success(self.model)

    def _keep(self, model: M) -> M:
        self.model = model
        return model


@contextmanager
def no_progress_bars() -> Generator[None]:
    """Keep the loading bars off standard error, which belongs to the host."""
    bars = importlib.import_module("transformers.utils.logging")
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            bars.enable_progress_bar()
