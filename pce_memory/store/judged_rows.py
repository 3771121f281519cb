"""Which rows the invariants hold for: by a predicate of the evaluator's, or row by row."""

from collections.abc import Mapping, Sequence
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Params, Row, RowFilter
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, StoreError
from pce_memory.policy.boundary import Narrowed
from pce_memory.policy.invariants import ClaimFlags, JudgedText, judged_text
from pce_memory.policy.judging import Invariants, filter_of, invariants_of, row_judge
from pce_memory.result import collect, reader
from pce_memory.store import claims as claim_rows
from pce_memory.store.statements import statements, template

SQL: Final = statements("judged_rows")
CHUNK: Final = 2_000
"""So many claims are fetched together."""


@reader
def rows_that_hold(
    deps: CoreDeps,
    narrowed: Narrowed,
    context: Mapping[str, object],
    policy: Policy,
    *,
    now: float,
) -> Result[RowFilter, CoreError]:
    """Return the predicate of the rows of some scopes and classes that the invariants hold for."""
    judge = row_judge(deps.invariant_evaluator)
    if judge is not None:
        return filter_of(judge, narrowed.invariants, context)
    reach: Params = {"scopes": list(narrowed.scopes), "classes": list(narrowed.classes)}
    return Result.do(
        RowFilter(template("held_ids"), {"held_ids": [*claims, *documents]})
        for invariants in invariants_of(deps.invariant_evaluator, narrowed.invariants, context)
        for claims in _claims(deps, invariants, reach, policy, now=now)
        for documents in _documents(deps, invariants, reach)
    )


def _claims(
    deps: CoreDeps, invariants: Invariants, reach: Params, policy: Policy, *, now: float
) -> Result[tuple[str, ...], CoreError]:
    def held(rows: Sequence[int]) -> Result[tuple[str, ...], CoreError]:
        return Result.do(
            passing
            for stored in claim_rows.fetch(rows, policy, now=now)(deps)
            for passing in _passing(
                invariants, [(one.claim.id, one.claim) for one in stored.values()]
            )
        )

    return Result.do(
        tuple(one for some in chunks for one in some)
        for found in deps.db.query(SQL["claims_to_judge"], reach)
        for rows in Success([int(row["row_id"]) for row in found])
        for chunks in collect(
            held(rows[start : start + CHUNK]) for start in range(0, len(rows), CHUNK)
        )
    )


def _documents(
    deps: CoreDeps, invariants: Invariants, reach: Params
) -> Result[tuple[str, ...], CoreError]:
    return Result.do(
        passing for rows in _texts(deps, reach) for passing in _passing(invariants, rows)
    )


def _texts(deps: CoreDeps, reach: Params) -> Result[list[tuple[str, JudgedText]], StoreError]:
    return deps.db.query(SQL["documents_to_judge"], reach).map(
        lambda rows: [(str(row["id"]), _document(row)) for row in rows]
    )


def _document(row: Row) -> JudgedText:
    return judged_text(
        row["text"],
        ClaimFlags(
            row["contains_pii"], row["contains_secret"], row["breaking_change"], row["text_length"]
        ),
        scope=row["scope"],
        boundary_class=row["boundary_class"],
        now=float(row["created_at"]),
    )


def _passing(
    invariants: Invariants, claims: Sequence[tuple[str, AnyClaim]]
) -> Result[tuple[str, ...], CoreError]:
    """Return the ids of those that the evaluator lets pass, each asked for alone."""
    return collect(invariants.hold_for([claim]) for _, claim in claims).map(
        lambda answers: tuple(
            one for (one, _), holds in zip(claims, answers, strict=True) if holds
        )
    )
