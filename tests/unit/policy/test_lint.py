"""Warnings: each is told where it stands, none is told of what is meant so, comments silence."""

import itertools
import time
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from returns.result import Success

from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, CLAIM_KINDS, SCOPES
from pce_memory.policy.lint import check
from pce_memory.policy.lint_domains import points
from pce_memory.policy.lint_reasoning import Reasoner
from pce_memory.policy.lint_redaction import redaction_warnings
from pce_memory.policy.lint_rules import said
from pce_memory.policy.redaction import detected_class, redact
from pce_memory.policy.rule_tree import Comparison, identifiers
from pce_memory.policy.rule_values import holds
from pce_memory.policy.rules import parse_rule
from pce_memory.policy.source import read_policy
from tests.unit.policy.policies import policy
from tests.unit.policy.test_source import SMALL

FINE = SMALL.replace("allow: [], redact", 'allow: ["tool:crm"], redact')


def told(text: str, *, base: str = FINE) -> list[str]:
    """Return the warnings of a text laid behind a good policy, without the last word on tests."""
    found = check(read_policy(base + text, "p")).findings
    return [
        f"{one.where.line}:{one.where.column} {one.path} {one.code}"
        for one in found
        if one.code != "W603"
    ]


def ruled(*rules: str, scopes: str = '["*"]') -> str:
    entries = (
        f"  - {{name: r{n}, applies_to: {scopes}, rule: '{rule}'}}\n"
        for n, rule in enumerate(rules)
    )
    return "invariants:\n" + "".join(entries)


def redacting(*rules: str) -> str:
    base = FINE.replace("[email]", "[t]")
    return (
        base
        + "redact_policies:\n  t:\n    rules:\n"
        + "".join(f"      - {rule}\n" for rule in rules)
    )


def test_nothing_is_said_of_a_good_policy():
    assert told("") == []


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("true", "W201"),
        ("!false", "W201"),
        ("claim.quality >= 0", "W201"),
        ("claim.confidence <= 1 && claim.quality >= 0", "W201"),
        ("claim.text_length >= 0", "W201"),
        ('claim.kind in ["fact", "task", "preference", "policy_hint"]', "W201"),
        ('claim.scope notin ["galaxy"]', "W201"),
        ("x == x", "W201"),
        ("x == true || x != true", "W201"),
        ("claim.quality > 0.3 || claim.quality <= 0.3", "W201"),
        ("false", "W202"),
        ("claim.quality > 1", "W202"),
        ("claim.quality > 0.5 && claim.quality < 0.5", "W202"),
        ("claim.quality < 0.2 && claim.quality > 0.1 && claim.quality == 0.3", "W202"),
        ("claim.text_length < 0", "W202"),
        ("claim.text_length > 3 && claim.text_length < 4", "W202"),
        ('claim.kind == "facts"', "W202"),
        ('claim.quality == "high"', "W202"),
        ('claim.kind > "fact"', "W202"),
        ("claim.kind", "W202"),
        ('x == "a" && x == "b"', "W202"),
        ("x > 3 && x < 2", "W202"),
        ("prompt.contains_pii && !prompt.contains_pii", "W202"),
        ('"a" in x && x == []', "W202"),
    ],
)  # fmt: skip
def test_a_rule_that_is_always_or_never_true(rule, code):
    assert told(ruled(rule)) == [f"8:41 invariants[0].rule {code}"]


@pytest.mark.parametrize(
    "rule",
    [
        "claim.quality > 0",
        "claim.quality < 1",
        "claim.utility > -1000",
        "claim.text_length > 0",
        "claim.text_length < 2000",
        "claim.text_length > 3 && claim.text_length < 5",
        "claim.quality < claim.confidence",
        "claim.quality > 0.2 && claim.quality < claim.confidence && claim.confidence < 0.4",
        "x == true",
        "x",
        "!x",
        "x == y",
        "x > 3 && x < 4",
        "x < y && y < 5 && x > 4.5",
        'x in ["a", "b"] && x != "a"',
        "x in y",
        "network.egress == false || network.egress in allowlist",
        'dataset.origin != "prod" || data.masked == true',
        '"a" in x && "b" in x && "c" notin x',
        'x == "" || x == []',
        "x > 1.7e308 || x < -1.7e308",
        "claim.utility < 1e308 && claim.utility > -1e308",
        "x in []",
        'claim.boundary_class != "secret"',
        "prompt.contains_secret == false",
        # Of so many values nothing is said.
        'x != "a" && x != "b" && x != "c" && x != "d" && x != "e" && x == "f" && x == "g"',
    ],
)
def test_a_rule_of_which_nothing_is_said(rule):
    assert told(ruled(rule)) == []


