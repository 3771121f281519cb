"""The tests a policy carries: what they judge, how they come out, and the made-up values in them."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from pce_memory.domain.policy_tests import Expectation
from pce_memory.policy.boundary import validate
from pce_memory.policy.fakes import FAKES, unknown_placeholders, with_fakes
from pce_memory.policy.source import parse_policy
from pce_memory.policy.trial import Trial, failures, run_tests
from pce_memory.text.detect import ASKED_KINDS, PII_KINDS, SECRET_KINDS, detect
from pce_memory.text.redact import REDACTION_KINDS
from tests.unit.policy.policies import NO_BREAK, boundary, policy
from tests.unit.policy.test_source import SMALL, faults

MAIL = "連絡は x@example.com まで"


KNOWN = "answer:task, tool:*, tool:contact-lookup"


def trial(payload: str, expect: Any, **fields: Any) -> Trial:
    tests = [{"name": "n", "payload": payload, "expect": expect, **fields}]
    [one] = run_tests(policy(NO_BREAK, tests=tests))
    return one


@pytest.mark.parametrize(
    ("payload", "fields", "expect", "passed", "got"),
    [
        ("hello", {}, "allowed", True, "allowed"),
        ("hello", {}, "denied", False, "allowed"),
        ("hello", {}, "redacted", False, "allowed"),
        ("hello", {}, {"redacted": "hello"}, False, "allowed"),
        (MAIL, {}, "allowed", False, "redacted: 連絡は [email] まで"),
        (MAIL, {}, "redacted", True, "redacted: 連絡は [email] まで"),
        (MAIL, {}, {"redacted": True}, True, "redacted: 連絡は [email] まで"),
        (MAIL, {}, {"redacted": "連絡は [email] まで"}, True, "redacted: 連絡は [email] まで"),
        (MAIL, {}, {"redacted": "連絡は [email]"}, False, "redacted: 連絡は [email] まで"),
        (MAIL, {"class": "pii", "allow": ["tool:contact-lookup"]}, "redacted", True, "redacted: 連絡は [email] まで"),
        (MAIL, {"boundary_classes": ["public"]}, "denied", True, "denied: class pii is outside the boundary"),
        (MAIL, {"boundary_classes": ["public"]}, {"denied": "outside"}, True, "denied: class pii is outside the boundary"),
        (MAIL, {"boundary_classes": ["public"]}, {"denied": True}, True, "denied: class pii is outside the boundary"),
        (MAIL, {"boundary_classes": ["public"]}, {"denied": "inside"}, False, "denied: class pii is outside the boundary"),
        ("{{secret}}", {}, "denied", True, "denied: the policy shows class secret to no tag of the boundary"),
        ("{{secret}}", {}, "allowed", False, "denied: the policy shows class secret to no tag of the boundary"),
        ("APIに破壊的変更", {"scope": "session"}, "allowed", True, "allowed"),
        ("APIに破壊的変更", {"scope": "principle"}, "allowed", False, "denied: I(B) violation: no_destructive_change"),
        ("APIに破壊的変更", {}, {"denied": "no_destructive"}, True, "denied: I(B) violation: no_destructive_change"),
        ("a note", {"context": {"api.breaking_change": True}}, "denied", True, "denied: I(B) violation: no_destructive_change"),
        ("a note", {"class": "internal", "allow": ["*"]}, "denied", True, "denied: the policy shows class internal to no tag of the boundary; the policy shows no class to the tag * by its name; the policy knows " + KNOWN),
    ],
)  # fmt: skip
def test_a_test_comes_out(payload, fields, expect, passed, got):
    one = trial(payload, expect, **fields)
    assert (one.passed, one.got) == (passed, got)


def test_what_was_expected_is_told():
    wanted = [
        "allowed",
        "redacted",
        "denied",
        {"redacted": "a"},
        {"denied": "b"},
        {"denied": True},
    ]
    assert [trial("x", one).expected for one in wanted] == [
        "allowed", "redacted", "denied", "redacted: a", "denied: b", "denied",
    ]  # fmt: skip


def test_tests_are_chosen_by_name_in_any_case():
    tests = [
        {"name": name, "payload": "x", "expect": "allowed"} for name in ("A key", "鍵", "note")
    ]
    carried = policy(tests=tests)
    assert [one.index for one in run_tests(carried, "KEY")] == [0]
    assert [one.index for one in run_tests(carried, "鍵")] == [1]
    assert len(run_tests(carried)) == 3
    assert failures(run_tests(carried)) == ()


@given(
    text=st.text(max_size=40), allow=st.sampled_from(["answer:task", "tool:contact-lookup", "x"])
)
def test_a_test_says_what_validate_says(text, allow):
    """Law: a test is judged by the function that judges payloads, and by nothing else."""
    where = boundary("public", "internal", "pii", "secret", allow=(allow,))
    judged = validate(with_fakes(text), where, policy(NO_BREAK)).unwrap()
    expect: Any = "allowed" if judged.redacted is None else {"redacted": judged.redacted}
    expect = expect if judged.allowed else {"denied": judged.reason}
    assert trial(text, expect, allow=[allow]).passed


@pytest.mark.parametrize("name", FAKES)
def test_a_fake_is_found_beside_japanese(name):
    before = {"my_number": "マイナンバーは", "us_ssn": "社会保障番号は"}.get(name, "これは")
    text = f"{before}{FAKES[name]}です"
    kinds = {one.kind for one in detect(text, ASKED_KINDS & {name} or None)}
    kind = name.removeprefix("secret:")
    assert kinds == {"openai" if kind == "secret" else kind}


def test_there_is_a_fake_for_every_name_of_redaction():
    assert FAKES.keys() >= REDACTION_KINDS
    assert {name.removeprefix("secret:") for name in FAKES if ":" in name} <= SECRET_KINDS
    assert FAKES.keys() >= PII_KINDS


def test_what_is_no_placeholder_is_text():
    text = "{{ email }} {{}} {email} {{1}} {{secret:}} {{a-b}}"
    assert with_fakes(text) == text
    assert list(unknown_placeholders(text)) == []


def test_a_policy_with_placeholders_holds_no_secret():
    text = SMALL + "".join(f"# {{{{{name}}}}}\n" for name in FAKES)
    assert detect(text, SECRET_KINDS - {"password"}) == ()
    assert parse_policy(text).unwrap().version == "1.0.0"


@pytest.mark.parametrize(
    ("test", "fault"),
    [
        ("{name: n, payload: '{{emial}}', expect: allowed}",
         "p:7:28: tests[0].payload: nothing is made up under this name; did you mean 'email'?"),
        ("{name: n, payload: '日本 {{zzz}}', expect: allowed}",
         "p:7:32: tests[0].payload: nothing is made up under this name; write {{ with a space for the text"),
        ("{name: n, payload: x, expect: alowed}",
         'p:7:39: tests[0].expect: must be allowed, redacted, denied, {redacted: "text"} or {denied: "reason"}'),
        ("{name: n, payload: x, expect: {}}",
         'p:7:39: tests[0].expect: must be allowed, redacted, denied, {redacted: "text"} or {denied: "reason"}'),
        ("{name: n, payload: x, expect: {denied: a, redacted: b}}",
         'p:7:39: tests[0].expect: must be allowed, redacted, denied, {redacted: "text"} or {denied: "reason"}'),
        ("{name: n, payload: x, expect: {denid: a}}",
         "p:7:40: tests[0].expect.denid: unknown key; did you mean 'denied'?"),
        ("{name: n, payload: x, expect: {denied: 3}}",
         "p:7:48: tests[0].expect.denied: must be text in quotes, or true for any"),
        ("{name: n, payload: x, expect: 3}", "p:7:39: tests[0].expect: must be a mapping of keys and values"),
        ("{name: n, payload: x, clas: pii, expect: allowed}", "p:7:31: tests[0].clas: unknown key; did you mean 'class'?"),
        ("{name: n, payload: x, class: pi, expect: allowed}",
         "p:7:38: tests[0].class: must be 'public', 'internal', 'pii' or 'secret'; did you mean 'pii'?"),
        ("{name: n, payload: x, allow: [], expect: allowed}", "p:7:38: tests[0].allow: must have at least 1 entry"),
        ("{name: n, payload: x, context: {a: {}}, expect: allowed}",
         "p:7:44: tests[0].context.a: must be true, false, a number, a text, or a list of these"),
        ("{name: n, payload: x, context: {claim.kind: fact}, expect: allowed}",
         "p:7:53: tests[0].context.claim.kind: may not set claim.kind, which every claim has of its own"),
        ("{name: n, payload: x, context: {api.breaking_change: 3}, expect: allowed}",
         "p:7:62: tests[0].context.api.breaking_change: api.breaking_change must be true or false"),
        ("{name: n, expect: allowed}", "p:7:9: tests[0]: 'payload' is missing here"),
        ("3", "p:7:9: tests[0]: must be a mapping of keys and values"),
    ],
)  # fmt: skip
def test_a_test_that_cannot_be_read(test, fault):
    assert fault in faults(f"{SMALL}tests: [{test}]\n")


@pytest.mark.parametrize("example", ["[]", "3", "[3]", '""', "{a: b}", '["a", ""]'])
def test_an_example_is_a_text_or_texts(example):
    rule = f"{{name: n, find: x, replace: y, example: {example}}}"
    [told] = faults(f"{SMALL}redact_policies: {{t: {{rules: [{rule}]}}}}\n")
    assert (
        told
        == "p:7:71: redact_policies.t.rules[0].example: must be a text in quotes, or a list of them"
    )


def test_one_example_is_a_list_of_one():
    rules = "[{name: n, find: x, replace: y, example: x}, {name: m, find: x, replace: z, example: [x, xx]}]"
    read = parse_policy(f"{SMALL}redact_policies: {{t: {{rules: {rules}}}}}\n").unwrap()
    assert [one.example for one in read.redact_policies["t"].rules] == [("x",), ("x", "xx")]


@pytest.mark.parametrize(
    "expect",
    ["allowed", "redacted", "denied", {"redacted": "x"}, {"redacted": ""}, {"denied": "y"}],
)
def test_an_expectation_is_written_as_it_was_read(expect):
    read = Expectation.model_validate(expect)
    assert read.model_dump(mode="json") == expect
    assert Expectation.model_validate(read.model_dump(mode="json")) == read
