"""The active contexts: short-lived answers, kept with their items."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.context import ActivationResult, ActiveContext, ActiveContextItem
from pce_memory.domain.ids import ActiveContextId, ClaimId
from pce_memory.errors import SearchFailed, StoreError
from pce_memory.result import reader
from pce_memory.store.fitting import fitting
from pce_memory.store.reach import Reach, covers, is_reach, reach_of
from pce_memory.store.statements import rows_json, statements

SQL: Final = statements("contexts")


@dataclass(frozen=True, slots=True)
class SavedContext:
    """An active context with its items, and what the query that made it reached.

    The items name claims by the ids of their rows, not as these are called outside.
    """

    context: ActiveContext
    items: tuple[ActiveContextItem, ...]
    reach: Reach


@reader
def reaches(
    deps: CoreDeps, saved: SavedContext, boundary: Boundary, policy_version: str
) -> Result[bool, StoreError]:
    """Return whether a boundary, narrowed, reaches all that a context was made under."""
    wide = covers(reach_of(boundary, deps.digest), saved.reach)
    return Success(wide and saved.context.policy_version == policy_version)


@reader
def insert(
    deps: CoreDeps, activation: ActivationResult, ids: Sequence[ClaimId], *, query_digest: str
) -> Result[None, StoreError]:
    """Write an active context and its items; `ids` are those of the rows of their claims."""
    context = activation.active_context
    provenance = [item.model_dump(mode="json") for item in context.provenance or ()]
    reach = reach_of(activation.boundary, deps.digest)
    params = {
        "id": context.id,
        "span": context.window,
        "scope": context.scope,
        "provenance": json.dumps(provenance, ensure_ascii=False),
        "policy_version": context.policy_version,
        "boundary": json.dumps(reach, ensure_ascii=False),
        "query_digest": query_digest,
        "created_at": context.created_at,
        "expires_at": context.expires_at,
    }
    items = [
        {"claim_id": claim_id, "rank": item.rank, "score": item.score, "reason": item.reason}
        for claim_id, item in zip(ids, activation.items, strict=True)
    ]
    return Result.do(
        None
        for _ in deps.db.execute(SQL["insert_context"], params)
        for _ in deps.db.execute(
            SQL["insert_items"], {"ac_id": context.id, "rows": rows_json(items)}
        )
    )


@reader
def find(
    deps: CoreDeps, ac_id: ActiveContextId
) -> Result[SavedContext, StoreError | SearchFailed]:
    """Return an active context and its items; one that expired is a failure."""
    return Result.do(
        SavedContext(context, tuple(fitting(items, ActiveContextItem.model_validate)), reach)
        for rows in deps.db.query(SQL["context_by_id"], {"id": ac_id})
        for context, reach in _living(rows, deps.clock())
        for items in deps.db.query(SQL["items_of_context"], {"ac_id": ac_id})
    )


@reader
def drop_expired(deps: CoreDeps, *, now: float) -> Result[None, StoreError]:
    """Remove the active contexts that expired."""
    return Result.do(
        None
        for _ in deps.db.execute(SQL["drop_expired_items"], {"now": now})
        for _ in deps.db.execute(SQL["drop_expired_contexts"], {"now": now})
    )


def _living(rows: Sequence[Row], now: float) -> Result[tuple[ActiveContext, Reach], SearchFailed]:
    """Return a context with its reach; one that cannot be read is as good as not there."""
    context = next(fitting(rows, as_context), None)
    if context is None:
        return Failure(SearchFailed("", "no such active context"))
    if context[0].expires_at <= now:
        return Failure(SearchFailed("", "active context expired"))
    return Success(context)


def as_context(row: Row) -> tuple[ActiveContext, Reach]:
    """Return a row of contexts as the model, and what the query that made it reached."""
    fields = dict(row)
    fields["window"] = fields.pop("span")
    reach: object = json.loads(fields.pop("boundary"))
    fields["provenance"] = json.loads(fields["provenance"]) or None
    if not is_reach(reach):
        message = "boundary"
        raise ValueError(message)
    return ActiveContext.model_validate(fields), cast("Reach", reach)
