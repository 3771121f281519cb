"""Take in documents by the thousand: batches of one transaction each, and show one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.documents_given import Item, Rows, batches
from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.document import DocumentsResult, NewDocument
from pce_memory.domain.model import parse
from pce_memory.domain.policy import Policy
from pce_memory.domain.receipt import FailedItem
from pce_memory.engine.document_fields import grouped
from pce_memory.engine.many import ITEM_FAULTS, Watch
from pce_memory.errors import BoundaryDenied, CoreError, InvalidParameter
from pce_memory.integrator import Rules, Written, write_documents
from pce_memory.policy.boundary import all_invariants, well_formed
from pce_memory.policy.documents import Kept, kept
from pce_memory.policy.judging import Invariants, invariants_of
from pce_memory.result import collect
from pce_memory.store import audit
from pce_memory.store.audit import decided
from pce_memory.text.codes import with_norms

BATCH: Final = 500
"""So many documents are one transaction."""


@dataclass(slots=True)
class _Sums:
    """The running sums of a run."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    redacted: int = 0
    failed: list[FailedItem] = field(default_factory=list[FailedItem])

    def add(self, done: Written, redacted: int) -> None:
        self.created += done.created
        self.updated += done.updated
        self.unchanged += done.unchanged
        self.redacted += redacted - sum(one.redacted for one, _ in done.refused)

    def result(self) -> DocumentsResult:
        return DocumentsResult(
            created=self.created,
            updated=self.updated,
            unchanged=self.unchanged,
            redacted=self.redacted,
            failed=tuple(sorted(self.failed, key=lambda one: one.index)),
        )


@dataclass(frozen=True, slots=True)
class _Run:
    """One run: where it writes, under what, and what it has done so far."""

    deps: CoreDeps
    boundary: Boundary
    policy: Policy
    invariants: Invariants
    sums: _Sums

    def write(self, batch: Sequence[tuple[int, Item]]) -> Result[None, CoreError]:
        """Write those of a batch that may enter."""
        judged = [(place, self._judged(item)) for place, item in batch]
        fine = {place: one.unwrap() for place, one in judged if isinstance(one, Success)}
        rules = Rules(self.boundary, self.policy, self.invariants)
        return Result.do(
            None
            for _ in collect(
                self._refused(place, one.failure())
                for place, one in judged
                if isinstance(one, Failure)
            )
            for done in write_documents(list(fine.values()), rules)(self.deps).map(
                lambda done: self._added(done, fine.values())
            )
            for _ in collect(
                self._refused(place, why)
                for one, why in done.refused
                for place, given in fine.items()
                if given is one
            )
        )

    def _added(self, done: Written, batch: Iterable[Kept]) -> Written:
        self.sums.add(done, sum(one.redacted for one in batch))
        return done

    def _judged(self, item: Item) -> Result[Kept, CoreError]:
        return Result.do(
            judged
            for given in item
            for document in as_new_document(given)
            for coded in self._coded(document)
            for judged in kept(
                coded, self.boundary, self.policy, self.invariants, now=self.deps.clock()
            )
        )

    def _coded(self, given: NewDocument) -> Result[NewDocument, InvalidParameter]:
        codes = with_norms(given.codes, self.deps.code_normalizers)
        return parse(NewDocument, {**_fields_of(given), "codes": codes})

    def _refused(self, place: int, error: CoreError) -> Result[None, CoreError]:
        if not isinstance(error, ITEM_FAULTS):
            return Failure(error)
        self.sums.failed.append(FailedItem(index=place, code=error.code, message=error.message))
        if not isinstance(error, BoundaryDenied):
            return Success(None)
        denied = decided(
            "add_documents", "denied", self.boundary, self.policy, reason=error.reason
        )
        return audit.record([denied])(self.deps)


def _fields_of(given: NewDocument) -> dict[str, object]:
    return {name: getattr(given, name) for name in NewDocument.model_fields}


def add_documents(
    deps: CoreDeps, given: Rows, boundary: Boundary, policy: Policy, *, watch: Watch
) -> Result[DocumentsResult, CoreError]:
    """Write documents, `BATCH` to a transaction; one that is at fault stops no other.

    What the memory itself refuses, such as a full disk, ends the run; the batches before stay, and
    running it again leaves them as they are.
    """
    sums = _Sums()

    def written(run: _Run, batch: Sequence[tuple[int, Item]]) -> Result[None, CoreError]:
        return run.write(batch).map(lambda _: told(batch[-1][0]))

    def told(last: int) -> None:
        if watch.progress is not None:
            _ = watch.progress(last + 1)

    return Result.do(
        sums.result()
        for usable in well_formed(boundary)
        for invariants in invariants_of(
            deps.invariant_evaluator, all_invariants(usable, policy), usable.context
        )
        for run in Success(_Run(deps, usable, policy, invariants, sums))
        for _ in collect(written(run, batch) for batch in batches(given, BATCH))
    )


def as_new_document(given: object) -> Result[NewDocument, InvalidParameter]:
    """Return a document to be added: one already, or a mapping of the fields of one."""
    if isinstance(given, NewDocument):
        return Success(given)
    if not isinstance(given, Mapping):
        reason = f"it is a {type(given).__name__}; give a NewDocument, or a mapping of its fields"
        return Failure(InvalidParameter("document", reason))
    return Result.do(
        made
        for fields in grouped(cast("Mapping[object, object]", given))
        for made in parse(NewDocument, fields)
    )
