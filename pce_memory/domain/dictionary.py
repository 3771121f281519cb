"""Dictionaries: what a host knows of names and addresses, as the engine asks for it."""

from collections.abc import Iterable
from typing import Final, Protocol

DICTIONARY_KINDS: Final = frozenset({"address", "name"})
"""Kinds that no pattern finds well enough: found by a policy's own rules or by a dictionary."""


class Dictionary(Protocol):
    """Anything that finds names, or addresses, in a text."""

    def find(self, text: str) -> Iterable[tuple[int, int]]:
        """Return where each begins and where it has ended."""
        ...
