"""Warnings about redaction: patterns that find nothing new, or that nobody asks for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pce_memory.domain.policy import Policy, RedactRule
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, BoundaryClass
from pce_memory.policy.faults import Loc
from pce_memory.policy.lint_kinds import EXAMPLE, NO_REDACTION, SHADOWED, UNUSED, Warned
from pce_memory.policy.patterns import compile_pattern
from pce_memory.policy.redaction import rules_of
from pce_memory.result import fold
from pce_memory.text.detect import PII_KINDS
from pce_memory.text.redact import SECRET

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
    for number, one in enumerate(placed):
        yield from _examples(one)
        using = [rules for rules in lists if one.rule in rules]
        if any(one.rule == other.rule for other in placed[:number]):
            yield Warned(SHADOWED, one.loc, "this very rule stands further up")
        elif not using:
            yield Warned(UNUSED, one.loc, "no class names this rule or its list under redact")
        elif shadow := _shadow(one.rule, using):
            message = f"the rule '{shadow.name}' before it finds all that this one could find"
            yield Warned(SHADOWED, (*one.loc, "find"), message)
    for name in _CLASSES:
        yield from _names(name, policy.boundary_classes.of(name).redact or ())


_CLASSES: Final = BOUNDARY_CLASSES


def _examples(one: _Placed) -> Iterator[Warned]:
    examples = one.rule.example or ()
    for index, example in enumerate(examples):
        if not _finds(one.rule.find, example):
            at = (*one.loc, "example", index)
            yield Warned(EXAMPLE, at, "the pattern of this rule does not find this text")


def _shadow(rule: RedactRule, using: Sequence[tuple[RedactRule, ...]]) -> RedactRule | None:
    """Return the rule that leaves this one nothing, in every class that asks for both."""
    before = [rules[: rules.index(rule)] for rules in using]
    return next(
        (
            other
            for other in before[0]
            if all(other in rules for rules in before) and _takes_all(other, rule)
        ),
        None,
    )


def _takes_all(earlier: RedactRule, later: RedactRule) -> bool:
    if earlier.find == later.find:
        return True
    # A word is all its pattern can find. Of another pattern its examples speak.
    if _LITERAL.fullmatch(later.find):
        return not _ASSERTION.search(earlier.find) and _finds(earlier.find, later.find)
    examples = [text for text in later.example or () if _finds(later.find, text)]
    return bool(examples) and all(
        _finds(earlier.find, text) and not _finds(later.find, _replaced(earlier, text))
        for text in examples
    )


def _finds(find: str, text: str) -> bool:
    return bool(_spans(find, text))


def _spans(find: str, text: str) -> list[tuple[int, int]]:
    return fold(
        compile_pattern(find),
        ok=lambda pattern: [(one.start(), one.end()) for one in pattern.finditer(text)],
        err=lambda _: [],
    )


def _replaced(rule: RedactRule, text: str) -> str:
    for start, end in reversed(_spans(rule.find, text)):
        text = text[:start] + rule.replace + text[end:]
    return text


def _names(boundary_class: BoundaryClass, names: Sequence[str]) -> Iterator[Warned]:
    for index, name in enumerate(names):
        loc = ("boundary_classes", boundary_class, "redact", index)
        if name in names[:index]:
            yield Warned(NO_REDACTION, loc, "this name stands in the list already")
        elif name == SECRET:
            yield Warned(NO_REDACTION, loc, "secrets are always replaced, listed or not")
        elif name in PII_KINDS and boundary_class in {"public", "internal"}:
            message = "a text in which this is found is of class pii; list it there"
            yield Warned(NO_REDACTION, loc, message)
