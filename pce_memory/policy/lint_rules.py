"""Warnings about invariants: what always or never holds, what another one says already."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, CLAIM_KINDS, SCOPES
from pce_memory.policy.faults import Loc
from pce_memory.policy.invariants import CompiledInvariant, compile_invariant
from pce_memory.policy.lint_domains import comparisons
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
from pce_memory.policy.lint_reasoning import Reasoner
from pce_memory.policy.rule_tree import (
    COLUMNS,
    Comparison,
    Constant,
    Expression,
    Identifier,
    Value,
    identifiers,
)
from pce_memory.result import fold

_MOST_NAMES: Final = 200
"""Among more names than these, none is looked for that is nearly another."""

_WORDS: Final = frozenset((*CLAIM_KINDS, *SCOPES, *BOUNDARY_CLASSES))
_NEAR: Final = 0.8


def rule_warnings(policy: Policy) -> Iterator[Warned]:
    """Yield what is to be said of each invariant, and of each beside the others."""
    compiled = [_compiled(one) for one in policy.invariants]
    reasoner = Reasoner()
    varying: dict[int, CompiledInvariant] = {}
    for index, (definition, invariant) in enumerate(zip(policy.invariants, compiled, strict=True)):
        loc = ("invariants", index)
        yield from _repeated_scopes((*loc, "applies_to"), definition.applies_to)
        if invariant is not None:
            found = list(_alone((*loc, "rule"), invariant, reasoner))
            yield from found
            if not any(one.kind in {ALWAYS, NEVER} for one in found):
                varying[index] = invariant
    yield from _misspelt(policy, compiled)
    yield from _implied(varying, Reasoner())


def _compiled(definition: InvariantDefinition) -> CompiledInvariant | None:
    return fold(compile_invariant(definition, {}), ok=lambda one: one, err=lambda _: None)


def _repeated_scopes(loc: Loc, names: Sequence[str]) -> Iterator[Warned]:
    seen: set[str] = set()
    everywhere = "*" in names
    for index, name in enumerate(names):
        if name in seen or (everywhere and name != "*"):
            yield Warned(SCOPE_TWICE, (*loc, index), "the rule applies there already")
        seen.add(name)


def _alone(loc: Loc, invariant: CompiledInvariant, reasoner: Reasoner) -> Iterator[Warned]:
    parts = list(dict.fromkeys(comparisons(invariant.expression)))
    verdict = reasoner.constant(invariant.expression, invariant.applies_to)
    if verdict is True:
        yield Warned(ALWAYS, loc, "this holds of every claim, so it forbids nothing")
    elif verdict is False:
        where = ", ".join(invariant.applies_to)
        yield Warned(NEVER, loc, f"no claim can fulfil this: everything in {where} is denied")
    else:
        yield from _constant_parts(loc, invariant, parts, reasoner)
    for one in parts:
        if word := _unquoted(one):
            message = f"{word} is read as a name; to mean the text, write '{word}'"
            yield Warned(UNQUOTED, loc, message)


def _constant_parts(
    loc: Loc, invariant: CompiledInvariant, parts: Sequence[Comparison], reasoner: Reasoner
) -> Iterator[Warned]:
    for one in parts:
        answer = None if _unquoted(one) else reasoner.constant(one, invariant.applies_to)
        if answer is not None:
            always = "always" if answer else "never"
            yield Warned(CONSTANT, loc, f"'{said(one)}' is {always} true")


def _implied(rules: Mapping[int, CompiledInvariant], reasoner: Reasoner) -> Iterator[Warned]:
    """Yield each rule that forbids nothing another one does not; of two alike, the later."""
    for index, rule in rules.items():
        for other_index, other in rules.items():
            if index == other_index or not reasoner.implies(other, rule):
                continue
            if other_index < index or not reasoner.implies(rule, other):
                message = f"whatever this forbids, '{other.name}' forbids already"
                loc, also = (("invariants", at, "rule") for at in (index, other_index))
                yield Warned(IMPLIED, loc, message, also=also)
                break
        if reasoner.left < 0:
            return


def _unquoted(one: Comparison) -> str | None:
    """Return the word that stands without quotes beside a name whose values are such words."""
    for name, word in ((one.left, one.right), (one.right, one.left)):
        if isinstance(name, Identifier) and isinstance(word, Identifier):
            column = COLUMNS.get(name.path)
            if column and column.kind == "text" and word.path in _WORDS:
                return word.path
    return None


def _misspelt(policy: Policy, compiled: Sequence[CompiledInvariant | None]) -> Iterator[Warned]:
    given = {name for test in policy.tests for name in test.context}
    known = [*COLUMNS, *sorted(given)]
    used = [identifiers(one.expression) if one else frozenset[str]() for one in compiled]
    strange = frozenset[str]().union(*used) - set(known) - _WORDS
    few = len(known) <= _MOST_NAMES and len(strange) <= _MOST_NAMES
    near = {name: get_close_matches(name, known, n=1, cutoff=_NEAR) for name in strange if few}
    for index, names in enumerate(used):
        for name in sorted(names & strange):
            loc = ("invariants", index, "rule")
            if close := near.get(name):
                yield Warned(UNGIVEN, loc, f"nobody gives '{name}'; did you mean '{close[0]}'?")
            elif given:
                message = f"no test gives '{name}' in its context; is it spelt so?"
                yield Warned(UNGIVEN, loc, message)


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
