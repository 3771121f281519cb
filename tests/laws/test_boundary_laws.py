"""Boundaries only ever narrow, and classes merge as the strictest."""

import pytest
from hypothesis import given, settings, strategies as st
from returns.result import Failure, Success

from pce_memory.domain.boundary import Boundary
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES, slower, stricter
from pce_memory.policy.boundary import covers, enforce, narrow, validate, visible_classes
from pce_memory.policy.redaction import detected_class, redact

PREFIXES = ["tool", "answer", "t", ""]
TAGS = st.one_of(
    st.sampled_from(["answer:task", "tool:contact-lookup", "tool:x", "toolbox", "tool:", "*", "tool:*", "**", "a*"]),
    st.builds("{}:{}".format, st.sampled_from(PREFIXES), st.sampled_from(["x", "*", "", "task"])),
)  # fmt: skip
SOME_TAGS = st.lists(TAGS.filter(bool), max_size=4).map(tuple)
CLASS = st.fixed_dictionaries(
    {"allow": SOME_TAGS},
    optional={
        "redact": st.lists(st.sampled_from(["email", "phone", "secret"]), max_size=3, unique=True).map(tuple),
        "escalation": st.sampled_from(["human_review", "deny", None]),
    },
)  # fmt: skip
POLICIES = st.fixed_dictionaries(dict.fromkeys(BOUNDARY_CLASSES, CLASS)).map(
    lambda classes: Policy.model_validate({"version": "1.0.0", "boundary_classes": classes})
)
SOME_SCOPES = st.lists(st.sampled_from(SCOPES), max_size=4).map(tuple)
SOME_CLASSES = st.lists(st.sampled_from(BOUNDARY_CLASSES), max_size=5).map(tuple)
BOUNDARIES = st.builds(
    Boundary,
    scope=SOME_SCOPES,
    allow=SOME_TAGS,
    boundary_classes=SOME_CLASSES,
    invariants=st.just(()),
    context=st.just({}),
)
QUERY = {
    "scope": st.one_of(st.none(), SOME_SCOPES),
    "allow": st.one_of(st.none(), SOME_TAGS),
}


@settings(max_examples=300)
@given(boundary=BOUNDARIES, policy=POLICIES, **QUERY)
def test_a_query_never_widens_its_boundary(boundary, policy, scope, allow):
    narrowed = narrow(boundary, policy, query_scope=scope, query_allow=allow)
    if isinstance(narrowed, Failure):
        codes = {"INVALID_SCOPE", "BOUNDARY_DENIED", "INVALID_BOUNDARY"}
        assert narrowed.failure().code in codes
        return
    reached = narrowed.unwrap()
    assert reached.scopes
    assert set(reached.scopes) <= set(boundary.scope)
    assert scope is None or set(reached.scopes) <= set(scope)
    assert list(reached.scopes) == [one for one in SCOPES if one in reached.scopes]
    assert all(covers(boundary.allow, tag) for tag in reached.allow)
    assert allow is None or set(reached.allow) <= set(allow)
    assert reached.classes
    assert set(reached.classes) <= set(boundary.boundary_classes) - {"secret"}
    for name in reached.classes:
        allowed = policy.boundary_classes.of(name).allow
        assert any(covers(allowed, tag) for tag in reached.allow)


@settings(max_examples=200)
@given(boundary=BOUNDARIES, policy=POLICIES, extra=TAGS.filter(bool), **QUERY)
def test_fewer_tags_and_scopes_never_reach_more(boundary, policy, extra, scope, allow):
    less = narrow(boundary, policy, query_scope=scope, query_allow=allow)
    if isinstance(less, Failure) or allow is None:
        return
    more = narrow(boundary, policy, query_allow=(*allow, extra)).unwrap()
    assert set(less.unwrap().scopes) <= set(more.scopes)
    assert set(less.unwrap().classes) <= set(more.classes)


@settings(max_examples=200)
@given(patterns=st.lists(TAGS.filter(lambda tag: "*" not in tag[:-1])), tag=TAGS)
def test_a_wildcard_in_a_tag_is_a_letter(patterns, tag):
    if tag not in patterns:
        assert covers(patterns, tag) is covers(patterns, tag.replace("*", "\u2217"))


@given(prefix=st.text("abc", min_size=1, max_size=4), rest=st.text("abc:*", max_size=6))
def test_a_prefix_ends_at_its_colon(prefix, rest):
    assert covers([f"{prefix}:*"], prefix + rest) is rest.startswith(":")


@pytest.mark.parametrize(("merge", "order"), [(stricter, BOUNDARY_CLASSES), (slower, SCOPES)])
def test_merging_is_the_maximum_of_an_order(merge, order):
    for one in order:
        assert merge(one, one) == one
        assert merge(order[0], one) == one
        assert merge(order[-1], one) == order[-1]
        for other in order:
            assert merge(one, other) == merge(other, one)
            for third in order:
                assert merge(merge(one, other), third) == merge(one, merge(other, third))


PAYLOADS = st.lists(
    st.sampled_from(["hello ", "x@example.com ", "090-1234-5678 ", "AKIAIOSFODNN7EXAMPLE ", "破壊的変更 ", "198.51.100.7 "]),
    max_size=4,
).map("".join)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(
    payload=PAYLOADS,
    boundary=BOUNDARIES,
    policy=POLICIES,
    declared=st.one_of(st.none(), st.sampled_from(BOUNDARY_CLASSES)),
    scope=st.one_of(st.none(), st.sampled_from([*SCOPES, "galaxy"])),
)
def test_what_is_allowed_is_in_the_boundary_and_holds_no_secret(
    payload, boundary, policy, declared, scope
):
    judged = validate(payload, boundary, policy, boundary_class=declared, scope=scope)
    if isinstance(judged, Failure):
        assert scope == "galaxy" or not boundary.scope or not boundary.boundary_classes
        return
    result = judged.unwrap()
    assert result.allowed is (result.reason is None)
    assert isinstance(enforce(result, boundary), Success if result.allowed else Failure)
    if result.allowed:
        passing = payload if result.redacted is None else result.redacted
        assert detected_class(passing, policy) != "secret"
        assert detected_class(payload, policy) != "secret"
        assert declared is None or declared in boundary.boundary_classes
        assert scope is None or scope in boundary.scope
        if detected_class(passing, policy) == "pii":
            assert "pii" in visible_classes(boundary, policy, boundary.allow)


@settings(max_examples=100, deadline=None)
@given(payload=PAYLOADS, policy=POLICIES)
def test_redaction_never_makes_a_text_stricter(payload, policy):
    before, after = (
        detected_class(payload, policy),
        detected_class(redact(payload, policy), policy),
    )
    assert BOUNDARY_CLASSES.index(after) <= BOUNDARY_CLASSES.index(before)
    assert after != "secret"
