"""Make claims of redacted text: split, class, kind, scope, hash, evidence."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from returns.result import Failure, Result, Success

from pce_memory.deps import Ids
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import MAX_CLAIM_CHARS, Claim
from pce_memory.domain.extraction import ExtractionResult, Refusal
from pce_memory.domain.ids import ClaimId, EvidenceId
from pce_memory.domain.observation import Observation
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence
from pce_memory.domain.vocabulary import BoundaryClass, ClaimKind, Scope, stricter
from pce_memory.errors import BoundaryDenied, InvalidParameter
from pce_memory.policy.escalation import escalation_of
from pce_memory.policy.redaction import detected_class
from pce_memory.text.content_hash import content_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pce_memory.extractor.split import Segment

FRAGMENT: Final = "FRAGMENT"
"""The code of a piece too short to be a claim."""


@dataclass(frozen=True, slots=True)
class Made:
    """Claims with evidence, and the pieces that made none."""

    extraction: ExtractionResult
    refused: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class ClaimMaker:
    """Makes the claims of one observation, under one boundary, at one moment."""

    observation: Observation
    boundary: Boundary
    now: float
    ids: Ids
    policy: Policy

    def make(self, text: str) -> Result[Made, InvalidParameter]:
        """Return the claims of a redacted text: one for each piece that says something new."""
        # The patterns of split and classify are compiled with the first observation.
        from pce_memory.extractor.split import split  # noqa: PLC0415

        segments = split(text, max_chars=MAX_CLAIM_CHARS)
        if len(segments) > self.policy.extraction.max_claims:
            reason = (
                f"it makes {len(segments)} claims; the policy allows "
                f"{self.policy.extraction.max_claims} from one observation; split it"
            )
            return Failure(InvalidParameter("content", reason))
        return Success(self._made(segments))

    def _made(self, segments: "Sequence[Segment]") -> Made:
        claims: dict[str, Claim] = {}
        refused: list[Refusal] = []
        for position, segment in enumerate(segments, start=1):
            boundary_class, why = self._judge(segment)
            if why is not None:
                code, reason = why
                refused.append(
                    Refusal(
                        position=position,
                        line=segment.line,
                        length=len(segment.text),
                        code=code,
                        reason=reason,
                    )
                )
                continue
            digest = content_hash(segment.text)
            if digest not in claims:
                claims[digest] = self._claim(segment, boundary_class, digest)
        evidences = tuple(self._evidence(claim) for claim in claims.values())
        return Made(
            ExtractionResult(claims=tuple(claims.values()), evidences=evidences), tuple(refused)
        )

    def _judge(self, segment: "Segment") -> tuple[BoundaryClass, tuple[str, str] | None]:
        """Return the class of a piece, and the code and reason where it cannot be kept."""
        if segment.fragment:
            return "internal", (FRAGMENT, "it is too short to say something")
        # What was redacted is gone from the text: only what is left decides.
        found = stricter("internal", detected_class(segment.text, self.policy))
        if found == "secret":
            return found, (BoundaryDenied.code, "a secret is left in it")
        if escalation_of(found, self.policy) == "deny":
            return found, (BoundaryDenied.code, f"the policy keeps no claim of class {found}")
        if found in self.boundary.boundary_classes:
            return found, None
        return found, (BoundaryDenied.code, f"its class {found} is outside the boundary")

    def _scope(self, kind: ClaimKind) -> Scope:
        order: tuple[Scope, ...] = ("project", "session", "principle")
        if kind == "policy_hint":
            order = ("principle", *order)
        return next(scope for scope in order if scope in self.boundary.scope)

    def _claim(self, segment: "Segment", boundary_class: BoundaryClass, digest: str) -> Claim:
        from pce_memory.extractor.classify import classify_kind  # noqa: PLC0415 - as above

        kind = classify_kind(segment.text, checkbox=segment.checkbox)
        seen = self.observation
        known = (seen.actor is not None) + (seen.source_id is not None)
        return Claim(
            id=ClaimId(self.ids("clm_")),
            text=segment.text,
            kind=kind,
            scope=self._scope(kind),
            boundary_class=boundary_class,
            origin_observation_id=seen.id,
            quality=min(1.0, 0.5 + 0.1 * known),
            content_hash=digest,
            created_at=self.now,
            updated_at=self.now,
            recency_anchor=self.now,
            tags=seen.tags or (),
        )

    def _evidence(self, claim: Claim) -> Evidence:
        seen = self.observation
        return Evidence(
            id=EvidenceId(self.ids("evd_")),
            claim_id=claim.id,
            observation_id=seen.id,
            method="rule",
            source_type=seen.source_type,
            source_id=seen.source_id,
            created_at=self.now,
            provenance=seen.provenance,
        )
