"""What an embedder gave, turned into unit vectors of 32-bit floats, or refused with a reason."""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.foreign_parts import opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pce_memory.deps import Vector

    Floats: TypeAlias = "array[float]"

MAX_DIMENSION: Final = 4096

# Shorter than this, the direction is rounding noise.
_NO_LENGTH: Final = 1e-30
# A vector this near to length 1 keeps its bits: dividing again would only move its last digit.
_UNIT_TOLERANCE: Final = 1e-6


def as_rows(given: object) -> Sequence[Floats]:
    """Return lists, numpy arrays or tensors of numbers as arrays; raise on anything else.

    Each may be a Success, as one text's vector is.
    """
    return [_floats(opened(row).unwrap()) for row in _plain(given)]


def unit_vectors(
    rows: Sequence[Floats], *, count: int, dimension: int
) -> Result[Sequence[Vector], str]:
    """Return `count` rows scaled to length 1, or what is wrong with them."""
    if len(rows) != count:
        return Failure(f"it gave {len(rows)} vectors for {count} texts")
    lengths = [math.hypot(*row) for row in rows]
    faults = (_fault(row, length, dimension) for row, length in zip(rows, lengths, strict=True))
    if reason := next(filter(None, faults), ""):
        return Failure(reason)
    return Success([_scaled(row, length) for row, length in zip(rows, lengths, strict=True)])


def _plain(given: object) -> Iterable[object]:
    # numpy and torch turn themselves into lists of floats faster than they iterate.
    tolist = getattr(given, "tolist", None)
    return cast("Iterable[object]", given if tolist is None else tolist())


def _floats(row: object) -> Floats:
    if (known := _array(row)) is not None and known.typecode in "fd":
        return known
    # iter(), because array() would read bytes as raw memory.
    return array("d", iter(cast("Iterable[float]", _plain(row))))


def _array(row: object) -> Floats | None:
    return cast("Floats", row) if isinstance(row, array) else None


def _fault(row: Floats, length: float, dimension: int) -> str:
    if len(row) != dimension:
        return f"it gave {len(row)} numbers, not {dimension}"
    if not math.isfinite(length):
        return "it gave a vector that is not finite"
    if length < _NO_LENGTH:
        return "it gave a zero vector"
    return ""


def _scaled(row: Floats, length: float) -> Floats:
    if abs(length - 1.0) <= _UNIT_TOLERANCE:
        return array("f", row)
    return array("f", [number / length for number in row])
