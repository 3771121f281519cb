"""The search index, made when the first search wants it: numpy comes in then, not at opening."""

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from returns.result import Result

from pce_memory.adapters.duck import DuckDatabase
from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import Found, Matrix, Sought, Standing, Vector, Visibility, Weighing
from pce_memory.errors import StoreError

if TYPE_CHECKING:
    from pce_memory.adapters.mirror.searching import MirrorSearch


class SearchOnDemand:
    """A SearchIndex; `limit` bounds the bytes it may hold in memory, 0 holds nothing."""

    def __init__(self, db: DuckDatabase, vectors: SqlVectorIndex, *, limit: int) -> None:
        self._db = db
        self._vectors = vectors
        self._limit = limit
        self._lock = threading.Lock()
        self._made: MirrorSearch | None = None

    @property
    def state(self) -> str:
        """Say what is held in memory: off, not loaded, loading, ready or too large."""
        if self._limit <= 0:
            return "off"
        return "not loaded" if self._made is None else self._made.mirror.state

    def follow(self) -> Result[None, StoreError]:
        """Take in what was committed; call it before a snapshot begins."""
        return self._index().follow()

    def search(self, sought: Sought, visible: Visibility) -> Result[Found, StoreError]:
        """Return the best candidates of both lanes, each with everything it matches by."""
        return self._index().search(sought, visible)

    def everything(
        self, visible: Visibility, weighing: Weighing, limit: int
    ) -> Result[Found, StoreError]:
        """Return the `limit` visible claims that weigh most, and those that weigh the same."""
        return self._index().everything(visible, weighing, limit)

    def nearest(
        self, vector: Vector, visible: Visibility, *, limit: int
    ) -> Result[Mapping[int, float], StoreError]:
        """Return the cosines of the `limit` visible claims nearest to a vector."""
        return self._index().nearest(vector, visible, limit=limit)

    def standing(
        self, sought: Sought, visible: Visibility, row_id: int
    ) -> Result[Standing, StoreError]:
        """Return how a visible claim stands in both lanes, however far down."""
        return self._index().standing(sought, visible, row_id)

    def nearest_by_source(
        self, vector: Vector, visible: Visibility, *, limit: int
    ) -> Result[Mapping[int, float], StoreError]:
        """Return the `limit` visible claims whose best observation is nearest to a vector."""
        return self._index().nearest_by_source(vector, visible, limit=limit)

    def likeness(self, row_ids: Sequence[int]) -> Result[Matrix, StoreError]:
        """Return the cosine of each of these claims to each; NaN where one has no vector."""
        return self._index().likeness(row_ids)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until everything is in memory; return whether it is."""
        return self._index().mirror.wait(timeout)

    def close(self) -> None:
        """Let go of what is held."""
        with self._lock:
            if self._made is not None:
                self._made.mirror.close()

    def _index(self) -> "MirrorSearch":
        made = self._made
        if made is not None:
            return made
        with self._lock:
            if self._made is None:
                from pce_memory.adapters.mirror.index import Mirror  # noqa: PLC0415 - numpy
                from pce_memory.adapters.mirror.searching import MirrorSearch  # noqa: PLC0415

                mirror = Mirror(self._db, self._vectors, limit=self._limit)
                self._made = MirrorSearch(self._db, mirror, self._vectors)
            return self._made
