"""A deterministic embedder of word and character n-grams, for tests and for `"hashing"`.

It knows no meaning: texts are near when they share words (Latin) or n-grams (Japanese). All sums
are integers and the one square root is IEEE's, so that the vectors are the same to the last bit on
every machine.
"""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from returns.result import Result, Success

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pce_memory.deps import Vector
    from pce_memory.errors import EmbeddingFailed

_CJK: Final = (
    "\u3005\u3006\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
)
_RUN: Final = re.compile(rf"(?P<cjk>[{_CJK}]+)|[^\W_{_CJK}]+")
_HIRAGANA: Final = re.compile(r"[\u3040-\u309f]+")
_STOP_WORDS: Final = frozenset(
    "a about am an and are as at be been but by can could did do does for from had has have he "  # noqa: SIM905
    "her his how i in is it its my of on or our she should that the their they this to was we "
    "were what when where which who why will with would you your".split()
)
_KEY: Final = b"pce-hash-v1"

# 16 * sqrt(n), rounded: what n occurrences count, from a table because a log differs by libm.
_REPEATED: Final = (0, 16, 23, 28, 32, 36, 39, 42, 45)

_WORD, _STOP_WORD, _STEM, _LETTERS = 8, 2, 3, 2
# By length of the n-gram; the second is for hiragana alone, which is mostly grammar.
_CJK_WEIGHTS: Final = {1: (3, 0), 2: (6, 2), 3: (4, 1)}
_STEM_LENGTH: Final = 4


class HashingEmbedder:
    """Hashes weighted n-grams of English and Japanese into `dimension` signed sums."""

    model_id = "hashing-ngram"
    version = "1"

    def __init__(self, dimension: int = 384) -> None:
        self.dimension = dimension

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text."""
        return Success(self._vector(text))

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts, in order."""
        return Success([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vector:
        sums = self._sums(Counter(_features(text)))
        if not any(sums):
            # No word at all (or sums that cancel out): the text itself is its only feature.
            sums = self._sums(Counter([(f"r{text}", 1)]))
        length = math.sqrt(sum(number * number for number in sums))
        return array("f", [number / length for number in sums])

    def _sums(self, features: Counter[tuple[str, int]]) -> list[int]:
        sums = [0] * self.dimension
        for (name, weight), count in features.items():
            place = _hash(name)
            amount = weight * _REPEATED[min(count, len(_REPEATED) - 1)]
            sums[(place >> 1) % self.dimension] += amount if place & 1 else -amount
        return sums


def _hash(name: str) -> int:
    # A lone surrogate has no UTF-8; it is hashed as what it is.
    raw = name.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8, key=_KEY).digest(), "little")


def _features(text: str) -> Iterator[tuple[str, int]]:
    for run in _RUN.finditer(unicodedata.normalize("NFKC", text).casefold()):
        if run["cjk"]:
            yield from _cjk_features(run.group())
        else:
            yield from _word_features(run.group())


def _cjk_features(run: str) -> Iterator[tuple[str, int]]:
    for size, (weight, kana_weight) in _CJK_WEIGHTS.items():
        for start in range(len(run) - size + 1):
            gram = run[start : start + size]
            heavy = kana_weight if _HIRAGANA.fullmatch(gram) else weight
            if heavy:
                yield f"{size}{gram}", heavy


def _word_features(word: str) -> Iterator[tuple[str, int]]:
    if word in _STOP_WORDS:
        yield f"w{word}", _STOP_WORD
        return
    yield f"w{word}", _WORD
    if len(word) < _STEM_LENGTH:
        return
    yield f"s{word[:_STEM_LENGTH]}", _STEM
    marked = f"^{word}$"
    for start in range(len(marked) - _STEM_LENGTH + 1):
        yield f"g{marked[start : start + _STEM_LENGTH]}", _LETTERS
