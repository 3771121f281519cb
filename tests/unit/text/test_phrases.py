"""A phrase holds where its words stand one behind the other, and its terms lead to each such text."""

import pytest
from hypothesis import assume, given, strategies as st

from pce_memory.text.phrases import holds_phrase, needed_terms
from pce_memory.text.tokens import terms

HOLDS = [
    ("The red lamp stands in the hall.", "red lamp"),
    ("The red lamp stands in the hall.", "RED   Lamps"),
    ("the red, lamp", "red lamp"),
    ("auth-server", "auth server"),
    ("the auth server", "auth-server"),
    ("snake_case_name", "snake case"),
    ("src/app/main.py", "app/main"),
    ("we run 1.5.5 now", "1.5.5"),
    ("UserService fails", "userservice fails"),
    ("Uses C++ daily", "C++ daily"),
    ("see #12", "#12"),
    ("acme/app#12", "#12"),
    ("run --dry-run first", "--dry-run"),
    ("run --dry-run first", "dry run"),
    ("café crème", "cafe creme"),
    ("resume", "résumé"),
    ("サーバー管理の手順", "サーバー管理"),
    ("サーバー管理の手順", "サーバ管理"),
    ("サーバ管理の手順", "サーバー管理"),
    ("ｻｰﾊﾞｰ管理", "サーバー管理"),
    ("解約ＡＰＩを呼ぶ", "解約API"),
    ("解約 API を呼ぶ", "解約API"),
    ("機械学習", "機械 学習"),
    ("機械、学習", "機械 学習"),
    ("佐々木さん", "佐々木"),
    ("Он живёт в Москве", "живёт в"),
    ("เราตัดสินใจย้าย", "ตัดสินใจ"),
    ("인증서버를 옮긴다", "인증서버"),
    ("a\u200bb c", "ab C"),
    ("the new iPhone15 rings", "new iphone15"),
    ("great 👍 work", "great work"),
    ("great 👍🏽 work", "great 👍"),
    ("機械🚀学習", "機械 学習"),
    ("猫🐈が寝る", "猫🐈"),
]
HOLDS_NOT = [
    ("red hall lamp", "red lamp"),
    ("a redlamp", "red lamp"),
    ("lamp red", "red lamp"),
    ("JavaScript", "java"),
    ("C is old", "C++"),
    ("C++ is old", "C"),
    ("12 of them", "#12"),
    ("#123", "#12"),
    ("sales force", "--force"),
    ("1.55", "1.5.5"),
    ("11.5.5", "1.5.5"),
    ("機械、学習", "機械学習"),
    ("ビール管理", "ビル管理"),
    ("который", "кот"),
    ("the new iPhone15 rings", "iphone 15"),
    ("the new iPhone15 rings", "new iphone"),
    ("iPhone15 and iPhone", "iPhone and"),
    ("15 phones", "iPhone15"),
    ("great 👍 work", "great 🎉 work"),
    ("great 👍 work", "work 👍"),
    ("great 👍👍 work", "great 👍 work"),
    ("機械🚀学習", "機械学習"),
    ("👩‍👧", "👩"),
    ("anything", ""),
    ("anything", "!? …"),
    ("", "a"),
]
texts = st.text(
    st.sampled_from(
        "abAB12 .,-_/#:+\n\u3000éサーバ管理カードのが、。漢字ไทยмир한국\u3099\u200b👍\u200d👩\ufe0f🏽🇯🇵"
    ),
    max_size=40,
)


@pytest.mark.parametrize(("text", "phrase"), HOLDS)
def test_it_holds(text: str, phrase: str) -> None:
    assert holds_phrase(text, phrase)
    assert set(needed_terms(phrase)) <= set(terms(text))


@pytest.mark.parametrize(("text", "phrase"), HOLDS_NOT)
def test_it_does_not_hold(text: str, phrase: str) -> None:
    assert not holds_phrase(text, phrase)


@given(texts, st.data())
def test_words_of_a_text_are_a_phrase_of_it(text: str, data: st.DataObject) -> None:
    words = text.split()
    assume(words)
    first = data.draw(st.integers(0, len(words) - 1))
    phrase = " ".join(words[first : data.draw(st.integers(first + 1, len(words)))])
    assert holds_phrase(text, phrase) == bool(needed_terms(phrase))


@given(st.text(st.sampled_from("サーバ管理カードのが漢字々"), min_size=1), st.data())
def test_a_piece_of_japanese_is_a_phrase_of_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start : data.draw(st.integers(start + 1, len(text)))]
    assert holds_phrase(text, piece)
    assert set(needed_terms(piece)) <= set(terms(text))


@given(texts | st.text(), texts | st.text())
def test_what_a_phrase_needs_is_in_each_text_that_holds_it(text: str, phrase: str) -> None:
    if holds_phrase(text, phrase):
        assert set(needed_terms(phrase)) <= set(terms(text))
        assert needed_terms(phrase)


@given(st.text())
def test_a_text_holds_itself(text: str) -> None:
    assert holds_phrase(text, text) == bool(terms(text))
    assert set(needed_terms(text)) <= set(terms(text))
