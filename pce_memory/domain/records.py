"""Records that callers hand over: one of ours, or a plain mapping of its fields."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from returns.result import Failure, Result, Success

from pce_memory.domain.model import Model, parse
from pce_memory.errors import InvalidParameter, shown

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

M = TypeVar("M", bound=Model)
T = TypeVar("T")


def kind_of(given: object) -> str:
    """Return what something is, in words.

    >>> kind_of([]), kind_of(3), kind_of(None)
    ('a list', 'an int', 'None')
    """
    if given is None:
        return "None"
    name = type(given).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def of_type(name: str, given: object, wanted: type[T]) -> Result[T, InvalidParameter]:
    """Return what is of a type."""
    if isinstance(given, wanted):
        return Success(given)
    return Failure(InvalidParameter(name, f"it is {kind_of(given)}; give a {wanted.__name__}"))


def record_of(name: str, given: object, wanted: type[T]) -> Result[T, InvalidParameter]:
    """Return what is of a dataclass, or one made of a plain mapping of its fields.

    The values are not looked at: whoever uses them does.

    >>> from pce_memory.domain.ranking import MergeConfig
    >>> record_of("config", {"max_results": 1}, MergeConfig).unwrap().max_results
    1
    >>> record_of("config", {"max": 1}, MergeConfig).failure().name
    'config.max'
    """
    if isinstance(given, wanted) or not isinstance(given, Mapping):
        return of_type(name, given, wanted)
    said = cast("Mapping[object, object]", given)
    names = [one.name for one in fields(cast("DataclassInstance", wanted))]
    strange = next((key for key in said if key not in names), None)
    if strange is not None:
        place = shown(strange) if isinstance(strange, str) else kind_of(strange)
        reason = f"there is none of that name; the names are {', '.join(names)}"
        return Failure(InvalidParameter(f"{name}.{place}", reason))
    return Success(wanted(**cast("Mapping[str, Any]", said)))


def model_of(name: str, given: object, wanted: type[M]) -> Result[M, InvalidParameter]:
    """Return what is of a model, or one made of a plain mapping of its fields."""
    if isinstance(given, wanted) or not isinstance(given, Mapping):
        return of_type(name, given, wanted)
    return parse(wanted, cast("Mapping[str, object]", given)).alt(
        lambda error: replace(error, name=f"{name}.{error.name}")
    )


def or_value_error(result: Result[T, InvalidParameter]) -> T:
    """Return the value, or raise a ValueError: for functions that return no Result.

    What is out of their types is a mistake in the caller's program.
    """
    wrong = result.swap().value_or(None)
    if wrong is not None:
        raise ValueError(wrong.message)
    return result.unwrap()
