"""A small cache of the vectors that were asked for last."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pce_memory.deps import Vector


class RecentVectors:
    """The vectors of the last `size` texts, for one model; safe to share between threads.

    It never waits for its lock: a busy cache counts as a miss, so a lock that was held at a fork
    costs the child speed and nothing else.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._vectors: OrderedDict[str, array[float]] = OrderedDict()
        self._lock = Lock()

    def get(self, text: str) -> Vector | None:
        """Return a copy of the vector of `text`, if it is kept."""
        if not self._lock.acquire(blocking=False):
            return None
        try:
            found = self._vectors.get(text)
            if found is None:
                return None
            self._vectors.move_to_end(text)
            return found[:]
        finally:
            self._lock.release()

    def put(self, text: str, vector: Vector) -> None:
        """Keep a copy of `vector`, and forget the text that was asked for longest ago."""
        kept = array("f", vector)
        if not self._lock.acquire(blocking=False):
            return
        try:
            self._vectors[text] = kept
            self._vectors.move_to_end(text)
            while len(self._vectors) > self._size:
                _ = self._vectors.popitem(last=False)
        finally:
            self._lock.release()
