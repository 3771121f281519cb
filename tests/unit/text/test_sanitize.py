"""What reaches an embedder or a tokenizer can be encoded, and is not too long."""

from hypothesis import given, strategies as st

from pce_memory.text.sanitize import find_unstorable, sanitize

texts = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\x00\ud83c\udfff")))


@given(texts)
def test_the_first_unstorable_character_is_found(text: str) -> None:
    place = find_unstorable(text)
    bad = [i for i, char in enumerate(text) if char == "\x00" or "\ud800" <= char <= "\udfff"]
    assert place == (bad[0] if bad else None)


@given(texts, st.integers(min_value=-1, max_value=20))
def test_a_sanitized_text_can_be_stored(text: str, max_chars: int) -> None:
    clean = sanitize(text, max_chars=max_chars)
    assert find_unstorable(clean) is None
    assert clean.encode().decode() == clean
    assert len(clean) == min(len(text), max(0, max_chars))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_a_sound_text_is_left_alone(text: str) -> None:
    assert sanitize(text, max_chars=len(text)) == text
