"""What a policy takes out of a text, and which class the text is of by what is found in it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final, TypeAlias

from pce_memory.domain.dictionary import DICTIONARY_KINDS
from pce_memory.domain.policy import Policy, RedactRule
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, BoundaryClass
from pce_memory.policy.finds import Find, without_overlaps
from pce_memory.policy.patterns import Budget, Pattern, compile_pattern
from pce_memory.result import fold
from pce_memory.text.detect import ASKED_KINDS, PII_KINDS, SECRET_KINDS, detect, longest
from pce_memory.text.fold import Span
from pce_memory.text.redact import REDACTION_KINDS, SECRET, Redaction, redact as replace_kinds
from pce_memory.text.words import word_list

Finds: TypeAlias = Callable[[str, Budget], Iterable[Span]]
Redactor: TypeAlias = Callable[[str], Redaction]
Classifier: TypeAlias = Callable[[str], BoundaryClass]

_ROUNDS: Final = 6
_GROWTH: Final = 4
_GROWN: Final = 64 * 1024
"""A text may grow to so many times its length, and so many characters more, before it is withheld.

Without a bound the replacements of one pass, found by others in the next, grow without one.
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """What goes by a name that is no built-in kind: how it is found, what stands there then."""

    name: str
    replace: str
    finds: Finds

    def spans(self, text: str, budget: Budget) -> Iterator[Span]:
        """Yield what it finds in a text, from left to right."""
        return ((start, end) for start, end in self.finds(text, budget) if end > start)


LookedFor: TypeAlias = tuple[BoundaryClass, frozenset[str], Sequence[Rule]]
"""A class, and what of its own it looks for: kinds that have to be asked for, and rules."""


def redact(text: str, policy: Policy) -> str:
    """Return a text without all that any class of the policy redacts."""
    return redact_for(text, policy, boundary_class="secret").text


def redact_for(text: str, policy: Policy, *, boundary_class: BoundaryClass) -> Redaction:
    """Return a text without secrets, and without what this class and the looser ones redact.

    Redacting it again changes nothing, also where a rule finds what another brings about.
    """
    return redactor(policy, boundary_class)(text)


def redactor(policy: Policy, boundary_class: BoundaryClass) -> Redactor:
    """Return what redacts the texts of a class, its rules looked up once: see `redact_for`."""
    names = redacted_names(policy, boundary_class)
    kinds = REDACTION_KINDS.intersection(names) | {SECRET}
    rules = _finders(policy, names)
    if not rules:
        return partial(replace_kinds, kinds=kinds)
    return partial(_settled, rules=rules, kinds=kinds)


def _settled(text: str, *, rules: Sequence[Rule], kinds: frozenset[str]) -> Redaction:
    budget, longest = Budget(), len(text) * _GROWTH + _GROWN
    matches = replace_kinds(text, kinds={SECRET}).matches
    counts: Counter[str] = Counter()
    passed: set[str] = set()
    # A text that was there before comes again, whatever is done to it.
    while text not in passed and len(passed) <= _ROUNDS:
        passed.add(text)
        following = _once(text, rules, kinds, budget, longest)
        if following is None:
            break
        if following.text == text:
            return Redaction(text, MappingProxyType(dict(+counts)), matches)
        counts.update(following.counts)
        text = following.text
    # What does not settle is not shown; no rule finds anything in an empty text.
    withheld = f"[{SECRET}]"
    after = _once(withheld, rules, kinds, budget, len(withheld) + _GROWN)
    settled = after is not None and after.text == withheld
    counted = MappingProxyType(dict(+counts))
    return Redaction(withheld if settled else "", counted, matches)


def _once(
    text: str, rules: Sequence[Rule], kinds: frozenset[str], budget: Budget, longest: int
) -> Redaction | None:
    """Return a text after one pass, or None where it would be longer than it may become."""
    # Secrets go first: a rule that takes a piece out of one would hide the rest of it.
    safe = replace_kinds(text, kinds={SECRET})
    counts = Counter(safe.counts)
    found = _found_in(safe.text, rules, kinds - {SECRET}, budget)
    if _length(safe.text, found) > longest:
        return None
    counts.update(one.name for one in found)
    last = replace_kinds(_replaced(safe.text, found), kinds=kinds)
    counts.update(last.counts)
    return Redaction(last.text, counts, safe.matches)


def detected_class(text: str, policy: Policy) -> BoundaryClass:
    """Return the strictest class found in a text: by the detectors, or by a rule of a class.

    What a class lists under `redact` and is not looked for everywhere (a rule of the policy's own,
    an address, what a dictionary knows) is of that class where it is found.
    """
    return classifier(policy)(text)


def classifier(policy: Policy) -> Classifier:
    """Return what finds the class of a text, its rules looked up once: see `detected_class`."""
    looked_for: list[LookedFor] = []
    for name in BOUNDARY_CLASSES:
        names = policy.boundary_classes.of(name).redact or ()
        asked, rules = ASKED_KINDS.intersection(names), _finders(policy, names)
        if asked or rules:
            looked_for.append((name, asked, rules))
    return partial(_class_of, looked_for=looked_for)


