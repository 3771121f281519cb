"""The values a rule can tell apart: enough of each name to know what the rule says of all claims.

A rule compares names with the values written in it. Two values that lie between the same numbers,
and are equal to none of the texts, are one to it; so a few of each kind stand for all.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise, product
from math import ceil, floor, prod
from sys import float_info
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
"""A length that no text has."""
_LAST: Final = float_info.max
_LENGTH: Final = "claim.text_length"
_UNITS: Final = frozenset({"claim.quality", "claim.confidence"})

Point = Mapping[str, Value]
"""Values of some names; a name that is left out is undefined."""


def points(expressions: Sequence[Expression], scopes: Sequence[Scope]) -> Iterator[Point] | None:
    """Return claims and contexts that stand for all; None where they would be too many."""
    names = sorted(frozenset[str]().union(*map(identifiers, expressions)))
    atoms = tuple(dict.fromkeys(chain.from_iterable(map(_atoms, expressions))))
    outside = any(name not in COLUMNS for name in names)
    if (outside and len(atoms) > _MOST_LISTED) or any(map(_is_open, expressions)):
        return None
    domains = _Domains(names, atoms, scopes)
    values = [domains.of(name) for name in names]
    if prod(map(len, values)) > MOST_POINTS:
        return None
    return (
        {name: value for name, value in zip(names, chosen, strict=True) if value is not None}
        for chosen in product(*values)
    )


def _is_open(expression: Expression) -> bool:
    """Return whether names are compared in a way that a few values cannot stand for.

    Which of its values is in the list of another name, or whether a length is another name's
    number, depends on more than what is written in the rule.
    """
    for one in comparisons(expression):
        names = identifiers(one.left), identifiers(one.right)
        if all(names) and (one.operator in {"in", "notin"} or _LENGTH in names[0] | names[1]):
            return True
    return False


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


@dataclass(frozen=True, slots=True)
class _Domains:
    """What each name of a rule can be, as far as the rule can tell."""

    names: Sequence[str]
    atoms: Sequence[Atom]
    scopes: Sequence[Scope]

    def of(self, name: str) -> Sequence[Value | None]:
        """Return what a name can be; None is undefined, which only a context's name can be."""
        column = COLUMNS.get(name)
        if name == _LENGTH:
            return self._lengths()
        if name in _UNITS:
            return [one for one in self._numbers() if 0 <= one <= 1]
        if column is None:
            return self._anything()
        if column.kind == "number":
            return self._numbers()
        return (True, False) if column.kind == "boolean" else self._words(name)

    def _words(self, name: str) -> Sequence[str]:
        words: Mapping[str, Sequence[str]] = {
            "claim.kind": CLAIM_KINDS,
            "claim.scope": self.scopes,
            "claim.boundary_class": BOUNDARY_CLASSES,
        }
        return words.get(name, ())

    def _written(self) -> list[float]:
        return [atom for atom in self.atoms if isinstance(atom, float)]

    def _numbers(self) -> list[float]:
        """Return the numbers written, the ends, and as many between each two as names."""
        fixed = sorted({-_LAST, 0.0, 1.0, _LAST, *self._written()})
        steps = len(self.names) + 1
        between = (
            lower * (1 - step / steps) + upper * (step / steps)
            for lower, upper in pairwise(fixed)
            for step in range(1, steps)
        )
        return sorted({*fixed, *between})

    def _lengths(self) -> list[float]:
        near = (float(at) for one in self._written() for at in (floor(one), ceil(one)))
        around = (at + step for at in near for step in (-1, 0, 1))
        return sorted({0.0, 1.0, _FAR, *(one for one in around if one >= 0)})

    def _anything(self) -> Sequence[Value | None]:
        words = chain.from_iterable(map(self._words, self.names))
        texts = dict.fromkeys([*(one for one in self.atoms if isinstance(one, str)), *words])
        members = (*self.atoms, _OTHER)
        lists = (combinations(members, size) for size in range(len(members) + 1))
        singles: list[Atom] = [True, False, *texts, _OTHER, *self._numbers()]
        return (None, *singles, *chain.from_iterable(lists))