def test_a_rule_is_judged_in_the_layers_it_applies_to():
    assert told(ruled('claim.scope == "project"', scopes="[project]")) == [
        "8:45 invariants[0].rule W201"
    ]
    assert told(ruled('claim.scope == "session"', scopes="[project]")) == [
        "8:45 invariants[0].rule W202"
    ]
    assert told(ruled('claim.scope == "project"', scopes="[project, session]")) == []


def test_of_two_rules_the_weaker_is_told():
    strong, weak = "claim.quality >= 0.5", "claim.quality >= 0.3"
    assert told(ruled(strong, weak)) == ["9:41 invariants[1].rule W203"]
    assert told(ruled(weak, strong)) == ["8:41 invariants[0].rule W203"]


def test_of_two_rules_alike_the_later_is_told():
    assert told(ruled("x == 1", "claim.quality > 0.1", "1 == x")) == [
        "10:41 invariants[2].rule W203"
    ]
    assert told(ruled("x in y", "x in y", "x in y")) == [
        "9:41 invariants[1].rule W203",
        "10:41 invariants[2].rule W203",
    ]


def test_a_rule_in_other_layers_implies_nothing():
    everywhere = "  - {name: a, applies_to: ['*'], rule: claim.quality > 0.3}\n"
    long_kept = "  - {name: b, applies_to: [principle], rule: claim.quality > 0.5}\n"
    assert told("invariants:\n" + everywhere + long_kept) == []
    same = long_kept.replace("0.5", "0.1")
    assert told("invariants:\n" + everywhere + same) == ["9:46 invariants[1].rule W203"]


def test_many_rules_are_compared_in_bounded_time():
    rules = [f"claim.quality > 0.{n:03} || claim.utility > {n}" for n in range(1, 100)]
    assert isinstance(told(ruled(*rules)), list)


def test_a_part_that_never_changes():
    found = check(
        read_policy(FINE + ruled('claim.kind == "facts" || claim.quality > 0.5'), "p")
    ).findings
    assert found[1].message == "'claim.kind == \"facts\"' is never true"


def test_an_unquoted_word_is_told_once():
    assert told(ruled("claim.kind == fact || claim.kind == fact || claim.quality > 0.5")) == [
        "8:41 invariants[0].rule W205"
    ]
    assert told(ruled("fact == claim.kind && claim.quality > 0.5")) == [
        "8:41 invariants[0].rule W205",
    ]


CONTEXT = "tests: [{name: n, payload: x, context: {data.masked: true}, expect: allowed}]\n"


def test_a_name_nobody_gives():
    assert told(ruled("api.breakingchange == false")) == ["8:41 invariants[0].rule W206"]
    assert told(ruled("data.maskd == true || claim.quality > 0.2")) == []
    assert told(CONTEXT + ruled("data.maskd == true || claim.quality > 0.2")) == [
        "9:41 invariants[0].rule W206"
    ]
    assert told(CONTEXT + ruled("data.masked == true || claim.quality > 0.2")) == []
    assert told(CONTEXT + ruled("region != 3 || data.masked")) == ["9:41 invariants[0].rule W206"]


NUMBERS = st.sampled_from(["0", "0.25", "0.5", "1", "2"])
NAMES = st.sampled_from(["claim.quality", "claim.confidence", "claim.text_length", "x", "y"])
PARTS = st.one_of(
    st.builds("{} {} {}".format, NAMES, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), NUMBERS | NAMES),
    st.builds('claim.kind {} "{}"'.format, st.sampled_from(["==", "!="]), st.sampled_from(CLAIM_KINDS)),
    st.builds("claim.scope in [{}]".format, st.sampled_from(['"session"', '"project", "principle"'])),
    st.sampled_from(["x in [1, 0.5]", "prompt.contains_pii", "x", '"a" notin y', "y == []"]),
)  # fmt: skip
RULES = st.builds(
    "{}{} {} {}".format, st.sampled_from(["", "!"]), PARTS, st.sampled_from(["&&", "||"]), PARTS
)
VALUES = st.one_of(
    st.booleans(),
    st.floats(-3, 3, allow_nan=False),
    st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, "a", "b"]),
    st.lists(st.sampled_from(["a", 1.0, 0.5, True]), max_size=3).map(tuple),
)


