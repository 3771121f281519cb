"""What is stricter, key by key: the table is complete, and every change is seen and judged."""

import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Union, get_args, get_origin

import pytest
from hypothesis import given
from pydantic import BaseModel

from pce_memory.domain.policy import Policy, RedactPolicy
from pce_memory.policy.source import parse_policy
from pce_memory.policy.strictness import LISTS, RULES, Path, changes, rule_of
from tests.unit.policy.documents import parts, whole, written
from tests.unit.policy.policies import policy


def bare(annotation: Any) -> Any:
    while get_origin(annotation) in {Annotated, Union, types.UnionType}:
        annotation = get_args(annotation)[0]
    return annotation


def keys(annotation: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every key of the model, by the types alone."""
    at = bare(annotation)
    if path == ("invariants",):
        yield (*path, "*")
    elif isinstance(at, type) and issubclass(at, RedactPolicy):
        yield (*path, "rules")
    elif isinstance(at, type) and issubclass(at, BaseModel):
        for name, field in at.model_fields.items():
            yield from keys(field.annotation, (*path, name))
    elif get_origin(at) is Mapping:
        yield from keys(get_args(at)[1], (*path, "*"))
    else:
        yield path


ALL = sorted(set(keys(Policy)))


def matches(pattern: Path, path: Path) -> bool:
    return len(pattern) == len(path) and all(
        want in {"*", part} for want, part in zip(pattern, path, strict=True)
    )


@pytest.mark.parametrize("path", ALL, ids=".".join)
def test_every_key_has_one_rule(path):
    assert len([one for one in (*RULES, *LISTS) if matches(one, path)]) == 1


def test_no_rule_is_for_a_key_that_is_not_there():
    assert [
        one
        for one in (*RULES, *LISTS)
        if one != ("tests",) and not any(matches(one, path) for path in ALL)
    ] == []


def test_a_key_without_a_rule_is_relaxed_by_any_change():
    assert rule_of(("something", "new"))("a", "b") == "relaxes"


def effects(before: Policy, after: Policy) -> list[tuple[str, str]]:
    return [(".".join(one.path), one.effect) for one in changes(before, after)]


def rule(name="r", applies_to=("project",), text="api.breaking_change == false"):
    return {"name": name, "applies_to": list(applies_to), "rule": text}


def section(*names: str) -> dict[str, Any]:
    return {"p": {"rules": [{"name": one, "find": one, "replace": "_"} for one in names]}}


CASES: list[tuple[dict[str, Any], dict[str, Any], list[tuple[str, str]]]] = [
    ({"scopes": {"session": {"ttl": "7d"}}}, {"scopes": {"session": {"ttl": "167h"}}}, [("scopes.session.ttl", "tightens")]),
    ({"scopes": {"session": {"ttl": "7d"}}}, {"scopes": {"session": {"ttl": "168h"}}}, [("scopes.session.ttl", "neutral")]),
    ({"scopes": {"session": {"ttl": "7d"}}}, {"scopes": {"session": {"ttl": "inf"}}}, [("scopes.session.ttl", "relaxes")]),
    ({}, {"scopes": {"session": {"max_tokens": None}}}, [("scopes.session.max_tokens", "relaxes")]),
    ({}, {"scopes": {"session": {"max_tokens": 1}}}, [("scopes.session.max_tokens", "tightens")]),
    ({}, {"extraction": {"store_mode": "raw"}}, [("extraction.store_mode", "relaxes")]),
    ({}, {"extraction": {"store_mode": "digest_only"}}, [("extraction.store_mode", "tightens")]),
    ({}, {"extraction": {"on_secret": "deny"}}, [("extraction.on_secret", "tightens")]),
    ({}, {"extraction": {"max_bytes": 1 << 21}}, [("extraction.max_bytes", "relaxes")]),
    ({}, {"extraction": {"observation_ttl": "1d"}}, [("extraction.observation_ttl", "tightens")]),
    ({}, {"retrieval": {"context_ttl": "2d"}}, [("retrieval.context_ttl", "relaxes")]),
    ({}, {"retrieval": {"hybrid": {"alpha": 0.1}}}, [("retrieval.hybrid.alpha", "neutral")]),
    ({}, {"retention": {"audit": "1d"}}, [("retention.audit", "relaxes")]),
    ({}, {"retention": {"audit": "inf"}}, [("retention.audit", "tightens")]),
    ({}, {"review": {"deadline": "1h"}}, [("review.deadline", "neutral")]),
    ({}, {"limits": {"query_bytes": 1}}, [("limits.query_bytes", "tightens")]),
    ({}, {"invariants": [rule()]}, [("invariants.r", "tightens")]),
    ({"invariants": [rule()]}, {}, [("invariants.r", "relaxes")]),
    ({"invariants": [rule()]}, {"invariants": [rule(applies_to=["*"])]}, [("invariants.r", "tightens")]),
    ({"invariants": [rule(applies_to=["*"])]}, {"invariants": [rule()]}, [("invariants.r", "relaxes")]),
    ({"invariants": [rule()]}, {"invariants": [rule(applies_to=["session"])]}, [("invariants.r", "relaxes")]),
    ({"invariants": [rule()]}, {"invariants": [rule(text="1 == 1")]}, [("invariants.r", "relaxes")]),
    (
        {"invariants": [rule(applies_to=["*"])]},
        {"invariants": [rule(applies_to=["session", "project", "principle"])]},
        [("invariants.r", "neutral")],
    ),
    ({"invariants": [rule("a"), rule("b")]}, {"invariants": [rule("b"), rule("a")]}, [("invariants", "neutral")]),
    ({"redact_policies": section("a")}, {"redact_policies": section("a", "b")}, [("redact_policies.p.rules", "tightens")]),
    ({"redact_policies": section("a", "b")}, {"redact_policies": section("b", "a")}, [("redact_policies.p.rules", "relaxes")]),
    ({"redact_policies": section("a", "b")}, {"redact_policies": section("a")}, [("redact_policies.p.rules", "relaxes")]),
    ({"redact_policies": section("a")}, {}, [("redact_policies.p.rules", "relaxes")]),
    ({"classes": {"internal": {"allow": ["tool:*"]}}}, {"classes": {"internal": {"allow": ["tool:a*", "tool:b"]}}},
     [("boundary_classes.internal.allow", "tightens"), ("boundary_classes.internal.allow", "neutral"), ("boundary_classes.internal.allow", "neutral")]),
    ({"classes": {"internal": {"allow": ["tool:*"]}}}, {"classes": {"internal": {"allow": ["*"]}}},
     [("boundary_classes.internal.allow", "neutral"), ("boundary_classes.internal.allow", "relaxes")]),
    ({"classes": {"public": {"allow": [], "redact": ["email"]}}}, {"classes": {"public": {"allow": [], "redact": ["phone"]}}},
     [("boundary_classes.public.redact", "relaxes"), ("boundary_classes.public.redact", "tightens")]),
    ({"classes": {"public": {"allow": [], "redact": []}}}, {"classes": {"public": {"allow": [], "redact": None}}},
     [("boundary_classes.public.redact", "neutral")]),
    ({"classes": {"public": {"allow": []}}}, {"classes": {"public": {"allow": [], "escalation": "deny"}}},
     [("boundary_classes.public.escalation", "tightens")]),
    ({"classes": {"public": {"allow": [], "escalation": "deny"}}}, {"classes": {"public": {"allow": [], "escalation": "human_review"}}},
     [("boundary_classes.public.escalation", "relaxes")]),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "seen"), CASES)
def test_a_change_is_judged(before, after, seen):
    def read(sections: dict[str, Any]) -> Policy:
        rest = dict(sections)
        return policy(*rest.pop("invariants", ()), **rest)

    assert effects(read(before), read(after)) == seen


read_policies = parts.map(lambda part: parse_policy(written(whole(part))).unwrap())


@given(a=read_policies, b=read_policies)
def test_there_are_no_changes_exactly_between_equal_policies(a, b):
    assert (changes(a, b) == ()) == (a == b)
    assert changes(a, a) == ()


@given(a=read_policies, b=read_policies)
def test_what_tightens_one_way_relaxes_the_other(a, b):
    there = {one.path for one in changes(a, b) if one.effect == "tightens"}
    back = {one.path for one in changes(b, a) if one.effect == "relaxes"}
    assert there <= back
