"""What a policy takes out of texts."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from pce_memory.domain.policy import Policy
from pce_memory.policy.redaction import detected_class, redact, redact_for, redacted_names
from pce_memory.policy.source import parse_policy
from pce_memory.text.detect import SECRET_KINDS, detect
from tests.unit.policy.policies import policy

TICKETS = {
    "tickets": {
        "rules": [
            {"name": "case", "find": r"CASE-[0-9]+", "replace": "[case]"},
            {"name": "case", "find": r"(?i)case no\. [0-9]+", "replace": "[case]"},
        ]
    },
    "places": {"rules": [{"name": "room", "find": r"(?m)^room [0-9]+$", "replace": r"[\1 room]"}]},
}
OWN = policy(
    redact_policies=TICKETS,
    classes={
        "internal": {"allow": ["answer:task"], "redact": ["room"]},
        "pii": {"allow": [], "redact": ["email", "tickets"]},
    },
)


def test_each_class_redacts_what_the_looser_ones_do():
    text = "CASE-12, x@example.com\nroom 7\nAKIAIOSFODNN7EXAMPLE"
    assert redact_for(text, OWN, boundary_class="public").text == text.replace(
        "AKIAIOSFODNN7EXAMPLE", "[secret]"
    )
    assert "\n[\\1 room]\n" in redact_for(text, OWN, boundary_class="internal").text
    full = redact_for(text, OWN, boundary_class="pii")
    assert full.text == "[case], [email]\n[\\1 room]\n[secret]"
    assert dict(full.counts) == {"case": 1, "email": 1, "room": 1, "secret": 1}
    assert redact(text, OWN) == full.text


def test_names_are_united_from_the_loosest_on():
    assert redacted_names(OWN, "public") == ()
    assert redacted_names(OWN, "pii") == ("room", "email", "tickets")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hello", "public"),
        ("x@example.com", "pii"),
        ("CASE-12", "pii"),
        ("room 7", "internal"),
        ("room 7\nCASE-1", "pii"),
        ("CASE-1 AKIAIOSFODNN7EXAMPLE", "secret"),
    ],
)
def test_a_rule_of_a_class_finds_text_of_that_class(text, found):
    assert detected_class(text, OWN) == found


def test_what_a_policy_cannot_mean_redacts_everything():
    unread = policy(
        redact_policies={
            "bad": {"rules": [{"name": "bad", "find": r"(a)\1", "replace": "[bad]"}]}
        },
        classes={
            "pii": {"allow": [], "redact": ["nobody"]},
            "internal": {"allow": [], "redact": ["bad"]},
        },
    )
    assert redact_for("one\ntwo", unread, boundary_class="internal").text == "[bad]"
    assert redact_for("one", unread, boundary_class="pii").text == "[nobody]"


def own(*finds: str) -> Policy:
    """Return a policy whose class pii redacts these patterns, each by "-"."""
    rules = [{"name": "own", "find": find, "replace": "-"} for find in finds]
    return policy(
        redact_policies={"own": {"rules": rules}},
        classes={"pii": {"allow": [], "redact": ["own"]}},
    )


def test_a_pattern_sees_long_lines_whole():
    text = ("x" * 1990 + " CASE-123456 ") * 40
    assert "CASE" not in redact(text, OWN).replace("[case]", "")
    assert dict(redact_for(text, OWN, boundary_class="pii").counts) == {"case": 40}
    assert redact("x" * 1990 + "<" + "y" * 5_000 + ">z", own("<y+>")) == "x" * 1990 + "-z"


def test_a_find_goes_over_lines():
    text = "日本\nBEGIN\n12\r\nEND\n👩‍👧 BEGIN END"
    assert redact(text, own("BEGIN[^B]*END")) == "日本\n-\n👩‍👧 -"
    assert detected_class(text, own("BEGIN[^B]*END")) == "pii"


def test_of_overlapping_finds_the_earlier_goes_first():
    assert redact("abcbcd", own("abc|bcbcd|bcd")) == "--"
    assert redact("abc", own("bc", "ab")) == "a-"


def test_what_is_no_character_hides_nothing():
    # The detectors and the rules see the same text; half of a surrogate pair is passed on.
    assert redact("\ud800CASE-1\udfff", OWN) == "\ud800[case]\udfff"


@pytest.mark.parametrize("address", ["〒 150-0001", "〒\u3000150-0001", "東京都渋谷区神南1-2-3"])
def test_the_template_of_an_organisation_finds_addresses(address):
    org = Path(__file__).parents[3] / "policies" / "org.yaml"
    read = parse_policy(org.read_text("utf-8")).unwrap()
    assert redact(f"住所：\u3000{address}\u3000以上", read) == "住所：\u3000[address]\u3000以上"


@pytest.mark.parametrize("find", ["[a-z]+@", "a*a*a*a*z", "(.*)(.*)(.*)(.*)=", "(a+)+!"])
def test_a_slow_pattern_is_bounded(find):
    begin = time.process_time()
    assert redact("a" * 100_000, own(find)) == "a" * 100_000
    assert time.process_time() - begin < 4


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["CASE-1", "x@example.com", "AKIAIOSFODNN7EXAMPLE", "\n", " ", "room 7", "日本", "090-1234-5678", "]", "CASE-"]),
        max_size=12,
    ).map("".join)
)  # fmt: skip
def test_redacting_twice_changes_nothing_and_leaves_nothing(text):
    once = redact(text, OWN)
    assert redact(once, OWN) == once
    kinds = {match.kind for match in detect(once)}
    assert "email" not in kinds
    assert not kinds & SECRET_KINDS
