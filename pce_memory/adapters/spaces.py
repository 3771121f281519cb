"""The tables of vectors: each of one model and one dimension."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pce_memory.deps import Arrays, EmbeddingProvider, Vector
from pce_memory.domain.vocabulary import BoundaryClass


@dataclass(frozen=True, slots=True)
class Space:
    """One table of vectors: of one model and one dimension."""

    generation: int
    model_id: str
    version: str
    dimension: int
    status: str

    @property
    def model(self) -> str:
        """Name the model as people read it."""
        return f"{self.model_id} {self.version} ({self.dimension} dimensions)"

    @property
    def type(self) -> str:
        """Name the type of its vectors as DuckDB does."""
        return f"FLOAT[{self.dimension}]"

    def of(self, provider: EmbeddingProvider) -> bool:
        """Return whether this provider's vectors belong here."""
        return (self.model_id, self.version, self.dimension) == (
            provider.model_id,
            provider.version,
            provider.dimension,
        )


class Unembedded(NamedTuple):
    """A claim that has no vector yet."""

    row_id: int
    text: str
    boundary_class: BoundaryClass
    said_by: str | None


def in_space(space: Space, statement: str) -> str:
    """Return a statement with its `{generation}` and `{dimension}`, both integers, written out."""
    return statement.replace("{generation}", str(int(space.generation))).replace(
        "{dimension}", str(int(space.dimension))
    )


def as_columns(vectors: Sequence[tuple[int, Vector]]) -> Arrays:
    """Return keys and vectors as numpy arrays."""
    import numpy as np  # noqa: PLC0415 - not at opening

    return {
        "row_id": np.array([key for key, _ in vectors], np.int64),
        "embedding": np.array([vector for _, vector in vectors], np.float32),
    }
