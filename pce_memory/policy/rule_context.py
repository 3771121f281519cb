"""The values a caller gives to names that no claim carries."""

from collections.abc import Mapping, Sequence
from sys import float_info
from typing import Final, cast

from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidBoundary, shown
from pce_memory.policy.rule_tree import RESERVED, Atom, Value
from pce_memory.result import collect

BREAKING: Final = "api.breaking_change"
"""The one name of a claim that a caller may add to: true in the context is true of every claim."""

MAX_VALUES: Final = 1_000


def context_values(context: Mapping[str, object]) -> Result[Mapping[str, Value], InvalidBoundary]:
    """Return a context as the values of rules: numbers are doubles, lists are tuples.

    >>> context_values({"network.egress": ["prod"], "retries": 3})
    <Success: {'network.egress': ('prod',), 'retries': 3.0}>
    >>> context_values({"claim.kind": "fact"}).failure().message
    'Invalid boundary: context may not set claim.kind, which every claim has of its own'
    """
    return (
        collect(_entry(name, given) for name, given in context.items())
        .map(dict)
        .alt(lambda reason: InvalidBoundary(f"context {reason}"))
    )


def _entry(name: str, given: object) -> Result[tuple[str, Value], str]:
    value = _value(given)
    if name.startswith(RESERVED):
        return Failure(f"may not set {shown(name)}, which every claim has of its own")
    if value is None:
        return Failure(
            f"{shown(name)} must be true, false, a finite number, a text, "
            f"or a list of at most {MAX_VALUES} of these"
        )
    if name == BREAKING and not isinstance(value, bool):
        return Failure(f"{name} must be true or false")
    return Success((name, value))


def _value(given: object) -> Value | None:
    if not isinstance(given, list | tuple):
        return _atom(given)
    items = cast("Sequence[object]", given)
    atoms = tuple(atom for item in items[:MAX_VALUES] if (atom := _atom(item)) is not None)
    return atoms if len(atoms) == len(items) else None


def _atom(given: object) -> Atom | None:
    match given:
        case bool():
            return given
        case int() | float() if -float_info.max <= given <= float_info.max:
            return float(given)
        case str() if given.isascii() or not _has_surrogates(given):
            return given
        case _:
            return None


def _has_surrogates(text: str) -> bool:
    # Half a surrogate pair is no text: the database could not be asked for it.
    return any("\ud800" <= character <= "\udfff" for character in text)
