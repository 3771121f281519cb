"""What is stricter, key by key: every change from one policy to another, and what it does.

`RULES` has one line for each key of a policy; a key that has none counts as relaxed by any change.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeVar, cast

from pydantic import BaseModel

from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.policy import Policy, RedactPolicy, RedactRule, seconds
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.policy.boundary import covers

Path: TypeAlias = tuple[str, ...]
Effect: TypeAlias = Literal["relaxes", "tightens", "neutral"]
Rule: TypeAlias = Callable[[object, object], Effect]

ANY: Final = "*"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that differs, and what that does; what is not there is None.

    Each tag of a class and each name it redacts is a change of its own: it comes, with None
    before, or goes.
    """

    path: Path
    effect: Effect
    before: object
    after: object


def _neutral(_before: object, _after: object) -> Effect:
    return "neutral"


def _ranked(*values: object) -> Rule:
    """Return the rule of a choice; the values stand from the loosest to the strictest."""
    return lambda before, after: _effect(values.index(before), values.index(after))


def _effect(before: float, after: float) -> Effect:
    if before == after:
        return "neutral"
    return "tightens" if after > before else "relaxes"


def _size(value: object) -> float:
    """Return a number or a duration as a number; null is no limit."""
    if value is None:
        return math.inf
    return seconds(value) if isinstance(value, str) else cast("float", value)


def _less_is_stricter(before: object, after: object) -> Effect:
    return _effect(-_size(before), -_size(after))


def _more_is_stricter(before: object, after: object) -> Effect:
    return _effect(_size(before), _size(after))


def _by_presence(before: object, after: object) -> Effect:
    """Judge what is there to protect: more of it is stricter."""
    return _effect(before is not None, after is not None)


def _of_invariant(before: object, after: object) -> Effect:
    """Judge a rule: the same in more scopes is stricter, another text is looser."""
    if not isinstance(before, InvariantDefinition) or not isinstance(after, InvariantDefinition):
        return _by_presence(before, after)
    was, now = scopes_of(before), scopes_of(after)
    if before.rule != after.rule or not was <= now:
        return "relaxes"
    return _effect(len(was), len(now))


def _of_redact_policy(before: object, after: object) -> Effect:
    """Judge patterns: what was there stays, in its order; more of them is stricter."""
    if not isinstance(before, RedactPolicy) or not isinstance(after, RedactPolicy):
        return _by_presence(before, after)
    was, now = ([deeds(rule) for rule in one.rules] for one in (before, after))
    rest = iter(now)
    if not all(rule in rest for rule in was):
        return "relaxes"
    return _effect(len(was), len(now))


def deeds(rule: RedactRule) -> Mapping[str, object]:
    """Return what a pattern does, without what only explains it."""
    return rule.model_dump(exclude={"example"})


def scopes_of(invariant: InvariantDefinition) -> frozenset[str]:
    """Return the scopes a rule holds in."""
    named = frozenset(invariant.applies_to)
    return frozenset(SCOPES) if ANY in named else named


