"""The house style of `returns`: write `f(deps, ...) -> Result`, call `f(...)(deps)`.

Three kinds of function stand in this package, and the call shows which:

    normalise(text)            pure, cannot fail
    parse_id(ClaimId, text)    pure, may fail          -> Result
    find(claim_id)(deps)       touches the world       -> Reader, run with (deps)
"""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from returns.context import RequiresContextResult
from returns.result import Failure, Result, Success

P = ParamSpec("P")
D = TypeVar("D")
E = TypeVar("E")
T = TypeVar("T")
U = TypeVar("U")


def reader(
    function: Callable[Concatenate[D, P], Result[T, E]],
) -> Callable[P, RequiresContextResult[T, E, D]]:
    """Turn `f(deps, *args)` into `f(*args)(deps)`."""

    @wraps(function)
    def bound(*args: P.args, **kwargs: P.kwargs) -> RequiresContextResult[T, E, D]:
        return RequiresContextResult(lambda deps: function(deps, *args, **kwargs))

    return bound


def fold(result: Result[T, E], *, ok: Callable[[T], U], err: Callable[[E], U]) -> U:
    """Leave the railway: the one place where both tracks are handled."""
    if isinstance(result, Success):
        return ok(result.unwrap())
    return err(result.failure())


def collect(results: Iterable[Result[T, E]]) -> Result[tuple[T, ...], E]:
    """Return every value, or the first failure; later items are not evaluated."""
    values: list[T] = []
    for result in results:
        if isinstance(result, Failure):
            return result
        values.append(result.unwrap())
    return Success(tuple(values))


def partition(results: Iterable[Result[T, E]]) -> tuple[tuple[T, ...], tuple[E, ...]]:
    """Return all values and all failures, each in order: one failure stops nothing."""
    values: list[T] = []
    failures: list[E] = []
    for result in results:
        if isinstance(result, Success):
            values.append(result.unwrap())
        else:
            failures.append(result.failure())
    return tuple(values), tuple(failures)


def refill(
    slots: Iterable[Result[T, E]], outcomes: Iterable[Result[U, E]]
) -> tuple[Result[U, E], ...]:
    """Return an outcome for each slot: its own failure, or the next of `outcomes`.

    >>> refill([Success(1), Failure("no"), Success(2)], [Success("a"), Success("b")])
    (<Success: a>, <Failure: no>, <Success: b>)
    """
    left = iter(outcomes)
    return tuple(fold(slot, ok=lambda _: next(left), err=_failure) for slot in slots)


def _failure(error: E) -> Result[U, E]:
    return Failure(error)