@settings(max_examples=300, deadline=None)
@given(rule=RULES, data=st.data())
def test_what_is_called_constant_is_constant(rule, data):
    """Law: a rule that is said to hold always, or never, does so for every claim and context."""
    tree = parse_rule(rule).unwrap()
    verdict = Reasoner().constant(tree, SCOPES)
    for _ in range(10):
        assert verdict is None or holds(tree, drawn_claim(data)) is verdict


def drawn_claim(data: st.DataObject) -> dict[str, Any]:
    return {
        "claim.quality": data.draw(st.floats(0, 1)),
        "claim.confidence": data.draw(st.floats(0, 1)),
        "claim.text_length": float(data.draw(st.integers(0, 9))),
        "claim.kind": data.draw(st.sampled_from(CLAIM_KINDS)),
        "claim.scope": data.draw(st.sampled_from(SCOPES)),
        "prompt.contains_pii": data.draw(st.booleans()),
        **{name: data.draw(VALUES) for name in ("x", "y") if data.draw(st.booleans())},
    }


@settings(max_examples=300, deadline=None)
@given(first=RULES | PARTS, second=PARTS, joint=st.sampled_from(["&&", "||"]), data=st.data())
def test_what_is_called_implied_is_implied(first, second, joint, data):
    """Law: of two rules, one that is said to forbid nothing new holds wherever the other does."""
    rules = [first.replace("'", ""), f"({first}) {joint} ({second})"]
    found = check(read_policy(FINE + ruled(*rules), "p")).findings
    trees = [parse_rule(rule).unwrap() for rule in rules]
    for one in found:
        if one.code == "W203":
            weak = int(one.path[len("invariants[")])
            for _ in range(10):
                claim = drawn_claim(data)
                assert holds(trees[weak], claim) or not holds(trees[1 - weak], claim)


PATTERNS = st.sampled_from(
    [
        "a",
        "ab",
        "[ab]+",
        "a|b",
        "b",
        "ab?",
        "^a",
        "a$",
        "\\bab",
        "aa",
        "ba",
        "[^a]b",
        "(?i)AB",
        "a{2,3}",
    ]
)


@settings(max_examples=300, deadline=None)
@given(
    finds=st.lists(PATTERNS, min_size=2, max_size=4),
    listed=st.lists(st.sampled_from(["t", "r0", "r1", "r2"]), min_size=1, max_size=3, unique=True),
    texts=st.lists(st.text(alphabet="abAB #", max_size=12), min_size=5, max_size=5),
)
def test_what_is_called_shadowed_changes_nothing(finds, listed, texts):
    """Law: without a shadowed rule, every text is redacted as with it, and is of the same class."""
    rules = [{"name": f"r{n}", "find": find, "replace": f"#{n}#"} for n, find in enumerate(finds)]
    names = [name for name in listed if name == "t" or int(name[1]) < len(rules)] or ["t"]

    def of(kept: list[dict[str, str]]) -> Policy:
        known = {"t", *(rule["name"] for rule in kept)}
        classes = {"internal": {"allow": ["*"], "redact": [one for one in names if one in known]}}
        return policy(classes=classes, redact_policies={"t": {"rules": kept}})

    for one in redaction_warnings(of(rules)):
        if one.kind.code in {"W101", "W103"}:
            at = one.loc[3]
            less = of([rule for n, rule in enumerate(rules) if n != at])
            for text in texts:
                assert redact(text, less) == redact(text, of(rules))
                assert detected_class(text, less) == detected_class(text, of(rules))


def test_points_are_all_claims_of_a_rule():
    tree = parse_rule('claim.kind == "fact" || claim.boundary_class == "pii"').unwrap()
    found = points([tree], SCOPES)
    assert found is not None
    assert len(list(found)) == len(CLAIM_KINDS) * len(BOUNDARY_CLASSES)


def test_of_too_many_points_there_are_none():
    names = " && ".join(f"n{number} == 1" for number in range(9))
    assert points([parse_rule(names).unwrap()], SCOPES) is None


def test_a_comparison_is_said_as_it_is_written():
    for rule in ('a.b in ["x", 1, true]', "claim.quality >= 0.25", 'x != "y"'):
        tree = parse_rule(rule).unwrap()
        assert isinstance(tree, Comparison)
        assert said(tree) == rule
        assert identifiers(tree)


