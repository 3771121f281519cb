"""What callers hand to the search utilities, looked at before it is used: it may be anything.

A text that somebody gave stands in no error, only of which kind it is.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Real
from typing import TypeVar, cast, get_args

from returns.result import Failure, Result, Success

from pce_memory.domain.ranking import HasScore
from pce_memory.domain.records import kind_of
from pce_memory.errors import InvalidParameter
from pce_memory.errors.search import InvalidScore, Seen

S = TypeVar("S", bound=HasScore)


def number_of(given: object) -> float | None:
    """Return a finite number as a float; None for all else, truth values and texts included.

    >>> number_of(3), number_of(True), number_of("3"), number_of(10**400), number_of(math.nan)
    (3.0, None, None, None, None)
    """
    if isinstance(given, bool) or not isinstance(given, Real):
        return None
    try:
        number = float(given)
    except OverflowError:  # a whole number beyond every float
        return None
    return number if math.isfinite(number) else None


def seen(given: object) -> Seen:
    """Return what an error may show of what should have been a number.

    >>> seen(1.5), seen("my password"), seen(True), seen(10**400)
    (1.5, 'a str', 'a bool', 'an int beyond every float')
    """
    if isinstance(given, float):
        return float(given)
    number = number_of(given)
    if number is not None:
        return number
    beyond = not isinstance(given, bool) and isinstance(given, Real)
    return kind_of(given) + (" beyond every float" if beyond else "")


def score_of(name: str, given: object) -> Result[float, InvalidScore]:
    """Return a score as a float."""
    number = number_of(given)
    return Failure(InvalidScore(name, seen(given))) if number is None else Success(number)


def listed(name: str, given: object) -> Result[Sequence[object], InvalidParameter]:
    """Return a list, a tuple or an array as a sequence.

    A generator is none: it would be read once, and be empty for whoever reads it next.

    >>> listed("scores", "abc").failure().message
    'Invalid scores: it is a str; give a list'
    """
    tolist = getattr(given, "tolist", None)
    values = cast("Callable[[], object]", tolist)() if callable(tolist) else given
    if isinstance(values, Sequence) and not isinstance(
        values, (str, bytes, bytearray, memoryview)
    ):
        return Success(cast("Sequence[object]", values))
    return Failure(InvalidParameter(name, f"it is {kind_of(given)}; give a list"))


def part_of(given: object, name: str) -> object:
    """Return a part of an object, or of a plain mapping; None where it has none.

    >>> part_of({"id": "a"}, "id"), part_of({"id": "a"}, "score")
    ('a', None)
    """
    if isinstance(given, Mapping):
        return cast("Mapping[str, object]", given).get(name)
    return getattr(given, name, None)


def one_of(name: str, given: object, choices: object) -> Result[None, InvalidParameter]:
    """Return a failure that lists what there is to choose, unless a choice is one of a Literal's.

    >>> from pce_memory.domain.ranking import Direction
    >>> one_of("direction", "up", Direction).failure().message
    'Invalid direction: give one of asc, desc'
    """
    known: tuple[str, ...] = get_args(choices)
    if isinstance(given, str) and given in known:
        return Success(None)
    return Failure(InvalidParameter(name, f"give one of {', '.join(known)}"))


def chosen(name: str, given: object, choices: object) -> None:
    """Raise a ValueError that lists what there is to choose: for functions that return no Result.

    What is out of their types is a mistake in the caller's program, and is not taken for another.
    """
    wrong = one_of(name, given, choices).swap().value_or(None)
    if wrong is not None:
        raise ValueError(wrong.message)


def faults(
    results: Iterable[object], name: str = "results"
) -> Iterator[InvalidParameter | InvalidScore]:
    """Yield what is wrong with results that have to have a score each."""
    for place, one in enumerate(results):
        if not has_score(one):
            yield InvalidParameter(f"{name}.{place}", f"{kind_of(one)} has no score")
        elif number_of(score := part_of(one, "score")) is None:
            yield InvalidScore("score", seen(score))


def has_score(given: object) -> bool:
    """Return whether a result has a score, be it a plain mapping or an object."""
    return "score" in given if isinstance(given, Mapping) else hasattr(given, "score")


def id_faults(results: Iterable[object], name: str) -> Iterator[InvalidParameter]:
    """Yield what is wrong with results that have to have an id each."""
    for place, one in enumerate(results):
        id_ = part_of(one, "id")
        if not isinstance(id_, str):
            reason = f"its id is {kind_of(id_)}; give a text"
            yield InvalidParameter(f"{name}.{place}", reason)


def weights_seen(given: Mapping[str, object]) -> Mapping[str, Seen]:
    """Return what an error may show of weights."""
    return {name: seen(one) for name, one in given.items()}
