"""A gate that many readers pass at once, and that can be shut when all are out."""

import threading
from collections.abc import Generator
from contextlib import contextmanager


class Gate:
    """Readers pass together; whoever shuts it waits for those inside and keeps out the rest."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._shut = False
        self._local = threading.local()

    @contextmanager
    def passing(self) -> Generator[None]:
        """Be inside; a thread that is inside already may pass again."""
        depth: int = getattr(self._local, "depth", 0)
        if depth == 0:
            self._enter()
        self._local.depth = depth + 1
        try:
            yield
        finally:
            self._local.depth = depth
            if depth == 0:
                self._leave()

    @contextmanager
    def shut(self, *, patience: float) -> Generator[bool]:
        """Yield whether all were out within `patience` seconds; if so nobody passes meanwhile."""
        with self._changed:
            self._shut = True
            empty = self._changed.wait_for(lambda: self._inside == 0, timeout=patience)
        try:
            yield empty
        finally:
            with self._changed:
                self._shut = False
                self._changed.notify_all()

    def _enter(self) -> None:
        with self._changed:
            _ = self._changed.wait_for(lambda: not self._shut)
            self._inside += 1

    def _leave(self) -> None:
        with self._changed:
            self._inside -= 1
            self._changed.notify_all()
