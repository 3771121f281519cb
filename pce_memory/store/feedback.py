"""The feedback table: what was said of claims, and what it did."""

from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.feedback import CriticUpdateResult, Feedback
from pce_memory.domain.ids import FeedbackId, called
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.fitting import whole
from pce_memory.store.statements import statements

SQL: Final = statements("feedback")


@reader
def find(
    deps: CoreDeps, given: Feedback, under: str
) -> Result[tuple[Feedback, CriticUpdateResult] | None, StoreError]:
    """Return the feedback that was given under an id by who has this reach, and what it did.

    Of feedback of before it is not known under what it was given: only the very same is found.
    """
    params = {
        "id": given.id,
        "used_under": under,
        **given.model_dump(include={"claim_id", "signal", "score", "duplicate_of"}),
    }
    return Result.do(
        told
        for rows in deps.db.query(SQL["feedback_by_id"], params)
        for told in (whole(rows[0], _told, "feedback") if rows else Success(None))
    )


def _told(row: Row) -> tuple[Feedback, CriticUpdateResult]:
    names = ("claim_id", "signal", "score", "duplicate_of")
    outcome = CriticUpdateResult.model_validate_json(str(row["outcome"]))
    return (
        Feedback(
            id=FeedbackId(row["id"]),
            **{name: row[name] for name in names},
            ts=float(row["given_at"]),
        ),
        as_called(outcome),
    )


@reader
def record(
    deps: CoreDeps, feedback: Feedback, outcome: CriticUpdateResult, under: str
) -> Result[None, StoreError]:
    """Append one feedback, what it did, and under what it was given.

    The outcome names the claims by the ids of their rows, not as they are called outside: two
    claims may be called alike, and what was said of one is not erased with the other.
    """
    params = {
        "id": feedback.id,
        "claim_id": feedback.claim_id,
        "signal": feedback.signal,
        "score": feedback.score,
        "duplicate_of": feedback.duplicate_of,
        "given_at": feedback.ts,
        "outcome": outcome.model_dump_json(),
        "used_under": under,
    }
    return deps.db.execute(SQL["insert_feedback"], params)


def as_called(outcome: CriticUpdateResult) -> CriticUpdateResult:
    """Return what a feedback did, with the claims as they are called outside."""
    into = outcome.merged_into
    return outcome.model_copy(
        update={
            "claim_id": called(outcome.claim_id),
            "merged_into": None if into is None else called(into),
        }
    )
