"""The feedback table: what was said of claims, and what it did."""

from typing import Final

from returns.result import Result

from pce_memory.deps import CoreDeps
from pce_memory.domain.feedback import CriticUpdateResult, Feedback
from pce_memory.domain.ids import FeedbackId
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.statements import statements

SQL: Final = statements("feedback")


@reader
def find(
    deps: CoreDeps, feedback_id: FeedbackId
) -> Result[tuple[Feedback, CriticUpdateResult] | None, StoreError]:
    """Return a feedback that was given and what it did, or None."""
    return deps.db.query(SQL["feedback_by_id"], {"id": feedback_id}).map(
        lambda rows: (
            (
                Feedback(
                    id=FeedbackId(rows[0]["id"]),
                    **{
                        name: rows[0][name]
                        for name in ("claim_id", "signal", "score", "duplicate_of")
                    },
                    ts=float(rows[0]["given_at"]),
                ),
                CriticUpdateResult.model_validate_json(str(rows[0]["outcome"])),
            )
            if rows
            else None
        )
    )


@reader
def record(
    deps: CoreDeps, feedback: Feedback, outcome: CriticUpdateResult
) -> Result[None, StoreError]:
    """Append one feedback and what it did."""
    params = {
        "id": feedback.id,
        "claim_id": feedback.claim_id,
        "signal": feedback.signal,
        "score": feedback.score,
        "duplicate_of": feedback.duplicate_of,
        "given_at": feedback.ts,
        "outcome": outcome.model_dump_json(),
    }
    return deps.db.execute(SQL["insert_feedback"], params)
