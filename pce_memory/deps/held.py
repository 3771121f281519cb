"""What never changes and was read already, held in memory up to so much of it."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from pce_memory.deps.search import Arrays

T = TypeVar("T")

MOST_RUNS: Final = 1_000
MOST_DOCUMENTS: Final = 1_000_000
"""So many documents of runs take 24 MB."""
MOST_CARRIERS: Final = 300_000


class Held(Generic[T]):
    """Values by name, up to so much room: what was used longest ago goes first."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._taken = 0
        self._values: OrderedDict[str, tuple[T, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: str) -> T | None:
        """Return a value, if it is held."""
        with self._lock:
            found = self._values.get(name)
            if found is None:
                return None
            self._values.move_to_end(name)
            return found[0]

    def put(self, name: str, value: T, size: int = 1) -> None:
        """Hold a value; one that is larger than the room is let go of at once."""
        with self._lock:
            _, before = self._values.pop(name, (None, 0))
            self._values[name] = (value, size)
            self._taken += size - before
            while self._taken > self._room:
                _, (_, gone) = self._values.popitem(last=False)
                self._taken -= gone

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._values.clear()
            self._taken = 0


@dataclass(frozen=True, slots=True)
class HeldRuns:
    """What was read of runs: the row of each, the documents that it lists, and who carries tags.

    Whether a run is there, and what of it may be seen, is never held: the file is asked each time.
    Who carries tags is held under the version of the file that it was read from.
    """

    rows: Held[Mapping[str, Any]] = field(default_factory=lambda: Held(MOST_RUNS))
    ranks: Held[Arrays] = field(default_factory=lambda: Held(MOST_DOCUMENTS))
    carriers: Held[Arrays] = field(default_factory=lambda: Held(MOST_CARRIERS))

    def clear(self) -> None:
        """Let go of everything: of what is erased nothing may stay."""
        self.rows.clear()
        self.ranks.clear()
        self.carriers.clear()
