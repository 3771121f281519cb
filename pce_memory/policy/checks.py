"""What the shape of a policy cannot say: rules compile, patterns are safe, names exist."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from pce_memory.domain.dictionary import DICTIONARY_KINDS
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES
from pce_memory.policy.circles import circles
from pce_memory.policy.fakes import FAKES, unknown_placeholders
from pce_memory.policy.faults import Loc
from pce_memory.policy.patterns import Pattern, PatternFault, compile_pattern
from pce_memory.policy.rule_context import BREAKING, context_values
from pce_memory.policy.rule_tree import RESERVED
from pce_memory.policy.rules import MAX_CHARS, parse_rule
from pce_memory.policy.wording import suggestion
from pce_memory.result import fold
from pce_memory.text.redact import REDACTION_KINDS
from pce_memory.text.words import word_list

ANYWHERE: Final = "*"


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with the value at a path; `column` is the place inside its text, from 1."""

    loc: Loc
    message: str
    column: int = 1


def findings(data: object, *, stored: bool = False) -> Iterator[Finding]:
    """Yield what is wrong; what has another shape than it should is passed over.

    A `stored` policy was in force: what was let in then, and is bounded as it runs, may stay.
    """
    policy = _mapping(data)
    yield from _invariants(_items(policy.get("invariants")))
    policies = _mapping(policy.get("redact_policies"))
    yield from _patterns(policies)
    for name, section in _mapping(policy.get("boundary_classes")).items():
        if name in BOUNDARY_CLASSES:
            loc = ("boundary_classes", name)
            yield from _allow((*loc, "allow"), _items(_mapping(section).get("allow")))
            known = [*sorted(REDACTION_KINDS), *_redact_names(policies), *sorted(DICTIONARY_KINDS)]
            yield from _redact((*loc, "redact"), _items(_mapping(section).get("redact")), known)
    yield from _tests(_items(policy.get("tests")))
    if not stored:
        classes = map(_mapping, _mapping(policy.get("boundary_classes")).values())
        listed = [name for one in classes for name in _items(one.get("redact"))]
        names = [one for one in listed if isinstance(one, str)]
        for place, message in circles(policies, names):
            yield Finding(place, message)


def _tests(tests: Sequence[object]) -> Iterator[Finding]:
    for index, entry in enumerate(tests):
        test, loc = _mapping(entry), ("tests", index)
        payload = test.get("payload")
        if isinstance(payload, str):
            for column, name in unknown_placeholders(payload):
                near = suggestion(name, list(FAKES)) or "; write {{ with a space for the text"
                yield Finding(
                    (*loc, "payload"), f"nothing is made up under this name{near}", column
                )
        for name, given in _mapping(test.get("context")).items():
            why = fold(context_values({name: given}), ok=lambda _: "", err=lambda one: one.reason)
            if why and (name.startswith(RESERVED) or name == BREAKING):
                yield Finding((*loc, "context", name), why.removeprefix("context "))


def _invariants(invariants: Sequence[object]) -> Iterator[Finding]:
    names: set[object] = set()
    for index, entry in enumerate(invariants):
        invariant, loc = _mapping(entry), ("invariants", index)
        name, rule = invariant.get("name"), invariant.get("rule")
        if isinstance(name, str) and name in names:
            yield Finding((*loc, "name"), "another invariant has this name")
        names.add(name if isinstance(name, str) else None)
        if isinstance(rule, str) and 0 < len(rule) <= MAX_CHARS:
            fault = fold(parse_rule(rule), ok=lambda _: None, err=lambda fault: fault)
            if fault:
                yield Finding((*loc, "rule"), fault.message, fault.column)
        yield from _applies_to((*loc, "applies_to"), invariant.get("applies_to"))


def _applies_to(loc: Loc, names: object) -> Iterator[Finding]:
    if names == []:
        yield Finding(loc, "must name a scope, or *")
    for index, name in enumerate(_items(names)):
        if isinstance(name, str) and name != ANYWHERE and name not in SCOPES:
            near = suggestion(name, list(SCOPES))
            yield Finding((*loc, index), f"must be session, project, principle or *{near}")


def _patterns(policies: Mapping[str, object]) -> Iterator[Finding]:
    for name, section in policies.items():
        for index, entry in enumerate(_items(_mapping(section).get("rules"))):
            find, replace = _mapping(entry).get("find"), _mapping(entry).get("replace")
            loc = ("redact_policies", name, "rules", index)
            yield from _words(loc, _items(_mapping(entry).get("words")), replace)
            if isinstance(find, str) and find:
                yield from fold(
                    compile_pattern(find),
                    ok=_settling((*loc, "replace"), replace),
                    err=_unsafe((*loc, "find")),
                )


def _words(loc: Loc, words: Sequence[object], replace: object) -> Iterator[Finding]:
    known: set[object] = set()
    for index, word in enumerate(words):
        if isinstance(word, str) and not word.strip():
            yield Finding((*loc, "words", index), "a word has a letter, a digit or a sign")
        elif word in known:
            yield Finding((*loc, "words", index), "this word stands above already")
        known.add(word if isinstance(word, str) else None)
    written = tuple(word for word in words if isinstance(word, str))
    if isinstance(replace, str) and next(word_list(written).find(replace), None) is not None:
        yield Finding((*loc, "replace"), "its own words find this text again")


def _unsafe(loc: Loc) -> Callable[[PatternFault], Iterable[Finding]]:
    return lambda fault: (Finding(loc, fault.message, fault.column),)


def _settling(loc: Loc, replace: object) -> Callable[[Pattern], Iterable[Finding]]:
    def check(pattern: Pattern) -> Iterable[Finding]:
        if isinstance(replace, str) and next(pattern.finditer(replace), None) is not None:
            yield Finding(loc, "its own pattern finds this text again")

    return check


def _allow(loc: Loc, tags: Sequence[object]) -> Iterator[Finding]:
    for index, tag in enumerate(tags):
        if isinstance(tag, str) and (at := tag.find("*")) not in {-1, len(tag) - 1}:
            yield Finding((*loc, index), "a * stands at the end, such as tool:*", at + 1)


def _redact(loc: Loc, names: Sequence[object], known: list[str]) -> Iterator[Finding]:
    for index, name in enumerate(names):
        if isinstance(name, str) and name and name not in known:
            near = suggestion(name, known) or f"; known are {', '.join(known[:16])}"
            yield Finding((*loc, index), f"nothing is redacted under this name{near}")


def _redact_names(policies: Mapping[str, object]) -> Iterator[str]:
    for title, section in policies.items():
        yield title
        for entry in _items(_mapping(section).get("rules")):
            name = _mapping(entry).get("name")
            if isinstance(name, str):
                yield name


def _mapping(data: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", data) if isinstance(data, dict) else {}


def _items(data: object) -> Sequence[object]:
    return cast("Sequence[object]", data) if isinstance(data, list) else ()
