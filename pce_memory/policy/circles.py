"""Replacements that other rules find, and so on around to the first: such rules never settle."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias, cast

from pce_memory.domain.dictionary import DICTIONARY_KINDS
from pce_memory.policy.faults import Loc
from pce_memory.policy.patterns import Pattern, compile_pattern
from pce_memory.result import fold
from pce_memory.text.detect import ASKED_KINDS, PII_KINDS, SECRET_KINDS, detect
from pce_memory.text.redact import REDACTION_KINDS, SECRET
from pce_memory.text.words import word_list

MOST_PAIRS: Final = 10_000
"""So many pairs of rules are compared; what is not, redaction bounds as it runs."""

Finds: TypeAlias = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Step:
    """What replaces something: a rule of the policy, or a built-in kind, which has no place."""

    name: str
    replace: str
    finds: Finds
    loc: Loc = ()


def circles(policies: Mapping[str, object], listed: Iterable[str]) -> Iterator[tuple[Loc, str]]:
    """Yield the rules whose replacements lead back to them by way of others, each circle once.

    `policies` are the redact policies as they stand in the file, `listed` the names that classes
    redact. A rule that finds its own replacement is no circle: it is told by itself.
    """
    steps = [*_rules(policies), *_kinds(listed)]
    if not any(one.loc for one in steps) or len(steps) ** 2 > MOST_PAIRS:
        return
    after = [
        [
            place
            for place, other in enumerate(steps)
            if other is not one and other.finds(one.replace)
        ]
        for one in steps
    ]
    told: set[int] = set()
    for place, one in enumerate(steps):
        way = _way_back(place, after) if one.loc and place not in told else ()
        if way:
            told.update(way)
            names = " -> ".join(f"'{steps[at].name}'" for at in (*way, place))
            yield one.loc, f"other rules lead from this text back to it: {names}"


def _way_back(start: int, after: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the shortest way from a step back to itself, the last step left out; () if none."""
    ways: dict[int, tuple[int, ...]] = {start: (start,)}
    queue = [start]
    for at in queue:
        for following in after[at]:
            if following == start:
                return ways[at]
            if following not in ways:
                ways[following] = (*ways[at], following)
                queue.append(following)
    return ()


def _rules(policies: Mapping[str, object]) -> Iterator[Step]:
    for title, section in policies.items():
        for index, rule in enumerate(_listed(_keyed(section).get("rules"))):
            known = _keyed(rule)
            finds, replacement = _finds(known), known.get("replace")
            if finds is not None and isinstance(replacement, str):
                loc = ("redact_policies", title, "rules", index, "replace")
                yield Step(str(known.get("name")), replacement, finds, loc)


def _keyed(value: object) -> Mapping[str, object]:
    """Return a part of a document that was read as YAML, if it is a mapping."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _listed(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _finds(rule: Mapping[str, object]) -> Finds | None:
    find, words = rule.get("find"), _listed(rule.get("words"))
    if isinstance(find, str):
        return fold(compile_pattern(find), ok=_finds_pattern, err=lambda _: None)
    texts = tuple(word for word in words if isinstance(word, str))
    if not texts or len(texts) < len(words):
        return None
    known = word_list(texts)
    return lambda text: next(known.find(text), None) is not None


def _finds_pattern(pattern: Pattern) -> Finds:
    return lambda text: next(pattern.finditer(text), None) is not None


def _kinds(listed: Iterable[str]) -> Iterator[Step]:
    """Yield what the built-in kinds put in; of what a dictionary finds nothing is known here."""
    for name in sorted({SECRET, *listed} & (REDACTION_KINDS | DICTIONARY_KINDS)):
        kinds = SECRET_KINDS if name == SECRET else {name} & (PII_KINDS | ASKED_KINDS)
        yield Step(name, f"[{name}]", partial(_detected, frozenset(kinds)))


def _detected(kinds: frozenset[str], text: str) -> bool:
    return bool(kinds and detect(text, kinds))
