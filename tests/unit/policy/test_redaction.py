"""What a policy takes out of texts."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from pce_memory.domain.policy import Policy
from pce_memory.policy.outgoing import query_out
from pce_memory.policy.redaction import (
    detected_class,
    missing_dictionaries,
    redact,
    redact_for,
    redacted_names,
)
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
    assert redact_for("one", unread, boundary_class="pii").text == "[bad]"


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
    # Of two rules the longer wins; no part of either is left standing.
    assert redact("abc", own("bc", "ab")) == "-"
    assert redact("abcd", own("ab", "bcd")) == "-"


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


def listed(*words: str, replace: str = "[customer]") -> Policy:
    """Return a policy whose class internal redacts these words."""
    rules = [{"name": "customer", "words": words, "replace": replace}]
    return policy(
        redact_policies={"customers": {"rules": rules}},
        classes={"internal": {"allow": [], "redact": ["customer"]}},
    )


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("見本商事とＥＸＡＭＰＬＥ　ｌｔｄ．", "[customer]と[customer]．"),
        ("example ltd, Examples Ltd", "[customer], Examples Ltd"),
        ("見本商事株式会社", "[customer]"),
        ("見\u200b本商\u200b事", "[customer]"),
        ("nothing", "nothing"),
    ],
)
def test_words_go_whatever_their_case_and_width(text, redacted):
    own_words = listed("Example Ltd", "見本商事", "見本商事株式会社")
    assert redact(text, own_words) == redacted
    assert detected_class(text, own_words) == ("internal" if redacted != text else "public")


def test_what_a_replacement_brings_together_goes_too():
    assert redact("佐佐藤藤は", listed("佐藤", replace="")) == "は"
    assert redact("CACASESE", own("CASE")) == "CA-SE"
    # What never settles is withheld.
    assert redact("a" * 90, own("aa")) == "-" * 45
    growing = policy(
        redact_policies={"x": {"rules": [{"name": "x", "find": "^.", "replace": ""}]}},
        classes={"pii": {"allow": [], "redact": ["x"]}},
    )
    assert redact("a long text that is eaten", growing) == ""


@pytest.mark.parametrize(
    ("kind", "text", "redacted"),
    [
        ("jp_address", "届け先は東京都千代田区千代田1-1です", "届け先は[jp_address]です"),
        ("jp_address", "〒100-0001", "[jp_address]"),
        ("street_address", "at 221B Baker Street, London", "at [street_address], London"),
        ("us_ssn", "SSN 123-45-6789", "SSN [us_ssn]"),
    ],
)
def test_addresses_go_where_a_class_asks_for_them(kind, text, redacted):
    asking = policy(classes={"internal": {"allow": [], "redact": [kind]}})
    assert redact(text, asking) == redacted
    assert detected_class(text, asking) == ("pii" if kind == "us_ssn" else "internal")
    silent = policy(classes={"pii": {"allow": []}})
    assert redact(text, silent) == text
    assert detected_class(text, silent) == ("pii" if kind == "us_ssn" else "public")


class People:
    """A dictionary that knows two names."""

    def find(self, text: str) -> list[tuple[int, int]]:
        known = ("Alice", "花子")
        return [(at, at + len(name)) for name in known if (at := text.find(name)) >= 0]


NAMES = policy(classes={"pii": {"allow": [], "redact": ["email", "name"]}})


def test_a_dictionary_finds_names():
    knowing = NAMES.with_dictionaries({"name": People()})
    redaction = redact_for("花子とAlice: a@example.com", knowing, boundary_class="pii")
    assert redaction.text == "[name]と[name]: [email]"
    assert dict(redaction.counts) == {"name": 2, "email": 1}
    assert detected_class("Alice", knowing) == "pii"
    assert detected_class("Bob", knowing) == "public"
    assert missing_dictionaries(knowing) == ()
    assert NAMES.dictionaries == {}


def test_without_its_dictionary_a_text_is_withheld():
    assert missing_dictionaries(NAMES) == ("name",)
    assert redact("Alice and others", NAMES) == "[name]"
    assert detected_class("anything", NAMES) == "pii"


def test_a_query_leaves_as_the_texts_do_and_without_a_dictionary_as_safe():
    query = "Alice, a@example.com, 090-1234-5678"
    knowing = NAMES.with_dictionaries({"name": People()})
    assert query_out(query, knowing) == "[name], [email], 090-1234-5678"
    assert query_out(query, NAMES) == "Alice, [email], [phone]"


def test_rules_of_that_name_do_without_a_dictionary():
    rules = {"people": {"rules": [{"name": "name", "words": ["Alice"], "replace": "[name]"}]}}
    listed_names = policy(
        redact_policies=rules, classes={"pii": {"allow": [], "redact": ["name"]}}
    )
    assert missing_dictionaries(listed_names) == ()
    assert redact("Alice and others", listed_names) == "[name] and others"


def test_rules_share_one_budget():
    begin = time.process_time()
    greedy = own(*(f"a[^{sign}]*{sign}|a" for sign in "bcdefghijklmnopqrstu"))
    assert "a" not in redact("a" * 65_536, greedy)
    # Twenty rules, each of which alone would take three seconds.
    assert time.process_time() - begin < 12


SMALL = """version: "1.0.0"
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: [x], redact: [r]}
  pii: {allow: []}
  secret: {allow: []}
