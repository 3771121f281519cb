"""The keyword arguments of the operations, typed once for both styles of calling."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from pce_memory.domain.audit import DecisionKind
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.graph import Entity, Relation
from pce_memory.domain.provenance import Provenance
from pce_memory.domain.vocabulary import BoundaryClass, ClaimKind, Scope, SourceType


class ObserveFields(TypedDict, total=False):
    """What may be said of an observation beside its text.

    source_type: chat (default), tool, file, http or system.
    source_id: where it stands there, such as a path, a URL or a message id.
    actor: who said it. tags: words, key=value or key:value; at most 32.
    observed_at: when it happened, in UTC epoch seconds; now if left out.
    idempotency_key: a repeated call with the same key returns what the first one did.
    entities, relations: what the caller knows it is about.
    boundary: instead of the memory's own.
    """

    source_type: SourceType
    source_id: str | None
    actor: str | None
    tags: Sequence[str]
    observed_at: float | None
    idempotency_key: str | None
    provenance: Provenance | None
    entities: Sequence[Entity]
    relations: Sequence[Relation]
    boundary: Boundary | None


class ActivateFields(TypedDict, total=False):
    """How a query is answered.

    scope, allow: narrow the boundary; they can never widen it.
    top_k: at most so many items, 1 to 100; the policy's k_final if left out.
    include_meta: whether items carry every score.
    boundary: instead of the memory's own.
    """

    scope: Sequence[Scope] | None
    allow: Sequence[str] | None
    top_k: int | None
    include_meta: bool
    boundary: Boundary | None


class ValidateFields(TypedDict, total=False):
    """How a payload is judged.

    allow: tags it is meant for; they narrow the boundary's and can never widen them.
    scope: where it goes; any of the boundary's if left out.
    boundary_class: which class it is said to have; the stricter of this and what is found counts.
    boundary: instead of the memory's own.
    """

    allow: Sequence[str] | None
    scope: Scope | None
    boundary_class: BoundaryClass | None
    boundary: Boundary | None


class ExplainFields(TypedDict, total=False):
    """For whom it is explained.

    allow, scope: instead of the boundary's, wider or narrower. boundary: instead of the memory's.
    """

    allow: Sequence[str]
    scope: Sequence[Scope]
    boundary: Boundary | None


class ExplainSearchFields(TypedDict, total=False):
    """What is searched: as in `ActivateFields`.

    scope, allow: narrow the boundary; they can never widen it. top_k: at most so many are shown.
    boundary: of the caller who asks, instead of the memory's own.
    """

    scope: Sequence[Scope] | None
    allow: Sequence[str] | None
    top_k: int | None
    boundary: Boundary | None


class AuditFields(TypedDict, total=False):
    """Which decisions to show.

    who: the actor of a boundary, a reviewer or an approver. tool: the operation, such as activate.
    decision: allowed, redacted, queued or denied. policy_version: under which it was made.
    since, until: UTC epoch seconds; until is left out. limit: at most so many; 100.
    """

    who: str | None
    tool: str | None
    decision: DecisionKind | None
    policy_version: str | None
    since: float | None
    until: float | None
    limit: int


class ForgetFields(TypedDict, total=False):
    """What to forget, and how: exactly one of the first five.

    claim_id: a claim, under any id it ever had. observation_id: what was observed, and the claims
    that rest on it alone. actor: all that somebody said. query: what holds every word.
    document_id: a document, by the id this memory gave it.
    dry_run: only tell what would be erased. derived: also claims made of these; True.
    compact: rewrite the file, so that no freed block holds the bytes; True.
    boundary: erase only what it shows; without one it is the owner who asks, for everything.
    """

    claim_id: str | None
    observation_id: str | None
    actor: str | None
    query: str | None
    document_id: str | None
    dry_run: bool
    derived: bool
    compact: bool
    boundary: Boundary | None


class FeedbackFields(TypedDict, total=False):
    """What may be said of a signal.

    score: its strength, -1 to 1, with the sign of the signal. duplicate_of: the claim to keep.
    feedback_id: repeated, the signal counts once. ts: when it was given, in UTC epoch seconds.
    boundary: instead of the memory's own.
    """

    score: float | None
    duplicate_of: str | None
    feedback_id: str | None
    ts: float | None
    boundary: Boundary | None


class JudgeFields(TypedDict, total=False):
    """How a claim is judged.

    score: what somebody else says of it, 0 to 100; without one the memory's judge is asked.
    judgement_id: repeated, the score counts once. boundary: instead of the memory's own.
    """

    score: float | None
    judgement_id: str | None
    boundary: Boundary | None


class DistillFields(TypedDict, total=False):
    """What a distilled claim is made of.

    claim_ids or active_context_id: its sources. provenance: who says so, and when; required.
    scope: the sources' slowest, or a slower one. kind, note: of the new claim.
    boundary: instead of the memory's own.
    """

    claim_ids: Sequence[str]
    active_context_id: str | None
    provenance: Provenance
    scope: Scope | None
    kind: ClaimKind
    note: str | None
    boundary: Boundary | None


class ApplyFields(TypedDict, total=False):
    """How a policy is put in force.

    validate_only, dry_run: only say whether it could be; `preview_policy` counts the changes.
    expected_version: only if this one is in force.
    approver: who answers for it; kept in the history. allow_downgrade: also over a higher version.
    bases: the texts of the policies it extends, by their key; else only packaged ones are found.
    """

    validate_only: bool
    dry_run: bool
    expected_version: str | None
    approver: str | None
    allow_downgrade: bool
    bases: Mapping[str, str]
