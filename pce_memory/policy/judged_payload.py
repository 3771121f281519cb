"""Who judges a payload by the invariants, and what they say of it."""

from collections.abc import Mapping
from time import time
from typing import Final, NamedTuple

from returns.result import Failure, Result, Success

from pce_memory.deps import Clock, InvariantEvaluator
from pce_memory.domain.vocabulary import BoundaryClass, Scope
from pce_memory.errors import CoreError
from pce_memory.policy.invariants import RuleEvaluator, judged_text, payload_flags
from pce_memory.policy.judging import Invariants


class Judge(NamedTuple):
    """Who judges a payload by the invariants, and what time it is then."""

    evaluator: InvariantEvaluator
    clock: Clock


RULES: Final = Judge(RuleEvaluator(), time)
"""Judges by the language that policies are written in; a deps record may have another judge."""


class PayloadCase(NamedTuple):
    """A text as it would pass: in which context, to which scopes, in which class, and when."""

    text: str
    context: Mapping[str, object]
    scopes: tuple[Scope, ...]
    boundary_class: BoundaryClass
    now: float


def violated(case: PayloadCase, invariants: Invariants) -> Result[str | None, CoreError]:
    """Return why the text may not go to a scope it may go to: the first that is found."""
    flags = payload_flags(case.text, case.context)
    for scope in case.scopes:
        judged = judged_text(
            case.text, flags, scope=scope, boundary_class=case.boundary_class, now=case.now
        )
        violations = invariants.violations([judged])
        if isinstance(violations, Failure) or violations.unwrap():
            return violations.map(lambda found: found[0].reason)
    return Success(None)
