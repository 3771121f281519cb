"""multilingual-e5-small, the best of the offline embedders; needs the extra e5."""

from __future__ import annotations

import os
from ctypes import py_object, pythonapi
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Final

from returns.result import Failure, Result, Success

from pce_memory.adapters.embedders.attempt import Subject, attempt, told
from pce_memory.adapters.embedders.e5.cache import default_folder
from pce_memory.adapters.embedders.e5.parts import MODEL_ID, VERSION, Parts
from pce_memory.errors import EmbeddingFailed, MemoryFault

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pce_memory.adapters.embedders.e5.encoder import Encoder
    from pce_memory.deps import Vector

DIMENSION: Final = 384
PASSAGE: Final = "passage:"
QUERY: Final = "query:"


class _Model:
    """The one copy of the network in this process (150 MB), loaded at its first use."""

    def __init__(self) -> None:
        self._encoder: Encoder | None = None
        self._lock = Lock()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def get(self, parts: Parts, who: Subject) -> Result[Encoder, EmbeddingFailed]:
        """Return the network; threads that come while it is loaded wait."""
        with self._lock:
            if self._encoder is not None:
                return Success(self._encoder)
            if lacking := parts.lacking():
                return Failure(who.failed(lacking))
            return Result.do(
                self._keep(encoder)
                for made in attempt(parts.encoder, who, say=told)
                for encoder in made.alt(who.failed)
            )

    def _keep(self, encoder: Encoder) -> Encoder:
        self._encoder = encoder
        return encoder

    def _forget(self) -> None:
        # A fork copies neither the threads of the network, for which it would wait, nor the one
        # that would release the lock. Freeing the network would wait too, at the latest when the
        # process ends; so one reference is left over, and what is needed is loaded anew.
        pythonapi.Py_IncRef(py_object(self._encoder))
        self._encoder = None
        self._lock = Lock()


_model = _Model()


class E5Embedder:
    """About a hundred languages in one space, made for search.

    A question and the texts that answer it are embedded differently: `embed_query` is for the
    one, `embed` and `embed_batch` are for the others. The weights are converted at the first use
    on a machine and kept in `cache`; without it, in the folder that `PCE_MEMORY_CACHE` names,
    else in the platform's own for caches.
    """

    model_id = MODEL_ID
    version = VERSION

    def __init__(self, cache: Path | None = None) -> None:
        self._parts = Parts(cache or default_folder())

    @property
    def dimension(self) -> int:
        """The length of the vectors; raises where a package is missing, and loads nothing."""
        if lacking := self._parts.lacking():
            # A property has no room for a Result; `checked` turns this back into one.
            raise MemoryFault(Subject("", MODEL_ID).failed(lacking))
        return DIMENSION

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text that is to be found."""
        return self.embed_batch([text]).map(lambda vectors: vectors[0])

    def embed_query(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of a question, to be compared with those of texts."""
        return self._encoded([text], QUERY).map(lambda vectors: vectors[0])

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts that are to be found, in order."""
        return self._encoded(texts, PASSAGE) if texts else Success([])

    def warmup(self) -> Result[None, EmbeddingFailed]:
        """Load the model now, and convert it if need be, instead of at the first text."""
        return self.embed("warm").map(lambda _: None)

    def _encoded(
        self, texts: Sequence[str], prefix: str
    ) -> Result[Sequence[Vector], EmbeddingFailed]:
        who = Subject(texts[0], MODEL_ID)
        return Result.do(
            vectors
            for encoder in _model.get(self._parts, who)
            for vectors in attempt(partial(encoder.encode, list(texts), prefix), who)
        )