class TestRedaction:
    def test_the_same_pattern_again(self):
        text = redacting(
            "{name: a, find: 'A[0-9]+', replace: x}", "{name: b, find: 'A[0-9]+', replace: y}"
        )
        assert told("", base=text) == ["11:25 redact_policies.t.rules[1].find W101"]

    def test_the_same_rule_again(self):
        text = redacting(
            "{name: a, find: 'A[0-9]+', replace: x}", "{name: a, find: 'A[0-9]+', replace: x}"
        )
        assert told("", base=text) == ["11:9 redact_policies.t.rules[1] W101"]

    @pytest.mark.parametrize(
        ("earlier", "later", "shadowed"),
        [
            ("'CASE-[0-9]+'", "CASE-77", True),
            ("'CASE-[0-9]+'", "CASES", False),
            ("CASE", "CASE-77", True),
            ("CASE-77", "CASE", False),
            ("'^CASE-77'", "CASE-77", False),
            ("'\\bCASE-77\\b'", "CASE-77", False),
            ("'[^x]'", "CASE", True),
            ("'案件[0-9]'", "案件7番", True),
            ("'A|B'", "'[AB]'", False),
        ],
    )
    def test_a_word_that_is_found_before(self, earlier, later, shadowed):
        rules = (
            f"{{name: a, find: {earlier}, replace: x}}",
            f"{{name: b, find: {later}, replace: y}}",
        )
        found = told("", base=redacting(*rules))
        assert [one.split()[-1] for one in found] == (["W101"] if shadowed else [])

    def test_examples_that_never_reach_their_rule(self):
        rules = (
            "{name: a, find: '[0-9]{4}', replace: x}",
            "{name: b, find: '[0-9]{3}-[0-9]{4}', replace: y, example: [150-0001, 160-0022]}",
        )
        assert [one.split()[-1] for one in told("", base=redacting(*rules))] == ["W101"]
        assert told("", base=redacting(*reversed(rules))) == []

    def test_a_rule_that_another_class_asks_for_alone_is_not_shadowed(self):
        text = FINE.replace("[email]", "[wide, narrow]").replace(
            'internal: {allow: ["answer:task", "tool:*"]}',
            'internal: {allow: ["answer:task", "tool:*"], redact: [narrow]}',
        )
        text += "redact_policies:\n  wide: {rules: [{name: w, find: 'A[0-9]+', replace: x}]}\n"
        text += "  narrow: {rules: [{name: n, find: 'A[0-9]+', replace: y}]}\n"
        assert told("", base=text) == []

    def test_an_example_that_is_not_found(self):
        text = redacting(
            "{name: a, find: 'CASE-[0-9]{6}', replace: x, example: [CASE-123456, CASE-1]}"
        )
        assert told("", base=text) == ["10:77 redact_policies.t.rules[0].example[1] W102"]
        alone = redacting("{name: a, find: 'CASE-[0-9]{6}', replace: x, example: CASE-1}")
        assert told("", base=alone) == ["10:63 redact_policies.t.rules[0].example W102"]

    def test_a_name_that_changes_nothing(self):
        assert told("", base=FINE.replace("[email]", "[email, secret, email]")) == [
            "5:46 boundary_classes.pii.redact[1] W104",
            "5:54 boundary_classes.pii.redact[2] W104",
        ]


class TestClasses:
    def test_a_class_that_is_refused_needs_no_reader(self):
        shut = FINE.replace('public: {allow: ["*"]}', "public: {allow: [], escalation: deny}")
        assert told("", base=shut) == []

    def test_a_class_without_readers(self):
        assert told("", base=SMALL) == ["5:16 boundary_classes.pii.allow W301"]

    @pytest.mark.parametrize(
        ("allow", "found"),
        [
            ('["tool:*", "tool:x"]', ["W304"]),
            ('["tool:x", "tool:*"]', ["W304"]),
            ('["*", "tool:*"]', ["W304"]),
            ('["a", "a"]', ["W304"]),
            ('["tool:*", "toolbox"]', []),
            ('[" a"]', ["W303"]),
        ],
    )
    def test_tags_of_one_list(self, allow, found):
        text = FINE.replace('["answer:task", "tool:*"]', allow).replace('["tool:crm"]', '["*"]')
        shown = [one for one in told("", base=text) if not one.endswith("W305")]
        assert [one.split()[-1] for one in shown] == found

    def test_pii_that_more_may_see_than_internal(self):
        assert told("", base=FINE.replace("tool:crm", "crm")) == [
            "5:17 boundary_classes.pii.allow[0] W305"
        ]
        assert told("", base=FINE.replace('"tool:crm"', '"*"')) == [
            "5:17 boundary_classes.pii.allow[0] W305"
        ]


