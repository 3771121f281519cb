"""Observe thousands: batches of one transaction each; an item that fails stops nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.ids import ObservationId
from pce_memory.domain.model import parse
from pce_memory.domain.policy import Policy
from pce_memory.domain.receipt import BatchResult, FailedItem, NewObservation, ObserveResult
from pce_memory.engine.observe import observe_batch
from pce_memory.errors import (
    BoundaryDenied,
    CoreError,
    InvalidParameter,
)
from pce_memory.result import collect, fold, partition

BATCH: Final = 64

Item: TypeAlias = str | Mapping[str, object] | NewObservation
Progress: TypeAlias = Callable[[int], object]
"""Called with how many items have been dealt with."""


@dataclass(slots=True)
class Tally:
    """The running sums of a run."""

    ids: list[ObservationId] = field(default_factory=list[ObservationId])
    failed: list[FailedItem] = field(default_factory=list[FailedItem])
    created: int = 0
    merged: int = 0
    refused: int = 0
    redacted: int = 0
    replayed: int = 0

    def add(self, one: ObserveResult) -> None:
        """Count one result."""
        self.ids.append(one.observation.id)
        self.replayed += one.replayed
        if not one.replayed:
            self.created += len(one.integration.created)
            self.merged += len(one.integration.merged)
            self.refused += len(one.refused)
            self.redacted += sum(one.redactions.values())

    def result(self) -> BatchResult:
        """Return the sums."""
        return BatchResult(
            observation_ids=tuple(self.ids),
            claims_created=self.created,
            claims_merged=self.merged,
            refused=self.refused,
            redacted=self.redacted,
            replayed=self.replayed,
            failed=tuple(sorted(self.failed, key=lambda one: one.index)),
        )


def observe_many(
    deps: CoreDeps,
    items: Iterable[Item],
    boundary: Boundary,
    policy: Policy,
    *,
    progress: Progress | None = None,
) -> Result[BatchResult, CoreError]:
    """Observe every item, `BATCH` to a transaction.

    What the memory itself refuses, such as a full disk, ends the run; the batches before stay.
    """
    tally = Tally()
    done = 0
    for batch in _batches(items):
        good, bad = partition(_placed(place, one) for place, one in batch)
        tally.failed += bad
        written = _write(deps, good, boundary, policy, tally)
        if isinstance(written, Failure):
            return written
        done += len(batch)
        if progress is not None:
            _ = progress(done)
    return Success(tally.result())


Placed: TypeAlias = tuple[int, NewObservation]


def _placed(
    place: int, parsed: Result[NewObservation, InvalidParameter]
) -> Result[Placed, FailedItem]:
    return parsed.map(lambda item: (place, item)).alt(partial(failed_item, place))


def _write(
    deps: CoreDeps,
    good: Sequence[Placed],
    boundary: Boundary,
    policy: Policy,
    tally: Tally,
) -> Result[None, CoreError]:
    """Write a batch; where one item cannot be taken, write the items one by one."""

    def written(results: Sequence[ObserveResult]) -> Result[None, CoreError]:
        for one in results:
            tally.add(one)
        return Success(None)

    def refused(error: CoreError) -> Result[None, CoreError]:
        if not isinstance(error, (InvalidParameter, BoundaryDenied)):
            return Failure(error)
        if len(good) == 1:
            tally.failed.append(failed_item(good[0][0], error))
            return Success(None)
        return collect(_write(deps, [one], boundary, policy, tally) for one in good).map(
            lambda _: None
        )

    together = observe_batch([item for _, item in good], boundary, policy)(deps)
    return fold(together, ok=written, err=refused)


def failed_item(place: int, error: CoreError) -> FailedItem:
    """Return what is told of an item that could not be taken."""
    return FailedItem(index=place, code=error.code, message=error.message)


Parsed: TypeAlias = tuple[int, Result[NewObservation, InvalidParameter]]


def _batches(items: Iterable[Item]) -> Iterator[list[Parsed]]:
    """Yield parsed items in batches; a key that comes twice begins a new batch."""
    batch: list[Parsed] = []
    keys: set[str] = set()
    for place, item in enumerate(items):
        parsed = as_new_observation(item)
        key = parsed.map(lambda one: one.idempotency_key).value_or(None)
        if len(batch) >= BATCH or key in keys:
            yield batch
            batch, keys = [], set()
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
