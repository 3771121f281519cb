"""The operations that keep a memory in its bounds: judge, review, audit, forget, sweep."""

from collections.abc import Sequence
from typing import Unpack

from returns.result import Result

from pce_memory.domain.arguments import (
    ApplyFields,
    AuditFields,
    ForgetFields,
    ValidateFields,
)
from pce_memory.domain.audit import AuditQuery, AuditRecord
from pce_memory.domain.boundary import Boundary, BoundaryValidationResult
from pce_memory.domain.erasure import Erasure, ForgetResult, Forgetting
from pce_memory.domain.ids import PolicyVersion, ReviewId, parse_id
from pce_memory.domain.impact import PolicyImpact, PreviewQuery
from pce_memory.domain.model import parse
from pce_memory.domain.policy import Policy
from pce_memory.domain.policy_record import PolicyRecord
from pce_memory.domain.review import Review, ReviewQuery, ReviewStatus, Verdict
from pce_memory.engine import reviewing
from pce_memory.engine.explanations import Explanations
from pce_memory.engine.forgetting import forget
from pce_memory.engine.fusion.results import FusionResults
from pce_memory.engine.impact import policy_impact
from pce_memory.engine.maintain import MaintenanceResult, maintain
from pce_memory.engine.policies import apply_policy, policy_history
from pce_memory.engine.ready import Ready, all_are, settled
from pce_memory.engine.running import Runner, apart
from pce_memory.engine.validating import Payload, judged, validate
from pce_memory.errors import CoreError
from pce_memory.store import audit, erasure
from pce_memory.store.audit import Decision, decided
from pce_memory.text.secrecy import storable