class TestTimes:
    def test_the_place_is_the_one_that_is_written(self):
        assert told("scopes: {session: {ttl: 200d}}\n") == ["7:25 scopes.session.ttl W501"]
        assert told("scopes: {project: {ttl: 1d}}\n") == ["7:25 scopes.project.ttl W501"]
        assert told("scopes: {principle: {ttl: 90d}}\n") == ["7:27 scopes.principle.ttl W501"]

    def test_equal_times_are_in_order(self):
        assert told("scopes: {session: {ttl: 7d}, project: {ttl: 1w}}\n") == []

    def test_a_deadline_matters_only_where_somebody_reviews(self):
        late = "review: {deadline: 30d}\n"
        assert told(late) == ["7:20 review.deadline W503"]
        assert told(late, base=FINE.replace(", escalation: human_review", "")) == []


def test_errors_hide_the_warnings():
    checked = check(read_policy(SMALL + "x: 1\n", "p"))
    assert [(one.severity, one.code) for one in checked.findings] == [("error", "fault")]


def test_a_secret_is_an_error_and_is_not_shown():
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    checked = check(read_policy(f"{FINE}meta: {{owner: {key}}}\n", "p"))
    [one] = checked.findings
    assert (one.severity, one.code, one.where.line, one.where.column) == ("error", "secret", 7, 15)
    assert key[:12] not in repr(checked)


class TestIgnoring:
    LATE = "scopes: {session: {ttl: 200d}}"

    @pytest.mark.parametrize(
        "text",
        [
            f"{LATE} # pce-memory: ignore[W501]\n",
            f"{LATE} # pce-memory: ignore[layers-out-of-order]\n",
            f"{LATE} #pce-memory:ignore[ w501 ]\n",
            f"{LATE} # so it is  # pce-memory: ignore[W501]\n",
            f"# pce-memory: ignore[W501]\n{LATE}\n",
            f"# pce-memory: ignore[W501]\n# why: it is so\n\n{LATE}\n",
        ],
    )
    def test_a_comment_silences(self, text):
        checked = check(read_policy(FINE + text, "p"))
        assert (checked.findings, checked.silenced) == ((), 1)

    def test_a_comment_at_the_head_is_for_the_whole_file(self):
        checked = check(read_policy(f"# pce-memory: ignore[W501]\n{FINE}{self.LATE}\n", "p"))
        assert (checked.findings, checked.silenced) == ((), 1)

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            (
                f"{LATE}\n# pce-memory: ignore[W501]\n",
                ["7:25 scopes.session.ttl W501", "8:22 (comment) W901"],
            ),
            (
                f"{LATE} # pce-memory: ignore[W502]\n",
                ["7:25 scopes.session.ttl W501", "7:53 (comment) W901"],
            ),
            (f"{LATE} # pce-memory: ignore[W501, W999]\n", ["7:59 (comment) W901"]),
            (
                f"{LATE} # pce-memory: ignore[W901]\n",
                ["7:25 scopes.session.ttl W501", "7:53 (comment) W901"],
            ),
            (
                f"{LATE} # pce-memory: ignore\n",
                ["7:25 scopes.session.ttl W501", "7:32 (comment) W901"],
            ),
            (
                f"{LATE} # pce-memory: ignore[]\n",
                ["7:25 scopes.session.ttl W501", "7:32 (comment) W901"],
            ),
            # Text of a value is no comment.
            (
                'meta: {name: "x # pce-memory: ignore[W501]"}\n' + LATE,
                ["8:25 scopes.session.ttl W501"],
            ),
            (
                "meta:\n  name: |\n    # pce-memory: ignore[W501]\n" + LATE,
                ["10:25 scopes.session.ttl W501"],
            ),
        ],
    )
    def test_what_silences_nothing_is_told(self, text, found):
        assert told(text) == found

    def test_a_name_that_is_nearly_right(self):
        [one] = check(
            read_policy(f"{FINE}# pce-memory: ignore[layer-out-of-order]\nmeta: {{}}\n", "p")
        ).findings
        assert "did you mean 'layers-out-of-order'" in one.message

    def test_an_error_cannot_be_silenced(self):
        text = f"# pce-memory: ignore[fault]\n{FINE}x: 1 # pce-memory: ignore[fault]\n"
        assert [one.code for one in check(read_policy(text, "p")).findings] == ["fault"]


