"""Which claims may be written or moved, and why others are refused: every offender is named."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.deps import InvariantEvaluator
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import ClaimId, called
from pce_memory.domain.policy import Policy
from pce_memory.errors import BoundaryDenied, CoreError
from pce_memory.policy.boundary import all_invariants
from pce_memory.policy.judging import invariants_of
from pce_memory.result import collect

NAMED: Final = 5
"""How many offenders a message names before it counts the rest."""

Offence: TypeAlias = tuple[ClaimId, str]
"""The id of a claim, and what is wrong with it."""


def permitted(
    evaluator: InvariantEvaluator,
    claims: Sequence[AnyClaim],
    policy: Policy,
    *,
    boundary: Boundary | None,
) -> Result[None, CoreError]:
    """Return a failure that names every claim that the evaluator refuses.

    Without a boundary the invariants are those of the policy.
    """
    definitions = policy.invariants if boundary is None else all_invariants(boundary, policy)
    context: Mapping[str, object] = {} if boundary is None else boundary.context
    return Result.do(
        None
        for invariants in invariants_of(evaluator, definitions, context)
        for violations in invariants.violations(claims)
        for _ in denied([(one.claim_id, one.reason) for one in violations], boundary)
    )


def each_permitted(
    evaluator: InvariantEvaluator,
    claims: Sequence[AnyClaim],
    policy: Policy,
    *,
    boundary: Boundary | None,
) -> Result[None, CoreError]:
    """Return a failure unless the evaluator lets every claim pass by itself, as a read does."""
    return collect(
        permitted(evaluator, [claim], policy, boundary=boundary) for claim in claims
    ).map(lambda _: None)


def denied(offences: Sequence[Offence], boundary: Boundary | None) -> Result[None, BoundaryDenied]:
    """Return a failure that says what is wrong with which claims, if anything is."""
    if not offences:
        return Success(None)
    return Failure(BoundaryDenied(boundary, "; ".join(_lines(offences))))


def _lines(offences: Sequence[Offence]) -> Iterable[str]:
    """Yield a line for each thing that is wrong, with the claims it is wrong with."""
    ids_by_reason: dict[str, list[str]] = {}
    for claim_id, reason in offences:
        ids_by_reason.setdefault(reason, []).append(called(claim_id))
    for reason, ids in ids_by_reason.items():
        more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
        yield f"{reason} ({', '.join(ids[:NAMED])}{more})"


__all__ = ["Offence", "denied", "each_permitted", "permitted"]
