"""A text is found by its own words: by letters and their number together or apart, and by emoji."""

import re

import pytest
from hypothesis import given, strategies as st

from pce_memory.text.tokens import query_terms, terms

EMOJI = "👍🏽❤\ufe0f\u200d👩💻🇯🇵★1\u20e3♀🏴\U000e0067\U000e007f"


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("iphone 15", "iPhone15"),
        ("iPhone", "the iPhone15"),
        ("iPhone15", "iPhone 15"),
        ("room 101", "Room101"),
        ("123456", "A123456"),
        ("python 3", "python3"),
        ("16 GB", "16GB"),
        ("utf-8", "utf8"),
        ("COVID 19", "covid19"),
        ("Zoë", "ZOE12"),
    ],
)
def test_letters_and_their_number_are_found_together_and_apart(typed: str, text: str) -> None:
    asked = set(query_terms(typed))
    assert len(asked & set(terms(text))) >= len(typed.split())


def test_a_question_asks_for_no_lonely_digit() -> None:
    assert {"1", "brca"} < set(query_terms("BRCA1 silenced"))
    asked = set(query_terms("why was BRCA1 silenced on iPhone15"))
    assert {"brca1", "brca", "iphon", "15"} < asked
    assert "1" not in asked


@given(st.text(st.sampled_from(f"abAB19-_. {EMOJI}é漢サー\u0301")) | st.text())
def test_the_words_of_a_text_find_it_again(text: str) -> None:
    assert terms(text) == [term for word in text.split() for term in terms(word)]
    for word in text.split():
        assert set(query_terms(word)) <= set(terms(text))
        assert bool(query_terms(word)) == bool(terms(word))


@given(st.text(st.sampled_from(f"ab {EMOJI}é漢")))
def test_styles_and_tones_do_not_matter(text: str) -> None:
    plain = re.sub("(?<=[👍❤👩💻★🏴♀])[\ufe0f🏽]+", "", text)
    assert terms(plain) == terms(text)
