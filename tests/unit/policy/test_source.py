"""Policies are read whole: a policy, or every fault with its place, and never an exception."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from returns.result import Failure, Success

from pce_memory.domain.policy import Policy
from pce_memory.policy.faults import width
from pce_memory.policy.source import MAX_BYTES, parse_policy

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden" / "policy"
CASES = sorted(path.stem for path in GOLDEN.glob("*.yaml"))
SMALL = """\
version: "1.0.0"
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["answer:task", "tool:*"]}
  pii: {allow: [], redact: [email], escalation: human_review}
  secret: {allow: []}
"""
LARGE = (ROOT / "policies" / "org.yaml").read_text("utf-8")


def faults(text: str) -> list[str]:
    return [fault.split("\n")[0] for fault in parse_policy(text, "p").failure().validation_errors]


@pytest.mark.parametrize("case", CASES)
def test_an_author_sees(case):
    text = (GOLDEN / f"{case}.yaml").read_bytes().decode()
    seen = "\n".join(parse_policy(text, f"{case}.yaml").failure().validation_errors) + "\n"
    golden = GOLDEN / f"{case}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(seen, "utf-8")
    assert seen == golden.read_text("utf-8")


def test_there_are_goldens():
    assert len(CASES) >= 6


@pytest.mark.parametrize("case", CASES)
def test_the_caret_stands_below_its_column(case):
    text = (GOLDEN / f"{case}.yaml").read_bytes().decode()
    for fault in parse_policy(text, "p").failure().validation_errors:
        where, excerpt, caret = fault.split("\n")
        column = int(where.split(":")[2])
        if "…" not in excerpt:
            before = excerpt[9 : 9 + column - 1]
            assert width(before) == len(caret) - 10
            assert caret.endswith("^")


def test_only_version_and_classes_are_required():
    policy = parse_policy(SMALL).unwrap()
    assert policy.version == "1.0.0"
    assert policy.retrieval.hybrid.alpha == 0.65
    assert policy.scopes.project.ttl == "120d"
    assert policy.boundary_classes.pii.redact == ("email",)


def test_faults_come_all_at_once_and_in_order():
    text = (
        SMALL + "limits: {query_byte: 1}\nretrieval: {threshold: 2, hybrid: {alpha: -1}}\nx: 1\n"
    )
    assert faults(text) == [
        "p:7:10: limits.query_byte: unknown key; did you mean 'query_bytes'?",
        "p:8:24: retrieval.threshold: must be at most 1",
        "p:8:43: retrieval.hybrid.alpha: must be at least 0",
        "p:9:1: x: unknown key",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "p:1:1: (document): the document is empty"),
        ("# only a comment\n", "p:1:1: (document): the document is empty"),
        ("---\n", "p:1:1: (document): the document is empty"),
        ("- a\n- b\n", "p:1:1: (document): must be a mapping of keys and values"),
        ("just words", "p:1:1: (document): must be a mapping of keys and values"),
        ("42", "p:1:1: (document): must be a mapping of keys and values"),
        (SMALL + "---\n" + SMALL, "p:7:1: (document): a policy is one document; this begins another"),
        (SMALL + "a: \0", "p:7:4: (document): a control or invisible character (U+0000) stands here"),
        (SMALL + "a: \x1b[31m", "p:7:4: (document): a control or invisible character (U+001B) stands here"),
        (SMALL + "a: x\ufeff", "p:7:5: (document): a control or invisible character (U+FEFF) stands here"),
        (SMALL + "a: \ud800", "p:7:4: (document): a control or invisible character (U+D800) stands here"),
        (SMALL + 'meta: {name: "\\0"}', "p:7:14: meta.name: an escape writes a control or invisible character here"),
        (SMALL + 'meta: {name: "\\ud800"}', "p:7:14: meta.name: an escape writes a control or invisible character here"),
        (SMALL + "meta: {name: a, name: b}", "p:7:17: meta.name: this key stands twice"),
        (SMALL + "meta: {name: !!python/object/apply:os.system [id]}", "p:7:14: meta.name: a tag (!) is refused; write the plain value"),
        (SMALL + "meta: &m {name: a}", "p:7:7: meta: an anchor (&) is refused; write the value where it is used"),
        (SMALL + "meta: *m", "p:7:7: meta: an alias (*) is refused; write the value out"),
        (SMALL + "meta: {name: 'a}", "p:7:14: (document): not YAML: this quote is not closed"),
        (SMALL + "limits: {query_bytes: '1'}", "p:7:23: limits.query_bytes: must be a whole number, without quotes"),
        (SMALL + "1: a", "p:7:1: 1: a key is text; write it in quotes"),
        (SMALL + "true: a", "p:7:1: true: a key is text; write it in quotes"),
        (SMALL + "? [a, b]\n: c", "p:7:3: ?: a key is text, not a list, a mapping or an alias"),
        (SMALL + "<<: {}", "p:7:1: <<: unknown key"),
        (SMALL + "retrieval: {threshold: .nan}", "p:7:24: retrieval.threshold: must be a finite number"),
        (SMALL + "limits: {query_bytes: 1e400}", "p:7:23: limits.query_bytes: must be a whole number"),
        (SMALL + "limits: {query_bytes: 16384.0}", "p:7:23: limits.query_bytes: must be a whole number"),
        (SMALL + "limits: {query_bytes: true}", "p:7:23: limits.query_bytes: must be a whole number"),
        (SMALL + "retrieval: {rerank: {use_quality: yes}}", "p:7:35: retrieval.rerank.use_quality: must be true or false"),
        (SMALL + "scopes: {session: {ttl: 7}}", "p:7:25: scopes.session.ttl: YAML reads 7 as a number; write it in quotes"),
        (SMALL + "scopes: {session: {ttl: 99999w}}", "p:7:25: scopes.session.ttl: must be at most 36500d; write inf for no end"),
        (SMALL + "fusion: {run_ttl: inf}", "p:7:19: fusion.run_ttl: must be a whole number with s, m, h, d or w, such as 7d"),
        (SMALL + "fusion: {run_ttl: 999999999d}", "p:7:19: fusion.run_ttl: must be at most 36500d"),
        (SMALL + "review: {deadline: inf}", "p:7:20: review.deadline: must be a whole number with s, m, h, d or w, such as 7d"),
        (SMALL + "retrieval: {context_ttl: inf}", "p:7:26: retrieval.context_ttl: must be a whole number with s, m, h, d or w, such as 7d"),
        (SMALL.replace('"1.0.0"', "1.0"), 'p:1:10: version: YAML reads 1.0 as a number; write it in quotes, such as "1.0.0"'),
        (SMALL.replace('"1.0.0"', '"1.0"'), 'p:1:10: version: must be SemVer in quotes: major.minor.patch, such as "1.0.0"'),
        (SMALL.replace('allow: ["*"]', 'allow: [""]'), "p:3:20: boundary_classes.public.allow[0]: must have at least 1 character"),
        ("a: [" * 30, "p:1:49: (document): values nest at most 24 deep"),
    ],
)  # fmt: skip
def test_what_is_refused(text, fault):
    assert fault in faults(text)


def test_a_version_may_stand_without_quotes_where_yaml_reads_text():
    assert parse_policy(SMALL.replace('"1.0.0"', "1.0.0")).unwrap().version == "1.0.0"


def test_a_byte_order_mark_and_windows_lines_are_read():
    text = "\ufeff" + SMALL.replace("\n", "\r\n")
    assert isinstance(parse_policy(text), Success)
    assert faults(text + "x: 1\r\n") == ["p:7:1: x: unknown key"]


def test_too_long_a_file_is_refused_unread():
    assert faults("#" * (MAX_BYTES + 1)) == ["p:1:1: (document): a policy has at most 128 KiB"]


BOMBS = {
    "laughs": "a: &a [x]\n"
    + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(9)),
    "brackets": "[" * 100_000,
    "braces": "{" * 100_000,
    "dashes": "- " * 50_000,
    "questions": "? " * 50_000,
    "bangs": "! " * 20_000,
    "anchors": "".join(f"k{n}: &a{n} 1\n" for n in range(5_000)),
    "twice": "a: 1\n" * 10_000,
    "integer": SMALL + f"limits: {{query_bytes: {'9' * 10_000}}}",
    "code point": SMALL + 'meta: {name: "\\UFFFFFFFF"}',
    "directive": f"%YAML {'9' * 5_000}.1\n---\na: 1",
    "tag": "%TAG ! tag:x,2000:\n---\n!y a: 1",
    "spaces": " " * 100_000 + "x",
    "quotes": '"' + "\\" * 60_001 + '"',
    "controls": "\x01" * 100_000,
    "unknown": "".join(f"key{n}: 1\n" for n in range(9_000)),
}  # fmt: skip


@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_are_refused_in_time(bomb):
    errors = parse_policy(BOMBS[bomb]).failure().validation_errors
    assert 1 <= len(errors) <= 201


@settings(max_examples=150, deadline=None)
@given(
    text=st.one_of(
        st.text(max_size=200),
        st.text(alphabet="ab:-[]{}&*!|>'\"#%@`\\?,. \n\t01~=<", max_size=120),
    )
)
def test_no_text_raises(text):
    assert isinstance(parse_policy(text), Success | Failure)


PIECES = st.sampled_from(
    ["", " ", "\n", ":", "- ", "'", '"', "[", "]", "{", "}", "&a ", "*a", "!!str ", "? ", "|\n", ">\n", "#", "\t", "9" * 30, ".inf", "null", "true", "\\", "\0", "\u2028", "日本", "*", "<<: ", "0x1", "1e9", "-", "%", "@", "\x85", "(a)\\1", "()"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_mutation_raises_and_every_fault_has_its_place(data):
    text = data.draw(st.sampled_from([SMALL, LARGE]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        end = at + data.draw(st.sampled_from([0, 0, 1, 5, 40]))
        text = text[:at] + data.draw(PIECES) + text[end:]
    read = parse_policy(text, "p")
    if isinstance(read, Failure):
        for fault in read.failure().validation_errors:
            where, _, caret = fault.split("\n")
            _, line, column, _ = where.split(":", 3)
            assert int(line) >= 1
            assert int(column) >= 1
            assert caret.endswith("^")
    else:
        assert isinstance(read.unwrap(), Policy)


def test_keys_of_maps_and_other_shapes_have_plain_words():
    text = SMALL + (
        "scopes: {project: {ttl: ~}}\n"
        "redact_policies: {'': {rules: []}}\n"
        "meta: {name: '', owner: false}\n"
        "invariants: [{name: n, applies_to: '*', rule: 3}]\n"
        "extraction:\n"
    )
    assert faults(text) == [
        "p:7:25: scopes.project.ttl: has no value here; it must be text",
        "p:8:19: redact_policies.'': a key is empty",
        "p:9:14: meta.name: must have at least 1 character",
        "p:9:25: meta.owner: YAML reads false as true or false; write it in quotes",
        "p:10:36: invariants[0].applies_to: must be a list",
        "p:10:47: invariants[0].rule: YAML reads 3 as a number; write it in quotes",
        "p:11:12: extraction: has no value here; it must be a mapping of keys and values",
    ]


TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
LONG = "github_pat_" + "a1B2c3D4e5F6a1B2c3D4e5" + "_" + "b1C2d3E4f5" * 6
KEY = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *["MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn"] * 3])
PEM = f"{KEY}\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "head"),
    [
        (f"{TOKEN}: 1\n", "p:7:1: [secret]: unknown key"),
        (f"meta: {{{TOKEN}: 1}}\n", "p:7:8: meta.[secret]: unknown key"),
        (f"{LONG}: 1\n", "p:7:1: [secret]: unknown key"),
        (f"{TOKEN}: {{a: b}}\n", "p:7:1: [secret]: unknown key"),
        (f"invariants: [{{name: n, applies_to: [{TOKEN}], rule: a == 1}}]\n",
         "p:7:37: invariants[0].applies_to[0]: must be session, project, principle or *"),
        (f"limits: {{query_bytes: {TOKEN}}}\n",
         "p:7:23: limits.query_bytes: must be a whole number"),
        (f"x: 1 # {TOKEN}\n", "p:7:1: x: unknown key"),
        (f"x: 1{' ' * 300}# {TOKEN}\n", "p:7:1: x: unknown key"),
        (f"x: !{TOKEN}!y 1\n",
         "p:7:4: (document): not YAML: while parsing a node found undefined tag handle '![secret]!'"),
        (f"invariants: [{{name: n, applies_to: ['*'], rule: {TOKEN} + 1}}]\n", ""),
        (f"invariants: [{{name: n, applies_to: ['*'], rule: a == '{TOKEN}' '{TOKEN}'}}]\n", ""),
        (f"x: |\n  {PEM.replace(chr(10), chr(10) + '  ')}\n", "p:7:1: x: unknown key"),
    ],
)  # fmt: skip
def test_a_fault_never_prints_a_secret(text, head):
    errors = parse_policy(SMALL + text, "p").failure().validation_errors
    shown = "\n".join(errors)
    assert head in shown
    for secret in (TOKEN, LONG, "MIIEpAIBAAKCAQ"):
        assert secret[:16] not in shown


def test_a_line_with_a_secret_is_withheld_and_others_are_shown():
    text = f"{SMALL}x: 1 # {TOKEN}\ny: 1\n"
    assert parse_policy(text, "p").failure().validation_errors == (
        "p:7:1: x: unknown key\n     7 | (line not shown: it holds a secret)",
        "p:8:1: y: unknown key\n     8 | y: 1\n       | ^",
    )


def test_every_line_of_a_private_key_is_withheld():
    errors = parse_policy(f"{SMALL}x: |\n{PEM}", "p").failure().validation_errors
    assert errors
    assert "MIIEpAIBAAKCAQ" not in "\n".join(errors)


def test_a_suggestion_never_prints_a_secret():
    rules = f"redact_policies: {{{TOKEN}: {{rules: [{{name: n, find: a, replace: b}}]}}}}\n"
    text = SMALL.replace("[email]", f"[{TOKEN[:-1]}]") + rules
    errors = parse_policy(text, "p").failure().validation_errors
    assert "did you mean '[secret]'?" in errors[0]
    assert TOKEN[:16] not in "\n".join(errors).replace(TOKEN[:-1], "")


def test_words_of_a_policy_are_no_secret():
    text = f"{SMALL}x: {{password: hunter2hunter2, on_secret: deny}}\n"
    assert "password: hunter2hunter2" in parse_policy(text).failure().validation_errors[0]
