"""Put what was read into a memory, and count what became of it."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pce_memory.domain.ids import ClaimId
from pce_memory.domain.receipt import NewObservation, ObserveResult
from pce_memory.domain.vocabulary import SourceType
from pce_memory.engine.observe import Outcome
from pce_memory.errors import BoundaryDenied, CoreError, InvalidParameter
from pce_memory.memory import Memory
from pce_memory.result import fold
from pce_memory.surface.progress import Advance
from pce_memory.surface.reading import Limits, Piece, Reading, Source
from pce_memory.surface.render import counted, plural


@dataclass(slots=True)
class Report:
    """What became of everything that was read."""

    observed: int = 0
    replayed: int = 0
    empty: int = 0
    created: int = 0
    merged: int = 0
    redacted: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])
    faults: list[CoreError] = field(default_factory=list[CoreError])
    _together: set[ClaimId] = field(default_factory=set[ClaimId])

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
        new = set(seen.integration.created) - self._together
        self._together |= new
        self.created += len(new)
        self.merged += len({one.id for one in seen.claims} - new)
        self.redacted.update(seen.redactions)
        self.refused.update(one.reason for one in seen.refused)

    def batch_over(self) -> None:
        """Take note that what comes next is written in another transaction."""
        self._together.clear()

    def lines(self) -> tuple[str, ...]:
        """Return the sums, a line each."""
        refused = sum(self.refused.values())
        return (
            f"observations  {self.observed} new, {self.replayed} known, {self.empty} without text",
            f"claims        {self.created} new, {self.merged} merged into one that was there",
            f"redacted      {counted(self.redacted) or 'nothing'}",
            f"refused       {plural(refused, 'piece') if refused else 'nothing'}",
            *(f"              {count} x {why}" for why, count in self.refused.most_common()),
        )


def observe_pieces(
    memory: Memory, pieces: Sequence[Piece], advance: Advance
) -> list[tuple[Piece, Outcome]]:
    """Observe every piece, and return what became of each; a piece that fails stops no other."""
    outcomes: list[tuple[Piece, Outcome]] = []
    _ = memory.observe_many(
        (piece.item for piece in pieces),
        progress=advance,
        each=lambda place, outcome: outcomes.append((pieces[place], outcome)),
    )
    return outcomes


def ingest(
    memory: Memory,
    source: Source,
    limits: Limits,
    report: Report,
    advance: Advance,
    *,
    source_type: SourceType | None = None,
) -> None:
    """Observe what a file holds while it is read, and count it; no more than a batch is held."""
    waiting: deque[Piece] = deque()

    def items() -> Iterator[NewObservation]:
        for entry in source.entries(limits, source_type=source_type):
            if isinstance(entry, Piece):
                waiting.append(entry)
                yield entry.item
            elif entry is None:
                report.empty += 1
            else:
                report.faults.append(entry)

    def over(_count: int) -> None:
        report.batch_over()
        _ = advance(source.done)

    _ = memory.observe_many(
        items(),
        progress=over,
        each=lambda _place, outcome: report.add(waiting.popleft(), outcome),
    )


def _at(place: str, error: CoreError) -> CoreError:
    """Return the error with the place of the file in it."""
    if isinstance(error, InvalidParameter):
        return InvalidParameter(place, f"{error.name}: {error.reason}")
    if isinstance(error, BoundaryDenied):
        return BoundaryDenied(error.boundary, f"{place}: {error.reason}")
    return error
