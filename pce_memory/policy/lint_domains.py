"""The values a rule can tell apart: enough of each name to know what the rule says of all claims.

A rule compares names with the values written in it. Two values that lie between the same numbers,
and are equal to none of the texts, are one to it; so a few of each kind stand for all.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, product
from math import ceil, floor, prod
from typing import Final

from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, CLAIM_KINDS, Scope
from pce_memory.policy.rule_tree import (
    COLUMNS,
    Atom,
    Comparison,
    Conjunction,
    Constant,
    Disjunction,
    Expression,
    Identifier,
    Negation,
    Value,
    identifiers,
)

MOST_POINTS: Final = 5_000
"""Of a rule with more combinations nothing is said."""

_MOST_LISTED: Final = 4
_OTHER: Final = "\0"
_FAR: Final = 1e12
_RANGES: Final = {"claim.quality": (0.0, 1.0), "claim.confidence": (0.0, 1.0)}

Point = Mapping[str, Value]
"""Values of some names; a name that is left out is undefined."""


def points(expressions: Sequence[Expression], scopes: Sequence[Scope]) -> list[Point] | None:
    """Return claims and contexts that stand for all; None where they would be too many."""
    names = sorted(frozenset[str]().union(*map(identifiers, expressions)))
    atoms = tuple(dict.fromkeys(chain.from_iterable(map(_atoms, expressions))))
    if any(name not in COLUMNS for name in names) and len(atoms) > _MOST_LISTED:
        return None
    values = [_values(name, atoms, scopes, crowd=len(names)) for name in names]
    if prod(map(len, values)) > MOST_POINTS:
        return None
    return [
        {name: value for name, value in zip(names, chosen, strict=True) if value is not None}
        for chosen in product(*values)
    ]


def comparisons(expression: Expression) -> Iterator[Comparison]:
    """Yield every comparison in a rule, from left to right."""
    match expression:
        case Comparison(_, left, right):
            yield expression
            yield from chain(comparisons(left), comparisons(right))
        case Negation(operand):
            yield from comparisons(operand)
        case Conjunction(operands) | Disjunction(operands):
            yield from chain.from_iterable(map(comparisons, operands))
        case Constant() | Identifier():
            return


def _atoms(expression: Expression) -> Iterator[Atom]:
    match expression:
        case Constant(value):
            yield from value if isinstance(value, tuple) else (value,)
        case Identifier():
            return
        case Negation(operand):
            yield from _atoms(operand)
        case Comparison(_, left, right):
            yield from chain(_atoms(left), _atoms(right))
        case Conjunction(operands) | Disjunction(operands):
            yield from chain.from_iterable(map(_atoms, operands))


def _values(
    name: str, atoms: Sequence[Atom], scopes: Sequence[Scope], *, crowd: int
) -> Sequence[Value | None]:
    """Return what a name can be; None is undefined, which only a context's name can be."""
    words: Mapping[str, Sequence[str]] = {
        "claim.kind": CLAIM_KINDS,
        "claim.scope": scopes,
        "claim.boundary_class": BOUNDARY_CLASSES,
    }
    numbers = [atom for atom in atoms if isinstance(atom, float)]
    if name in words:
        return words[name]
    if name == "claim.text_length":
        near = (float(at) for one in numbers for at in range(floor(one) - 1, ceil(one) + 2))
        return sorted({0.0, 1.0, _FAR, *(one for one in near if one >= 0)})
    if name in COLUMNS and COLUMNS[name].kind == "number":
        return _numbers(numbers, *_RANGES.get(name, (-_FAR, _FAR)), crowd=crowd)
    if name in COLUMNS:
        return (True, False)
    return _anything(atoms, numbers, crowd)


def _numbers(written: Sequence[float], low: float, high: float, *, crowd: int) -> list[float]:
    """Return the numbers written, the ends, and as many between each two as there are names."""
    fixed = sorted({low, high, *(one for one in written if low <= one <= high)})
    between = (
        lower + (upper - lower) * step / (crowd + 1)
        for lower, upper in pairwise(fixed)
        for step in range(1, crowd + 1)
    )
    return sorted({*fixed, *between})


def _anything(
    atoms: Sequence[Atom], numbers: Sequence[float], crowd: int
) -> Sequence[Value | None]:
    singles: list[Atom] = [True, False, *(one for one in atoms if isinstance(one, str)), _OTHER]
    singles += _numbers(numbers, -_FAR, _FAR, crowd=crowd) if numbers else [0.0]
    members = (*atoms, _OTHER)
    lists = chain.from_iterable(combinations(members, size) for size in range(len(members) + 1))
    return (None, *singles, *lists)
