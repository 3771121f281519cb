"""The estimate of tokens against counts of a real tokenizer."""

import time

import pytest
from hypothesis import given, strategies as st

from pce_memory.text.budget import estimate_tokens

# Texts and how many tokens of the o200k vocabulary they are.
COUNTED = [
    (19, "Kawasemi runs on Python 3.12 and keeps everything in one DuckDB file."),
    (24, "ダッシュボードは htmx で作り、毎朝5時に自動で更新します。"),
    (17, "def f(x: int) -> str:\n    return f'{x!r}'"),
    (6, "中文的服务器在北京。"),
    (15, "https://example.com/a/b/c?x=1&y=2"),
    (11, "เซิร์ฟเวอร์อยู่ที่กรุงเทพมหานคร"),
]


@pytest.mark.parametrize(("counted", "text"), COUNTED)
def test_is_near_what_a_tokenizer_counts(counted, text):
    assert estimate_tokens(text) == pytest.approx(counted, rel=0.25)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "a", "。", "1"])
def test_is_never_less_than_one(text):
    assert estimate_tokens(text) == 1


def test_follows_the_measured_coefficients():
    assert estimate_tokens("あ" * 100) == round(82 - 0.85)
    assert estimate_tokens("word " * 100) == round(113 - 0.85)
    assert estimate_tokens("abcdefgh " * 100) == round(113 + 16 - 0.85)
    assert estimate_tokens("1234 " * 100) == round(316 - 0.85)
    assert estimate_tokens("! " * 100) == round(63 - 0.85)


@given(st.text())
def test_grows_with_the_text_and_not_with_space(text):
    assert estimate_tokens(text + " word") >= estimate_tokens(text)
    assert estimate_tokens(f" {text}\n\n") == estimate_tokens(text)


@given(st.text(), st.text())
def test_two_texts_cost_about_as_much_apart_as_together(one, other):
    together = estimate_tokens(f"{one} {other}")
    assert together <= estimate_tokens(one) + estimate_tokens(other) + 2
    assert together >= max(estimate_tokens(one), estimate_tokens(other))


@pytest.mark.parametrize("unit", ["a", "1", "あ", "!", "a1", "_", " ", "\u0301"])
def test_is_linear(unit):
    start = time.perf_counter()
    _ = estimate_tokens(unit * 200_000)
    assert time.perf_counter() - start < 3
