"""The observations table, and the outcomes of calls that gave an idempotency key."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.ids import ObservationId
from pce_memory.domain.observation import Observation
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.claims import literals
from pce_memory.store.fitting import fitting
from pce_memory.store.statements import rows_json, statements
from pce_memory.text.stream import stream_of

SQL: Final = statements("observations")


@dataclass(frozen=True, slots=True)
class Said:
    """Who said something, when (UTC epoch seconds), and the stream it is a part of."""

    by: str | None
    at: float
    stream: int | None


@reader
def insert(deps: CoreDeps, observations: Sequence[Observation]) -> Result[None, StoreError]:
    """Write observations, as they are to be kept."""
    if not observations:
        return Success(None)
    rows = [observation.model_dump(mode="json") for observation in observations]
    for row in rows:
        if row["observed_at"] is None:
            row["observed_at"] = row["created_at"]
    return deps.db.execute(SQL["insert_observations"], {"rows": rows_json(rows)})


@reader
def by_id(
    deps: CoreDeps, ids: Sequence[ObservationId]
) -> Result[tuple[Observation, ...], StoreError]:
    """Return observations as stored; ids that are not there are left out."""
    sql = SQL["observations_by_id"].replace("{ids}", literals(ids))
    return deps.db.query(sql).map(lambda rows: tuple(fitting(rows, as_observation)))


@reader
def said(
    deps: CoreDeps, ids: Sequence[ObservationId]
) -> Result[Mapping[ObservationId, Said], StoreError]:
    """Return who said these observations, when, and as a part of what."""
    if not ids:
        return Success({})
    sql = SQL["said"].replace("{ids}", literals(ids))
    return deps.db.query(sql).map(lambda rows: {row["id"]: _said(row) for row in rows})


def said_of(observation: Observation) -> Said:
    """Return who said an observation that is to be written, when, and as a part of what."""
    at = observation.observed_at
    return Said(
        by=observation.actor,
        at=observation.created_at if at is None else at,
        stream=_stream(observation.actor, observation.source_type, observation.source_id),
    )


def _stream(actor: str | None, source_type: str, source_id: str | None) -> int | None:
    """Return the stream of what somebody said; what nobody said is a document, not a talk."""
    return None if actor is None else stream_of(source_type, source_id)


def _said(row: Row) -> Said:
    return Said(
        by=row["actor"],
        at=float(row["observed_at"]),
        stream=_stream(row["actor"], row["source_type"], row["source_id"]),
    )


@reader
def find_idempotent(
    deps: CoreDeps, key_digest: str
) -> Result[tuple[ObservationId, str] | None, StoreError]:
    """Return the observation and outcome of the call that used a key first, or None."""
    return deps.db.query(SQL["find_idempotent"], {"key_digest": key_digest}).map(
        lambda rows: (
            (ObservationId(rows[0]["observation_id"]), str(rows[0]["outcome"])) if rows else None
        )
    )


@reader
def record_idempotent(
    deps: CoreDeps, key_digest: str, observation_id: ObservationId, *, outcome: str
) -> Result[None, StoreError]:
    """Keep the outcome of a call that gave a key."""
    params = {
        "key_digest": key_digest,
        "observation_id": observation_id,
        "outcome": outcome,
        "now": deps.clock(),
    }
    return deps.db.execute(SQL["record_idempotent"], params)


@reader
def scrub_expired(deps: CoreDeps, *, now: float) -> Result[int, StoreError]:
    """Forget what expired observations said; return how many."""
    return Result.do(
        int(counted[0]["n"])
        for counted in deps.db.query(SQL["count_expired"], {"now": now})
        for _ in deps.db.execute(SQL["scrub_expired"], {"now": now})
    )


@reader
def count(deps: CoreDeps) -> Result[int, StoreError]:
    """Return how many observations there are."""
    return deps.db.query(SQL["count_observations"]).map(lambda rows: int(rows[0]["n"]))


def as_observation(row: Row) -> Observation:
    """Return a row of observations as the model."""
    fields = dict(row)
    for name in ("tags", "provenance"):
        fields[name] = None if row[name] is None else json.loads(str(row[name]))
    return Observation.model_validate(fields)
