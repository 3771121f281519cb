"""One hash for texts that say the same, one key for texts that nearly do."""

import random
import unicodedata

import pytest
from hypothesis import given, strategies as st

from pce_memory.text.content_hash import content_hash, near_key, normalize_content
from pce_memory.text.fold import normalized

GOLDEN = [
    ("hello world", "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"),
    ("  hello \r\n world ", "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"),
    ("hello\u3000world", "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"),
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("ガ", "0ce4a3ddbd00020fc8aeccb80c17289b8a2e96f0666dfca564b48e29237056fa"),
    ("カ\u3099", "0ce4a3ddbd00020fc8aeccb80c17289b8a2e96f0666dfca564b48e29237056fa"),
    ("解約APIは POST /cancel", "036ff2ee49eef49fbe7a07a66c8d0bef3fd293be157254bd0e733d95df1df7cc"),
]
spaces = st.sampled_from([" ", "\n", "\r\n", "\t", "\u3000", "\u00a0", "  "])


@pytest.mark.parametrize(("text", "digest"), GOLDEN)
def test_the_hash_is_the_published_one(text: str, digest: str) -> None:
    assert content_hash(text) == f"sha256:{digest}"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ａ", "A"), ("hello", "Hello"), ("a\u200bb", "ab"), ("\ufeffa", "a"), ("a.", "a")],
)
def test_only_spaces_and_composition_are_ignored(one: str, other: str) -> None:
    assert content_hash(one) != content_hash(other)


@given(st.text())
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = normalize_content(text)
    assert normalize_content(once) == once


@given(st.lists(st.text(min_size=1)), spaces, spaces, spaces)
def test_white_space_does_not_count(
    words: list[str], before: str, between: str, after: str
) -> None:
    words = [word for word in words if word.split() == [word]]
    assert content_hash(before + between.join(words) + after) == content_hash(" ".join(words))


@given(st.text())
def test_composed_and_decomposed_texts_are_one(text: str) -> None:
    assert content_hash(unicodedata.normalize("NFD", text)) == content_hash(
        unicodedata.normalize("NFC", text)
    )


@pytest.mark.parametrize("seed", range(20))
def test_sorting_long_runs_first_changes_nothing(seed: int) -> None:
    chars = random.Random(seed).choices(
        "a\u0300\u0316\u0f73\uff9e\u3099\u0301 カ", [1, *[99] * 6, 1, 1], k=3000
    )
    text = "".join(chars)
    assert normalize_content(text) == " ".join(unicodedata.normalize("NFC", text).split())
    assert normalized("NFKC", text) == unicodedata.normalize("NFKC", text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hello, world!", "hello, WORLD"),
        ("「決定した。」", "決定した"),
        ("ＡＰＩは１つ", "apiは1つ"),
        ("ﾊﾟｽを変更", "パスを変更"),
        ("great 🎉", "great"),
        ("- item", "item"),
        ("a\u200bb", "ab"),
        ("Straße", "STRASSE"),
        ("a  b", "a b"),
        ("**done**", "done"),
    ],
)
def test_near_texts_share_a_key(one: str, other: str) -> None:
    assert near_key(one) == near_key(other)
    assert content_hash(one) != content_hash(other) or one.split() == other.split()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C++", "C#"),
        ("50%", "50"),
        ("$5", "5"),
        ("a, b", "a b"),
        ("!!!", "???"),
        ("🎉", "😀"),
        ("", "a"),
    ],
)
def test_texts_that_differ_inside_do_not(one: str, other: str) -> None:
    assert near_key(one) != near_key(other)


@given(st.text())
def test_equal_content_has_an_equal_key(text: str) -> None:
    assert near_key(normalize_content(text)) == near_key(text)
    assert near_key(text).startswith("near:")
    assert len(near_key(text)) == len("near:") + 32


def test_a_lone_surrogate_has_a_hash_too() -> None:
    assert content_hash("a\ud83c") != content_hash("a")
    assert near_key("a\ud83c") != near_key("b\ud83c")


def test_a_letter_with_a_million_marks_takes_no_time() -> None:
    # Python's own normalisation would take minutes: it sorts marks by insertion.
    hostile = "a" + "\u0300\u0316" * 250_000
    assert len(content_hash(hostile)) == len("sha256:") + 64
    assert near_key(hostile).startswith("near:")
