"""The operations of a memory, for callers who prefer exceptions."""

from collections.abc import Iterable, Sequence
from typing import Any, Unpack, overload

from pce_memory.deps import Vector
from pce_memory.domain.arguments import (
    ActivateFields,
    AuditFields,
    DistillFields,
    ExplainFields,
    ExplainSearchFields,
    FeedbackFields,
    ForgetFields,
    JudgeFields,
    ObserveFields,
    ValidateFields,
)
from pce_memory.domain.audit import AuditRecord
from pce_memory.domain.boundary import Boundary, BoundaryValidationResult
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.context import (
    ActivationResult,
    ActiveContext,
    ActiveContextItem,
    ScoredClaim,
)
from pce_memory.domain.erasure import Erasure, ForgetResult
from pce_memory.domain.explanation import Explanation
from pce_memory.domain.extraction import ExtractionResult, IntegrationOptions, IntegrationResult
from pce_memory.domain.feedback import CriticUpdateResult, DecayResult, Feedback
from pce_memory.domain.judged import Judgement
from pce_memory.domain.policy import Policy
from pce_memory.domain.policy_record import PolicyRecord
from pce_memory.domain.provenance import Evidence
from pce_memory.domain.receipt import BatchResult, BulkResult, ObserveResult
from pce_memory.domain.review import Review, ReviewStatus
from pce_memory.domain.stamped import SearchResult
from pce_memory.domain.vocabulary import FeedbackSignal, Scope
from pce_memory.engine.bulk import Given
from pce_memory.engine.fusion.raising import Fusion
from pce_memory.engine.governing import Governed, ReviewResults
from pce_memory.engine.maintain import MaintenanceResult
from pce_memory.engine.many import Each, Item, Progress
from pce_memory.engine.raising_documents import RaisingDocuments
from pce_memory.engine.results import DEFAULT_OPTIONS, Results
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
        self._governed = results

    @property
    def reviews(self) -> Reviews:
        """The claims that wait for a human: list, approve, reject."""
        return Reviews(self._governed.reviews)

    @property
    def fusion(self) -> Fusion:
        """Lanes leave runs, runs blend, a blend is weighed anew."""
        return Fusion(self._governed.fusion)

    def policy(self) -> Policy:
        """Return the policy in force."""
        return or_raise(self._governed.policy())

    def policy_history(self) -> tuple[PolicyRecord, ...]:
        """Return every time that a policy was put in force, the newest first."""
        return or_raise(self._governed.policy_history())

    @overload
    def explain(self, claim_id: str, **fields: Unpack[ExplainFields]) -> Explanation: ...
    @overload
    def explain(
        self, query: str, claim_id: str, **fields: Unpack[ExplainSearchFields]
    ) -> Explanation: ...
    def explain(self, *given: Any, **fields: Any) -> Explanation:
        """Return why a claim is shown or not, check by check.

        `explain(claim_id)`: under a boundary, whatever is asked; it is the owner who asks.
        Keywords: allow, scope, boundary; see `ExplainFields`.

        `explain(query, claim_id)`: as an answer to a query, with its rank and score in each lane
        and what would change it; it is the caller who asks, and a claim that the boundary hides
        is unknown. Keywords: scope, allow, top_k, boundary; see `ExplainSearchFields`.
        """
        return or_raise(self._governed.explain(*given, **fields))

    def validate(self, payload: str, **fields: Unpack[ValidateFields]) -> BoundaryValidationResult:
        """Judge a payload before it is stored, shown or sent: allowed or not, why, and redacted.

        Keywords: allow, scope, boundary_class, boundary; see `ValidateFields`.
        """
        return or_raise(self._governed.validate(payload, **fields))

    def audit(self, **wanted: Unpack[AuditFields]) -> tuple[AuditRecord, ...]:
        """Return decisions, the newest first: those that fit everything that is given.

        Keywords: who, tool, decision, policy_version, since, until, limit; see `AuditFields`.
        """
        return or_raise(self._governed.audit(**wanted))

    def forget(self, **wanted: Unpack[ForgetFields]) -> ForgetResult:
        """Erase for good a claim, an observation, what somebody said, or what holds some words.

        Keywords: claim_id, observation_id, actor or query; dry_run, derived, compact, boundary;
        see `ForgetFields`.
        """
        return or_raise(self._governed.forget(**wanted))

    def erasures(self, text: str | None = None) -> tuple[Erasure, ...]:
        """Return what was erased, the newest first; of one exact text, or of all."""
        return or_raise(self._governed.erasures(text))

    def maintain(self) -> MaintenanceResult:
        """Decay measures, erase claims past their ttl, scrub observations, drop old records."""
        return or_raise(self._governed.maintain())