redact_policies:
  p:
    rules:
"""


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("{name: r, replace: x}", "p:10:9: redact_policies.p.rules[0]: a rule has either find or words"),
        ("{name: r, find: a, words: [b], replace: x}", "p:10:9: redact_policies.p.rules[0]: a rule has either find or words"),
        ("{name: r, words: [], replace: x}", "p:10:26: redact_policies.p.rules[0].words: must have at least 1 entry"),
        ("{name: r, words: [a, ' '], replace: x}", "p:10:30: redact_policies.p.rules[0].words[1]: a word has a letter, a digit or a sign"),
        ("{name: r, words: [a, b, a], replace: x}", "p:10:33: redact_policies.p.rules[0].words[2]: this word stands above already"),
        ("{name: r, words: [Sato], replace: '[ＳＡＴＯ]'}", "p:10:43: redact_policies.p.rules[0].replace: its own words find this text again"),
        ("{name: r, words: [1], replace: x}", "p:10:27: redact_policies.p.rules[0].words[0]: YAML reads 1 as a number; write it in quotes"),
        ("{name: r, words: Sato, replace: x}", "p:10:26: redact_policies.p.rules[0].words: must be a list"),
    ],
)  # fmt: skip
def test_faults_of_words_have_a_place(rule, fault):
    faults = parse_policy(f"{SMALL}      - {rule}\n", "p").failure().validation_errors
    assert [one.splitlines()[0] for one in faults] == [fault]


def test_a_pattern_cannot_take_an_address_apart():
    """A rule for the sign alone would leave the rest of the address to be read."""
    rules = {
        "signs": {"rules": [{"name": "sign", "find": "@", "replace": " at "}]},
        "whole": {"rules": [{"name": "line", "find": "mail: .*", "replace": "[line]"}]},
    }
    asked = {"pii": {"allow": ["x"], "redact": ["signs", "email", "whole"]}}
    made = policy(classes=asked, redact_policies=rules)
    redacted = redact_for("bob@example.com, you @ home", made, boundary_class="pii").text
    assert redacted == "[email], you  at  home"
    covered = redact_for("mail: bob@example.com", made, boundary_class="pii").text
    assert covered == "[line]"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("SSN 536-22-8726", "8726"),
        ("マイナンバーは234567890121です", "0121"),
        ("see CASE-123456 now", "123456"),
    ],
)
def test_a_word_cannot_take_away_what_another_find_is_known_by(text, number):
    """A list that names the labels of numbers must not make the numbers unknown."""
    rules = {
        "labels": {
            "rules": [{"name": "l", "words": ["SSN", "マイナンバー", "CASE"], "replace": "label"}]
        },
        "tickets": {"rules": [{"name": "t", "find": "CASE-[0-9]+", "replace": "[ticket]"}]},
    }
    asked = ["labels", "my_number", "us_ssn", "tickets"]
    made = policy(classes={"pii": {"allow": ["x"], "redact": asked}}, redact_policies=rules)
    assert number not in redact_for(text, made, boundary_class="pii").text
