"""The events table: what happened, as ids, counts and digests, never text."""

import json
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from returns.result import Result

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.model import EpochSeconds, Model
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.fitting import fitting
from pce_memory.store.statements import statements

SQL: Final = statements("events")

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
    deps: CoreDeps, topic: Topic, payload: Mapping[str, object], *, policy_version: str
) -> Result[None, StoreError]:
    """Append one event; its request gets an id of its own."""
    request_id = deps.ids("req_")
    body = {**payload, "policy_version": policy_version, "request_id": request_id}
    params = {
        "id": deps.ids("evt_"),
        "ts": deps.clock(),
        "topic": topic,
        "payload": json.dumps({**body, "trace_id": request_id}, ensure_ascii=True),
        "request_id": request_id,
        "trace_id": request_id,
    }
    return deps.db.execute(SQL["insert_event"], params)


@reader
def newest(
    deps: CoreDeps, *, topic: str | None = None, limit: int = 100
) -> Result[tuple[Event, ...], StoreError]:
    """Return the newest events, of one topic or of all."""
    return deps.db.query(SQL["events"], {"topic": topic, "limit": limit}).map(
        lambda rows: tuple(fitting(rows, _event))
    )


def _event(row: Row) -> Event:
    return Event.model_validate({**row, "payload": json.loads(row["payload"])})
