"""Files that are costly to make, kept in the user's cache folder under their own digests.

A name ends in the SHA-256 of the content, so that a file is known to be whole by itself: writers
at the same time cannot mix their parts, and a damaged file is never used. Making the content does
not depend on the folder: where it cannot be written, only the next process loses time.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE: Final = "PCE_MEMORY_CACHE"
"""The environment variable that names the folder, where no option does."""

_APPLICATION: Final = "pce-memory"
_UNFINISHED: Final = ".part"
_ABANDONED_SECONDS: Final = 3600.0


def default_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder for caches of this platform, or None where the user has no home.

    >>> default_folder({"PCE_MEMORY_CACHE": "/data/cache"}).as_posix()
    '/data/cache'
    """
    if named := environment.get(VARIABLE):
        return Path(named)
    try:
        return _platforms(environment) / _APPLICATION
    except RuntimeError:  # no home
        return None


def _platforms(environment: Mapping[str, str]) -> Path:
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    shared = Path(environment.get("XDG_CACHE_HOME", ""))
    # The specification of these folders says that a relative one is to be ignored.
    return shared if shared.is_absolute() else Path.home() / ".cache"


class Kept:
    """The files of one folder that hold one thing: `NAME.<sha256>.SUFFIX`."""

    def __init__(self, folder: Path | None, name: str, suffix: str) -> None:
        self._folder = folder
        self._name = name
        self._suffix = suffix

    def there(self) -> bool:
        """Return whether there is a file; whether it is whole, only reading it tells."""
        return bool(self._paths())

    def find(self) -> Path | None:
        """Return a file whose content is whole; one that is damaged is removed."""
        for path in self._paths():
            with suppress(OSError):
                with path.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
                if path.name == self._named(digest):
                    return path
                path.unlink()
        return None

    def write(self, content: bytes) -> None:
        """Keep the content, if the folder lets us; others see it at once as a whole, or not."""
        if self._folder is None:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._sweep(self._folder)
            self._replace(self._folder, content)

    def _replace(self, folder: Path, content: bytes) -> None:
        kept = folder / self._named(hashlib.sha256(content).hexdigest())
        number, name = tempfile.mkstemp(dir=folder, prefix=f"{self._name}.", suffix=_UNFINISHED)
        try:
            with os.fdopen(number, "wb") as file:
                _ = file.write(content)
                file.flush()
                os.fsync(file.fileno())
            _ = Path(name).replace(kept)
        finally:
            Path(name).unlink(missing_ok=True)

    def _sweep(self, folder: Path) -> None:
        """Remove what a killed process left half written."""
        for path in folder.glob(f"{self._name}.*{_UNFINISHED}"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                    path.unlink()

    def _paths(self) -> list[Path]:
        if self._folder is None:
            return []
        try:
            return sorted(self._folder.glob(f"{self._name}.*.{self._suffix}"))
        except OSError:
            return []

    def _named(self, digest: str) -> str:
        return f"{self._name}.{digest}.{self._suffix}"
