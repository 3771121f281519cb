"""Which claims a caller may see: what sql/templates/visible.sql says, over columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from pce_memory.adapters.mirror.columns import CODES, Columns
from pce_memory.deps import Visibility
from pce_memory.domain.vocabulary import Scope
from pce_memory.text.marks import Marks

Mask: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.int64]

MOST_SEEN: Final = 8
"""So many masks are kept for a state of the file."""
BYTES_OF_MASKS: Final = MOST_SEEN * 11
"""What the masks of a state take for each claim: three flags and a place in each."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The visible claims: a mask over all, their places, and what BM25 counts of them.

    `heads` and `asking` say which
    passages have a visible claim, and one that asks, by the place of their head. `latest` is when
    the last of them was said. What expires
    first is still alive before `until`: the mask holds from `since` to then.
    """

    mask: Mask
    places: Places
    mean_length: float
    heads: Mask
    asking: Mask
    latest: float
    since: Mapping[Scope, float]
    until: Mapping[Scope, float]

    @property
    def count(self) -> int:
        """How many claims are visible."""
        return len(self.places)

    def holds(self, alive_since: Mapping[Scope, float]) -> bool:
        """Return whether the mask is still the same at another moment."""
        return all(
            self.since[scope] <= since < self.until[scope] for scope, since in alive_since.items()
        )


def seen_of(
    columns: Columns, head: npt.NDArray[np.int32], mask: Mask, visible: Visibility
) -> Seen:
    """Return what a mask lets through."""
    places = np.flatnonzero(mask)
    total = int(columns.dl[places].sum())
    heads = np.zeros(len(mask), np.bool_)
    heads[head[places]] = True
    asking = np.zeros(len(mask), np.bool_)
    asking[head[places[columns.marks[places] & Marks.ASKS > 0]]] = True
    until: dict[Scope, float] = {
        scope: float(columns.recency_anchor[_within(columns, mask, scope)].min(initial=np.inf))
        for scope in visible.alive_since
    }
    mean = total / max(1, len(places))
    latest = float(columns.said_at[places].max(initial=0.0))
    return Seen(mask, places, mean, heads, asking, latest, visible.alive_since, until)


def _within(columns: Columns, mask: Mask, scope: Scope) -> Mask:
    within: Mask = columns.scope == CODES["scope"].index(scope) + 1
    return mask & within


def mask_of(columns: Columns, visible: Visibility) -> Mask:
    """Return which claims are visible, but for invariants and filters."""
    mask = _table("status", (visible.status,))[columns.status]
    mask &= _table("scope", visible.scopes)[columns.scope]
    mask &= _table("boundary_class", visible.classes)[columns.boundary_class]
    for scope, since in visible.alive_since.items():
        if np.isfinite(since):
            within = columns.scope == CODES["scope"].index(scope) + 1
            mask &= ~(within & ~(columns.recency_anchor > since))
    return mask


def one_of_twins(columns: Columns, mask: Mask) -> Mask:
    """Return a mask without the claims that an equal one of their speaker is shown instead of.

    The slowest scope is shown, then the strictest class, then the oldest row.
    """
    places = np.flatnonzero(mask & (columns.twin > 0))
    if not len(places):
        return mask
    order = np.lexsort(
        (
            columns.row_id[places],
            -columns.boundary_class[places].astype(np.int64),
            -columns.scope[places].astype(np.int64),
            columns.twin[places],
        )
    )
    ordered = places[order]
    groups = columns.twin[ordered]
    later = np.zeros(len(ordered), np.bool_)
    later[1:] = groups[1:] == groups[:-1]
    shown = mask.copy()
    shown[ordered[later]] = False
    return shown


def _table(name: str, allowed: tuple[str, ...]) -> npt.NDArray[np.bool_]:
    """Return for each code whether it is allowed; 0, what has no code, never is."""
    table = np.zeros(256, np.bool_)
    table[[CODES[name].index(one) + 1 for one in allowed if one in CODES[name]]] = True
    return table