RULES: Final[Mapping[Path, Rule]] = {
    ("version",): _neutral,
    ("meta", "name"): _neutral,
    ("meta", "owner"): _neutral,
    ("meta", "updated_at"): _neutral,
    ("extends",): _neutral,
    ("relax", "*"): _neutral,
    ("tests",): _neutral,
    ("scopes", "*", "ttl"): _less_is_stricter,
    ("scopes", "*", "max_tokens"): _less_is_stricter,
    ("boundary_classes", "*", "escalation"): _ranked(None, "human_review", "deny"),
    ("invariants", "*"): _of_invariant,
    ("redact_policies", "*", "rules"): _of_redact_policy,
    ("extraction", "store_mode"): _ranked("raw", "redact", "digest_only"),
    ("extraction", "on_secret"): _ranked("redact", "deny"),
    ("extraction", "max_bytes"): _less_is_stricter,
    ("extraction", "max_claims"): _less_is_stricter,
    ("extraction", "observation_ttl"): _less_is_stricter,
    ("retrieval", "hybrid", "mode"): _neutral,
    ("retrieval", "hybrid", "alpha"): _neutral,
    ("retrieval", "hybrid", "k_txt"): _neutral,
    ("retrieval", "hybrid", "k_vec"): _neutral,
    ("retrieval", "hybrid", "k_final"): _neutral,
    ("retrieval", "threshold"): _neutral,
    ("retrieval", "min_cosine"): _neutral,
    ("retrieval", "text_normalizer"): _neutral,
    ("retrieval", "vector_normalizer"): _neutral,
    ("retrieval", "score_completion"): _neutral,
    ("retrieval", "dynamic_alpha", "enabled"): _neutral,
    ("retrieval", "dynamic_alpha", "short"): _neutral,
    ("retrieval", "dynamic_alpha", "long"): _neutral,
    ("retrieval", "dynamic_alpha", "long_terms"): _neutral,
    ("retrieval", "mmr", "enabled"): _neutral,
    ("retrieval", "mmr", "relevance"): _neutral,
    ("retrieval", "mmr", "candidates"): _neutral,
    ("retrieval", "duplicates", "same_saying"): _neutral,
    ("retrieval", "duplicates", "similar"): _neutral,
    ("retrieval", "query_expansion", "enabled"): _neutral,
    ("retrieval", "query_expansion", "max_expansions"): _neutral,
    ("retrieval", "query_expansion", "include_synonyms"): _neutral,
    ("retrieval", "query_expansion", "include_related"): _neutral,
    ("retrieval", "query_expansion", "weight"): _neutral,
    ("retrieval", "context_ttl"): _less_is_stricter,
    ("retrieval", "rerank", "use_quality"): _neutral,
    ("retrieval", "rerank", "second_stage"): _neutral,
    ("retrieval", "rerank", "recency_half_life_days"): _neutral,
    ("retrieval", "rerank", "recency", "half_life_days_by_kind", "*"): _neutral,
    ("retrieval", "rerank", "recency", "half_life_days_by_scope", "*"): _neutral,
    # Who is asked nothing is told nothing: the texts stay with the engine and its caller.
    ("retrieval", "reranker", "enabled"): _less_is_stricter,
    ("retrieval", "reranker", "candidates"): _neutral,
    ("retrieval", "reranker", "weight"): _neutral,
    ("retrieval", "crag", "enabled"): _neutral,
    ("retrieval", "crag", "on_ambiguous"): _neutral,
    ("retrieval", "crag", "on_incorrect"): _neutral,
    ("fusion", "rrf_k"): _neutral,
    ("fusion", "beta_fuse"): _neutral,
    ("fusion", "weights", "*"): _neutral,
    ("fusion", "lane_weights", "*"): _neutral,
    ("fusion", "pi_weights", "*"): _neutral,
    # A run keeps what was searched for.
    ("fusion", "run_ttl"): _less_is_stricter,
    ("critic", "deltas", "*", "utility"): _neutral,
    ("critic", "deltas", "*", "confidence"): _neutral,
    ("critic", "utility_half_life_days"): _neutral,
    ("critic", "quality_half_life_days"): _neutral,
    ("refinement", "max_refinement_attempts"): _neutral,
    ("refinement", "delta_threshold"): _neutral,
    ("refinement", "delta_threshold_percent"): _neutral,
    ("refinement", "noise_threshold"): _neutral,
    ("refinement", "tuning_noise_threshold"): _neutral,
    ("refinement", "target_score"): _neutral,
    ("refinement", "quality_threshold"): _neutral,
    ("review", "deadline"): _neutral,
    ("retention", "audit"): _more_is_stricter,
    ("retention", "erasures"): _more_is_stricter,
    ("retention", "events"): _neutral,
    ("retention", "most_events"): _neutral,
    ("limits", "query_bytes"): _less_is_stricter,
}
"""What a change of each key does. Ranking and learning decide nothing about who sees what."""


Listed: TypeAlias = Callable[[Sequence[str], str], Effect]
"""Judges a name that only one list has, by the names of the other."""

LISTS: Final[Mapping[Path, tuple[Listed, Listed]]] = {
    ("boundary_classes", "*", "allow"): (
        lambda others, tag: "neutral" if covers(others, tag) else "relaxes",
        lambda others, tag: "neutral" if covers(others, tag) else "tightens",
    ),
    ("boundary_classes", "*", "redact"): (lambda _, __: "tightens", lambda _, __: "relaxes"),
}
"""What it does when a name comes into a list, and when one goes."""


def rule_of(path: Path) -> Rule:
    """Return the rule of a key; where there is none, any change relaxes."""
    return matching(RULES, path) or (lambda _before, _after: "relaxes")


def matching(table: Mapping[Path, T], path: Path) -> T | None:
    """Return the entry of a path in a table of keys; `*` in a key stands for any one name."""
    for pattern, entry in table.items():
        if len(pattern) == len(path) and all(
            want in {ANY, part} for want, part in zip(pattern, path, strict=True)
        ):
            return entry
    return None


def leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield every value of a policy that changes by itself, with its path.

    An invariant has its name in its path, and so has a redact policy.
    """
    if path == ("invariants",):
        for rule in cast("tuple[InvariantDefinition, ...]", value):
            yield (*path, rule.name), rule
    elif isinstance(value, RedactPolicy):
        yield (*path, "rules"), value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from leaves(getattr(value, name), (*path, name))
    elif isinstance(value, Mapping):
        for name, entry in cast("Mapping[str, object]", value).items():
            yield from leaves(entry, (*path, name))
    else:
        yield path, value


def changes(before: Policy, after: Policy) -> tuple[Change, ...]:
    """Return every change from one policy to another; none exactly if they are equal."""
    was, now = dict(leaves(before)), dict(leaves(after))
    found = [
        change
        for path in dict.fromkeys((*was, *now))
        for change in _change(path, was.get(path), now.get(path))
    ]
    for section in ("invariants", "redact_policies"):
        old, new = ([path for path in one if path[0] == section] for one in (was, now))
        if [path for path in old if path in now] != [path for path in new if path in was]:
            names = [tuple(path[1] for path in one) for one in (old, new)]
            found.append(Change((section,), "neutral", *names))
    return tuple(found)


def _change(path: Path, before: object, after: object) -> Iterator[Change]:
    if before == after:
        return
    lists = matching(LISTS, path)
    if lists is None:
        yield Change(path, rule_of(path)(before, after), before, after)
        return
    comes, goes = lists
    was, now = cast("tuple[str, ...]", before or ()), cast("tuple[str, ...]", after or ())
    yield from (Change(path, goes(now, one), one, None) for one in was if one not in now)
    yield from (Change(path, comes(was, one), None, one) for one in now if one not in was)
    if set(was) == set(now):
        yield Change(path, "neutral", before, after)
