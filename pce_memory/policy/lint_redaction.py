"""Warnings about redaction: patterns that find nothing new, or that nobody asks for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pce_memory.domain.policy import Policy, RedactRule
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, BoundaryClass
from pce_memory.policy.faults import Loc
from pce_memory.policy.lint_kinds import EXAMPLE, NO_REDACTION, SHADOWED, UNUSED, Warned
from pce_memory.policy.redaction import rules_of, spans_of
from pce_memory.text.detect import PII_KINDS
from pce_memory.text.redact import SECRET

_MOST_PAIRS: Final = 20_000
_LITERAL: Final = re.compile(r"[^\\^$.|?*+()\[\]{}]+")
_ASSERTION: Final = re.compile(r"(?<!\[)\^|\$|\\[bBAzZ]")


@dataclass(frozen=True, slots=True)
class _Placed:
    """A rule, and where it stands."""

    loc: Loc
    rule: RedactRule


def redaction_warnings(policy: Policy) -> Iterator[Warned]:
    """Yield what is to be said of patterns and of the names that classes redact."""
    placed = [
        _Placed(("redact_policies", title, "rules", index), rule)
        for title, section in policy.redact_policies.items()
        for index, rule in enumerate(section.rules)
    ]
    lists = [rules_of(policy, policy.boundary_classes.of(one).redact or ()) for one in _CLASSES]
    orders = [{rule: place for place, rule in enumerate(rules)} for rules in lists]
    shadows = _Shadows(orders)
    seen: set[RedactRule] = set()
    for one in placed:
        yield from _examples(one)
        if one.rule in seen:
            yield Warned(SHADOWED, one.loc, "this very rule stands further up")
        elif not any(one.rule in order for order in orders):
            yield Warned(UNUSED, one.loc, "no class names this rule or its list under redact")
        elif shadow := shadows.of(one.rule):
            message = f"the rule '{shadow.name}' before it finds all that this one could find"
            yield Warned(SHADOWED, (*one.loc, "find"), message)
        seen.add(one.rule)
    for name in _CLASSES:
        yield from _names(name, policy.boundary_classes.of(name).redact or ())


_CLASSES: Final = BOUNDARY_CLASSES


def _examples(one: _Placed) -> Iterator[Warned]:
    examples = one.rule.example or ()
    for index, example in enumerate(examples):
        if not _finds(one.rule, example):
            at = (*one.loc, "example", index)
            yield Warned(EXAMPLE, at, "the pattern of this rule does not find this text")


@dataclass(slots=True)
class _Shadows:
    """The rules of each class in their order; of very many, only the first are compared."""

    orders: Sequence[Mapping[RedactRule, int]]
    left: int = field(default=_MOST_PAIRS)

    def of(self, rule: RedactRule) -> RedactRule | None:
        """Return the rule that leaves this one nothing, in every class that asks for it."""
        using = [order for order in self.orders if rule in order]
        for other, place in using[0].items():
            self.left -= 1
            if place >= using[0][rule] or self.left < 0:
                return None
            before = all(order.get(other, order[rule]) < order[rule] for order in using)
            if before and _takes_all(other, rule):
                return other
        return None


def _takes_all(earlier: RedactRule, later: RedactRule) -> bool:
    if (earlier.find, earlier.words) == (later.find, later.words):
        return True
    # A word is all its pattern can find. Of another pattern its examples speak.
    if later.find is not None and _LITERAL.fullmatch(later.find):
        # A list of words finds them by themselves only, and not within others.
        anywhere = earlier.find is not None and not _ASSERTION.search(earlier.find)
        return anywhere and _finds(earlier, later.find)
    examples = [text for text in later.example or () if _finds(later, text)]
    return bool(examples) and all(
        _finds(earlier, text) and not _finds(later, _replaced(earlier, text)) for text in examples
    )


def _finds(rule: RedactRule, text: str) -> bool:
    return bool(spans_of(rule, text))


def _replaced(rule: RedactRule, text: str) -> str:
    for start, end in reversed(spans_of(rule, text)):
        text = text[:start] + rule.replace + text[end:]
    return text


def _names(boundary_class: BoundaryClass, names: Sequence[str]) -> Iterator[Warned]:
    seen: set[str] = set()
    for index, name in enumerate(names):
        loc = ("boundary_classes", boundary_class, "redact", index)
        if name in seen:
            yield Warned(NO_REDACTION, loc, "this name stands in the list already")
        elif name == SECRET:
            yield Warned(NO_REDACTION, loc, "secrets are always replaced, listed or not")
        elif name in PII_KINDS and boundary_class in {"public", "internal"}:
            message = "a text in which this is found is of class pii; list it there"
            yield Warned(NO_REDACTION, loc, message)
        seen.add(name)
