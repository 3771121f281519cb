"""Invariants over claims: flags, judgements, offenders, and the same as a filter over rows."""

from dataclasses import asdict

import duckdb
import pytest
from hypothesis import given, settings, strategies as st
from returns.result import Failure, Result, Success

from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, CLAIM_KINDS, SCOPES
from pce_memory.policy.invariants import (
    ClaimFlags,
    RuleEvaluator,
    claim_flags,
)
from pce_memory.policy.judging import Violation, invariants_of
from tests.unit.policy.policies import claim, invariant

EVALUATOR = RuleEvaluator()
TEXTS = [
    "the sky is blue",
    "mail x@example.com",
    "key AKIAIOSFODNN7EXAMPLE",
    "空は青い",
    "a" * 400,
]
RULES = [
    "prompt.contains_pii == false",
    "!prompt.contains_secret && claim.text_length < 100",
    "api.breaking_change == false",
    'claim.kind in ["fact", "task"] || claim.quality >= 0.5',
    'claim.scope != "session" || claim.boundary_class notin ["pii", "secret"]',
    'dataset.origin != "prod" || data.masked == true',
    "network.egress in allowlist",
    "claim.utility > missing.value",
]


def test_the_flags_of_a_claim():
    plain = ClaimFlags(
        contains_pii=False, contains_secret=False, breaking_change=False, text_length=15
    )
    assert claim_flags(claim()) == plain
    assert claim_flags(claim("mail x@example.com")).contains_pii
    assert claim_flags(claim("key AKIAIOSFODNN7EXAMPLE")).contains_secret
    assert claim_flags(claim("空は青い")).text_length == 4


@pytest.mark.parametrize(
    ("tag", "breaks"),
    [
        ("api.breaking_change", True),
        ("api.breaking_change=true", True),
        ("api.breaking_change:true", True),
        ("api.breaking_change=TRUE", True),
        ("api.breaking_change=false", False),
        ("api.breaking_change:no", False),
        ("xapi.breaking_change", False),
        ("api.breaking_changes", False),
    ],
)
def test_a_tag_says_that_an_api_breaks(tag, breaks):
    assert claim_flags(claim(tags=("other", tag))).breaking_change is breaks


def judged(rule: str, *claims, scopes=(), context=None):
    compiled = EVALUATOR.compile(invariant(rule, *scopes), context).unwrap()
    return EVALUATOR.evaluate_all([compiled], claims)


def violations(definitions, context, claims):
    return Result.do(
        named
        for invariants in invariants_of(EVALUATOR, definitions, context)
        for named in invariants.violations(claims)
    )


def test_an_invariant_holds_for_all_claims_it_applies_to():
    good, bad = claim(), claim("mail x@example.com", scope="session")
    assert judged("prompt.contains_pii == false", good) == Success(True)
    assert judged("prompt.contains_pii == false", good, bad) == Success(False)
    assert judged("prompt.contains_pii == false", bad, scopes=("project",)) == Success(True)
    assert judged("claim.quality > 'high'") == Success(True)
    assert judged("claim.quality > 'high'", good) == Success(False)


def test_star_is_every_scope():
    compiled = EVALUATOR.compile(invariant("true", "*", "session")).unwrap()
    assert compiled.applies_to == SCOPES
    assert compiled.name == "rule"


def test_a_context_adds_to_a_claim_and_takes_nothing_away():
    tagged, plain = claim(tags=("api.breaking_change",)), claim()
    rule = "api.breaking_change == false"
    assert judged(rule, plain, context={"api.breaking_change": True}) == Success(False)
    assert judged(rule, tagged, context={"api.breaking_change": False}) == Success(False)
    assert judged(rule, plain, context={"api.breaking_change": False}) == Success(True)


