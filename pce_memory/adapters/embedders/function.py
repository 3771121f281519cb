"""An embedder made of a function that takes texts and returns vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from pce_memory.adapters.embedders.attempt import Subject, ask
from pce_memory.deps.callables import TEXTS, function_of
from pce_memory.errors import or_raise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from returns.result import Result

    from pce_memory.deps import EmbeddingProvider, Vector
    from pce_memory.errors import EmbeddingFailed


@dataclass(frozen=True, slots=True)
class _FunctionEmbedder:
    function: Callable[[list[str]], object]
    model_id: str
    version: str
    dimension: int

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        return self.embed_batch([text]).map(lambda vectors: vectors[0])

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        who = Subject(texts[0] if texts else "", self.model_id)
        given = ask(lambda: self.function(list(texts)), who)
        # What the function really gave is judged by SafeEmbedder, as for every embedder.
        return given.map(lambda vectors: cast("Sequence[Vector]", vectors))


def from_callable(
    function: Callable[[list[str]], object], *, model_id: str, version: str, dimension: int
) -> EmbeddingProvider:
    """Return an embedder over `function`: texts in, vectors out, as lists or numpy arrays.

    Change `version` whenever the vectors change: it is what keeps old and new apart. What cannot
    be called with a list of texts raises `MemoryFault`.
    """
    or_raise(function_of("function", function, TEXTS))
    return _FunctionEmbedder(function, model_id, version, dimension)