class Raising(Governing, RaisingDocuments):
    """The four functions and what goes with them. Methods raise `MemoryFault`."""

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self._working = results
        self._publishing = results

    def observe(self, content: str, **fields: Unpack[ObserveFields]) -> ObserveResult:
        """Observe one thing: extract, judge every claim alone, keep what passes.

        Keywords: source_type, source_id, actor, tags, observed_at, idempotency_key, provenance,
        entities, relations, boundary; `domain.arguments.ObserveFields` explains them.
        """
        return or_raise(self._working.observe(content, **fields))

    def observe_many(
        self,
        items: Iterable[Item],
        *,
        boundary: Boundary | None = None,
        progress: Progress | None = None,
        each: Each | None = None,
    ) -> BatchResult:
        """Observe thousands, in batches of one transaction each.

        `progress` is told how many items are done, `each` the place and the outcome of every one.
        """
        return or_raise(
            self._working.observe_many(items, boundary=boundary, progress=progress, each=each)
        )

    def activate(self, query: str, **fields: Unpack[ActivateFields]) -> ActivationResult:
        """Return, and keep for a while, the claims that bear on a query.

        Keywords: scope, allow, top_k, include_meta, boundary; see `ActivateFields`.
        """
        return or_raise(self._working.activate(query, **fields))

    def search(
        self,
        query: str,
        scope: Sequence[Scope] | None = None,
        k: int = 12,
        *,
        boundary: Boundary | None = None,
    ) -> SearchResult[ScoredClaim]:
        """Return ranked claims without an active context: a tuple, with `warnings` beside it."""
        return or_raise(self._working.search(query, scope, k, boundary=boundary))

    def feedback(
        self, claim_id: str, signal: FeedbackSignal, **fields: Unpack[FeedbackFields]
    ) -> CriticUpdateResult:
        """Tell the critic what a claim was worth; a `feedback_id` makes a retry harmless.

        Keywords: score, duplicate_of, feedback_id, ts, boundary; see `FeedbackFields`.
        """
        return or_raise(self._working.feedback(claim_id, signal, **fields))

    def feedback_many(
        self, feedbacks: Sequence[Feedback], *, boundary: Boundary | None = None
    ) -> tuple[CriticUpdateResult, ...]:
        """Tell the critic many things, all or none."""
        return or_raise(self._working.feedback_many(feedbacks, boundary=boundary))

    def judge(self, claim_id: str, **fields: Unpack[JudgeFields]) -> Judgement:
        """Compare a score of a claim with the one before; a change beyond the noise moves it.

        The score is the one given, else what the memory's judge says of the claim as the boundary
        shows it. Keywords: score, judgement_id, boundary; see `JudgeFields`.
        """
        return or_raise(self._working.judge(claim_id, **fields))

    def distill(self, text: str, **fields: Unpack[DistillFields]) -> IntegrationResult:
        """Make one claim of others, in the same or a slower scope.

        Keywords: claim_ids or active_context_id, provenance (required), scope, kind, note,
        boundary; see `DistillFields`.
        """
        return or_raise(self._working.distill(text, **fields))

    def integrate(
        self,
        claims: Sequence[AnyClaim] | ExtractionResult,
        *,
        options: IntegrationOptions = DEFAULT_OPTIONS,
        boundary: Boundary | None = None,
    ) -> IntegrationResult:
        """Write claims that were made elsewhere, all or none."""
        return or_raise(self._working.integrate(claims, options=options, boundary=boundary))

    def integrate_many(
        self,
        claims: Iterable[Given],
        *,
        vectors: Iterable[Vector] | None = None,
        boundary: Boundary | None = None,
        progress: Progress | None = None,
    ) -> BulkResult:
        """Write very many claims that were made elsewhere, thousands to a transaction.

        `vectors`: the unit vector of each, as this memory's embedder would give it; without them
        the embedder is asked. Claims that cannot be taken are named and stop no other; near
        duplicates are not looked for. `progress` is told how many claims are done.
        """
        return or_raise(
            self._working.integrate_many(
                claims, vectors=vectors, boundary=boundary, progress=progress
            )
        )

    def claim(self, claim_id: str, *, boundary: Boundary | None = None) -> AnyClaim:
        """Return a claim, or the one it was merged into, if the boundary shows it."""
        return or_raise(self._working.claim(claim_id, boundary=boundary))

    def evidence(self, claim_id: str, *, boundary: Boundary | None = None) -> tuple[Evidence, ...]:
        """Return why a claim is believed, if the boundary shows it."""
        return or_raise(self._working.evidence(claim_id, boundary=boundary))

    def context(
        self, active_context_id: str, *, boundary: Boundary | None = None
    ) -> tuple[ActiveContext, tuple[ActiveContextItem, ...]]:
        """Return an active context and the ranks of those of its items that the boundary shows."""
        return or_raise(self._working.context(active_context_id, boundary=boundary))

    def decay(self) -> DecayResult:
        """Write the decayed measures of every claim; rankings do not move."""
        return or_raise(self._working.decay())
