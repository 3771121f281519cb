"""Boundaries: what a query reaches, and which payloads pass."""

import pytest
from returns.result import Failure, Success

from pce_memory.domain.boundary import Boundary
from pce_memory.errors import BoundaryDenied, InvalidBoundary, InvalidScope
from pce_memory.policy.boundary import Narrowed, covers, enforce, narrow, validate
from tests.unit.policy.policies import NO_BREAK, NO_PII, boundary, policy

MAIL = "連絡は x@example.com まで"
CLEAN = "連絡は [email] まで"
KEY = "key AKIAIOSFODNN7EXAMPLE"


@pytest.mark.parametrize(
    ("patterns", "tag", "covered"),
    [
        (["answer:task"], "answer:task", True),
        (["answer:task"], "answer:tasks", False),
        (["*"], "anything", True),
        (["tool:*"], "tool:contact-lookup", True),
        (["tool:*"], "toolbox", False),
        (["tool:*"], "tool", False),
        (["tool:contact-lookup"], "*", False),
        (["tool:contact-lookup"], "tool:*", False),
        (["*"], "*", True),
        (["a*b"], "axb", False),
        (["TOOL:*"], "tool:x", False),
        ([], "x", False),
        (["x", "tool:*"], "tool:y", True),
    ],
)
def test_a_pattern_covers_a_tag(patterns, tag, covered):
    assert covers(patterns, tag) is covered


def test_without_a_query_the_boundary_is_reached():
    assert narrow(boundary(), policy(NO_PII)) == Success(
        Narrowed(
            ("session", "project", "principle"),
            ("answer:task",),
            ("public", "internal"),
            policy(NO_PII).invariants,
        )
    )


def test_a_query_takes_what_it_shares_with_the_boundary():
    reached = narrow(
        boundary("public", "pii", allow=("tool:*",), scope=("project", "session")),
        policy(),
        query_scope=("principle", "session"),
        query_allow=("tool:contact-lookup", "answer:task"),
    ).unwrap()
    # To the policy `tool:*` is a tag like any other, and contacts are not for it.
    assert reached == Narrowed(("session",), ("tool:contact-lookup",), ("public",), ())


def test_a_wildcard_of_the_caller_opens_nothing():
    every = ("public", "internal", "pii", "secret")
    assert narrow(boundary(*every, allow=("*",)), policy()).unwrap().classes == ("public",)
    shut = narrow(boundary("pii", allow=("*",)), policy())
    assert isinstance(shut.failure(), BoundaryDenied)


def test_a_secret_is_never_reached():
    open_policy = policy(classes={"secret": {"allow": ["*", "answer:task"]}})
    reached = narrow(boundary("public", "secret"), open_policy).unwrap()
    assert reached.classes == ("public",)


def test_invariants_of_both_hold_once():
    own = {"name": "own", "applies_to": ["*"], "rule": "claim.quality > 0"}
    reached = narrow(boundary(invariants=(NO_PII, own)), policy(NO_PII, NO_BREAK)).unwrap()
    assert [one.name for one in reached.invariants] == [
        "pii_not_in_prompt",
        "no_destructive_change",
        "own",
    ]


@pytest.mark.parametrize(
    ("where", "scope", "allow", "error"),
    [
        (
            boundary(scope=("project",)),
            ("principle",),
            None,
            InvalidScope("principle", ("project",)),
        ),
        (boundary(scope=("project",)), (), None, InvalidScope("none", ("project",))),
        (boundary(scope=()), None, None, InvalidBoundary("it has no scope")),
    ],
)
def test_what_reaches_no_scope(where, scope, allow, error):
    assert narrow(where, policy(), query_scope=scope, query_allow=allow) == Failure(error)


@pytest.mark.parametrize(
    ("where", "allow"),
    [
        (boundary(), ("tool:x",)),
        (boundary(), ("*",)),
        (boundary(), ()),
        (boundary(allow=()), None),
        (boundary("internal", allow=("nothing",)), None),
        (boundary("secret"), None),
    ],
)
def test_what_reaches_no_class(where, allow):
    error = narrow(where, policy(), query_allow=allow).failure()
    assert isinstance(error, BoundaryDenied)
    assert error.boundary is where


def test_a_boundary_without_classes_is_none():
    empty = Boundary(scope=("project",), allow=("x",), boundary_classes=())
    assert narrow(empty, policy()) == Failure(InvalidBoundary("it has no boundary class"))
    assert validate("x", empty, policy()) == Failure(InvalidBoundary("it has no boundary class"))


ALL = ("public", "internal", "pii", "secret")


