"""Vectors that a caller brings along: taken if they could be the embedder's own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from returns.result import Failure, Result, Success

from pce_memory.deps import Vector
from pce_memory.errors import InvalidParameter

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

TOLERANCE: Final = 1e-3
"""A unit vector may be longer or shorter by so much: it may have been kept with few digits."""


def unit_vectors(
    given: Sequence[object], dimension: int
) -> list[Result[Vector, InvalidParameter]]:
    """Return each vector as 32-bit floats, or why it is none of `dimension` numbers and length 1.

    >>> [type(one).__name__ for one in unit_vectors([[0.6, 0.8], [1.0, 1.0], [1.0], None], 2)]
    ['Success', 'Failure', 'Failure', 'Failure']
    """
    whole = _matrix(given)
    if whole is not None and whole.ndim == 2 and _reason(whole, dimension) is None:  # noqa: PLR2004
        return [Success(row) for row in whole]
    return [_one(vector, dimension) for vector in given]


def _one(given: object, dimension: int) -> Result[Vector, InvalidParameter]:
    row = _matrix([given])
    if given is None or row is None:
        why = "it is no list of numbers" if given is not None else "none came with this claim"
        return Failure(InvalidParameter("vector", why))
    if row.ndim != 2:  # noqa: PLR2004
        return Failure(InvalidParameter("vector", "it is no list of numbers"))
    reason = _reason(row, dimension)
    return Success(row[0]) if reason is None else Failure(InvalidParameter("vector", reason))


def _matrix(given: Sequence[object]) -> "npt.NDArray[np.float32] | None":
    import numpy as np  # noqa: PLC0415 - heavy

    try:
        with np.errstate(all="ignore"):
            return np.array(given, np.float32)
    except (TypeError, ValueError, OverflowError):
        return None


def _reason(rows: "npt.NDArray[np.float32]", dimension: int) -> str | None:
    import numpy as np  # noqa: PLC0415

    if rows.shape[1] != dimension:
        return f"it has {rows.shape[1]} numbers; the vectors of this memory have {dimension}"
    with np.errstate(all="ignore"):
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    # Comparing with NaN is false.
    if not bool((np.abs(lengths - 1.0) <= TOLERANCE).all()):
        return "its length is not 1"
    return None
