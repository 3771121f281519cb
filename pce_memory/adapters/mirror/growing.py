"""Arrays that grow at their end while readers hold what was there before."""

from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

Scalar = TypeVar("Scalar", bound=np.generic)

LEAST_ROOM = 64


class Growing(Generic[Scalar]):
    """An array that grows; what a reader was given never changes under it.

    Rows are appended into room to spare, behind every row that was ever given out. Rows that are
    put anew go into a copy.
    """

    def __init__(self, values: npt.NDArray[Scalar]) -> None:
        self._room = values
        self._size = len(values)

    @property
    def values(self) -> npt.NDArray[Scalar]:
        """The rows there are now."""
        return self._room[: self._size]

    def extend(self, values: npt.NDArray[Scalar]) -> None:
        """Append rows."""
        size = self._size + len(values)
        if size > len(self._room):
            shape = (max(LEAST_ROOM, size + size // 2), *self._room.shape[1:])
            room: npt.NDArray[Scalar] = np.empty(shape, self._room.dtype)
            room[: self._size] = self.values
            self._room = room
        self._room[self._size : size] = values
        self._size = size

    def put(self, places: npt.NDArray[np.int64], values: npt.NDArray[Scalar]) -> None:
        """Replace rows; where they are as they were nothing is copied."""
        if np.array_equal(self.values[places], values):
            return
        copy = self.values.copy()
        copy[places] = values
        self._room = copy

    def write(self, places: npt.NDArray[np.int64], values: npt.NDArray[Scalar]) -> None:
        """Write rows where they stand: for rows that no reader looks at."""
        self._room[places] = values
