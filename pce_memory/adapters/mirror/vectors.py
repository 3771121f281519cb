"""The vectors in memory: exact while they are few, a rough first stage where they are many."""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from pce_memory.adapters.mirror.codes import CodeView, SignCodes
from pce_memory.adapters.mirror.growing import Growing
from pce_memory.adapters.mirror.ranks import best

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]

FEW: Final = 20_000
"""Up to so many vectors every one is compared: codes would be no faster."""
ROUGH: Final = (4_000, 100, 100)
"""The signs pass on so many, so many for each that is wanted, one in so many of all."""
FINE: Final = (1_000, 30, 1_000)
"""And of those what weighs the query's own numbers passes on to be compared exactly."""


_MOST_OF: Final = 3
"""From a third of all rows on, the products of all are taken."""


class Exact(Protocol):
    """Where the numbers of vectors come from."""

    def cosines(self, query: Floats, places: Places) -> npt.NDArray[np.float64]:
        """Return the cosine of each of these rows to a unit query."""
        ...


@dataclass(frozen=True, slots=True)
class Whole:
    """Every vector as it is."""

    matrix: Floats

    def cosines(self, query: Floats, places: Places) -> npt.NDArray[np.float64]:
        """Return the cosine of each of these rows to a unit query."""
        # To copy most of the rows takes longer than to multiply all of them.
        if _MOST_OF * len(places) >= len(self.matrix):
            return np.asarray(_dot(self.matrix, query)[places], np.float64)
        return np.asarray(_dot(self.matrix[places], query), np.float64)


@dataclass(frozen=True, slots=True)
class Bytes:
    """Every number of a vector as a signed byte, with the vector's largest number: to 0.4 %."""

    codes: npt.NDArray[np.int8]
    scales: Floats

    def cosines(self, query: Floats, places: Places) -> npt.NDArray[np.float64]:
        """Return about the cosine of each of these rows to a unit query."""
        rows = self.codes[places].astype(np.float32)
        return np.asarray(_dot(rows, query) * self.scales[places], np.float64)


def _dot(rows: Floats, query: Floats) -> Floats:
    """Return the product of each row with a vector, worked out in this thread, row by row.

    A BLAS rounds a row by where it stands, and so by the order of writing; and its threads wait
    for each other spinning: beside other work that costs ten times what it saves.
    """
    return np.asarray(np.einsum("ij,j->i", rows, query), np.float32)


@dataclass(frozen=True, slots=True)
class VectorView:
    """The vectors of claims by the claims' places; `has` says which claims have one."""

    has: npt.NDArray[np.bool_]
    exact: Whole | Bytes
    codes: CodeView | None

    @property
    def is_exact(self) -> bool:
        """Whether its cosines are of the vectors as they are."""
        return isinstance(self.exact, Whole)

    def nearest(
        self, query: Floats, among: Places, limit: int
    ) -> tuple[Places, npt.NDArray[np.float64]]:
        """Return those of some rows nearest to a unit query, nearest first, with their cosines.

        `among` is ascending; those of it that have no vector do not count.
        """
        places = self._rough(query, among[self.has[among]], limit)
        cosines = self.exact.cosines(query, places)
        kept = best(cosines, limit)
        return places[kept], cosines[kept]

    def _rough(self, query: Floats, among: Places, limit: int) -> Places:
        fine = _most(FINE, limit, len(among))
        if self.codes is None or len(among) <= max(4 * fine, FEW // 4):
            return among
        whole = len(among) == len(self.has)
        rough = _most(ROUGH, limit, len(among))
        near = self.codes.nearest(query, None if whole else among, rough)
        return self.codes.refined(query, near, fine)


def _most(sizes: tuple[int, int, int], limit: int, among: int) -> int:
    least, each, one_in = sizes
    return max(least, each * limit, among // one_in)


class Vectors:
    """Vectors that follow the claims: row for row, zeros where a claim has none.

    `whole` keeps every number; else bytes are kept, a quarter of the room. The codes are centred
    on about the mean of all: where all numbers are at hand it is taken from them, else `mean` is.
    """

    def __init__(self, mean: Floats, *, whole: bool) -> None:
        self.whole = whole
        self._mean = mean
        self._has = Growing(np.empty(0, np.bool_))
        width = len(mean)
        self._matrix = Growing(np.empty((0, width), np.float32)) if whole else None
        self._bytes = Growing(np.empty((0, width), np.int8))
        self._scales = Growing(np.empty(0, np.float32))
        self._codes = None if whole else SignCodes(mean)

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return len(self._mean)

    def extend(self, has: npt.NDArray[np.bool_], matrix: Floats) -> None:
        """Append the vectors of further claims."""
        self._has.extend(has)
        if self._matrix is not None:
            self._matrix.extend(matrix)
        else:
            codes, scales = as_bytes(matrix)
            self._bytes.extend(codes)
            self._scales.extend(scales)
        if self._codes is not None:
            self._codes.extend(matrix)
        else:
            self._begin_codes()

    def fill(self, places: Places, has: npt.NDArray[np.bool_], matrix: Floats) -> None:
        """Take in vectors of claims that had none; `has` says which of these places have one.

        They are written where they stand, under who holds a view: its `has` keeps him from
        looking there, and is not written to.
        """
        places, matrix = places[has], matrix[has]
        if self._matrix is not None:
            self._matrix.write(places, matrix)
        else:
            codes, scales = as_bytes(matrix)
            self._bytes.write(places, codes)
            self._scales.write(places, scales)
        if self._codes is not None:
            self._codes.write(places, matrix)
        self._has.put(places, np.ones(len(places), np.bool_))
        self._begin_codes()

    def _begin_codes(self) -> None:
        if self._codes is not None or self._matrix is None:
            return
        has = self._has.values
        # What was there at first may have been one vector, or none.
        if np.count_nonzero(has) > FEW:
            self._codes = SignCodes(self._matrix.values[has].mean(axis=0))
            self._codes.extend(self._matrix.values)

    @property
    def outgrown(self) -> bool:
        """Whether there are many vectors whose codes are centred on nothing: there were none."""
        centred = self._codes is None or self.whole or bool(self._mean.any())
        return not centred and int(np.count_nonzero(self._has.values)) > FEW // 4

    def view(self) -> VectorView:
        """Return the vectors as they are now."""
        codes = None if self._codes is None else self._codes.view()
        exact = (
            Bytes(self._bytes.values, self._scales.values)
            if self._matrix is None
            else Whole(self._matrix.values)
        )
        return VectorView(self._has.values, exact, codes)


def as_bytes(matrix: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Return vectors as signed bytes, and what each is to be multiplied by."""
    scales = np.abs(matrix).max(axis=1, initial=0) / 127
    safe = np.where(scales > 0, scales, 1).astype(np.float32)
    return np.rint(matrix / safe[:, None]).astype(np.int8), safe


def bytes_a_vector(dimension: int, *, whole: bool) -> int:
    """Return how much memory a vector takes, its code included."""
    return dimension * (4 if whole else 1) + dimension // 8 + 5
