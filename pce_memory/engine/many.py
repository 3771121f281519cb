"""Observe thousands: batches of one transaction each; an item that fails stops nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias, cast

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.deps.callables import DONE, PLACE_AND_OUTCOME, callback
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.model import parse
from pce_memory.domain.policy import Policy
from pce_memory.domain.receipt import BatchResult, FailedItem, NewObservation, ObserveResult
from pce_memory.engine.observe import Outcome, observe_each
from pce_memory.errors import BoundaryDenied, CoreError, InvalidParameter, InvalidScope
from pce_memory.result import collect, fold, partition, refill
from pce_memory.store import audit
from pce_memory.store.audit import Decision, decided

BATCH: Final = 64
"""So many observations are one transaction: more would be lost together on a power failure."""

BATCH_CHARS: Final = 1 << 18
"""Observations of this many characters together are one as well: what is held stays bounded."""

ITEM_FAULTS: Final = (InvalidParameter, BoundaryDenied, InvalidScope)
"""Faults of one of many: they stop no other. Any other fault is the memory's, and ends the run."""

Item: TypeAlias = str | Mapping[str, object] | NewObservation
Progress: TypeAlias = Callable[[int], object]
"""Called with how many items have been dealt with."""
Each: TypeAlias = Callable[[int, Outcome], object]
"""Called with the place of an item, from 0, and what became of it, in order within a batch."""


@dataclass(slots=True)
class Tally:
    """The running sums of a run."""

    ids: list[ObservationId] = field(default_factory=list[ObservationId])
    failed: list[FailedItem] = field(default_factory=list[FailedItem])
    created: int = 0
    merged: int = 0
    refused: int = 0
    queued: int = 0
    redacted: int = 0
    replayed: int = 0
    _together: set[ClaimId] = field(default_factory=set[ClaimId])

    def batch_over(self) -> None:
        """Take note that what comes next is written in another transaction."""
        self._together.clear()

    def count(self, place: int, outcome: Outcome) -> None:
        """Count what became of one item."""
        fold(outcome, ok=self._seen, err=lambda error: self._failed(place, error))

    def _failed(self, place: int, error: CoreError) -> None:
        item = FailedItem(index=place, code=error.code, message=error.message)
        self.failed.append(item)

    def _seen(self, one: ObserveResult) -> None:
        self.ids.append(one.observation.id)
        self.replayed += one.replayed
        if one.replayed:
            return
        # Of two equal texts in one batch both say that they made the claim.
        new = set(one.integration.created) - self._together
        self._together |= new
        self.created += len(new)
        self.merged += len({claim.id for claim in one.claims} - new)
        self.refused += len(one.refused)
        self.queued += len(one.integration.queued)
        self.redacted += sum(one.redactions.values())

    def result(self) -> BatchResult:
        """Return the sums."""
        return BatchResult(
            observation_ids=tuple(self.ids),
            claims_created=self.created,
            claims_merged=self.merged,
            refused=self.refused,
            queued=self.queued,
            redacted=self.redacted,
            replayed=self.replayed,
            failed=tuple(self.failed),
        )


@dataclass(frozen=True, slots=True)
class Watch:
    """What a caller wants to be told while a run goes on."""

    progress: Progress | None = None
    each: Each | None = None


def several(items: Iterable[Item]) -> Result[Iterable[Item], InvalidParameter]:
    """Return the items, if they are several: a text or a mapping is one."""
    reason = f"it is a {type(items).__name__}; give a list or any other iterable of items"
    if isinstance(items, (str, bytes, Mapping)):
        return Failure(InvalidParameter("items", reason))
    try:
        return Success(iter(items))
    except TypeError:
        return Failure(InvalidParameter("items", reason))


def watching(progress: object, each: object) -> Result[Watch, InvalidParameter]:
    """Return whom to tell, if both can be called with what they are told."""
    return Result.do(
        Watch(cast("Progress | None", progress), cast("Each | None", each))
        for _ in callback("progress", progress, DONE)
        for _ in callback("each", each, PLACE_AND_OUTCOME)
    )


def observe_many(
    deps: CoreDeps, items: Iterable[Item], boundary: Boundary, policy: Policy, *, watch: Watch
) -> Result[BatchResult, CoreError]:
    """Observe every item, `BATCH` to a transaction, or fewer where they are long.

    What the memory itself refuses, such as a full disk, ends the run; the batches before stay.
    """
    tally = Tally()

    def told(batch: list[Parsed], outcomes: Iterable[Outcome]) -> None:
        for (place, _), outcome in zip(batch, outcomes, strict=True):
            tally.count(place, outcome)
            if watch.each is not None:
                _ = watch.each(place, outcome)
        tally.batch_over()
        if watch.progress is not None:
            _ = watch.progress(batch[-1][0] + 1)

    written = collect(
        _write(deps, batch, boundary, policy).map(partial(told, batch))
        for batch in _batches(items)
    )
    return written.map(lambda _: tally.result())


Parsed: TypeAlias = tuple[int, Result[NewObservation, InvalidParameter]]


def _write(
    deps: CoreDeps, batch: list[Parsed], boundary: Boundary, policy: Policy
) -> Result[tuple[Outcome, ...], CoreError]:
    """Return an outcome for each item of a batch, those that did not parse included."""
    slots = [parsed for _, parsed in batch]
    good, _ = partition(slots)
    return Result.do(
        refill(slots, outcomes)
        for outcomes in observe_each(good, boundary, policy)(deps)
        for _ in audit.record(_denials(partition(outcomes)[1], boundary, policy))(deps)
    )


def _denials(errors: Sequence[CoreError], boundary: Boundary, policy: Policy) -> list[Decision]:
    return [
        decided("observe", "denied", boundary, policy, reason=error.reason)
        for error in errors
        if isinstance(error, BoundaryDenied)
    ]


def _batches(items: Iterable[Item]) -> Iterator[list[Parsed]]:
    """Yield parsed items in batches; a key that comes twice begins a new batch."""
    batch: list[Parsed] = []
    keys: set[str] = set()
    chars = 0
    for place, item in enumerate(items):
        parsed = as_new_observation(item)
        key = parsed.map(lambda one: one.idempotency_key).value_or(None)
        length = parsed.map(lambda one: len(one.content)).value_or(0)
        full = len(batch) >= BATCH or chars + length > BATCH_CHARS
        if batch and (full or key in keys):
            yield batch
            batch, keys, chars = [], set[str](), 0
        chars += length
        batch.append((place, parsed))
        keys |= {key} if key is not None else set()
    if batch:
        yield batch


def as_new_observation(item: Item) -> Result[NewObservation, InvalidParameter]:
    """Return an item as an observation to be made: a text, a mapping of fields, or one already."""
    if isinstance(item, NewObservation):
        return Success(item)
    if isinstance(item, str):
        return parse(NewObservation, {"content": item})
    return parse(NewObservation, item)
