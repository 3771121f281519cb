"""Cues: what a text in ASCII is not tried against could not have matched it."""

import re

import pytest
from hypothesis import given, strategies as st

from pce_memory.extractor import cues

EVERY = {name: one for name, one in vars(cues).items() if isinstance(one, cues.Cues)}
WORDS = re.findall(
    r"\S+",
    "todo fixme done finished must never always you we i please remind me to by friday need prefer "
    "likes better [x] [done] deadline: - : . , ! ? ( ) all rules: only may 20:00 2024-01-01 0 x",
)
ascii_text = st.text(st.characters(max_codepoint=0x7F), max_size=60) | st.lists(
    st.sampled_from(WORDS), max_size=12
).map(" ".join)


@pytest.mark.parametrize("name", EVERY)
@given(text=ascii_text)
def test_a_text_in_ascii_matches_as_against_all_patterns(name: str, text: str) -> None:
    one = EVERY[name]
    tried, whole = one.search(text), one.every.search(text)
    assert (tried and tried.span()) == (whole and whole.span())


def test_each_of_them_has_patterns_of_both_languages() -> None:
    assert len(EVERY) == 7
    left_out = {
        name: len(one.every.pattern) - len(one.latin.pattern) for name, one in EVERY.items()
    }
    assert [name for name, length in left_out.items() if not length] == ["DONE_MARK"]
