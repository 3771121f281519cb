"""Make claims of redacted text: split, class, kind, scope, hash, evidence."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pce_memory.deps import Ids
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import MAX_CLAIM_CHARS, Claim
from pce_memory.domain.extraction import ExtractionResult, Refusal
from pce_memory.domain.ids import ClaimId, EvidenceId
from pce_memory.domain.observation import Observation
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence
from pce_memory.domain.vocabulary import BoundaryClass, ClaimKind, Scope, stricter
from pce_memory.errors import BoundaryDenied
from pce_memory.policy.escalation import escalation_of
from pce_memory.policy.redaction import Classifier, classifier
from pce_memory.text.content_hash import content_hash

if TYPE_CHECKING:
    from pce_memory.extractor.split import Segment

FRAGMENT: Final = "FRAGMENT"
"""The code of a piece too short to be a claim."""
OVER_LIMIT: Final = "OVER_LIMIT"
"""The code of the first piece beyond the claims that a policy allows from one observation."""


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

    def make(self, text: str) -> Made:
        """Return the claims of a redacted text: one for each piece that says something new.

        Pieces that make no claim do not count for the limit. Beyond it nothing is kept.
        """
        # The patterns of split and classify are compiled with the first observation.
        from pce_memory.extractor.split import segments  # noqa: PLC0415

        class_of = classifier(self.policy)
        claims: dict[str, Claim] = {}
        refused: list[Refusal] = []
        for position, segment in enumerate(segments(text, max_chars=MAX_CLAIM_CHARS), start=1):
            boundary_class, why = self._judge(segment, class_of)
            if why is not None:
                refused.append(_refusal(segment, position, *why))
                continue
            digest = content_hash(segment.text)
            if digest in claims:
                continue
            if len(claims) == self.policy.extraction.max_claims:
                refused.append(_refusal(segment, position, OVER_LIMIT, self._full()))
                break
            claims[digest] = self._claim(segment, boundary_class, digest)
        evidences = tuple(self._evidence(claim) for claim in claims.values())
        return Made(
            ExtractionResult(claims=tuple(claims.values()), evidences=evidences), tuple(refused)
        )

    def _full(self) -> str:
        most = self.policy.extraction.max_claims
        return (
            f"nothing from here on is kept: the policy allows {most} claims from one observation; "
            "give the rest as another"
        )

    def _judge(
        self, segment: "Segment", class_of: Classifier
    ) -> tuple[BoundaryClass, tuple[str, str] | None]:
        """Return the class of a piece, and the code and reason where it cannot be kept."""
        if segment.fragment:
            return "internal", (FRAGMENT, "it is too short to say something")
        # What was redacted is gone from the text: only what is left decides.
        found = stricter("internal", class_of(segment.text))
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


def _refusal(segment: "Segment", position: int, code: str, reason: str) -> Refusal:
    return Refusal(
        position=position, line=segment.line, length=len(segment.text), code=code, reason=reason
    )
