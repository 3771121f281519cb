"""The audit table: what was decided, for whom and why, as ids, counts and digests."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.audit import AuditQuery, AuditRecord, DecisionKind
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.policy import Policy, seconds
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES, BoundaryClass, Scope
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.fitting import fitting
from pce_memory.store.statements import rows_json, statements
from pce_memory.text.detect import detect

SQL: Final = statements("audit")
_BEGIN: Final = 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, before it is written."""

    tool: str
    decision: DecisionKind
    policy_version: str
    who: str | None = None
    scopes: tuple[Scope, ...] = ()
    classes: tuple[BoundaryClass, ...] = ()
    reason: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    digests: Mapping[str, str] = field(default_factory=dict[str, str])


def decided(
    tool: str,
    decision: DecisionKind,
    boundary: Boundary,
    policy: Policy,
    *,
    reason: str | None = None,
    counts: Mapping[str, int] | None = None,
) -> Decision:
    """Return a decision about what a boundary reaches."""
    return Decision(
        tool=tool,
        decision=decision,
        policy_version=policy.version,
        who=boundary.actor,
        scopes=tuple(one for one in SCOPES if one in boundary.scope),
        classes=tuple(one for one in BOUNDARY_CLASSES if one in boundary.boundary_classes),
        reason=reason,
        counts=counts or {},
    )


@reader
def record(deps: CoreDeps, decisions: Sequence[Decision]) -> Result[None, StoreError]:
    """Append decisions; those of one call share the id of its request."""
    if not decisions:
        return Success(None)
    request_id = deps.ids("req_")
    rows = [_row(deps, one, request_id) for one in decisions]
    return deps.db.execute(SQL["insert_audit"], {"rows": rows_json(rows), "now": deps.clock()})


@reader
def find(deps: CoreDeps, query: AuditQuery) -> Result[tuple[AuditRecord, ...], StoreError]:
    """Return the newest decisions that fit."""
    # Somebody may have been forgotten, and be known by a digest only.
    digest = None if query.who is None else deps.digest(query.who)
    params = {**query.model_dump(), "digest": digest}
    return deps.db.query(SQL["audit"], params).map(lambda rows: tuple(fitting(rows, _record)))


@reader
def sweep(deps: CoreDeps, policy: Policy, *, now: float) -> Result[int, StoreError]:
    """Forget decisions that are older than the policy keeps them; return how many."""
    params = {"before": max(now - seconds(policy.retention.audit), _BEGIN)}
    return Result.do(
        int(counted[0]["n"])
        for counted in deps.db.query(SQL["count_old_audit"], params)
        for _ in deps.db.execute(SQL["sweep_audit"], params)
    )


def _row(deps: CoreDeps, one: Decision, request_id: str) -> Mapping[str, object]:
    return {
        "id": deps.ids("aud_"),
        "request_id": request_id,
        "who": _known_as(deps, one.who),
        "tool": one.tool,
        "scopes": one.scopes,
        "classes": one.classes,
        "policy_version": one.policy_version,
        "decision": one.decision,
        "reason": one.reason,
        "counts": one.counts,
        "digests": one.digests,
    }


def _known_as(deps: CoreDeps, who: str | None) -> str | None:
    """Return a name as it is told: a digest where it is an address, a number or a key."""
    return deps.digest(who) if who is not None and detect(who) else who


def _record(row: Row) -> AuditRecord:
    parsed = {name: json.loads(row[name]) for name in ("scopes", "classes", "counts", "digests")}
    return AuditRecord.model_validate({**row, **parsed}, strict=False)
