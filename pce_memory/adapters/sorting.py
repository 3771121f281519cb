"""Sort the postings in the background, when many were written: nobody waits for it."""

from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread, current_thread
from typing import Final, TypeAlias

from returns.result import Failure

from pce_memory.adapters.duck import DuckDatabase
from pce_memory.errors import CoreError, MemoryFault
from pce_memory.store import postings

STEP: Final = 10_000
"""After so many new postings it is asked whether it is time to sort."""
PAUSE: Final = 0.05

Told: TypeAlias = Callable[[CoreError], object]
"""Told why a run failed."""


class BackgroundSorter:
    """Sorts the postings of one file beside those who read and write it; at most one run."""

    def __init__(self, db: DuckDatabase) -> None:
        self.db = db
        self._failed: Told | None = None
        self._lock = Lock()
        self._written = 0
        self._thread: Thread | None = None
        self._closed = db.read_only

    def grown(self, written: int) -> None:
        """Count new postings, and begin to sort when there are many; this waits for nothing."""
        with self._lock:
            self._written += written
            if not written or self._closed or self._written < STEP or self._busy():
                return
            self._written = 0
            # A daemon: a host that ends without closing the memory is not kept from ending.
            self._thread = Thread(target=self._run, name="pce-memory-sort", daemon=True)
            self._thread.start()

    def tells(self, failed: Told) -> None:
        """Tell of runs that fail from now on."""
        self._failed = failed

    def close(self) -> None:
        """Begin no more runs, and end the one that is under way."""
        if self.db.forked:
            return  # the thread and whoever holds the lock are in another process
        with self._lock:
            self._closed = True
            thread = self._thread
        if thread is None or thread is current_thread():
            return
        while thread.is_alive():
            self.db.beside.interrupt()
            thread.join(PAUSE)

    def _busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _run(self) -> None:
        done = postings.sort_if_many(self.db)
        # A run that was ended, or a clock that fails, leaves nobody to tell.
        if isinstance(done, Failure) and self._failed is not None and not self._closed:
            with suppress(MemoryFault):
                _ = self._failed(done.failure())
