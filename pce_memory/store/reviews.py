"""The review queue: claims that wait for a human, and what was decided."""

from collections.abc import Sequence
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import ClaimId, ObservationId, ReviewId
from pce_memory.domain.model import LAST_MOMENT
from pce_memory.domain.policy import Policy, seconds
from pce_memory.domain.review import Review, ReviewStatus
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.claims import literals
from pce_memory.store.fitting import fitting
from pce_memory.store.statements import rows_json, statements

SQL: Final = statements("reviews")


@reader
def request(
    deps: CoreDeps, claims: Sequence[AnyClaim], policy: Policy
) -> Result[None, StoreError]:
    """Put claims into the queue; one that waits there already stays as it is."""
    if not claims:
        return Success(None)
    now = deps.clock()
    rows = [
        {
            "id": deps.ids("rev_"),
            "claim_id": claim.id,
            "reason": f"class {claim.boundary_class} needs a human review",
            "scope": claim.scope,
            "boundary_class": claim.boundary_class,
        }
        for claim in claims
    ]
    params = {
        "rows": rows_json(rows),
        "policy_version": policy.version,
        "now": now,
        "deadline": min(now + seconds(policy.review.deadline), LAST_MOMENT),
    }
    return deps.db.execute(SQL["insert_reviews"], params)


@reader
def find(
    deps: CoreDeps,
    *,
    status: ReviewStatus | None = None,
    review_id: ReviewId | None = None,
    claim_id: ClaimId | None = None,
    limit: int = 100,
) -> Result[tuple[Review, ...], StoreError]:
    """Return reviews, those that are due first on top."""
    params = {"status": status, "id": review_id, "claim_id": claim_id, "limit": limit}
    now = deps.clock()
    return deps.db.query(SQL["reviews"], params).map(
        lambda rows: tuple(
            fitting(
                rows,
                lambda row: Review.model_validate(
                    {**row, "overdue": row["status"] == "pending" and row["deadline"] < now}
                ),
            )
        )
    )


@reader
def decide(
    deps: CoreDeps, review: Review, status: ReviewStatus, *, reviewer: str, note: str | None
) -> Result[None, StoreError]:
    """Write down what a reviewer decided of a pending review."""
    params = {
        "id": review.id,
        "status": status,
        "reviewer": reviewer,
        "note": note,
        "now": deps.clock(),
    }
    return deps.db.execute(SQL["decide_review"], params)


@reader
def remember_sources(
    deps: CoreDeps, review: Review, row_id: int, sources: Sequence[ObservationId]
) -> Result[None, StoreError]:
    """Write down what a claim was drawn from and who said it, before it is erased.

    What a reviewer wrote of it is forgotten by these. An actor is a digest.
    """

    def told(rows: Sequence[Row]) -> list[str]:
        actors = (deps.digest(str(row["actor"])) for row in rows if row["actor"] is not None)
        return [*sources, *actors]

    return Result.do(
        None
        for rows in deps.db.query(SQL["actors_of_claim"], {"row_id": row_id})
        for _ in deps.db.execute(
            SQL["insert_rejected_sources"], {"id": review.id, "sources": told(rows)}
        )
    )


@reader
def notes_of_gone(deps: CoreDeps, claim_id: ClaimId) -> Result[tuple[str, ...], StoreError]:
    """Return the reviews with a note on a claim that is not there any more."""
    return deps.db.query(SQL["notes_of_claim"], {"claim_id": claim_id}).map(_review_ids)


@reader
def notes_of_sources(
    deps: CoreDeps, sources: Sequence[str]
) -> Result[tuple[str, ...], StoreError]:
    """Return the reviews with a note on what was rejected and came of one of these.

    They are ids of observations, and digests of actors.
    """
    params = {"sources": list(sources)}
    return deps.db.query(SQL["notes_of_sources"], params).map(_review_ids)


def _review_ids(rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(str(row["id"]) for row in rows)


@reader
def set_status(deps: CoreDeps, row_id: int, status: str) -> Result[None, StoreError]:
    """Move a claim into or out of the queue."""
    params = {"row_id": row_id, "status": status, "now": deps.clock()}
    return deps.db.execute(SQL["set_status"], params)


@reader
def close(deps: CoreDeps, ids: Sequence[ClaimId]) -> Result[None, StoreError]:
    """Close the reviews of claims that are erased."""
    return deps.db.execute(
        SQL["close_reviews"].replace("{ids}", literals(ids)), {"now": deps.clock()}
    )
