# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
"""Reduce English words to their stems; the stemmer is untyped, so it is kept to this module."""

from functools import lru_cache
from typing import Final, Protocol, cast

from snowballstemmer import stemmer

_STEMMED_UP_TO: Final = 64  # the stemmer is slow on very long words, and they have no stem


class _Stemmer(Protocol):
    """What is used of a snowball stemmer."""

    def stemWord(self, word: str) -> str:  # noqa: N802 (the library's name)
        """Return the stem."""
        ...


def stem(word: str) -> str:
    """Return the Porter stem of a lower-case ASCII word, as DuckDB's own stemmer gives it.

    >>> [stem(word) for word in ("running", "policies", "relational", "v2")]
    ['run', 'polici', 'relat', 'v2']
    """
    return _stem(word) if len(word) <= _STEMMED_UP_TO else word


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    # A stemmer keeps the word it works on in itself, so threads must not share one.
    # It leaves nothing of "s", but a word is never nothing.
    return cast("_Stemmer", stemmer("porter")).stemWord(word) or word
