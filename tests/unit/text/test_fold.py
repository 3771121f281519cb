"""Folding loses no place: whatever is found in the folded text has its span in the original."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from pce_memory.text.fold import caseless, fold, is_invisible, normalized

tricky = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from("aＡ１٣\u200b\u00ad\u202e\ufe0fカﾊﾟ\u3099\uff9e\ufdfa㍿ﬁ‐－ー\u034f"),
    ),
)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ＡＢＣ　１２３", "ABC 123"),
        ("٣٤", "34"),
        ("a\u200bb\u00adc\u2060", "abc"),
        ("２０２５－１２―１８", "2025-12-18"),
        ("ﾊﾟｽﾜｰﾄﾞ", "パスワード"),
        ("カ\u3099", "ガ"),
        ("①㍿", "1株式会社"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_fold(text: str, plain: str) -> None:
    assert fold(text).text == plain


@given(tricky, st.data())
def test_a_span_comes_back_as_what_it_was(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    start = data.draw(st.integers(0, len(folded.text)))
    end = data.draw(st.integers(start, len(folded.text)))
    first, last = folded.span(start, end)
    if start < end:
        assert 0 <= first < last <= len(text)
        # A whole character comes back for a part of one.
        assert folded.text[start:end] in fold(text[first:last]).text


@given(tricky)
def test_the_whole_comes_back(text: str) -> None:
    folded = fold(text)
    first, last = folded.span(0, len(folded.text))
    assert all(map(is_invisible, text[:first] if folded.text else text))
    assert all(map(is_invisible, text[last:] if folded.text else ""))


@given(tricky)
def test_caseless_is_settled(text: str) -> None:
    assert caseless(caseless(text)) == caseless(text)
    assert not any(map(is_invisible, caseless(text)))


@given(tricky, st.sampled_from(["NFC", "NFKC"]))
def test_normalized_is_what_python_says(text: str, form: str) -> None:
    assert normalized(form, text) == unicodedata.normalize(form, text)  # type: ignore[arg-type]
