"""Embedders for tests, and what tests ask of vectors."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from returns.result import Failure, Result, Success

from pce_memory.adapters.embedders import HashingEmbedder, SafeEmbedder, checked, from_callable
from pce_memory.errors import EmbeddingFailed
from pce_memory.result import collect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pce_memory.deps import EmbeddingProvider, Vector


class TableEmbedder:
    """Gives each text the vector it has in a table, and fails on every other text."""

    model_id = "table"
    version = "1"

    def __init__(self, table: Mapping[str, Vector]) -> None:
        self._table = table
        self.dimension = len(next(iter(table.values())))
        self.asked: list[str] = []

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text."""
        self.asked.append(text)
        found = self._table.get(text)
        if found is None:
            return Failure(EmbeddingFailed(text, self.model_id, "the table has no such text"))
        return Success(found)

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts, in order."""
        return collect(self.embed(text) for text in texts)


def bits(vectors: Sequence[Vector]) -> bytes:
    return b"".join(struct.pack(f"<{len(vector)}f", *vector) for vector in vectors)


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def safe(provider: EmbeddingProvider, **options: int) -> SafeEmbedder:
    return checked(provider, **options).unwrap()


def of_function(function: Callable[[list[str]], object], dimension: int = 2) -> SafeEmbedder:
    return safe(from_callable(function, model_id="mine", version="1", dimension=dimension))


class Outage:
    """The hashing embedder, of few dimensions; while it is `down` it fails."""

    model_id = "outage"
    version = "1"
    dimension = 64

    def __init__(self) -> None:
        self.down = False
        self._hashing = HashingEmbedder(dimension=self.dimension)

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text."""
        if self.down:
            return Failure(EmbeddingFailed(text, self.model_id, "it is down"))
        return self._hashing.embed(text)

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts, in order."""
        return collect(self.embed(text) for text in texts)