@pytest.mark.parametrize(
    ("definition", "context", "reason"),
    [
        (invariant("a ="), None, "invariant rule: column 3: write == to compare"),
        (invariant("a", "projct"), None, "invariant rule: applies_to names no scope: projct"),
        (
            InvariantDefinition(name="x", applies_to=(), rule="a"),
            None,
            "invariant x: applies_to is empty; name a scope, or *",
        ),
        (
            invariant("a"),
            {"claim.kind": "x"},
            "context may not set claim.kind, which every claim has of its own",
        ),
    ],
)
def test_what_does_not_compile_names_the_reason(definition, context, reason):
    for refused in (
        EVALUATOR.compile(definition, context),
        EVALUATOR.row_filter([definition], context),
        violations([definition], context, []),
    ):
        assert isinstance(refused, Failure)
        assert refused.failure().message == f"Invalid boundary: {reason}"


def test_every_offender_is_named_with_every_invariant():
    claims = [
        claim("mail x@example.com", 1),
        claim("blue", 2),
        claim("a@example.com", 3, scope="session"),
    ]
    definitions = [
        invariant("prompt.contains_pii == false", name="no_pii"),
        invariant("claim.text_length > 4", "project", name="long"),
    ]
    assert violations(definitions, None, claims) == Success(
        tuple(
            Violation(place, ClaimId(one), name)
            for place, one, name in (
                (0, "clm_1", "no_pii"),
                (1, "clm_2", "long"),
                (2, "clm_3", "no_pii"),
            )
        )
    )
    assert violations([], {}, claims) == Success(())


def test_there_are_not_endless_invariants():
    many = [invariant("true")] * 1001
    for refused in (EVALUATOR.row_filter(many), violations(many, {}, [])):
        assert refused.failure().message == "Invalid boundary: more than 1000 invariants"


def test_a_filter_of_nothing_lets_everything_through():
    row_filter = EVALUATOR.row_filter([]).unwrap()
    assert (row_filter.sql, dict(row_filter.params)) == ("true", {})


CLAIMS = st.builds(
    claim,
    st.sampled_from(TEXTS),
    kind=st.sampled_from(CLAIM_KINDS),
    scope=st.sampled_from(SCOPES),
    boundary_class=st.sampled_from(BOUNDARY_CLASSES),
    quality=st.floats(0, 1),
    confidence=st.floats(0, 1),
    utility=st.floats(-1e6, 1e6),
    tags=st.sampled_from([(), ("api.breaking_change",), ("api.breaking_change=false", "x")]),
)
CONTEXTS = st.fixed_dictionaries(
    {},
    optional={
        "dataset.origin": st.sampled_from(["prod", "test", 1, True]),
        "data.masked": st.booleans(),
        "network.egress": st.sampled_from(["prod", ["prod"], ["x", "y"], []]),
        "allowlist": st.sampled_from([["prod"], ["prod", "x"], "prod"]),
        "api.breaking_change": st.booleans(),
    },
)


@settings(max_examples=120, deadline=None)
@given(
    rules=st.lists(
        st.tuples(st.sampled_from(RULES), st.sets(st.sampled_from(SCOPES), min_size=1)),
        max_size=4,
    ),
    one=CLAIMS,
    context=CONTEXTS,
)
def test_the_filter_over_rows_judges_as_the_evaluator(rules, one, context):
    definitions = [invariant(rule, *scopes) for rule, scopes in rules]
    compiled = [EVALUATOR.compile(one, context).unwrap() for one in definitions]
    row_filter = EVALUATOR.row_filter(definitions, context).unwrap()
    fields = ("kind", "scope", "boundary_class", "quality", "confidence", "utility")
    row = {**{name: getattr(one, name) for name in fields}, **asdict(claim_flags(one))}
    columns = ", ".join(f"$row_{name} as {name}" for name in row)
    found = duckdb.execute(
        f"select {row_filter.sql} from (select {columns})",
        {**row_filter.params, **{f"row_{name}": value for name, value in row.items()}},
    ).fetchall()
    assert Success(found[0][0]) == EVALUATOR.evaluate_all(compiled, [one])
    assert found[0][0] is (not violations(definitions, context, [one]).unwrap())
