"""Ask the evaluator of the deps record: it alone says which claims the invariants hold for.

It may be the host's. What it raises, and every answer that is neither yes nor no, is `PortFailed`:
nothing is written and nothing is shown then.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import Signature, signature
from typing import Final, cast

from returns.result import Failure, Result, Success

from pce_memory.deps import BoundaryInvariant, InvariantEvaluator, RowFilter, RowJudge
from pce_memory.deps.raised import RAISED, kind_of
from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import ClaimId
from pce_memory.errors import CoreError, InvalidBoundary, PCEError, PortFailed
from pce_memory.result import collect

MAX_INVARIANTS: Final = 1_000
PORT: Final = "invariant_evaluator"


@dataclass(frozen=True, slots=True)
class Violation:
    """A claim that is refused: its place among those judged, and the invariant that refuses it.

    Without a name, no invariant refuses it alone; `is_together`, it is not refused alone either.
    """

    place: int
    claim_id: ClaimId
    invariant_name: str | None = None
    is_together: bool = False

    @property
    def reason(self) -> str:
        """Say what is wrong."""
        if self.invariant_name is not None:
            return f"I(B) violation: {self.invariant_name}"
        return "I(B) violation: the claims together" if self.is_together else "I(B) violation"


@dataclass(frozen=True, slots=True)
class Invariants:
    """Invariants that one evaluator compiled, and that it judges by."""

    evaluator: InvariantEvaluator
    definitions: tuple[InvariantDefinition, ...]
    compiled: tuple[BoundaryInvariant, ...]

    def hold_for(self, claims: Sequence[AnyClaim]) -> Result[bool, CoreError]:
        """Return whether the evaluator lets these claims pass together."""
        return self._asked(self.compiled, claims)

    def holds_for(self, place: int, claim: AnyClaim) -> Result[bool, CoreError]:
        """Return whether one of the invariants holds for a claim."""
        return self._asked(self.compiled[place : place + 1], [claim])

    def broken_by(self, claim: AnyClaim) -> Result[tuple[str, ...], CoreError]:
        """Return the names of the invariants that do not hold for a claim."""
        places = range(len(self.compiled))
        return collect(self.holds_for(place, claim) for place in places).map(
            lambda answers: tuple(
                self.definitions[place].name for place, holds in enumerate(answers) if not holds
            )
        )

    def violations(self, claims: Sequence[AnyClaim]) -> Result[tuple[Violation, ...], CoreError]:
        """Return why the evaluator refuses these claims: nothing where it does not.

        Every claim that it refuses alone is named, with each invariant that does; where it refuses
        none alone, all are named. Of no claims nothing is asked: it may count on one.
        """
        if not claims:
            return Success(())
        return Result.do(
            named
            for fine in self.hold_for(claims)
            for named in (Success(()) if fine else self._offenders(claims))
        )

    def sifted(self, claims: Sequence[AnyClaim]) -> Result[tuple[Violation, ...], CoreError]:
        """Return the violations of all claims that may not enter, so that the others may.

        The others are asked for again: what is left may be refused together.
        """
        named: list[Violation] = []
        left = list(enumerate(claims))
        while left:
            answer = self.violations([claim for _, claim in left])
            if isinstance(answer, Failure):
                return answer
            refused = [replace(one, place=left[one.place][0]) for one in answer.unwrap()]
            if not refused:
                break
            named += refused
            places = {one.place for one in refused}
            left = [(place, claim) for place, claim in left if place not in places]
        return Success(tuple(named))

    def _offenders(self, claims: Sequence[AnyClaim]) -> Result[tuple[Violation, ...], CoreError]:
        together = tuple(
            Violation(place, claim.id, is_together=len(claims) > 1)
            for place, claim in enumerate(claims)
        )
        return collect(self._offences(place, claim) for place, claim in enumerate(claims)).map(
            lambda found: tuple(one for some in found for one in some) or together
        )

    def _offences(self, place: int, claim: AnyClaim) -> Result[tuple[Violation, ...], CoreError]:
        def named(names: tuple[str, ...]) -> tuple[Violation, ...]:
            return tuple(Violation(place, claim.id, name) for name in names or (None,))

        return Result.do(
            offences
            for fine in self.hold_for([claim])
            for offences in (Success(()) if fine else self.broken_by(claim).map(named))
        )

    def _asked(
        self, compiled: Sequence[BoundaryInvariant], claims: Sequence[AnyClaim]
    ) -> Result[bool, CoreError]:
        return Result.do(
            answer
            for said in _answer(lambda: self.evaluator.evaluate_all(compiled, tuple(claims)))
            for answer in (
                Success(said)
                if isinstance(said, bool)
                else _nonsense(f"evaluate_all gave {_kind(said)}, not True or False")
            )
        )


def invariants_of(
    evaluator: InvariantEvaluator,
    definitions: Sequence[InvariantDefinition],
    context: Mapping[str, object] | None = None,
) -> Result[Invariants, CoreError]:
    """Return invariants compiled by the evaluator; `context` is for one that takes it."""
    if len(definitions) > MAX_INVARIANTS:
        return Failure(InvalidBoundary(f"more than {MAX_INVARIANTS} invariants"))
    return collect(_compiled(evaluator, one, context or {}) for one in definitions).map(
        lambda compiled: Invariants(evaluator, tuple(definitions), compiled)
    )


def row_judge(evaluator: InvariantEvaluator) -> RowJudge | None:
    """Return the evaluator as a judge of rows, if its `row_filter` says what it itself says.

    One that only its base class has says nothing of an `evaluate_all` or a `compile` of its own.
    """
    place = _defined(evaluator, "row_filter")
    others = [_defined(evaluator, name) for name in ("evaluate_all", "compile")]
    if place is None or any(other is None or other < place for other in others):
        return None
    return cast("RowJudge", evaluator)


def filter_of(
    judge: RowJudge,
    definitions: Sequence[InvariantDefinition],
    context: Mapping[str, object] | None = None,
) -> Result[RowFilter, CoreError]:
    """Return the judgement as a predicate over rows, by an evaluator that gives one."""
    return Result.do(
        rows
        for said in _answer(lambda: judge.row_filter(definitions, context))
        for rows in (
            Success(said)
            if isinstance(said, RowFilter)
            else _nonsense(f"row_filter gave {_kind(said)}, not a RowFilter")
        )
    )


def _compiled(
    evaluator: InvariantEvaluator, definition: InvariantDefinition, context: Mapping[str, object]
) -> Result[BoundaryInvariant, CoreError]:
    compile_one = cast("Callable[..., object]", evaluator.compile)
    return Result.do(
        cast("BoundaryInvariant", said)
        for said in _answer(lambda: _with_context(compile_one, definition, context))
        for _ in (Success(None) if said is not None else _nonsense("compile gave None"))
    )


def _with_context(
    compile_one: Callable[..., object],
    definition: InvariantDefinition,
    context: Mapping[str, object],
) -> object:
    """Compile a rule in a context, by an evaluator that may know of none."""
    if _takes(compile_one, definition, context):
        return compile_one(definition, context)
    return compile_one(definition)


def _takes(function: Callable[..., object], *given: object) -> bool:
    try:
        wanted: Signature = signature(function)
        _ = wanted.bind_partial(*given)
    except (TypeError, ValueError):
        return False
    return True


def _answer(work: Callable[[], object]) -> Result[object, CoreError]:
    """Return what the evaluator says, be it a Result or plain, or why it says nothing."""
    try:
        said = work()
    except RAISED as fault:
        return _nonsense(kind_of(fault))
    if not isinstance(said, Result):
        return Success(said)
    result = cast("Result[object, object]", said)
    if isinstance(result, Success):
        return Success(result.unwrap())
    error = result.failure()
    if isinstance(error, PCEError):
        return Failure(cast("CoreError", error))
    return _nonsense(f"it failed with {_kind(error)}, which is no error of this package")


def _nonsense(reason: str) -> Failure[PortFailed]:
    return Failure(PortFailed(PORT, reason))


def _kind(given: object) -> str:
    return type(given).__name__


def _defined(given: object, name: str) -> int | None:
    """Return how far up from an object a name is defined; None where nothing defines it.

    What a protocol class declares is no definition.
    """
    own: Iterable[str] = getattr(given, "__dict__", ())
    if name in own:
        return 0
    for place, kind in enumerate(type(given).__mro__, start=1):
        if name in vars(kind):
            return None if vars(kind).get("_is_protocol") else place
    return None