def _class_of(text: str, looked_for: Sequence[LookedFor]) -> BoundaryClass:
    kinds = {match.kind for match in detect(text)}
    if not kinds.isdisjoint(SECRET_KINDS):
        return "secret"
    found: list[BoundaryClass] = ["public"]
    if not kinds.isdisjoint(PII_KINDS):
        found.append("pii")
    budget = Budget()
    for name, asked, rules in looked_for:
        if any(_found(text, rule, budget) for rule in rules) or (asked and detect(text, asked)):
            found.append(name)
    return max(found, key=BOUNDARY_CLASSES.index)


def redacted_names(policy: Policy, boundary_class: BoundaryClass) -> tuple[str, ...]:
    """Return what a class and the looser ones redact: of several answers, the strictest."""
    # A class that is none, in a file that somebody edited, redacts as the strictest does.
    known = boundary_class in BOUNDARY_CLASSES
    place = BOUNDARY_CLASSES.index(boundary_class) if known else len(BOUNDARY_CLASSES)
    upto = BOUNDARY_CLASSES[: place + 1]
    names = (name for one in upto for name in policy.boundary_classes.of(one).redact or ())
    return tuple(dict.fromkeys(names))


def rules_of(policy: Policy, names: Sequence[str]) -> tuple[RedactRule, ...]:
    """Return the policy's own rules that are meant by these names, each once.

    A name means a redact policy, or each rule of that name.
    """
    rules = (rule for name in names for rule in _meant(policy, name))
    return tuple(dict.fromkeys(rules))


def spans_of(rule: RedactRule, text: str) -> list[Span]:
    """Return what a rule finds in a text, from left to right."""
    return list(_as_written(rule).spans(text, Budget()))


def missing_dictionaries(policy: Policy) -> tuple[str, ...]:
    """Return the kinds that a policy redacts and that neither it nor the host can find."""
    return tuple(
        name
        for name in redacted_names(policy, "secret")
        if name in DICTIONARY_KINDS
        and name not in policy.dictionaries
        and not _meant(policy, name)
    )


def _meant(policy: Policy, name: str) -> list[RedactRule]:
    return [
        rule
        for title, section in policy.redact_policies.items()
        for rule in section.rules
        if name in {title, rule.name}
    ]


def _finders(policy: Policy, names: Sequence[str]) -> tuple[Rule, ...]:
    """Return what finds what these names mean, beside the built-in kinds.

    A name that no rule has means a dictionary of the host. One that means nothing at all redacts
    the whole text: what cannot be judged is not shown.
    """
    if not policy.redact_policies and REDACTION_KINDS.issuperset(names):
        return ()
    unwritten = (
        name for name in names if name not in REDACTION_KINDS and not _meant(policy, name)
    )
    return (
        *map(_as_written, rules_of(policy, names)),
        *(_unwritten(name, policy) for name in unwritten),
    )


def _as_written(rule: RedactRule) -> Rule:
    if rule.words is not None:
        words = word_list(rule.words)
        return Rule(rule.name, rule.replace, lambda text, _: words.find(text))
    # A policy that was read has good patterns only. What cannot be judged is not shown.
    return fold(
        compile_pattern(rule.find or ""),
        ok=lambda pattern: Rule(rule.name, rule.replace, partial(_finds_of, pattern)),
        err=lambda _: Rule(rule.name, rule.replace, _everything),
    )


def _unwritten(name: str, policy: Policy) -> Rule:
    dictionary = policy.dictionaries.get(name)
    if dictionary is None:
        return Rule(name, f"[{name}]", _everything)
    return Rule(name, f"[{name}]", lambda text, _: longest(dictionary.find(text)))


def _finds_of(pattern: Pattern, text: str, budget: Budget) -> Iterator[Span]:
    return ((one.start(), one.end()) for one in pattern.finditer(text, budget))


def _everything(text: str, _: Budget) -> Iterator[Span]:
    yield 0, len(text)


def _found(text: str, rule: Rule, budget: Budget) -> bool:
    return next(rule.spans(text, budget), None) is not None


def _found_in(
    text: str, rules: Sequence[Rule], kinds: frozenset[str], budget: Budget
) -> list[Find]:
    """Return what the built-in kinds and the rules find in one text.

    All of them look at the text as it stands, so no rule takes from another, or from a kind, what
    it is known by. Of two that overlap the longer wins, then the kind, then the earlier rule.
    """
    built_in = detect(text, kinds)
    found = [Find(one.start, one.end, f"[{one.kind}]", one.kind) for one in built_in]
    for rule in rules:
        found += [Find(*span, rule.replace, rule.name) for span in rule.spans(text, budget)]
    return without_overlaps(found)


def _length(text: str, found: Sequence[Find]) -> int:
    """Return how long a text is once what was found in it is replaced."""
    return len(text) + sum(len(one.replace) - (one.end - one.start) for one in found)


def _replaced(text: str, found: Sequence[Find]) -> str:
    """Return a text with what was found in it replaced, word for word."""
    parts: list[str] = []
    place = 0
    for one in found:
        parts += [text[place : one.start], one.replace]
        place = one.end
    return "".join([*parts, text[place:]])