def test_every_warning_stands_inside_the_file():
    texts = [
        ruled("true", "claim.kind == fact"),
        "scopes: {session: {ttl: 0d}}\n",
        "retrieval: {threshold: 1}\n",
    ]
    for one, other in itertools.permutations(texts, 2):
        text = FINE + one + other
        for found in check(read_policy(text, "p")).findings:
            lines = text.split("\n")
            assert found.where.column <= len(lines[found.where.line - 1]) + 1


def test_definitions_are_as_they_were():
    assert InvariantDefinition(name="n", applies_to=("*",), rule="x").applies_to == ("*",)


class TestBases:
    CHILD = 'version: "2.0.0"\nextends: ./base.yaml\n'

    def told(self, child: str, base: str) -> list[str]:
        reading = read_policy(self.CHILD + child, "p", find=lambda _: Success(base))
        return [
            f"{one.where.file}:{one.where.line}:{one.where.column} {one.code}"
            for one in check(reading).findings
        ]

    def test_a_warning_of_the_base_is_told_when_the_base_is_checked(self):
        base = FINE + "retrieval: {threshold: 0.9}\n"
        assert self.told("", base) == []
        assert told("retrieval: {threshold: 0.9}\n") == ["7:24 retrieval.threshold W401"]

    def test_what_comes_of_both_is_told_in_the_child(self):
        base = FINE + "scopes: {project: {ttl: 9d}, principle: {ttl: inf}}\n"
        assert self.told(
            "relax: {scopes.session.ttl: long}\nscopes: {session: {ttl: 10d}}\n", base
        ) == ["p:4:25 W501"]

    def test_a_rule_that_the_base_implies(self):
        base = FINE + ruled("claim.quality > 0.5")
        child = "tests: [{name: n, payload: x, expect: denied}]\n"
        child += "invariants: [{name: own, applies_to: ['*'], rule: claim.quality > 0.3}]\n"
        assert self.told(child, base) == ["p:4:51 W203"]

    def test_a_reason_to_relax_that_relaxes_nothing(self):
        assert self.told("relax: {scopes.session.ttl: long}\n", FINE) == ["p:3:9 W701"]
        ignored = "relax: {scopes.session.ttl: long} # pce-memory: ignore[unused-relax]\n"
        assert self.told(ignored, FINE) == []


def test_other_things_that_live_no_time():
    assert told("retrieval: {context_ttl: 0s}\n") == ["7:26 retrieval.context_ttl W502"]
    assert told("scopes: {session: {ttl: 0m}}\n") == [
        "7:25 scopes.session.ttl W502",
        "7:25 scopes.session.ttl W503",
    ]


def test_a_long_text_is_not_searched_for_secrets():
    [one] = check(read_policy("#" * 200_000, "p")).findings
    assert one.message == "a policy has at most 128 KiB"


SHORT = "claim.quality > 0.{0:03} || claim.confidence > 0.{0:03} || claim.utility > {0}"
LONG = " || ".join(f"claim.quality == 0.{n:03}{{0:03}}" for n in range(30))
LARGE: dict[str, str] = {
    "many rules": ruled(*(SHORT.format(n) for n in range(256))),
    "long rules": ruled(*(LONG.format(n) for n in range(110))),
    "scopes": ruled("claim.quality > 0.1", scopes=f"[{', '.join(['session'] * 9_000)}]"),
    "names": ruled(*(" || ".join(f"n{n}.x{m}" for m in range(30)) for n in range(200))),
    "many patterns": "redact_policies:\n"
    + "".join(
        f"  p{n}: {{rules: [{', '.join(f'{{name: a, find: B{n}x{m}, replace: c}}' for m in range(100))}]}}\n"
        for n in range(24)
    ),
}


@pytest.mark.parametrize("name", [*LARGE, "tags"])
def test_the_largest_policies_are_checked_in_time(name):
    """What is compared with all others of its kind is compared within bounds."""
    tags = ", ".join(f"tool:{number}" for number in range(9_000))
    text = FINE.replace('"tool:crm"', tags) if name == "tags" else FINE + LARGE[name]
    reading = read_policy(text, "p")
    begun = time.process_time()
    assert check(reading).errors == ()
    assert time.process_time() - begun < 10
