"""Warnings about invariants: what always or never holds, what another one says already."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, CLAIM_KINDS, SCOPES, Scope
from pce_memory.policy.faults import Loc
from pce_memory.policy.invariants import CompiledInvariant, compile_invariant
from pce_memory.policy.lint_domains import comparisons, points
from pce_memory.policy.lint_kinds import (
    ALWAYS,
    CONSTANT,
    IMPLIED,
    NEVER,
    SCOPE_TWICE,
    UNGIVEN,
    UNQUOTED,
    Warned,
)
from pce_memory.policy.rule_tree import (
    COLUMNS,
    Comparison,
    Constant,
    Expression,
    Identifier,
    Value,
    identifiers,
)
from pce_memory.policy.rule_values import holds
from pce_memory.result import fold

MOST_JUDGEMENTS: Final = 60_000
"""How often rules are judged to compare them with each other; then nothing more is said."""

_WORDS: Final = frozenset((*CLAIM_KINDS, *SCOPES, *BOUNDARY_CLASSES))
_NEAR: Final = 0.8


def rule_warnings(policy: Policy) -> Iterator[Warned]:
    """Yield what is to be said of each invariant, and of each beside the others."""
    compiled = [_compiled(one) for one in policy.invariants]
    constant: set[int] = set()
    for index, (definition, invariant) in enumerate(zip(policy.invariants, compiled, strict=True)):
        loc = ("invariants", index)
        yield from _repeated_scopes((*loc, "applies_to"), definition.applies_to)
        if invariant is not None:
            found = list(_alone((*loc, "rule"), invariant))
            constant.update(index for one in found if one.kind in {ALWAYS, NEVER})
            yield from found
            yield from _misspelt((*loc, "rule"), invariant, policy)
    varying = {index: one for index, one in enumerate(compiled) if one and index not in constant}
    yield from _Pairs(varying).implied()


def _compiled(definition: InvariantDefinition) -> CompiledInvariant | None:
    return fold(compile_invariant(definition, {}), ok=lambda one: one, err=lambda _: None)


def _repeated_scopes(loc: Loc, names: Sequence[str]) -> Iterator[Warned]:
    for index, name in enumerate(names):
        if name in names[:index] or (name != "*" and "*" in names):
            yield Warned(SCOPE_TWICE, (*loc, index), "the rule applies there already")


def _alone(loc: Loc, invariant: CompiledInvariant) -> Iterator[Warned]:
    verdict = constant_value(invariant.expression, invariant.applies_to)
    if verdict is True:
        yield Warned(ALWAYS, loc, "this holds of every claim, so it forbids nothing")
    elif verdict is False:
        where = ", ".join(invariant.applies_to)
        yield Warned(NEVER, loc, f"no claim can fulfil this: everything in {where} is denied")
    else:
        for one in dict.fromkeys(comparisons(invariant.expression)):
            part = constant_value(one, invariant.applies_to)
            if part is not None and not _unquoted(one):
                answer = "always true" if part else "never true"
                yield Warned(CONSTANT, loc, f"'{said(one)}' is {answer}")
    for one in dict.fromkeys(comparisons(invariant.expression)):
        if word := _unquoted(one):
            message = f"{word} is read as a name; to mean the text, write '{word}'"
            yield Warned(UNQUOTED, loc, message)


def constant_value(expression: Expression, scopes: Sequence[Scope]) -> bool | None:
    """Return whether a rule holds of every claim, or of none; None if of some or unknown.

    >>> from pce_memory.policy.rules import parse_rule
    >>> rule = parse_rule('claim.quality >= 0.5 || claim.quality < 0.5').unwrap()
    >>> constant_value(rule, SCOPES)
    True
    """
    all_points = points([expression], scopes)
    if all_points is None:
        return None
    seen: set[bool] = set()
    for point in all_points:
        seen.add(holds(expression, point))
        if len(seen) > 1:
            return None
    return seen.pop() if seen else None


@dataclass(slots=True)
class _Pairs:
    """Rules that are compared with each other, up to a number of judgements."""

    rules: dict[int, CompiledInvariant]
    left: int = field(default=MOST_JUDGEMENTS)

    def implied(self) -> Iterator[Warned]:
        """Yield each rule that forbids nothing another one does not; of two alike, the later."""
        for index, rule in self.rules.items():
            for other_index, other in self.rules.items():
                if index == other_index or not self._implies(other, rule):
                    continue
                if other_index < index or not self._implies(rule, other):
                    message = f"whatever this forbids, '{other.name}' forbids already"
                    loc, also = (("invariants", at, "rule") for at in (index, other_index))
                    yield Warned(IMPLIED, loc, message, also=also)
                    break

    def _implies(self, strong: CompiledInvariant, weak: CompiledInvariant) -> bool:
        if not set(weak.applies_to) <= set(strong.applies_to):
            return False
        if strong.expression == weak.expression:
            return True
        if not identifiers(weak.expression) <= identifiers(strong.expression):
            return False
        all_points = points([strong.expression, weak.expression], weak.applies_to)
        for point in all_points or ():
            self.left -= 1
            if self.left < 0:
                return False
            if holds(strong.expression, point) and not holds(weak.expression, point):
                return False
        return all_points is not None


def _unquoted(one: Comparison) -> str | None:
    """Return the word that stands without quotes beside a name whose values are such words."""
    for name, word in ((one.left, one.right), (one.right, one.left)):
        if isinstance(name, Identifier) and isinstance(word, Identifier):
            column = COLUMNS.get(name.path)
            if column and column.kind == "text" and word.path in _WORDS:
                return word.path
    return None


def _misspelt(loc: Loc, invariant: CompiledInvariant, policy: Policy) -> Iterator[Warned]:
    given = {name for test in policy.tests for name in test.context}
    known = [*COLUMNS, *given]
    for name in sorted(identifiers(invariant.expression) - set(known) - _WORDS):
        if near := get_close_matches(name, known, n=1, cutoff=_NEAR):
            message = f"nobody gives '{name}'; did you mean '{near[0]}'?"
            yield Warned(UNGIVEN, loc, message)
        elif given:
            yield Warned(UNGIVEN, loc, f"no test gives '{name}' in its context; is it spelt so?")


def said(expression: Expression) -> str:
    """Return a comparison as a rule writes it.

    >>> said(Comparison("in", Identifier("claim.kind"), Constant(("fact", 1.0))))
    'claim.kind in ["fact", 1]'
    """
    match expression:
        case Comparison(operator, left, right):
            return f"{said(left)} {operator} {said(right)}"
        case Identifier(path):
            return path
        case Constant(value):
            return _written(value)
        case _:
            return "(…)"


def _written(value: Value) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"
