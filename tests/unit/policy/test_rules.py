"""The rule language: what rules say, and where they are wrong."""

import pytest
from returns.result import Success

from pce_memory.policy.rule_context import context_values
from pce_memory.policy.rule_tree import Lack, Value
from pce_memory.policy.rule_values import evaluate, holds
from pce_memory.policy.rules import RuleFault, parse_rule

CONTEXT: dict[str, Value] = {
    "network.egress": ("prod", "mail"),
    "allowlist": ("prod", "mail", "web"),
    "empty": (),
    "dataset.origin": "prod",
    "data.masked": False,
    "retries": 3.0,
}
F = Lack.FAILED


@pytest.mark.parametrize(
    ("rule", "worth"),
    [
        # A name without a value is false where a truth, an equality or a list is asked for.
        ("nobody.knows == false", True),
        ("nobody.knows && true", False),
        ("!nobody.knows", True),
        ("nobody.knows == 'x'", False),
        ("nobody.knows != 'x'", True),
        ("'x' in nobody.knows", False),
        ("'x' notin nobody.knows", True),
        ("nobody.knows == nobody.else", True),
        # Ordering needs two numbers.
        ("nobody.knows > 0", F),
        ("0 <= nobody.knows", F),
        ("dataset.origin < 'z'", F),
        ("true > false", F),
        ("retries >= 3", True),
        ("retries > 3", False),
        ("retries < 3.5", True),
        ("-1 <= retries", True),
        ("1e3 > 999", True),
        # Two types are never equal.
        ("true == 1", False),
        ("1 == '1'", False),
        ("true != 1", True),
        ("0 == false", False),
        ("0.0 == -0", True),
        ("[1, 'a'] == [1, 'a']", True),
        ("[1] == [true]", False),
        # Kleene.
        ("true || 1 > 'a'", True),
        ("1 > 'a' || true", True),
        ("false || 1 > 'a'", F),
        ("false && 1 > 'a'", False),
        ("1 > 'a' && false", False),
        ("true && 1 > 'a'", F),
        ("!(1 > 'a')", F),
        ("(1 > 'a') == false", F),
        ("(1 > 'a') in [true]", F),
        ("'text' && true", F),
        ("!3", F),
        ("[] || true", True),
        ("[]", ()),
        # in and notin
        ("'prod' in network.egress", True),
        ('"prod" notin(network.egress)', False),
        ('"web" notin(network.egress)', True),
        ("network.egress in allowlist", True),
        ("allowlist in network.egress", False),
        ("allowlist notin network.egress", False),
        ("empty in network.egress", True),
        ("empty notin network.egress", True),
        ("dataset.origin in ['test', 'prod']", True),
        ("retries in [true, 3]", True),
        ("data.masked in [0, '']", False),
        ("'p' in dataset.origin", F),
        ("'x' in []", False),
        # && goes before ||, ! before both, a comparison before !.
        ("true || false && false", True),
        ("(true || false) && false", False),
        ("!dataset.origin == 'test'", True),
        ("!!true", True),
        ("dataset.origin != 'prod' || data.masked == true", False),
        ("\t(\n true \r\n)", True),
    ],
)  # fmt: skip
def test_what_a_rule_says(rule, worth):
    found = evaluate(parse_rule(rule).unwrap(), CONTEXT)
    assert found == worth
    assert type(found) is type(worth)
    assert holds(parse_rule(rule).unwrap(), CONTEXT) is (worth is True)


@pytest.mark.parametrize(
    ("rule", "column", "message"),
    [
        ("", 1, "a name, a value or a parenthesis is missing here"),
        ("   ", 4, "a name, a value or a parenthesis is missing here"),
        ("a = b", 3, "write == to compare"),
        ("a & b", 3, "write &&"),
        ("a | b", 3, "write ||"),
        ("a && ", 6, "a name, a value or a parenthesis is missing here"),
        ("a == 'b", 6, "this text has no closing quote"),
        ("a == b == c", 8, "a comparison has two sides; join two with && or use parentheses"),
        ("(a || b", 8, "a ) is missing"),
        ("a)", 2, "an operator is missing before this"),
        ("a b", 3, "an operator is missing before this"),
        ("a and b", 3, "write && instead of 'and'"),
        ("not a", 1, "write ! instead of 'not'"),
        ("a == True", 6, "write true instead of 'True'"),
        ("(a or b)", 4, "write || instead of 'or'"),
        ("a in [b]", 7, "a list holds numbers, quoted texts, true and false"),
        ("a in [[1]]", 7, "a list holds numbers, quoted texts, true and false"),
        ("a in [1 2]", 9, "a , or ] is missing in this list"),
        ("a in [1,]", 9, "a list holds numbers, quoted texts, true and false"),
        ("a in [1", 8, "a , or ] is missing in this list"),
        ("a > 1e999", 5, "this number is too large"),
        ("a in [1, 1e999]", 10, "this number is too large"),
        ("a > 1.x", 5, "this is no number; write it as 12 or 0.5"),
        ("a > .5", 5, "this character has no meaning in a rule"),
        ("a > -", 5, "this is no number; write it as 12 or 0.5"),
        ("claim.knd == 'fact'", 1, "unknown name 'claim.knd'; did you mean 'claim.kind'?"),
        ("prompt.zzz", 1, "unknown name 'prompt.zzz'"),
        ("偽", 1, "this character has no meaning in a rule"),
        ("a == '日本' && ?", 14, "this character has no meaning in a rule"),
        ("in", 1, "a name, a value or a parenthesis is missing here"),
        ("a.b.", 4, "this character has no meaning in a rule"),
        ("a" * 1001, 1, "a rule has at most 1000 characters"),
        ("(" * 33 + "a" + ")" * 33, 33, "parentheses and ! go at most 32 deep"),
        ("!" * 33 + "a", 33, "parentheses and ! go at most 32 deep"),
    ],
)  # fmt: skip
def test_where_a_rule_is_wrong(rule, column, message):
    assert parse_rule(rule).failure() == RuleFault(column, message)


def test_a_context_becomes_values():
    given = {"a": True, "b": 3, "c": 0.5, "d": "x", "e": [1, "y", False], "f": ()}
    assert context_values(given) == Success(
        {"a": True, "b": 3.0, "c": 0.5, "d": "x", "e": (1.0, "y", False), "f": ()}
    )


@pytest.mark.parametrize(
    ("context", "named"),
    [
        ({"claim.kind": "fact"}, "claim.kind"),
        ({"prompt.contains_pii": False}, "prompt.contains_pii"),
        ({"prompt.anything": False}, "prompt.anything"),
        ({"api.breaking_change": "no"}, "api.breaking_change"),
        ({"x": None}, "x"),
        ({"x": float("nan")}, "x"),
        ({"x": float("inf")}, "x"),
        ({"x": 10**400}, "x"),
        ({"x": {"y": 1}}, "x"),
        ({"x": [[1]]}, "x"),
        ({"x": [None]}, "x"),
        ({"x": "\ud800"}, "x"),
        ({"x": [1] * 1001}, "x"),
        ({"x": b"bytes"}, "x"),
    ],
)
def test_a_context_that_cannot_be_judged_is_refused(context, named):
    message = context_values(context).failure().message
    assert message.startswith("Invalid boundary: context ")
    assert named in message


def test_the_values_of_a_context_are_not_shown():
    message = context_values({"x": ["alice@example.com", None]}).failure().message
    assert "alice" not in message
