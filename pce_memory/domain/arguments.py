"""The keyword arguments of the operations, typed once for both styles of calling."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from pce_memory.domain.boundary import Boundary
from pce_memory.domain.graph import Entity, Relation
from pce_memory.domain.provenance import Provenance
from pce_memory.domain.vocabulary import ClaimKind, Scope, SourceType


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

    validate_only: only say whether it could be. expected_version: only if this one is in force.
    approver: who answers for it; kept in the history. allow_downgrade: also over a higher version.
    bases: the texts of the policies it extends, by their key; else only packaged ones are found.
    """

    validate_only: bool
    expected_version: str | None
    approver: str | None
    allow_downgrade: bool
    bases: Mapping[str, str]
