"""Find the words of a list in a text: whatever their case and width, in linear time."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from pce_memory.text.detect import longest
from pce_memory.text.fold import Span, fold, readings

MAX_CHARS: Final = 128
"""The longest word."""

# Where these scripts write no spaces, a word may begin and end anywhere.
_UNSPACED: Final = re.compile("[々〆\u0e00-\u0eff\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]")


_GAP: Final = re.compile("(?<=[^ ]) +(?=[^ ])")


class WordList:
    """A list of words that finds itself in texts; see `word_list`."""

    def __init__(self, words: Sequence[str]) -> None:
        plain = (_close(_plain(fold(word).text).strip())[0] for word in words)
        self._words = {word for word in plain if word}
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
        spans: set[Span] = set()
        for reading in readings(text):
            closed, places = _close(_plain(reading.text))
            spans |= {
                reading.span(places[start], places[end - 1] + 1)
                for start, end in self._found(closed)
            }
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


def _close(plain: str) -> tuple[str, Sequence[int]]:
    """Return a text with one blank for several, and none where no spaces are written.

    With it goes where each of its characters stands.
    """
    parts: list[str] = []
    places: list[int] = []
    done = 0
    for gap in _GAP.finditer(plain):
        start, end = gap.span()
        parts.append(plain[done:start])
        places.extend(range(done, start))
        if not (_UNSPACED.match(plain, start - 1) and _UNSPACED.match(plain, end)):
            parts.append(" ")
            places.append(start)
        done = end
    parts.append(plain[done:])
    places.extend(range(done, len(plain)))
    return "".join(parts), places


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
