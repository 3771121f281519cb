"""Housekeeping: write down decay, forget what expired, sort the postings."""

from typing import Annotated

from pydantic import Field
from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.model import EpochSeconds
from pce_memory.domain.policy import Policy
from pce_memory.domain.stamped import Stamped
from pce_memory.errors import CoreError, StoreError
from pce_memory.result import reader
from pce_memory.store import (
    contexts,
    document_index,
    embeddings,
    erasure,
    events,
    observations,
    postings,
    runs,
    standing,
)


class MaintenanceResult(Stamped):
    """What a maintenance run did."""

    decayed: Annotated[int, Field(ge=0)]
    observations_scrubbed: Annotated[int, Field(ge=0)]
    claims_expired: Annotated[int, Field(ge=0)] = 0
    documents_expired: Annotated[int, Field(ge=0)] = 0
    audit_swept: Annotated[int, Field(ge=0)] = 0
    postings_sorted: Annotated[int, Field(ge=0)] = 0
    at: EpochSeconds


@reader
def maintain(deps: CoreDeps, policy: Policy) -> Result[MaintenanceResult, CoreError]:
    """Decay measures, erase what expired, scrub observations, drop old records: all or none.

    Then sort the postings, if many are not. A scrubbed observation keeps digest and length.
    """
    now = deps.clock()

    def work() -> Result[MaintenanceResult, StoreError]:
        return Result.do(
            done
            for claims, documents in _expired(deps, policy, now)
            for swept in events.sweep(policy, now=now)(deps)
            for decayed in standing.decay(policy, now=now)(deps)
            for scrubbed in observations.scrub_expired(now=now)(deps)
            for _ in _dropped(deps, now)
            for done in Success(
                MaintenanceResult(
                    decayed=decayed,
                    observations_scrubbed=scrubbed,
                    claims_expired=claims,
                    documents_expired=documents,
                    audit_swept=swept,
                    at=now,
                )
            )
            for _ in _told(deps, done, policy)
        )

    return Result.do(
        done.model_copy(update={"postings_sorted": taken + of_documents})
        for done in deps.db.transaction(work)
        for taken in postings.sort_if_many(deps.db)
        for of_documents in document_index.sort_if_many()(deps)
    )


def _dropped(deps: CoreDeps, now: float) -> Result[None, StoreError]:
    """Drop the contexts and runs that are over, and what earlier versions kept twice."""
    return Result.do(
        None
        for _ in contexts.drop_expired(now=now)(deps)
        for _ in runs.erase_expired(now=now)(deps)
        for _ in embeddings.drop_copies()(deps)
    )


def _expired(deps: CoreDeps, policy: Policy, now: float) -> Result[tuple[int, int], StoreError]:
    """Erase what expired; return how many claims and how many documents those were."""
    return Result.do(
        (len(claims), documents)
        for expired in erasure.expired(policy)(deps)
        for claims in erasure.erase_claims(expired, why="expired")(deps)
        for documents in document_index.erase_expired(policy, now=now)(deps)
    )


def _told(deps: CoreDeps, done: MaintenanceResult, policy: Policy) -> Result[None, StoreError]:
    counts = done.model_dump(exclude={"at", "postings_sorted"})
    return events.record("gc", counts, policy_version=policy.version)(deps)
