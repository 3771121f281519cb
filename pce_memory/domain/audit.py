"""Audit records: every decision of the boundary, as ids, counts and digests, never text."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.ids import PolicyVersionField
from pce_memory.domain.model import EpochSeconds, Model
from pce_memory.domain.vocabulary import BoundaryClass, Scope

DecisionKind: TypeAlias = Literal["allowed", "redacted", "queued", "denied"]
"""From the mildest to the strictest."""


class AuditRecord(Model):
    """One decision: who asked, by which operation, what was decided, and why.

    who: the actor of the boundary, a reviewer or an approver; an HMAC where it is personal data.
    scopes, classes: what the decision was about. counts: how many claims, and what was redacted by
    kind. digests: HMACs under the file's key of the texts it was about.
    """

    id: str
    ts: EpochSeconds
    request_id: str
    who: str | None
    tool: str
    scopes: tuple[Scope, ...]
    classes: tuple[BoundaryClass, ...]
    policy_version: PolicyVersionField
    decision: DecisionKind
    reason: str | None
    counts: Mapping[str, int]
    digests: Mapping[str, str]


class AuditQuery(Model):
    """Which decisions to show: those that fit everything that is given, the newest first."""

    who: Annotated[str, Field(strict=True, min_length=1, max_length=512)] | None = None
    tool: Annotated[str, Field(strict=True, min_length=1, max_length=64)] | None = None
    decision: DecisionKind | None = None
    policy_version: PolicyVersionField | None = None
    since: EpochSeconds | None = None
    until: EpochSeconds | None = None
    limit: Annotated[int, Field(ge=1, le=10_000)] = 100
