"""What an embedder is: a model that turns texts into vectors that can be compared."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from returns.result import Result

from pce_memory.deps.search import Vector
from pce_memory.errors import EmbeddingFailed


class EmbeddingProvider(Protocol):
    """Turns texts into unit vectors of one dimension, which may load the model when asked for.

    `model_id` and `version` name the weights: vectors of equal names may be compared.
    """

    @property
    def model_id(self) -> str:
        """The name of the weights."""
        ...

    @property
    def version(self) -> str:
        """Which of the weights of that name."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text."""
        ...

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts, in order."""
        ...


def model_of(provider: EmbeddingProvider) -> str:
    """Name an embedder's model as people read it: vectors of one name may be compared."""
    return f"{provider.model_id} {provider.version} ({provider.dimension} dimensions)"


@runtime_checkable
class QueryEmbedder(Protocol):
    """What an EmbeddingProvider may be too, if its model reads questions and texts differently.

    Such a model's `embed` and `embed_batch` are for the texts that are to be found.
    """

    def embed_query(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of a question, to be compared with those of texts."""
        ...


@runtime_checkable
class Calibrated(Protocol):
    """What an EmbeddingProvider may be too, if unrelated texts of its model do not stand at 0."""

    @property
    def unrelated(self) -> float:
        """About the cosine of a question and a text that has nothing to do with it, below 1."""
        ...


__all__ = ["Calibrated", "EmbeddingProvider", "QueryEmbedder", "model_of"]
