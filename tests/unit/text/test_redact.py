"""After redaction nothing of what was to go is left, and the rest is untouched."""

import re

import pytest
from hypothesis import given, settings, strategies as st

from pce_memory.text.detect import PII_KINDS, SECRET_KINDS, Match, detect
from pce_memory.text.redact import REDACTION_KINDS, redact
from tests.unit.text.test_detect import LOOK_ALIKES, PERSONAL, SECRETS

plain = st.sampled_from(
    ["連絡は", "です。", " ", "、", "\n", "は", "to ", "a", "1", "0", "-", "@", ".", "\u200b", "　", "「", "」", "：",
     "password", "パスワード", "=", ":", "token", " is ", "Ａ", "４", "ー", "[secret]", "[email]", "sk-", "ghp_",
     "eyJ", "-----BEGIN PRIVATE KEY-----", "://", "tel", '"', "'", "&", "x=", "\ud83c", "\x00", "🎉", "ﾊﾟ"]
)  # fmt: skip
sensitive = st.sampled_from([text for _, text, _ in [*PERSONAL, *SECRETS]])
harmless = st.sampled_from(LOOK_ALIKES)
texts = st.lists(st.one_of(plain, sensitive, harmless), max_size=12).map("".join)


def wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_nothing_is_left_and_twice_is_once(text: str) -> None:
    once = redact(text)
    assert detect(once.text) == ()
    assert redact(once.text).text == once.text
    assert redact(once.text).counts == {}


@settings(max_examples=150, deadline=None)
@given(texts, st.sets(st.sampled_from(sorted(REDACTION_KINDS))))
def test_nothing_of_the_kinds_asked_for_is_left(text: str, kinds: set[str]) -> None:
    wanted = {kind for kind in PII_KINDS if kind in kinds} | (
        set(SECRET_KINDS) if "secret" in kinds else set()
    )
    assert detect(redact(text, kinds=kinds).text, wanted) == ()


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(plain, sensitive), max_size=8).map("".join).map(wide))
def test_wide_characters_hide_nothing(text: str) -> None:
    assert detect(redact(text).text) == ()


@pytest.mark.parametrize(("kind", "text", "part"), [*PERSONAL, *SECRETS])
def test_each_kind_is_replaced_by_its_name(kind: str, text: str, part: str | None) -> None:
    name = "secret" if kind in SECRET_KINDS else kind
    redaction = redact(f"前{text}、後")
    assert (part or text) not in redaction.text
    assert f"[{name}]" in redaction.text
    assert dict(redaction.counts) == {name: 1}
    assert redaction.text.startswith("前")
    assert redaction.text.endswith("、後")


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_knowledge_is_left_alone(text: str) -> None:
    assert redact(text) == (text, {}, ())


def test_the_published_example() -> None:
    redaction = redact("連絡は x@example.com まで", kinds={"email"})
    assert redaction.text == "連絡は [email] まで"
    assert [match.kind for match in redaction.matches] == ["email"]


def test_secrets_go_before_the_rules_see_them() -> None:
    rules = [("digits", re.compile(r"\d+"), "#"), ("hash", re.compile("#"), "№")]
    redaction = redact("ghp_0123456789abcdefghij0123456789abcdef 42", rules=rules)
    assert redaction.text == "[secret] №"
    assert dict(redaction.counts) == {"secret": 1, "digits": 1, "hash": 1}


def test_rules_go_before_personal_data() -> None:
    rules = [("office", re.compile(r"03-1234-5678"), "[office]")]
    redaction = redact("03-1234-5678, 090-1234-5678", rules=rules)
    assert redaction.text == "[office], [phone]"


def test_a_replacement_is_taken_word_for_word() -> None:
    assert redact("a b", rules=[("a", re.compile("(a)"), r"\1\g<x>")]).text == r"\1\g<x> b"


def test_what_a_rule_puts_in_is_looked_at_too() -> None:
    rules = [("x", re.compile("HOST"), "example.com")]
    assert redact("me@HOST", rules=rules).text == "[email]"


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="no detector for name"):
        redact("x", kinds={"name", "email"})


def test_a_text_that_resists_is_withheld_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def stubborn(text: str, kinds: object) -> tuple[Match, ...]:
        return (Match("jwt", 0, 1),)

    monkeypatch.setattr("pce_memory.text.redact.detect", stubborn)
    assert redact("x and what goes with it").text == "[secret]"