class ReviewResults:
    """The review queue, each operation returning a Result."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def list(
        self,
        *,
        status: ReviewStatus | None = "pending",
        limit: int = 100,
        boundary: Boundary | None = None,
    ) -> Result[tuple[Review, ...], CoreError]:
        """Return reviews, those that are due first on top; status None is all.

        A claim's text is told only where the boundary would show it. With a boundary, only reviews
        of claims that it would show are listed.
        """
        return self._runner.run(
            "reviews.list",
            boundary,
            lambda ready: Result.do(
                found
                for wanted in parse(ReviewQuery, {"status": status, "limit": limit})
                for found in reviewing.queue(
                    wanted, ready.boundary, ready.policy, only_shown=boundary is not None
                )(self._runner.deps)
            ),
            reviewing.listed,
        )

    def approve(
        self, review_id: str, *, reviewer: str, note: str | None = None
    ) -> Result[Review, CoreError]:
        """Let a claim in: from now on it is shown as any other of its class."""
        return self._decide(review_id, "approved", reviewer, note)

    def reject(
        self, review_id: str, *, reviewer: str, note: str | None = None
    ) -> Result[Review, CoreError]:
        """Erase a claim that waits, and what it was drawn from; a digest stays."""
        return self._decide(review_id, "rejected", reviewer, note)

    def _decide(
        self, review_id: str, status: ReviewStatus, reviewer: object, note: object
    ) -> Result[Review, CoreError]:
        said = {"review_id": review_id, "status": status, "reviewer": reviewer, "note": note}

        def work(ready: Ready) -> Result[Review, CoreError]:
            return Result.do(
                review
                for _ in parse_id(ReviewId, review_id)
                for verdict in parse(Verdict, said)
                for _ in storable(reviewer=verdict.reviewer, note=verdict.note)
                for review in reviewing.decide(verdict, ready.policy)(self._runner.deps)
            )

        tool = "reviews.approve" if status == "approved" else "reviews.reject"
        return self._runner.run(tool, None, work)


class Governed(Explanations):
    """What keeps a memory in its bounds, each operation returning a Result."""

    @property
    def reviews(self) -> ReviewResults:
        """The claims that wait for a human."""
        return ReviewResults(self)

    @property
    def fusion(self) -> FusionResults:
        """Lanes, runs, and what they are blended into."""
        return FusionResults(self)

    def policy(self) -> Result[Policy, CoreError]:
        """Return the policy in force."""
        return self.run("policy", None, lambda ready: Result.from_value(ready.policy))

    def apply_policy(
        self, yaml: str, name: str = "policy.yaml", **how: Unpack[ApplyFields]
    ) -> Result[PolicyVersion, CoreError]:
        """Put a policy in force; `name` stands before every fault.

        Keywords: validate_only, dry_run, expected_version, approver, allow_downgrade, bases; see
        `ApplyFields`.
        """

        # It asks for no policy in force: a file without one is mended by applying one.
        def work() -> Result[PolicyVersion, CoreError]:
            return Result.do(
                version
                for texts in all_are(str, [yaml, name], "policy")
                for _ in all_are(str, _said(how.get("approver")), "approver")
                for version in apply_policy(texts[0], texts[1], **how)(self.deps)
                for _ in self._record(_applied(how, self.boundary, version))
            )

        return settled(work)

    def policy_history(self) -> Result[tuple[PolicyRecord, ...], CoreError]:
        """Return every time that a policy was put in force, the newest first."""
        return self.run("policy.history", None, lambda _: policy_history()(self.deps))

    def preview(
        self, policy: Policy, *, allow: Sequence[str] = (), ids: bool = False
    ) -> Result[PolicyImpact, CoreError]:
        """Return what would change on this file if a policy were put in force."""
        return self.run(
            "policy.preview",
            None,
            lambda ready: Result.do(
                impact
                for after in all_are(Policy, [policy], "policy")
                for wanted in parse(PreviewQuery, {"allow": allow, "ids": ids})
                for _ in storable(allow=wanted.allow)
                for impact in policy_impact(ready.policy, after[0], wanted)(self.deps)
            ),
        )

    def validate(
        self, payload: str, **fields: Unpack[ValidateFields]
    ) -> Result[BoundaryValidationResult, CoreError]:
        """Judge a payload before it is stored, shown or sent: allowed or not, why, and redacted.

        Keywords: allow, scope, boundary_class, boundary; see `ValidateFields`.
        """
        boundary, rest = apart(fields)
        return self.run(
            "validate",
            boundary,
            lambda ready: Result.do(
                judgement
                for given in parse(Payload, {"payload": payload, **rest})
                for judgement in validate(self.deps, given, ready.boundary, ready.policy)
            ),
            lambda ready, judgement: judged(self.deps, payload, ready, judgement),
        )

    def audit(self, **wanted: Unpack[AuditFields]) -> Result[tuple[AuditRecord, ...], CoreError]:
        """Return decisions, the newest first: those that fit everything that is given.

        Keywords: who, tool, decision, policy_version, since, until, limit; see `AuditFields`.
        """
        return self.run(
            "audit",
            None,
            lambda _: Result.do(
                found
                for query in parse(AuditQuery, wanted)
                for found in audit.find(query)(self.deps)
            ),
        )

    def forget(self, **wanted: Unpack[ForgetFields]) -> Result[ForgetResult, CoreError]:
        """Erase for good a claim, an observation, what somebody said, or what holds some words.

        Keywords: claim_id, observation_id, actor or query; dry_run, derived, compact, boundary;
        see `ForgetFields`.
        """
        boundary, rest = apart(wanted)
        return self.run(
            "forget",
            boundary,
            lambda ready: Result.do(
                done
                for what in parse(Forgetting, rest)
                for done in forget(what, ready.boundary, ready.policy, owner=boundary is None)(
                    self.deps
                )
            ),
            _looked,
        )

    def erasures(self, text: str | None = None) -> Result[tuple[Erasure, ...], CoreError]:
        """Return what was erased, the newest first; of one exact text, or of all."""
        return self.run(
            "erasures",
            None,
            lambda _: Result.do(
                found
                for texts in all_are(str, [] if text is None else [text], "text")
                for digest in Result.from_value(self.deps.digest(texts[0]) if texts else None)
                for found in erasure.erasures(digest=digest)(self.deps)
            ),
        )

    def maintain(self) -> Result[MaintenanceResult, CoreError]:
        """Decay measures, erase claims past their ttl, scrub observations, drop old records."""
        return self.run("maintain", None, lambda ready: maintain(ready.policy)(self.deps))


def _said(value: object) -> Sequence[object]:
    return () if value is None else (value,)


def _applied(how: ApplyFields, boundary: Boundary, version: PolicyVersion) -> Decision | None:
    if how.get("validate_only") or how.get("dry_run"):
        return None
    who = how.get("approver") or boundary.actor
    return Decision("policy.apply", "allowed", version, who=who)


def _looked(ready: Ready, done: ForgetResult) -> Decision | None:
    """Return what the audit is told of a dry run; what was erased was told as it was."""
    if not done.dry_run:
        return None
    counts = {"claims": len(done.claims), "observations": len(done.observations)}
    return decided(
        "forget", "allowed", ready.boundary, ready.policy, reason="dry run", counts=counts
    )
