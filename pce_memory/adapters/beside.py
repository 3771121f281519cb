"""Long work beside the writer: one piece at a time, and it can be ended from another thread."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Lock, RLock
from typing import Final, TypeAlias

PAUSE: Final = 0.02
"""Seconds between two interruptions: one that comes between two statements is not heard."""

End: TypeAlias = Callable[[], None]
"""Ends the statement that is running, if one is."""


class Beside:
    """Turns of work beside the writer. A thread that has the turn may take it again."""

    def __init__(self) -> None:
        self._turn = RLock()
        self._end: End | None = None
        self._guard = Lock()

    @contextmanager
    def turn(self) -> Generator[None]:
        """Have the turn; wait for whoever has it."""
        with self._turn:
            yield

    @contextmanager
    def running(self, end: End) -> Generator[None]:
        """Let others end what runs meanwhile."""
        self._end = end
        try:
            yield
        finally:
            with self._guard:  # what has ended is not ended once more: it may be closed by then
                self._end = None

    @contextmanager
    def ended(self) -> Generator[None]:
        """End what is running, and let nothing begin meanwhile."""
        while not self._turn.acquire(timeout=PAUSE):
            self.interrupt()
        try:
            yield
        finally:
            self._turn.release()

    def interrupt(self) -> None:
        """End the statement that is running, if one is."""
        with self._guard:
            if self._end is not None:
                self._end()
