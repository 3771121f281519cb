"""Sign codes: 64 bytes for 512 numbers, by which the nearest are found first and roughly.

A bit says whether a number is above the mean of all: embeddings lean to one side, and bits of the
plain signs would tell little apart. Codes stand word by word, so that each is read in one sweep.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from pce_memory.adapters.mirror.growing import Growing

Floats = npt.NDArray[np.float32]
Words = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]

WORD: Final = 64
SWEEP: Final = 1 << 16
"""So many codes are compared at once: what a sweep makes stays in the cache of the processor."""


class SignCodes:
    """The codes of rows of vectors, in the rows' order."""

    def __init__(self, mean: Floats) -> None:
        self._mean = mean
        self._words = [Growing(word) for word in _words(np.empty((0, len(mean)), np.float32))]

    def extend(self, vectors: Floats) -> None:
        """Append the codes of further rows."""
        for start in range(0, len(vectors), SWEEP):
            centred = vectors[start : start + SWEEP] - self._mean
            for column, word in zip(self._words, _words(centred), strict=True):
                column.extend(word)

    def write(self, places: Places, vectors: Floats) -> None:
        """Write the codes of rows that nobody looks at yet, where they stand."""
        for column, word in zip(self._words, _words(vectors - self._mean), strict=True):
            column.write(places, word)

    def view(self) -> "CodeView":
        """Return the codes as they are now."""
        return CodeView(tuple(column.values for column in self._words), self._mean)


class CodeView:
    """Codes that never change."""

    def __init__(self, words: tuple[Words, ...], mean: Floats) -> None:
        self._words = words
        self._mean = mean

    def nearest(self, query: Floats, among: Places | None, limit: int) -> Places:
        """Return the rows whose codes differ least from the query's; a few more where many tie.

        `among` are the rows that come into question, ascending; None means all.
        """
        asked = [word[0] for word in _words((query - self._mean)[None, :])]
        size = len(self._words[0]) if among is None else len(among)
        differing = np.empty(size, np.uint16)
        for start in range(0, size, SWEEP):
            part = slice(start, min(start + SWEEP, size))
            rows = part if among is None else among[part]
            differing[part] = _differing(self._words, asked, rows)
        counts = np.cumsum(np.bincount(differing, minlength=1))
        furthest = int(np.searchsorted(counts, limit))
        places = np.flatnonzero(differing <= furthest)
        return places if among is None else among[places]

    def refined(self, query: Floats, places: Places, limit: int) -> Places:
        """Return those of some rows that are likely nearest, judged by the query's own numbers.

        A bit that differs where the query is far from the mean counts up to three times as much as
        one where it is near: each number of the query is one of four steps, kept as two planes of
        bits. It finds two thirds of what comparing the signs misses.
        """
        if len(places) <= limit:
            return places
        asked = [word[0] for word in _words((query - self._mean)[None, :])]
        ones, twos = _planes(query - self._mean)
        weight = np.zeros(len(places), np.uint16)
        for word, bits, one, two in zip(self._words, asked, ones, twos, strict=True):
            other = word[places] ^ bits
            weight += np.bitwise_count(other & one)
            weight += 2 * np.bitwise_count(other & two)
        furthest = np.partition(weight, limit - 1)[limit - 1]
        kept: Places = places[weight <= furthest]
        return kept


def _planes(centred: Floats) -> tuple[list[np.uint64], list[np.uint64]]:
    """Return how far each number of a query is from the mean, 0 to 3, as two planes of bits."""
    size = np.abs(centred)
    far = float(np.quantile(size, 0.95)) or 1.0
    steps = np.minimum(np.rint(size / far * 3), 3).astype(np.uint8)
    ones, twos = (_words(((steps >> plane) & 1).astype(np.float32)[None, :]) for plane in (0, 1))
    return [word[0] for word in ones], [word[0] for word in twos]


def _differing(
    words: tuple[Words, ...], asked: list[np.uint64], rows: slice | Places
) -> npt.NDArray[np.uint16]:
    total: npt.NDArray[np.uint16] | None = None
    for word, bits in zip(words, asked, strict=True):
        count = np.bitwise_count(word[rows] ^ bits)
        total = count.astype(np.uint16) if total is None else np.add(total, count, out=total)
    assert total is not None  # noqa: S101 - there is a word for every dimension
    return total


def _words(centred: Floats) -> list[Words]:
    """Return the signs of rows as 64-bit words, a word of all rows after another."""
    missing = -centred.shape[1] % WORD
    signs = np.pad(centred > 0, ((0, 0), (0, missing)))
    packed = np.packbits(signs, axis=1).view(np.uint64)
    return [np.ascontiguousarray(packed[:, place]) for place in range(packed.shape[1])]
