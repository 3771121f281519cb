"""Put what was read into a memory, and count what became of it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.domain.ids import ClaimId
from pce_memory.domain.receipt import NewObservation, ObserveResult
from pce_memory.engine.observe import observe_batch
from pce_memory.errors import BoundaryDenied, CoreError, InvalidParameter, MemoryFault
from pce_memory.memory import Memory
from pce_memory.result import fold
from pce_memory.surface.progress import Advance
from pce_memory.surface.reading import Piece, Reading
from pce_memory.surface.render import counted, plural

BATCH: Final = 64
"""So many observations are one transaction: more would be lost together on a power failure."""

Outcome: TypeAlias = Result[ObserveResult, CoreError]


@dataclass(slots=True)
class Report:
    """What became of everything that was read."""

    observed: int = 0
    replayed: int = 0
    empty: int = 0
    created: set[ClaimId] = field(default_factory=set[ClaimId])
    merged: int = 0
    redacted: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])
    faults: list[CoreError] = field(default_factory=list[CoreError])

    def read(self, reading: Reading) -> None:
        """Count what could not be read, and what says nothing."""
        self.faults += reading.faults
        self.empty += reading.empty

    def add(self, piece: Piece, outcome: Outcome) -> None:
        """Count what became of one observation."""
        fold(outcome, ok=self._seen, err=lambda error: self.faults.append(_at(piece.place, error)))

    def _seen(self, seen: ObserveResult) -> None:
        if seen.replayed:
            self.replayed += 1
            return
        self.observed += 1
        # Of two equal texts in one batch, both say that they made the claim.
        new = set(seen.integration.created) - self.created
        self.created |= new
        self.merged += len({one.id for one in seen.claims} - new)
        self.redacted.update(seen.redactions)
        self.refused.update(one.reason for one in seen.refused)

    def lines(self) -> tuple[str, ...]:
        """Return the sums, a line each."""
        refused = sum(self.refused.values())
        return (
            f"observations  {self.observed} new, {self.replayed} known, {self.empty} without text",
            f"claims        {len(self.created)} new, {self.merged} merged into one that was there",
            f"redacted      {counted(self.redacted) or 'nothing'}",
            f"refused       {plural(refused, 'piece') if refused else 'nothing'}",
            *(f"              {count} x {why}" for why, count in self.refused.most_common()),
        )


def observe_pieces(
    memory: Memory, pieces: Sequence[Piece], advance: Advance
) -> Iterator[tuple[Piece, Outcome]]:
    """Observe every piece, and yield what became of each; a piece that fails stops no other.

    This is `Memory.observe_many` with an answer for each piece. What the memory itself refuses,
    such as a full disk, is raised; the batches before stay.
    """
    for start in range(0, len(pieces), BATCH):
        batch = pieces[start : start + BATCH]
        yield from zip(batch, _outcomes(memory, [piece.item for piece in batch]), strict=True)
        _ = advance(start + len(batch))


def _outcomes(memory: Memory, items: Sequence[NewObservation]) -> list[Outcome]:
    """Observe the items in one transaction; where one cannot be taken, each in its own."""

    def failed(error: CoreError) -> list[Outcome]:
        if not isinstance(error, (InvalidParameter, BoundaryDenied)):
            raise MemoryFault(error)
        if len(items) == 1:
            return [Failure(error)]
        return [outcome for item in items for outcome in _outcomes(memory, [item])]

    return fold(
        observe_batch(items, memory.results.boundary, memory.policy())(memory.deps),
        ok=lambda seen: [Success(one) for one in seen],
        err=failed,
    )


def _at(place: str, error: CoreError) -> CoreError:
    """Return the error with the place of the file in it."""
    if isinstance(error, InvalidParameter):
        return InvalidParameter(place, f"{error.name}: {error.reason}")
    if isinstance(error, BoundaryDenied):
        return BoundaryDenied(error.boundary, f"{place}: {error.reason}")
    return error
