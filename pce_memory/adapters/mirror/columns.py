"""The columns of claims that a search decides by, one row a claim, in the order of their keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pce_memory.adapters.mirror.growing import Growing
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, CLAIM_KINDS, SCOPES

Arrays = Mapping[str, npt.NDArray[Any]]
Places = npt.NDArray[np.int64]

STATUSES: Final = ("active", "review", "tombstone")
CODES: Final[Mapping[str, Sequence[str]]] = {
    "status": STATUSES,
    "scope": SCOPES,
    "boundary_class": BOUNDARY_CLASSES,
    "kind": CLAIM_KINDS,
}
"""A word is stored as its place here, counted from 1; 0 is a word of another version, or none."""

BYTES_A_CLAIM: Final = 136


@dataclass(frozen=True, slots=True)
class Columns:
    """The claims as they stand; measures are as of `decayed_at`, times are epoch seconds."""

    row_id: npt.NDArray[np.int64]
    status: npt.NDArray[np.uint8]
    scope: npt.NDArray[np.uint8]
    boundary_class: npt.NDArray[np.uint8]
    kind: npt.NDArray[np.uint8]
    utility: npt.NDArray[np.float64]
    quality: npt.NDArray[np.float64]
    confidence: npt.NDArray[np.float64]
    decayed_at: npt.NDArray[np.float64]
    created_at: npt.NDArray[np.float64]
    recency_anchor: npt.NDArray[np.float64]
    said_at: npt.NDArray[np.float64]
    saying: npt.NDArray[np.int64]
    stream: npt.NDArray[np.uint64]
    marks: npt.NDArray[np.uint8]
    dl: npt.NDArray[np.int64]
    twin: npt.NDArray[np.int64]

    def places_of(self, row_ids: npt.NDArray[np.int64]) -> tuple[Places, npt.NDArray[np.bool_]]:
        """Return where claims stand, and whether they are there at all."""
        places = np.searchsorted(self.row_id, row_ids)
        there = places < len(self.row_id)
        there[there] = self.row_id[places[there]] == row_ids[there]
        return places, there

    def __len__(self) -> int:
        return len(self.row_id)


NAMES: Final = tuple(field.name for field in fields(Columns))


class ClaimColumns:
    """Columns that follow the table of claims."""

    def __init__(self, given: Arrays) -> None:
        self._columns: dict[str, Growing[Any]] = {name: Growing(given[name]) for name in NAMES}

    @property
    def columns(self) -> Columns:
        """The columns as they are now; they never change under who holds them."""
        return Columns(**{name: column.values for name, column in self._columns.items()})

    def follow(self, given: Arrays) -> int:
        """Take in rows new or changed, in the order of their keys; return how many are new."""
        places, there = self.columns.places_of(given["row_id"])
        for name, column in self._columns.items():
            if there.any():
                column.put(places[there], given[name][there])
            column.extend(given[name][~there])
        return int((~there).sum())

    def keep(self, row_ids: npt.NDArray[np.int64]) -> int:
        """Hide the claims that are there no more; return how many are hidden in all."""
        columns = self.columns
        gone = np.flatnonzero(~np.isin(columns.row_id, row_ids, assume_unique=True))
        self._columns["status"].put(gone, np.zeros(len(gone), np.uint8))
        return len(gone)
