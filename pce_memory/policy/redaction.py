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

_ROUNDS: Final = 6


@dataclass(frozen=True, slots=True)
class Rule:
    """What goes by a name that is no built-in kind: how it is found, what stands there then."""

    name: str
    replace: str
    finds: Finds

    def spans(self, text: str, budget: Budget) -> Iterator[Span]:
        """Yield what it finds in a text, from left to right."""
        return ((start, end) for start, end in self.finds(text, budget) if end > start)


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
    budget = Budget()
    once = _once(text, rules, kinds, budget)
    done, counts = once, Counter(once.counts)
    for _ in range(_ROUNDS):
        again = _once(done.text, rules, kinds, budget)
        if again.text == done.text:
            return Redaction(done.text, MappingProxyType(dict(+counts)), once.matches)
        done = again
        counts.update(again.counts)
    # What does not settle is not shown; no rule finds anything in an empty text.
    withheld = f"[{SECRET}]"
    settled = _once(withheld, rules, kinds, budget).text == withheld
    counted = MappingProxyType(dict(+counts))
    return Redaction(withheld if settled else "", counted, once.matches)


def _once(text: str, rules: Sequence[Rule], kinds: frozenset[str], budget: Budget) -> Redaction:
    # Secrets go first: a rule that takes a piece out of one would hide the rest of it.
    safe = replace_kinds(text, kinds={SECRET})
    counts = Counter(safe.counts)
    redacted, replaced = _replaced(safe.text, rules, kinds - {SECRET}, budget)
    counts.update(replaced)
    last = replace_kinds(redacted, kinds=kinds)
    counts.update(last.counts)
    return Redaction(last.text, counts, safe.matches)


def detected_class(text: str, policy: Policy) -> BoundaryClass:
    """Return the strictest class found in a text: by the detectors, or by a rule of a class.

    What a class lists under `redact` and is not looked for everywhere (a rule of the policy's own,
    an address, what a dictionary knows) is of that class where it is found.
    """
    kinds = {match.kind for match in detect(text)}
    if not kinds.isdisjoint(SECRET_KINDS):
        return "secret"
    found: list[BoundaryClass] = ["public"]
    if not kinds.isdisjoint(PII_KINDS):
        found.append("pii")
    budget = Budget()
    for name in BOUNDARY_CLASSES:
        listed = policy.boundary_classes.of(name).redact or ()
        asked = ASKED_KINDS.intersection(listed)
        rules = _finders(policy, listed)
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


def _replaced(
    text: str, rules: Sequence[Rule], kinds: frozenset[str], budget: Budget
) -> tuple[str, Counter[str]]:
    """Replace what the built-in kinds and the rules find in one text, word for word.

    All of them look at the text as it stands, so no rule takes from another, or from a kind, what
    it is known by. Of two that overlap the longer wins, then the kind, then the earlier rule.
    """
    built_in = detect(text, kinds)
    found = [Find(one.start, one.end, f"[{one.kind}]", one.kind) for one in built_in]
    for rule in rules:
        found += [Find(*span, rule.replace, rule.name) for span in rule.spans(text, budget)]
    parts: list[str] = []
    done = 0
    kept = without_overlaps(found)
    for one in kept:
        parts += [text[done : one.start], one.replace]
        done = one.end
    return "".join([*parts, text[done:]]), Counter(one.name for one in kept)
