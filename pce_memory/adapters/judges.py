"""A judge of the host's, behind the port QualityJudge: whatever it does wrong becomes a value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.foreign_names import name_of_function, named
from pce_memory.adapters.foreign_numbers import number_of
from pce_memory.adapters.foreign_parts import an_object, opened, part_of
from pce_memory.adapters.raised import RAISED, kind_of
from pce_memory.deps import QualityJudge
from pce_memory.deps.callables import function_of
from pce_memory.domain.claim import AnyClaim
from pce_memory.errors import InvalidParameter, JudgeFailed

T = TypeVar("T")

BEST: Final = 100.0
CLAIM: Final = ("claim",)


@dataclass(frozen=True, slots=True)
class NamedJudge:
    """A judge whose name was read once, when the memory was opened."""

    model_id: str
    asked: Callable[[AnyClaim], float | None]

    def judge(self, claim: AnyClaim) -> float | None:
        """Return what the judge says."""
        return self.asked(claim)


def resolve_judge(spec: object = None) -> Result[QualityJudge | None, InvalidParameter]:
    """Return a judge of an object with model_id and judge, or of a function; None for None."""
    if spec is None:
        return Success(None)
    return Result.do(
        _judge(model_id, asked)
        for _ in an_object(spec, "judge")
        for own in part_of(spec, "judge", "judge")
        for asked in _asked(spec, own)
        for given in (
            part_of(spec, "model_id", "judge")
            if own is not None
            else Success(name_of_function(spec))
        )
        for model_id in named(given, "judge")
    )


def _judge(model_id: str, asked: object) -> QualityJudge:
    return NamedJudge(model_id, cast("Callable[[AnyClaim], float | None]", asked))


def judged_by(judge: QualityJudge, claim: AnyClaim) -> Result[float | None, JudgeFailed]:
    """Return a judge's score of a claim, 0 to 100, or None where it has none.

    It may give a Result, or plainly the score. What it says of a failure may quote the claim, so
    only the kind of it is told.
    """
    return Result.do(
        score
        for said in _attempt(judge, lambda: judge.judge(claim))
        for plain in opened(said).alt(lambda _: _failure(judge, "it returned a Failure"))
        for score in (Success(None) if plain is None else _score(judge, plain))
    )


def _attempt(judge: QualityJudge, work: Callable[[], T]) -> Result[T, JudgeFailed]:
    try:
        return Success(work())
    except RAISED as fault:
        return Failure(_failure(judge, kind_of(fault)))


def _score(judge: QualityJudge, said: object) -> Result[float, JudgeFailed]:
    try:
        score = number_of(said)
    except RAISED:
        return Failure(_failure(judge, "it gave no number"))
    if 0.0 <= score <= BEST:
        return Success(score)
    return Failure(_failure(judge, "its score is not from 0 to 100"))


def _failure(judge: QualityJudge, reason: str) -> JudgeFailed:
    return JudgeFailed(judge.model_id, reason)


def _asked(spec: object, own: object) -> Result[object, InvalidParameter]:
    if callable(own):
        return function_of("judge", own, CLAIM, called="its judge").map(lambda _: own)
    if own is None and callable(spec):
        return function_of("judge", spec, CLAIM).map(lambda _: spec)
    kind = type(spec).__name__
    return _invalid(f"{kind} has no judge; a judge has model_id and judge, or is callable")


def _invalid(reason: str) -> Failure[InvalidParameter]:
    return Failure(InvalidParameter("judge", reason))
