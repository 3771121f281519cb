"""What was said together, and what was said before and after it in the same stream."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from pce_memory.adapters.mirror.columns import Columns
from pce_memory.adapters.mirror.growing import Growing

Places = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

NONE: Final = -1
NO_STREAM: Final = 0
"""What was drawn from no observation stands beside nothing."""
PAUSE: Final = 6 * 3600.0
"""Seconds after which what follows in a stream is another conversation."""
MOST_STEPS: Final = 64
FEW: Final = 64


@dataclass(frozen=True, slots=True)
class Passages:
    """A passage is the claims of one saying; it is named by the place of the first, its head.

    `head` has the head of every claim; `before` and `after` have, for a head, the neighbouring
    heads of its stream, -1 where there is none.
    """

    head: npt.NDArray[np.int32]
    before: npt.NDArray[np.int32]
    after: npt.NDArray[np.int32]

    def neighbours(
        self, heads: Places, columns: Columns, visible: Mask, *, forward: bool
    ) -> Places:
        """Return the next visible passage of each, or -1; -1 stays -1.

        What is hidden is stepped over as if it were not there. A pause ends a conversation.
        """
        pointers = self.after if forward else self.before
        found = np.where(heads >= 0, pointers[heads], NONE).astype(np.int64)
        for _ in range(MOST_STEPS):
            hidden = (found >= 0) & ~visible[found]
            if not hidden.any():
                break
            found[hidden] = pointers[found[hidden]]
        else:
            for place in np.flatnonzero((found >= 0) & ~visible[found]):
                found[place] = _seek(columns, visible, int(heads[place]), forward=forward)
        apart = np.abs(columns.said_at[found] - columns.said_at[heads]) > PAUSE
        found[apart] = NONE
        return found


def _seek(columns: Columns, visible: Mask, head: int, *, forward: bool) -> int:
    """Return the next visible head of a stream, however many hidden ones lie between."""
    heads = np.flatnonzero(visible & (columns.stream == columns.stream[head]))
    place = int(np.searchsorted(heads, head, side="right" if forward else "left"))
    place -= 0 if forward else 1
    return int(heads[place]) if 0 <= place < len(heads) else NONE


class PassageLinks:
    """Passages that follow the claims."""

    def __init__(self, columns: Columns) -> None:
        heads = _heads(columns, 0, 0)
        self._head = Growing(heads)
        before, after = _links(columns, heads)
        self._before, self._after = Growing(before), Growing(after)

    def view(self) -> Passages:
        """Return the passages as they are now."""
        return Passages(self._head.values, self._before.values, self._after.values)

    def follow(self, columns: Columns) -> None:
        """Take in the claims that were appended to the columns."""
        known = len(self._head.values)
        if known == len(columns):
            return
        last = int(self._head.values[-1]) if known else 0
        self._head.extend(_heads(columns, known, last))
        new = np.unique(self._head.values[known:])
        new = new[new >= known]
        if not known or len(np.unique(columns.stream[new])) > FEW:
            before, after = _links(columns, self._head.values)
            self._before, self._after = Growing(before), Growing(after)
            return
        before = np.full(len(columns) - known, NONE, np.int32)
        after = before.copy()
        earlier = self._earlier(columns, new.tolist())
        heads = np.array(list(earlier), np.int64)
        found = np.array(list(earlier.values()), np.int64)
        before[heads - known] = found
        inside = found >= known
        after[found[inside] - known] = heads[inside]
        self._before.extend(before)
        self._after.extend(after)
        self._after.put(found[~inside], heads[~inside].astype(np.int32))

    def _earlier(self, columns: Columns, new: Sequence[int]) -> dict[int, int]:
        """Return for new heads the head before it in its stream, where there is one."""
        earlier: dict[int, int] = {}
        last: dict[int, int] = {}
        for head in new:
            stream = int(columns.stream[head])
            if stream == NO_STREAM:
                continue
            if stream not in last:
                same = np.flatnonzero(columns.stream[: new[0]] == columns.stream[head])
                last[stream] = int(self._head.values[same[-1]]) if len(same) else NONE
            if last[stream] != NONE:
                earlier[head] = last[stream]
            last[stream] = head
        return earlier


def _heads(columns: Columns, start: int, last: int) -> npt.NDArray[np.int32]:
    """Return the heads of the claims from `start` on; the claim before has the head `last`."""
    saying = columns.saying[max(0, start - 1) :]
    new = np.ones(len(columns) - start, np.bool_)
    if start:
        new[:] = saying[1:] != saying[:-1]
    else:
        new[1:] = saying[1:] != saying[:-1]
    places = np.where(new, np.arange(start, len(columns)), last)
    return (
        np.maximum.accumulate(places).astype(np.int32) if len(places) else places.astype(np.int32)
    )


def _links(
    columns: Columns, head: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    heads = np.unique(head)
    order = heads[np.argsort(columns.stream[heads], kind="stable")]
    before = np.full(len(head), NONE, np.int32)
    after = np.full(len(head), NONE, np.int32)
    streams = columns.stream[order]
    same = (streams[1:] == streams[:-1]) & (streams[1:] != NO_STREAM)
    before[order[1:][same]] = order[:-1][same]
    after[order[:-1][same]] = order[1:][same]
    return before, after
