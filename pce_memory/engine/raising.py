"""The operations that keep a memory in its bounds, for callers who prefer exceptions."""

from typing import Unpack

from pce_memory.domain.arguments import AuditFields, ForgetFields, ValidateFields
from pce_memory.domain.audit import AuditRecord
from pce_memory.domain.boundary import Boundary, BoundaryValidationResult
from pce_memory.domain.erasure import Erasure, ForgetResult
from pce_memory.domain.review import Review, ReviewStatus
from pce_memory.engine.governing import Governed, ReviewResults
from pce_memory.engine.maintain import MaintenanceResult
from pce_memory.errors import or_raise


class Reviews:
    """The claims that wait for a human. Methods raise `MemoryFault`."""

    def __init__(self, results: ReviewResults) -> None:
        self._results = results

    def list(
        self,
        *,
        status: ReviewStatus | None = "pending",
        limit: int = 100,
        boundary: Boundary | None = None,
    ) -> tuple[Review, ...]:
        """Return reviews, those that are due first on top; status None is all.

        A claim's text is told only where the boundary would show it. With a boundary, only reviews
        of claims that it would show are listed.
        """
        return or_raise(self._results.list(status=status, limit=limit, boundary=boundary))

    def approve(self, review_id: str, *, reviewer: str, note: str | None = None) -> Review:
        """Let a claim in: from now on it is shown as any other of its class."""
        return or_raise(self._results.approve(review_id, reviewer=reviewer, note=note))

    def reject(self, review_id: str, *, reviewer: str, note: str | None = None) -> Review:
        """Erase a claim that waits, and what it was drawn from; a digest stays."""
        return or_raise(self._results.reject(review_id, reviewer=reviewer, note=note))


class Governing:
    """What keeps a memory in its bounds. Methods raise `MemoryFault`."""

    def __init__(self, results: Governed) -> None:
        self.results = results

    @property
    def reviews(self) -> Reviews:
        """The claims that wait for a human: list, approve, reject."""
        return Reviews(self.results.reviews)

    def validate(self, payload: str, **fields: Unpack[ValidateFields]) -> BoundaryValidationResult:
        """Judge a payload before it is stored, shown or sent: allowed or not, why, and redacted.

        Keywords: allow, scope, boundary_class, boundary; see `ValidateFields`.
        """
        return or_raise(self.results.validate(payload, **fields))

    def audit(self, **wanted: Unpack[AuditFields]) -> tuple[AuditRecord, ...]:
        """Return decisions, the newest first: those that fit everything that is given.

        Keywords: who, tool, decision, policy_version, since, until, limit; see `AuditFields`.
        """
        return or_raise(self.results.audit(**wanted))

    def forget(self, **wanted: Unpack[ForgetFields]) -> ForgetResult:
        """Erase for good a claim, an observation, what somebody said, or what holds some words.

        Keywords: claim_id, observation_id, actor or query; dry_run, derived, compact, boundary;
        see `ForgetFields`.
        """
        return or_raise(self.results.forget(**wanted))

    def erasures(self, text: str | None = None) -> tuple[Erasure, ...]:
        """Return what was erased, the newest first; of one exact text, or of all."""
        return or_raise(self.results.erasures(text))

    def maintain(self) -> MaintenanceResult:
        """Decay measures, erase claims past their ttl, scrub observations, drop old records."""
        return or_raise(self.results.maintain())
