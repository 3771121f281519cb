"""Find the words of a list in a text: whatever their case and width, in linear time."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from pce_memory.text.detect import longest
from pce_memory.text.fold import Span, fold

MAX_CHARS: Final = 128
"""The longest word."""

# Where these scripts write no spaces, a word may begin and end anywhere.
_UNSPACED: Final = re.compile("[々〆\u0e00-\u0eff\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class WordList:
    """A list of words that finds itself in texts; see `word_list`."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = {folded for word in words if (folded := _plain(fold(word).text).strip())}
        lengths: dict[str, set[int]] = {}
        for word in self._words:
            lengths.setdefault(word[0], set()).add(len(word))
        self._lengths = {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
        firsts = "".join(sorted(map(re.escape, lengths)))
        self._first = re.compile(f"[{firsts}]") if lengths else None

    def find(self, text: str) -> Iterator[Span]:
        """Yield where the words stand, from left to right; of overlapping ones the longer.

        >>> list(word_list(("Sato", "佐藤", "佐藤健")).find("ＳＡＴＯ, satov、佐藤健と佐藤さん"))
        [(0, 4), (12, 15), (16, 18)]
        """
        folded = fold(text)
        spans = {folded.span(*span) for span in self._found(_plain(folded.text))}
        return iter(longest(spans))

    def _found(self, plain: str) -> Iterator[Span]:
        # At most as many tries at each place as there are lengths of words that begin so.
        for first in self._first.finditer(plain) if self._first else ():
            start = first.start()
            if _runs_on(plain, start):
                continue
            for length in self._lengths[first.group()]:
                end = start + length
                # At the end of the text a slice is a shorter one.
                whole = end <= len(plain) and plain[start:end] in self._words
                if whole and not _runs_on(plain, end):
                    yield start, end
                    break


@lru_cache(maxsize=256)
def word_list(words: tuple[str, ...]) -> WordList:
    """Return a list of words that is ready to find them; the same words are prepared once."""
    return WordList(words)


def _plain(folded: str) -> str:
    """Return a text in lower case, accents and kinds of white space gone; nothing moves."""
    return "".join(map(_PLAIN.__getitem__, folded))


class _Plain(dict[str, str]):
    """The plain form of each character, one for one; learns each once."""

    def __missing__(self, char: str) -> str:
        base = unicodedata.normalize("NFD", char)[0] if char.isalpha() else char
        lower = base.lower() if not _UNSPACED.match(char) else char
        plain = " " if char.isspace() else lower if len(lower) == 1 else char
        self[char] = plain
        return plain


_PLAIN: Final = _Plain()


def _runs_on(text: str, place: int) -> bool:
    """Tell whether a word of a script with spaces goes on over a place."""
    return (
        0 < place < len(text)
        and text[place - 1].isalnum()
        and text[place].isalnum()
        and not _UNSPACED.match(text[place - 1])
        and not _UNSPACED.match(text[place])
    )
