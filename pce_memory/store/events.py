"""The events table: what happened, as ids, counts and digests, never text."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias
from weakref import WeakKeyDictionary

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Database, Row
from pce_memory.domain.model import EpochSeconds, Model
from pce_memory.domain.policy import Policy, seconds
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store import audit
from pce_memory.store.fitting import fitting
from pce_memory.store.statements import rows_json, statements

SQL: Final = statements("events")
ERASURES: Final = statements("erasure")
EACH: Final = 256
"""After so many events the old ones are swept: also where nobody ever calls `maintain`."""
Payload: TypeAlias = Mapping[str, object]
_BEGIN: Final = 0.0
_WRITTEN: Final[WeakKeyDictionary[Database, int]] = WeakKeyDictionary()

Topic: TypeAlias = Literal[
    "ingest",
    "integrate",
    "redact",
    "activate",
    "search_fallback",
    "critic",
    "decay",
    "promote",
    "policy",
    "schema",
    "gc",
    "review",
    "forget",
    "reembed",
    "reindex",
    "sort",
    "repair",
    "opening",
    "run",
    "fusion",
]

Happened: TypeAlias = tuple[Topic, Payload]


class Event(Model):
    """One thing that happened."""

    id: str
    ts: EpochSeconds
    topic: str
    payload: Mapping[str, object]
    request_id: str | None
    trace_id: str | None


@reader
def record(
    deps: CoreDeps, topic: Topic, payload: Payload, *, policy_version: str
) -> Result[None, StoreError]:
    """Append one event; its request gets an id of its own."""
    return record_each([(topic, payload)], policy_version=policy_version)(deps)


@reader
def record_each(
    deps: CoreDeps, happened: Sequence[Happened], *, policy_version: str
) -> Result[None, StoreError]:
    """Append events in one statement; the request of each gets an id of its own."""
    rows = [_row(deps, topic, payload, policy_version) for topic, payload in happened]
    return Result.do(
        None
        for _ in deps.db.execute(SQL["insert_events"], {"rows": rows_json(rows)})
        for _ in (_swept(deps) if _is_due(deps.db, len(rows)) else Success(0))
    )


def _row(
    deps: CoreDeps, topic: Topic, payload: Payload, policy_version: str
) -> Mapping[str, object]:
    request_id = deps.ids("req_")
    # What has a column of its own is not written twice: half of a row was that.
    body = {**payload, "policy_version": policy_version}
    return {
        "id": deps.ids("evt_"),
        "ts": deps.clock(),
        "topic": topic,
        "payload": json.dumps(body, ensure_ascii=True, separators=(",", ":")),
        "request_id": request_id,
    }


def _is_due(db: Database, count: int) -> bool:
    """Return whether so many events were written that it is time to sweep."""
    written = _WRITTEN.get(db, 0) + count
    _WRITTEN[db] = written % EACH
    return written >= EACH


def _swept(deps: CoreDeps) -> Result[int, StoreError]:
    """Sweep the records of what happened; where no policy is in force, none is swept."""
    policy = deps.policy_store.get_current().value_or(None)
    return Success(0) if policy is None else sweep(policy, now=deps.clock())(deps)


@reader
def sweep(deps: CoreDeps, policy: Policy, *, now: float) -> Result[int, StoreError]:
    """Forget events, digests of erasures and audit records that a policy keeps no longer.

    Return how many audit records those were.
    """
    kept = policy.retention
    before = max(now - seconds(kept.events), _BEGIN)
    erased = max(now - seconds(kept.erasures), _BEGIN)
    return Result.do(
        swept
        for _ in deps.db.execute(SQL["sweep_events"], {"before": before, "most": kept.most_events})
        for _ in deps.db.execute(ERASURES["sweep_erasures"], {"before": erased})
        for swept in audit.sweep(policy, now=now)(deps)
    )


@reader
def newest(
    deps: CoreDeps, *, topic: str | None = None, limit: int = 100
) -> Result[tuple[Event, ...], StoreError]:
    """Return the newest events, of one topic or of all."""
    return deps.db.query(SQL["events"], {"topic": topic, "limit": limit}).map(
        lambda rows: tuple(fitting(rows, _event))
    )


def _event(row: Row) -> Event:
    ids = {"request_id": row["request_id"], "trace_id": row["trace_id"]}
    return Event.model_validate({**row, "payload": {**json.loads(row["payload"]), **ids}})
