"""What a policy takes out of a text, and which class the text is of by what is found in it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from types import MappingProxyType

from pce_memory.domain.policy import Policy, RedactRule
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, BoundaryClass
from pce_memory.policy.patterns import compile_pattern
from pce_memory.result import fold
from pce_memory.text.detect import PII_KINDS, SECRET_KINDS, detect
from pce_memory.text.redact import REDACTION_KINDS, SECRET, Redaction, redact as replace_kinds


def redact(text: str, policy: Policy) -> str:
    """Return a text without all that any class of the policy redacts."""
    return redact_for(text, policy, boundary_class="secret").text


def redact_for(text: str, policy: Policy, *, boundary_class: BoundaryClass) -> Redaction:
    """Return a text without secrets, and without what this class and the looser ones redact."""
    names = redacted_names(policy, boundary_class)
    kinds = REDACTION_KINDS.intersection(names) | {SECRET}
    rules = rules_of(policy, names)
    if not rules:
        return replace_kinds(text, kinds=kinds)
    counts: Counter[str] = Counter()
    # Secrets go first: a rule that takes a piece out of one would hide the rest of it.
    safe = replace_kinds(text, kinds={SECRET})
    counts.update(safe.counts)
    redacted = safe.text
    for rule in rules:
        redacted, count = _replaced(redacted, rule)
        counts[rule.name] += count
    last = replace_kinds(redacted, kinds=kinds)
    counts.update(last.counts)
    return Redaction(last.text, MappingProxyType(dict(+counts)), safe.matches)


def detected_class(text: str, policy: Policy) -> BoundaryClass:
    """Return the strictest class found in a text: by the detectors, or by a rule of a class.

    A rule of the policy's own that a class lists under `redact` finds text of that class.
    """
    kinds = {match.kind for match in detect(text)}
    if not kinds.isdisjoint(SECRET_KINDS):
        return "secret"
    found: list[BoundaryClass] = ["public"]
    if not kinds.isdisjoint(PII_KINDS):
        found.append("pii")
    for name in BOUNDARY_CLASSES:
        rules = rules_of(policy, policy.boundary_classes.of(name).redact or ())
        if any(_found(text, rule) for rule in rules):
            found.append(name)
    return max(found, key=BOUNDARY_CLASSES.index)


def redacted_names(policy: Policy, boundary_class: BoundaryClass) -> tuple[str, ...]:
    """Return what a class and the looser ones redact: of several answers, the strictest."""
    upto = BOUNDARY_CLASSES[: BOUNDARY_CLASSES.index(boundary_class) + 1]
    names = (name for one in upto for name in policy.boundary_classes.of(one).redact or ())
    return tuple(dict.fromkeys(names))


def rules_of(policy: Policy, names: Sequence[str]) -> tuple[RedactRule, ...]:
    """Return the policy's own rules that are meant by these names, each once.

    A name means a redact policy, or each rule of that name. One that means nothing at all redacts
    the whole text: what cannot be judged is not shown.
    """
    rules: dict[RedactRule, None] = {}
    for name in names:
        meant = [
            rule
            for title, section in policy.redact_policies.items()
            for rule in section.rules
            if name in {title, rule.name}
        ]
        if not meant and name not in REDACTION_KINDS:
            meant = [RedactRule(name=name, find="(?s).+", replace=f"[{name}]")]
        rules.update(dict.fromkeys(meant))
    return tuple(rules)


def _spans(text: str, rule: RedactRule) -> Iterator[tuple[int, int]]:
    """Yield what a rule finds; a pattern that no policy could have finds everything."""
    # A policy that was read has good patterns only. What cannot be judged is not shown.
    finds = fold(
        compile_pattern(rule.find),
        ok=lambda pattern: ((one.start(), one.end()) for one in pattern.finditer(text)),
        err=lambda _: iter(((0, len(text)),)),
    )
    return (span for span in finds if span[1] > span[0])


def _found(text: str, rule: RedactRule) -> bool:
    return next(_spans(text, rule), None) is not None


def _replaced(text: str, rule: RedactRule) -> tuple[str, int]:
    """Replace what a rule finds, word for word."""
    parts: list[str] = []
    done = count = 0
    for start, end in _spans(text, rule):
        parts += [text[done:start], rule.replace]
        done, count = end, count + 1
    return "".join([*parts, text[done:]]), count
