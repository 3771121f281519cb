"""The operations of a memory as Results: nothing here raises for what a caller or a file does."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Unpack

from returns.result import Failure, Result, Success

from pce_memory import critic, integrator, retriever
from pce_memory.deps import CoreDeps
from pce_memory.domain.arguments import (
    ActivateFields,
    DistillFields,
    FeedbackFields,
    ObserveFields,
)
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.context import (
    ActivationResult,
    ActiveContext,
    ActiveContextItem,
    ScoredClaim,
)
from pce_memory.domain.extraction import ExtractionResult, IntegrationOptions, IntegrationResult
from pce_memory.domain.feedback import CriticUpdateResult, DecayResult, Feedback
from pce_memory.domain.ids import ActiveContextId, ClaimId, FeedbackId, PolicyVersion, parse_id
from pce_memory.domain.model import parse
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence
from pce_memory.domain.query import Query
from pce_memory.domain.receipt import BatchResult, NewObservation, ObserveResult
from pce_memory.domain.vocabulary import SCOPES, FeedbackSignal, Scope
from pce_memory.engine import many
from pce_memory.engine.lookup import find_claim, find_evidence
from pce_memory.engine.maintain import MaintenanceResult, maintain
from pce_memory.engine.observe import observe
from pce_memory.errors import ClockFailed, CoreError
from pce_memory.integrator import Distillation
from pce_memory.store import contexts

DEFAULT_OPTIONS: Final = IntegrationOptions()
LAST_MOMENT: Final = 253_402_300_799.0


def default_boundary() -> Boundary:
    """Return what a memory works under if nothing else is said: all scopes, public and internal.

    The policy's invariants hold under any boundary; they need not be named here.
    """
    return Boundary(scope=SCOPES, allow=("answer:task",), boundary_classes=("public", "internal"))


def usable_time(now: float) -> Result[float, ClockFailed]:
    """Return a clock's time if it can be stored.

    >>> usable_time(float("nan")).failure().message
    'The clock gave nan, not UTC epoch seconds'
    """
    if math.isfinite(now) and 0 <= now <= LAST_MOMENT:
        return Success(now)
    return Failure(ClockFailed(str(now)))


class Results:
    """What a memory can do, each operation returning a Result."""

    def __init__(self, deps: CoreDeps, boundary: Boundary) -> None:
        self._deps = deps
        self.boundary = boundary

    def policy(self) -> Result[Policy, CoreError]:
        """Return the policy in force."""
        return self._ready()

    def apply_policy(self, yaml: str) -> Result[PolicyVersion, CoreError]:
        """Put a policy in force."""
        return self._deps.policy_store.apply(yaml).map(lambda version: version)

    def observe(
        self, content: str, **fields: Unpack[ObserveFields]
    ) -> Result[ObserveResult, CoreError]:
        """Observe one thing: extract, judge every claim alone, keep what passes."""
        boundary, rest = self._split(fields)
        return Result.do(
            seen
            for policy in self._ready()
            for item in parse(NewObservation, {"content": content, **rest})
            for seen in observe(item, boundary, policy)(self._deps)
        )

    def observe_many(
        self,
        items: Iterable[many.Item],
        *,
        boundary: Boundary | None = None,
        progress: many.Progress | None = None,
        each: many.Each | None = None,
    ) -> Result[BatchResult, CoreError]:
        """Observe thousands, in batches of one transaction each.

        `progress` is told how many items are done, `each` the place and the outcome of every one.
        """
        watch = many.Watch(progress, each)
        return Result.do(
            seen
            for policy in self._ready()
            for seen in many.observe_many(
                self._deps, items, boundary or self.boundary, policy, watch=watch
            )
        )

    def activate(
        self, query: str, **fields: Unpack[ActivateFields]
    ) -> Result[ActivationResult, CoreError]:
        """Return, and keep for a while, the claims that bear on a query."""
        boundary, rest = self._split(fields)
        return Result.do(
            activation
            for policy in self._ready()
            for asked in parse(Query, {"q": query, **rest})
            for activation in retriever.activate(asked, boundary, policy)(self._deps)
        )

    def search(
        self,
        query: str,
        scope: Sequence[Scope] | None = None,
        k: int = 12,
        *,
        boundary: Boundary | None = None,
    ) -> Result[tuple[ScoredClaim, ...], CoreError]:
        """Return ranked claims without an active context."""
        return Result.do(
            found
            for policy in self._ready()
            for asked in parse(Query, {"q": query, "scope": scope, "top_k": k})
            for found in retriever.search(
                asked.q, asked.scope, k, boundary=boundary or self.boundary, policy=policy
            )(self._deps)
        )

    def feedback(
        self, claim_id: str, signal: FeedbackSignal, **fields: Unpack[FeedbackFields]
    ) -> Result[CriticUpdateResult, CoreError]:
        """Tell the critic what a claim was worth; a `feedback_id` makes a retry harmless."""
        boundary, rest = self._split(fields)
        given_id, ts = rest.pop("feedback_id", None), rest.pop("ts", None)
        said = {
            **rest,
            "id": self._deps.ids("fb_") if given_id is None else given_id,
            "claim_id": claim_id,
            "signal": signal,
            "ts": self._deps.clock() if ts is None else ts,
        }
        return Result.do(
            done[0]
            for _ in parse_id(ClaimId, claim_id)
            for _ in parse_id(FeedbackId, said["id"])
            for given in parse(Feedback, said)
            for done in self.feedback_many([given], boundary=boundary)
        )

    def feedback_many(
        self, feedbacks: Sequence[Feedback], *, boundary: Boundary | None = None
    ) -> Result[tuple[CriticUpdateResult, ...], CoreError]:
        """Tell the critic many things, all or none."""
        deps, limits = self._deps, boundary or self.boundary
        return Result.do(
            done
            for policy in self._ready()
            for _ in find_claim([one.claim_id for one in feedbacks], limits, policy)(deps)
            for done in critic.process_feedbacks(feedbacks, policy)(deps)
        )

    def distill(
        self, text: str, **fields: Unpack[DistillFields]
    ) -> Result[IntegrationResult, CoreError]:
        """Make one claim of others, in the same or a slower scope."""
        boundary, rest = self._split(fields)
        return Result.do(
            done
            for policy in self._ready()
            for wanted in parse(Distillation, {"text": text, **rest})
            for done in integrator.distill(wanted, boundary, policy)(self._deps)
        )

    def integrate(
        self,
        claims: Sequence[AnyClaim] | ExtractionResult,
        *,
        options: IntegrationOptions = DEFAULT_OPTIONS,
        boundary: Boundary | None = None,
    ) -> Result[IntegrationResult, CoreError]:
        """Write claims that were made elsewhere, all or none."""
        given = (
            claims
            if isinstance(claims, ExtractionResult)
            else ExtractionResult(claims=tuple(claims))
        )
        return Result.do(
            done
            for policy in self._ready()
            for done in integrator.integrate_extraction(
                given, boundary or self.boundary, policy, options=options
            )(self._deps)
        )

    def claim(
        self, claim_id: str, *, boundary: Boundary | None = None
    ) -> Result[AnyClaim, CoreError]:
        """Return a claim, or the one it was merged into, if the boundary shows it."""
        return Result.do(
            found[0].claim
            for one in parse_id(ClaimId, claim_id)
            for policy in self._ready()
            for found in find_claim([one], boundary or self.boundary, policy)(self._deps)
        )

    def evidence(
        self, claim_id: str, *, boundary: Boundary | None = None
    ) -> Result[tuple[Evidence, ...], CoreError]:
        """Return why a claim is believed, if the boundary shows it."""
        return Result.do(
            found
            for claim in self.claim(claim_id, boundary=boundary)
            for found in find_evidence(claim.id)(self._deps)
        )

    def context(
        self, active_context_id: str
    ) -> Result[tuple[ActiveContext, tuple[ActiveContextItem, ...]], CoreError]:
        """Return an active context and the ranks of its items; one that expired is a failure."""
        return Result.do(
            found
            for one in parse_id(ActiveContextId, active_context_id)
            for found in contexts.find(one)(self._deps)
        )

    def decay(self) -> Result[DecayResult, CoreError]:
        """Write the decayed measures of every claim; rankings do not move."""
        return Result.do(
            done for policy in self._ready() for done in critic.decay(policy)(self._deps)
        )

    def maintain(self) -> Result[MaintenanceResult, CoreError]:
        """Decay measures, scrub observations past their time, drop expired contexts."""
        return Result.do(done for policy in self._ready() for done in maintain(policy)(self._deps))

    def _ready(self) -> Result[Policy, CoreError]:
        """Return the policy in force, if the clock gives a time that can be stored."""
        return Result.do(
            policy
            for _ in usable_time(self._deps.clock())
            for policy in self._deps.policy_store.get_current()
        )

    def _split(self, fields: Mapping[str, object]) -> tuple[Boundary, dict[str, object]]:
        """Return the boundary of a call, and its other arguments."""
        rest = dict(fields)
        boundary = rest.pop("boundary", None)
        return boundary if isinstance(boundary, Boundary) else self.boundary, rest
