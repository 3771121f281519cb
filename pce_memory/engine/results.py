"""The operations of a memory as Results: nothing here raises for what a caller or a file does."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar, Unpack

from returns.result import Result

from pce_memory import critic, integrator, retriever
from pce_memory.domain.arguments import (
    ActivateFields,
    DistillFields,
    FeedbackFields,
    ObserveFields,
)
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim, ClaimBase
from pce_memory.domain.context import (
    ActivationResult,
    ActiveContext,
    ActiveContextItem,
    ScoredClaim,
)
from pce_memory.domain.extraction import ExtractionResult, IntegrationOptions, IntegrationResult
from pce_memory.domain.feedback import CriticUpdateResult, DecayResult, Feedback
from pce_memory.domain.ids import ActiveContextId, ClaimId, FeedbackId, parse_id
from pce_memory.domain.model import parse
from pce_memory.domain.provenance import Evidence
from pce_memory.domain.query import Query
from pce_memory.domain.receipt import BatchResult, NewObservation, ObserveResult
from pce_memory.domain.stamped import SearchResult
from pce_memory.domain.vocabulary import FeedbackSignal, Scope
from pce_memory.engine import many
from pce_memory.engine.judging import Judging
from pce_memory.engine.lookup import find_claim, find_evidence, shown_context
from pce_memory.engine.observe import observe
from pce_memory.engine.ready import Ready, all_are, keyless
from pce_memory.engine.running import apart, shown
from pce_memory.errors import CoreError
from pce_memory.integrator import Distillation
from pce_memory.store import contexts

T = TypeVar("T")

DEFAULT_OPTIONS: Final = IntegrationOptions()


class Results(Judging):
    """What a memory can do, each operation returning a Result."""

    def observe(
        self, content: str, **fields: Unpack[ObserveFields]
    ) -> Result[ObserveResult, CoreError]:
        """Observe one thing: extract, judge every claim alone, keep what passes."""
        boundary, rest = apart(fields)
        return self.run(
            "observe",
            boundary,
            lambda ready: Result.do(
                seen
                for item in parse(NewObservation, {"content": content, **rest})
                for seen in observe(item, ready.boundary, ready.policy)(self.deps)
            ),
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
        return self.run(
            "observe_many",
            boundary,
            lambda ready: Result.do(
                seen
                for given in many.several(items)
                for watch in many.watching(progress, each)
                for seen in many.observe_many(
                    self.deps, given, ready.boundary, ready.policy, watch=watch
                )
            ),
        )

    def activate(
        self, query: str, **fields: Unpack[ActivateFields]
    ) -> Result[ActivationResult, CoreError]:
        """Return, and keep for a while, the claims that bear on a query."""
        boundary, rest = apart(fields)
        return self.run(
            "activate",
            boundary,
            lambda ready: Result.do(
                activation
                for asked in parse(Query, {"q": query, **rest})
                for activation in retriever.activate(asked, ready.boundary, ready.policy)(
                    self.deps
                )
            ),
        )

    def search(
        self,
        query: str,
        scope: Sequence[Scope] | None = None,
        k: int = 12,
        *,
        boundary: Boundary | None = None,
    ) -> Result[SearchResult[ScoredClaim], CoreError]:
        """Return ranked claims without an active context: a tuple, with `warnings` beside it."""
        return self.run(
            "search",
            boundary,
            lambda ready: Result.do(
                SearchResult(found)
                for asked in parse(Query, {"q": query, "scope": scope, "top_k": k})
                for found in retriever.search(
                    asked.q,
                    asked.scope,
                    asked.top_k or 12,
                    boundary=ready.boundary,
                    policy=ready.policy,
                )(self.deps)
            ),
        )

    def feedback(
        self, claim_id: str, signal: FeedbackSignal, **fields: Unpack[FeedbackFields]
    ) -> Result[CriticUpdateResult, CoreError]:
        """Tell the critic what a claim was worth; a `feedback_id` makes a retry harmless."""
        boundary, said = apart(fields)
        given_id, ts = said.pop("feedback_id", None), said.pop("ts", None)

        def work(ready: Ready) -> Result[CriticUpdateResult, CoreError]:
            one = self.deps.ids("fb_") if given_id is None else given_id
            when = self.deps.clock() if ts is None else ts
            rest = {**said, "id": one, "claim_id": claim_id, "signal": signal, "ts": when}
            return Result.do(
                done[0]
                for _ in parse_id(ClaimId, claim_id)
                for _ in parse_id(FeedbackId, one)
                for given in parse(Feedback, rest)
                for done in self._give([given], ready)
            )

        return self.run("feedback", boundary, work, lambda ready, _: shown("feedback", ready, 1))

    def feedback_many(
        self, feedbacks: Sequence[Feedback], *, boundary: Boundary | None = None
    ) -> Result[tuple[CriticUpdateResult, ...], CoreError]:
        """Tell the critic many things, all or none."""
        return self.run(
            "feedback",
            boundary,
            lambda ready: Result.do(
                done
                for given in all_are(Feedback, feedbacks, "feedbacks")
                for done in self._give(given, ready)
            ),
            lambda ready, done: shown("feedback", ready, len(done)),
        )

    def _give(
        self, given: Sequence[Feedback], ready: Ready
    ) -> Result[tuple[CriticUpdateResult, ...], CoreError]:
        return Result.do(
            done
            for _ in keyless([one.id for one in given], "feedback_id")
            for _ in find_claim(_judged(given), ready.boundary, ready.policy)(self.deps)
            for done in critic.process_feedbacks(given, ready.policy, boundary=ready.boundary)(
                self.deps
            )
        )

    def distill(
        self, text: str, **fields: Unpack[DistillFields]
    ) -> Result[IntegrationResult, CoreError]:
        """Make one claim of others, in the same or a slower scope."""
        boundary, rest = apart(fields)
        return self.run(
            "distill",
            boundary,
            lambda ready: Result.do(
                done
                for wanted in parse(Distillation, {"text": text, **rest})
                for done in integrator.distill(wanted, ready.boundary, ready.policy)(self.deps)
            ),
        )

    def integrate(
        self,
        claims: Sequence[AnyClaim] | ExtractionResult,
        *,
        options: IntegrationOptions = DEFAULT_OPTIONS,
        boundary: Boundary | None = None,
    ) -> Result[IntegrationResult, CoreError]:
        """Write claims that were made elsewhere, all or none."""
        given = claims.claims if isinstance(claims, ExtractionResult) else claims
        return self.run(
            "integrate",
            boundary,
            lambda ready: Result.do(
                done
                for valid in all_are(ClaimBase, given, "claims")
                for _ in keyless([one.id for one in valid], "claim id")
                for how in all_are(IntegrationOptions, [options], "options")
                for done in integrator.integrate_extraction(
                    _extraction(claims), ready.boundary, ready.policy, options=how[0]
                )(self.deps)
            ),
        )

    def claim(
        self, claim_id: str, *, boundary: Boundary | None = None
    ) -> Result[AnyClaim, CoreError]:
        """Return a claim, or the one it was merged into, if the boundary shows it."""
        return self.run(
            "claim",
            boundary,
            lambda ready: Result.do(
                found[0].claim
                for one in parse_id(ClaimId, claim_id)
                for found in find_claim([one], ready.boundary, ready.policy)(self.deps)
            ),
            lambda ready, _: shown("claim", ready, 1),
        )

    def evidence(
        self, claim_id: str, *, boundary: Boundary | None = None
    ) -> Result[tuple[Evidence, ...], CoreError]:
        """Return why a claim is believed, if the boundary shows it."""
        return self.run(
            "evidence",
            boundary,
            lambda ready: Result.do(
                known
                for one in parse_id(ClaimId, claim_id)
                for known in find_evidence(one, ready.boundary, ready.policy)(self.deps)
            ),
            lambda ready, _: shown("evidence", ready, 1),
        )

    def context(
        self, active_context_id: str, *, boundary: Boundary | None = None
    ) -> Result[tuple[ActiveContext, tuple[ActiveContextItem, ...]], CoreError]:
        """Return an active context and the ranks of those of its items that the boundary shows.

        A context that expired is a failure.
        """
        return self.run(
            "context",
            boundary,
            lambda ready: Result.do(
                told
                for one in parse_id(ActiveContextId, active_context_id)
                for saved in contexts.find(one)(self.deps)
                for told in shown_context(saved, ready.boundary, ready.policy)(self.deps)
            ),
            lambda ready, told: shown("context", ready, len(told[1])),
        )

    def decay(self) -> Result[DecayResult, CoreError]:
        """Write the decayed measures of every claim; rankings do not move."""
        return self.run("decay", None, lambda ready: critic.decay(ready.policy)(self.deps))


def _judged(feedbacks: Sequence[Feedback]) -> list[ClaimId]:
    """Return every claim that feedback speaks of: it must be visible, the one to keep included."""
    named = [(one.claim_id, one.duplicate_of) for one in feedbacks]
    return [claim_id for pair in named for claim_id in pair if claim_id is not None]


def _extraction(claims: Sequence[AnyClaim] | ExtractionResult) -> ExtractionResult:
    if isinstance(claims, ExtractionResult):
        return claims
    return ExtractionResult(claims=tuple(claims))
