"""Which files this process holds: DuckDB's lock keeps out others, not another Memory here."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_HELD: Final[dict[str, tuple[int, int]]] = {}
"""Paths with device and inode: one file may have several names."""
_LOCK: Final = threading.RLock()


@contextmanager
def nobody_else() -> Generator[None]:
    """Keep others of this process from opening or closing a file meanwhile."""
    with _LOCK:
        yield


def hold(real: str) -> None:
    """Remember that this process has a file open."""
    with _LOCK:
        _HELD[real] = _identity(real)


def let_go(real: str) -> None:
    """Remember that this process has closed a file."""
    with _LOCK:
        _ = _HELD.pop(real, None)


def is_held(path: str) -> bool:
    """Return whether a Memory of this process has this file open, under whatever name."""
    real = str(Path(path).resolve())
    with _LOCK:
        return real in _HELD or (Path(real).exists() and _identity(real) in _HELD.values())


def _identity(real: str) -> tuple[int, int]:
    status = Path(real).stat()
    return status.st_dev, status.st_ino
