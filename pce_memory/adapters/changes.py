"""Which commits changed what a search reads: told from the statements, so none is forgotten."""

import re
import threading
from typing import Final

from pce_memory.deps import Version

_VERB: Final = (
    r"\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?"
    r"|(?:drop|alter|create)\s+table(?:\s+if\s+exists)?)\s+\"?"
)
_WRITES: Final = re.compile(rf"{_VERB}(?:claims|postings\w*|vectors_\d+|vector_spaces)\b")
_ERASES: Final = re.compile(r"\b(?:delete\s+from|truncate(?:\s+table)?)\s+\"?claims\b")
_REMAKES: Final = re.compile(
    r"\b(?:(?:drop|alter)\s+table(?:\s+if\s+exists)?|truncate(?:\s+table)?)"
    r"\s+\"?(?:postings|vectors_)"
    r"|\b(?:update|insert\s+into|truncate(?:\s+table)?)\s+\"?vector_spaces\b"
    r"|\bupdate\s+claims\s+set\s+(?:token_count|said_by)\b"
)
_SORTS: Final = re.compile(r"\balter\s+table\s+postings_next\s+rename\s+to\s+postings\b")
_DROPS: Final = re.compile(r"\bdrop\s+table\s+postings\b(?!_)")
_REPLACES: Final = re.compile(r"\bdelete\s+from\s+\"?vectors_\d+\b")
_POLICIES: Final = re.compile(rf"{_VERB}policies\b")


class Changes:
    """Counts commits. Statements are noted by the thread that runs them."""

    def __init__(self) -> None:
        self._version = Version()
        self._local = threading.local()

    @property
    def version(self) -> Version:
        """What has been committed so far."""
        return self._version

    @property
    def pending(self) -> bool:
        """Whether this thread has changed something that is not committed yet."""
        noted: list[str] = getattr(self._local, "noted", [])
        return bool(noted)

    def note(self, sql: str) -> None:
        """Note a statement that was run."""
        if _WRITES.search(sql) or _POLICIES.search(sql):
            noted: list[str] = getattr(self._local, "noted", [])
            self._local.noted = [*noted, sql]

    def committed(self) -> None:
        """Count what this thread has noted: others see it from now on."""
        noted: list[str] = getattr(self._local, "noted", [])
        if noted:
            now = self._version
            self._version = Version(
                now.changed + any(map(_WRITES.search, noted)),
                now.erased + any(map(_ERASES.search, noted)),
                now.remade + _remakes(noted),
                now.policies + any(map(_POLICIES.search, noted)),
            )
        self._local.noted = []

    def rolled_back(self) -> None:
        """Forget what this thread has noted."""
        self._local.noted = []


def _remakes(noted: list[str]) -> bool:
    """Return whether older claims are found by something else from now on.

    Sorted postings that take the place of the others say the same as these. A vector that goes
    while its claim stays makes room for another; one that comes to a claim without is followed.
    """
    if any(map(_SORTS.search, noted)):
        noted = [sql for sql in noted if not (_SORTS.search(sql) or _DROPS.search(sql))]
    replaces = any(map(_REPLACES.search, noted)) and not any(map(_ERASES.search, noted))
    return replaces or any(map(_REMAKES.search, noted))