@pytest.mark.parametrize(
    ("payload", "where", "declared", "allowed", "reason", "redacted"),
    [
        ("hello", boundary(), None, True, None, None),
        ("hello", boundary("internal"), None, True, None, None),
        ("hello", boundary("public"), None, True, None, None),
        ("hello", boundary("public"), "internal", False, "class internal is outside the boundary", None),
        # The vector of the boundary's own documentation, and its neighbours.
        (MAIL, boundary(*ALL), "pii", True, None, CLEAN),
        (MAIL, boundary(*ALL), None, True, None, CLEAN),
        (MAIL, boundary(), None, True, None, CLEAN),
        (MAIL, boundary("pii"), "pii", True, None, CLEAN),
        (MAIL, boundary("pii", allow=("tool:contact-lookup",)), "pii", True, None, CLEAN),
        (MAIL, boundary(), "pii", False, "class pii is outside the boundary", CLEAN),
        (MAIL, boundary(*ALL, allow=("nothing",)), None, False, "class pii needs a human review", CLEAN),
        (MAIL, boundary("public"), None, False, "class pii is outside the boundary", CLEAN),
        # What cannot be redacted is denied unless a tag lets it through.
        ("山田の住所", boundary(*ALL), "pii", False, "class pii needs a human review", None),
        ("山田の住所", boundary(*ALL, allow=("tool:contact-lookup",)), "pii", True, None, None),
        ("198.51.100.7, x@example.com", boundary(*ALL), None, False, "class pii needs a human review", "198.51.100.7, [email]"),
        # A secret is never let through.
        (KEY, boundary(), None, False, "class secret is outside the boundary", "key [secret]"),
        (KEY, boundary(*ALL), "public", False, "the policy shows class secret to no tag of the boundary", "key [secret]"),
        ("hello", boundary(*ALL), "secret", False, "the policy shows class secret to no tag of the boundary", None),
        ("hello", boundary(*ALL, allow=("*",)), "secret", False, "the policy shows class secret to no tag of the boundary", None),
    ],
)  # fmt: skip
def test_a_payload_is_judged(payload, where, declared, allowed, reason, redacted):
    judged = validate(payload, where, policy(), boundary_class=declared).unwrap()
    assert (judged.allowed, judged.reason, judged.redacted) == (allowed, reason, redacted)
    assert judged.policy_version == "1.0.0"


@pytest.mark.parametrize(
    ("payload", "scope", "context", "reason"),
    [
        ("APIに破壊的変更", "principle", {}, "I(B) violation: no_destructive_change"),
        ("APIに破壊的変更", None, {}, "I(B) violation: no_destructive_change"),
        ("APIに破壊的変更", "session", {}, None),
        ("a plain note", "principle", {}, None),
        ("a plain note", "principle", {"api__breaking_change": True}, "I(B) violation: no_destructive_change"),
        ("This is no breaking change.", "principle", {}, "I(B) violation: no_destructive_change"),
        ("This is no breaking change.", "principle", {"api__breaking_change": False}, None),
        (MAIL, "principle", {}, None),
        ("call 198.51.100.7", "session", {}, "I(B) violation: pii_not_in_prompt"),
    ],
)  # fmt: skip
def test_invariants_are_asked_of_the_redacted_payload(payload, scope, context, reason):
    where = boundary(*ALL, **context)
    judged = validate(payload, where, policy(NO_BREAK, NO_PII), scope=scope).unwrap()
    assert (judged.allowed, judged.reason) == (reason is None, reason)


def test_the_scope_of_a_payload():
    assert validate("x", boundary(), policy(), scope="galaxy") == Failure(
        InvalidScope("galaxy", ("session", "project", "principle"))
    )
    outside = validate("x", boundary(scope=("session",)), policy(), scope="principle").unwrap()
    assert (outside.allowed, outside.reason) == (False, "scope principle is outside the boundary")


def test_a_class_that_is_none_is_no_judgement():
    assert validate("x", boundary(), policy(), boundary_class="top") == Failure(
        InvalidBoundary("no class has the name top")
    )


def test_a_rule_that_does_not_compile_is_no_judgement():
    broken = boundary(invariants=({"name": "x", "applies_to": ["*"], "rule": "("},))
    assert isinstance(validate("x", broken, policy()).failure(), InvalidBoundary)


def test_what_is_too_long_to_be_judged_is_denied_unseen():
    judged = validate(KEY, boundary(), policy(extraction={"max_bytes": 10})).unwrap()
    assert (judged.allowed, judged.redacted) == (False, None)


def test_a_payload_of_half_characters_is_judged():
    assert validate("\ud800", boundary(), policy()).unwrap().allowed


def test_enforce_makes_a_failure_of_a_refusal():
    where = boundary()
    allowed = validate("x", where, policy()).unwrap()
    assert enforce(allowed, where) == Success(allowed)
    denied = validate(KEY, where, policy()).unwrap()
    assert enforce(denied, where) == Failure(
        BoundaryDenied(where, "class secret is outside the boundary")
    )
