"""The tree of a rule, the values it speaks of, and the names it knows of every claim."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal as OneOf, TypeAlias

Atom: TypeAlias = bool | float | str
Value: TypeAlias = Atom | tuple[Atom, ...]
Operator: TypeAlias = OneOf["==", "!=", ">", ">=", "<", "<=", "in", "notin"]
Kind: TypeAlias = OneOf["boolean", "number", "text"]


class Lack(Enum):
    """What stands where a value is missing."""

    UNDEFINED = "undefined"
    """A name nobody gave a value: false where a truth, an equality or a list is asked for."""
    FAILED = "failed"
    """A judgement that cannot be made: neither true nor false, so the rule does not hold."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A value written in the rule."""

    value: Value


@dataclass(frozen=True, slots=True)
class Identifier:
    """A dotted name."""

    path: str


@dataclass(frozen=True, slots=True)
class Negation:
    """`!operand`."""

    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Conjunction:
    """`a && b && …`: two or more operands, so that a long chain is not a deep tree."""

    operands: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """`a || b || …`: two or more operands."""

    operands: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`."""

    operator: Operator
    left: "Expression"
    right: "Expression"


Expression: TypeAlias = Constant | Identifier | Negation | Conjunction | Disjunction | Comparison


@dataclass(frozen=True, slots=True)
class Column:
    """Where a name known of every claim stands in a row of claims."""

    name: str
    kind: Kind


COLUMNS: Final[Mapping[str, Column]] = {
    "claim.kind": Column("kind", "text"),
    "claim.scope": Column("scope", "text"),
    "claim.boundary_class": Column("boundary_class", "text"),
    "claim.quality": Column("quality", "number"),
    "claim.confidence": Column("confidence", "number"),
    "claim.utility": Column("utility", "number"),
    "claim.text_length": Column("text_length", "number"),
    "prompt.contains_pii": Column("contains_pii", "boolean"),
    "prompt.contains_secret": Column("contains_secret", "boolean"),
    "api.breaking_change": Column("breaking_change", "boolean"),
}
"""The names every claim has; any other comes from the caller's context, or is undefined."""

RESERVED: Final = ("claim.", "prompt.")
"""Names under these are the claim's own: closed to typing slips, and to the caller's context."""


def identifiers(expression: Expression) -> frozenset[str]:
    """Return every name an expression uses.

    >>> sorted(identifiers(Negation(Comparison("in", Identifier("a.b"), Identifier("c")))))
    ['a.b', 'c']
    """
    match expression:
        case Constant():
            return frozenset()
        case Identifier(path):
            return frozenset({path})
        case Negation(operand):
            return identifiers(operand)
        case Comparison(_, left, right):
            return identifiers(left) | identifiers(right)
        case Conjunction(operands) | Disjunction(operands):
            return frozenset[str]().union(*map(identifiers, operands))
