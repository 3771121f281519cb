"""The judgements table: scores that somebody else gave claims, and what they did."""

from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.judged import GivenScore, Judgement
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.fitting import whole
from pce_memory.store.statements import statements

SQL: Final = statements("judgements")


@reader
def find(
    deps: CoreDeps, given: GivenScore, claim_id: ClaimId, under: str
) -> Result[Judgement | None, StoreError]:
    """Return what the score did that was given under an id by who has this reach, or None.

    Of scores of before it is not known under what they were given: only the very same is found.
    """
    params = {"id": given.id, "claim_id": claim_id, "score": given.score, "used_under": under}
    return Result.do(
        judgement
        for rows in deps.db.query(SQL["judgement_by_id"], params)
        for judgement in (whole(rows[0], _told, "judgements") if rows else Success(None))
    )


@reader
def last_counted(deps: CoreDeps, claim_id: ClaimId) -> Result[float | None, StoreError]:
    """Return the last score of a claim that counted, or None."""
    return deps.db.query(SQL["last_counted"], {"claim_id": claim_id}).map(
        lambda rows: float(rows[0]["score"]) if rows else None
    )


@reader
def record(deps: CoreDeps, done: Judgement, *, now: float, under: str) -> Result[None, StoreError]:
    """Append one score, what it did, and under what it was given."""
    names = {"id", "claim_id", "judge", "score", "previous_score"}
    how = {"score_direction", "noise_threshold", "counted"}
    params = {
        **done.model_dump(include=names | how),
        "given_at": now,
        "used_under": under,
        "outcome": done.model_dump_json(),
    }
    return deps.db.execute(SQL["insert_judgement"], params)


def _told(row: Row) -> Judgement:
    return Judgement.model_validate_json(str(row["outcome"]))
