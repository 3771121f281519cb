"""Integrate claims by the hundred thousand: large batches, one transaction each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Final, TypeAlias, cast

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Grown, Vector
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim, Claim, ClaimBase, DerivedClaim
from pce_memory.domain.extraction import IntegrationResult
from pce_memory.domain.model import parse
from pce_memory.domain.policy import Policy
from pce_memory.domain.receipt import BulkResult, FailedItem
from pce_memory.engine.many import ITEM_FAULTS, Watch
from pce_memory.engine.ready import keyless, settled
from pce_memory.engine.vectors_given import unit_vectors
from pce_memory.errors import BoundaryDenied, CoreError, InvalidParameter
from pce_memory.integrator import admit_each, integrate_bulk
from pce_memory.result import collect, fold
from pce_memory.store import audit
from pce_memory.store.audit import decided

BATCH: Final = 4_000
"""So many claims are one transaction."""

Given: TypeAlias = Mapping[str, object] | AnyClaim
Row: TypeAlias = tuple[Given, object]
"""A claim, and the vector that came with it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A claim, its place among all that were given, and its vector if one came with it."""

    place: int
    claim: AnyClaim
    vector: Vector | None


@dataclass(slots=True)
class Sums:
    """The running sums of a run."""

    created: int = 0
    merged: int = 0
    unchanged: int = 0
    queued: int = 0
    failed: list[FailedItem] = field(default_factory=list[FailedItem])

    def add(self, done: IntegrationResult) -> None:
        """Count what a batch did."""
        self.created += len(done.created)
        self.merged += len(done.merged)
        self.unchanged += len(done.unchanged)
        self.queued += len(done.queued)

    def fault(self, place: int, error: CoreError) -> None:
        """Count a claim that could not be taken."""
        self.failed.append(FailedItem(index=place, code=error.code, message=error.message))

    def result(self) -> BulkResult:
        """Return the sums."""
        return BulkResult(
            created=self.created,
            merged=self.merged,
            unchanged=self.unchanged,
            queued=self.queued,
            failed=tuple(sorted(self.failed, key=lambda one: one.index)),
        )


@dataclass(frozen=True, slots=True)
class Run:
    """One run: where it writes, under what, and what it has done so far."""

    deps: CoreDeps
    boundary: Boundary
    policy: Policy
    sums: Sums

    def write(self, batch: Sequence[Placed]) -> Result[None, CoreError]:
        """Write those of a batch that may enter."""
        claims = [one.claim for one in batch]
        return Result.do(
            None
            for judged in admit_each(claims, self.boundary, self.policy)(self.deps)
            for fine in collect(map(self._let_in, batch, judged))
            for _ in self._halves([one for one in fine if one is not None])
        )

    def _let_in(
        self, one: Placed, judged: Result[AnyClaim, CoreError]
    ) -> Result[Placed | None, CoreError]:
        """Return a claim as it was admitted; None, and the fault is told, where it was not."""
        return fold(
            judged,
            ok=lambda claim: Success(replace(one, claim=claim)),
            err=lambda error: self._refused(one, error).map(lambda _: None),
        )

    def _all(self, batch: Sequence[Placed]) -> Result[None, CoreError]:
        vectors = {one.claim.id: one.vector for one in reversed(batch) if one.vector is not None}
        claims = [one.claim for one in batch]
        work = integrate_bulk(claims, vectors, self.boundary, self.policy)
        # What cuts texts into terms may fail at one of them, with a fault that is raised.
        return settled(lambda: work(self.deps)).map(self.sums.add)

    def _halves(self, batch: Sequence[Placed]) -> Result[None, CoreError]:
        """Write a batch; where it is refused by halves, so that one claim is told from others."""

        def smaller(error: CoreError) -> Result[None, CoreError]:
            if len(batch) == 1 or not isinstance(error, ITEM_FAULTS):
                return self._refused(batch[0], error)
            middle = len(batch) // 2
            return collect(map(self._halves, (batch[:middle], batch[middle:]))).map(lambda _: None)

        return fold(self._all(batch), ok=Success, err=smaller) if batch else Success(None)

    def _refused(self, one: Placed, error: CoreError) -> Result[None, CoreError]:
        if not isinstance(error, ITEM_FAULTS):
            return Failure(error)
        self.sums.fault(one.place, error)
        if not isinstance(error, BoundaryDenied):
            return Success(None)
        reason = error.reason
        denied = decided("integrate", "denied", self.boundary, self.policy, reason=reason)
        return audit.record([denied])(self.deps)


@dataclass(slots=True)
class Held:
    """Holds back that postings were written until a run is over: they are sorted once then."""

    tell: Grown
    written: int = 0

    def grown(self, postings: int) -> None:
        """Count new postings; that there are some is told at once."""
        self.written += postings
        _ = self.tell(0)

    def over(self) -> None:
        """Tell how many there were, also of a run that was broken off."""
        if self.written:
            _ = self.tell(self.written)


def integrate_many(
    deps: CoreDeps, given: "Handed", boundary: Boundary, policy: Policy, *, watch: Watch
) -> Result[BulkResult, CoreError]:
    """Write claims, `BATCH` to a transaction; a claim that is at fault stops no other.

    What the memory itself refuses, such as a full disk, ends the run; the batches before stay, and
    running it again leaves them as they are.
    """
    held = Held(deps.grown)
    run = Run(replace(deps, grown=held.grown), boundary, policy, Sums())

    def written(batch: Sequence[tuple[int, Row]]) -> Result[None, CoreError]:
        return run.write(_parsed(deps, batch, given, run.sums)).map(lambda _: told(batch[-1][0]))

    def told(last: int) -> None:
        if watch.progress is not None:
            _ = watch.progress(last + 1)

    try:
        return Result.do(
            run.sums.result()
            for _ in collect(map(written, _batches(given.rows())))
            for _ in given.is_used_up()
        )
    finally:
        held.over()


@dataclass(frozen=True, slots=True)
class Handed:
    """What was handed over: claims, and vectors beside them where there are any."""

    claims: Iterator[Given]
    vectors: Iterator[object] | None

    def rows(self) -> Iterator[Row]:
        """Yield each claim with its vector; None where vectors ran out."""
        if self.vectors is None:
            return ((claim, None) for claim in self.claims)
        vectors = self.vectors
        return ((claim, next(vectors, None)) for claim in self.claims)

    def is_used_up(self) -> Result[None, InvalidParameter]:
        """Return a failure if vectors are left: they may have stood beside the wrong claims."""
        if self.vectors is None or next(self.vectors, None) is None:
            return Success(None)
        reason = "there are more of them than claims; the claims were written with the first ones"
        return Failure(InvalidParameter("vectors", reason))


def handed(claims: object, vectors: object) -> Result[Handed, InvalidParameter]:
    """Return what was handed over, if it is several claims and, maybe, several vectors."""
    return Result.do(
        Handed(cast("Iterator[Given]", each), beside)
        for each in _several(claims, "claims")
        for beside in (Success(None) if vectors is None else _several(vectors, "vectors"))
    )


def _several(value: object, name: str) -> Result[Iterator[object], InvalidParameter]:
    kind = type(value).__name__
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, ClaimBase)):
        return Success(iter(cast("Iterable[object]", value)))
    reason = f"it is a {kind}; give a list or any other iterable of {name}"
    return Failure(InvalidParameter(name, reason))


def _parsed(
    deps: CoreDeps, batch: Sequence[tuple[int, Row]], given: Handed, sums: Sums
) -> list[Placed]:
    """Return the claims of a batch that are claims, and whose vectors are vectors."""
    vectors: Sequence[Result[Vector | None, InvalidParameter]] = (
        [Success(None)] * len(batch)
        if given.vectors is None
        else unit_vectors([vector for _, (_, vector) in batch], deps.embedding.dimension)
    )
    good: list[Placed] = []
    for (place, (claim, _)), checked in zip(batch, vectors, strict=True):
        fold(_placed(place, claim, checked), ok=good.append, err=partial(sums.fault, place))
    return good


def _placed(
    place: int, claim: Given, checked: Result[Vector | None, InvalidParameter]
) -> Result[Placed, InvalidParameter]:
    return Result.do(
        Placed(place, known, vector) for known in as_claim(claim) for vector in checked
    )


def as_claim(given: Given) -> Result[AnyClaim, InvalidParameter]:
    """Return a claim: one already, or a mapping of the fields of one."""
    if isinstance(given, (Claim, DerivedClaim)):
        known: AnyClaim = given
        return keyless([known.id], "claim id").map(lambda _: known)
    unknown = cast("object", given)
    if not isinstance(unknown, Mapping):
        reason = f"it is a {type(unknown).__name__}; give a Claim, or a mapping of its fields"
        return Failure(InvalidParameter("claim", reason))
    return _of_fields(cast("Mapping[str, object]", unknown))


def _of_fields(fields: Mapping[str, object]) -> Result[AnyClaim, InvalidParameter]:
    def keyed(claim: AnyClaim) -> Result[AnyClaim, InvalidParameter]:
        return keyless([claim.id], "claim id").map(lambda _: claim)

    if fields.get("derived_from"):
        return Result.do(one for claim in parse(DerivedClaim, fields) for one in keyed(claim))
    return Result.do(one for claim in parse(Claim, fields) for one in keyed(claim))


def _batches(rows: Iterator[Row]) -> Iterator[Sequence[tuple[int, Row]]]:
    numbered = enumerate(rows)
    while batch := list(islice(numbered, BATCH)):
        yield batch
