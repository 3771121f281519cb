"""What every error has, and what a message may show of a string."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_HARMLESS: Final = re.compile(r"[A-Za-z0-9_.:*/+-]{0,40}", re.ASCII)
_DIGITS: Final = re.compile(r"(?:\d[-.:/+]*){7,}", re.ASCII)
# Capitals and digits in one long word are what keys are made of, and ids of ours are not.
_MIXED: Final = re.compile(r"(?=.*[A-Z])(?=.*[0-9])[^ ]{12,}", re.ASCII)
_KEY_LIKE: Final = re.compile(r"[A-Za-z0-9_-]{25,}", re.ASCII)


def shown(given: str) -> str:
    """Return what a message may show of a string a caller gave: short plain words only.

    >>> shown("projekt")
    'projekt'
    >>> shown("alice@example.com")
    '(17 characters, not shown)'
    """
    plain = _HARMLESS.fullmatch(given) and not _DIGITS.search(given)
    if plain and not _KEY_LIKE.search(given) and not _MIXED.fullmatch(given):
        return given
    return f"({len(given)} characters, not shown)"


@dataclass(frozen=True, slots=True)
class PCEError:
    """What every error has. Errors are values: return them, never raise them."""

    tag: ClassVar[str] = "PCEError"
    code: ClassVar[str] = "INTERNAL"
    status: ClassVar[int] = 500
    remedy: ClassVar[str] = "Report this."

    @property
    def message(self) -> str:
        """Say in one sentence what was given and what was wanted."""
        raise AssertionError(f"{type(self).__name__} has no message")

    @property
    def details(self) -> Mapping[str, object]:
        """Return the fields that may be shown."""
        return {part.name: getattr(self, part.name) for part in fields(self) if part.repr}
