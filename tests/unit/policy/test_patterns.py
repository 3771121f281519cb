"""Patterns of policy authors: safe ones compile, the others have a place and a reason."""

import time

import pytest
from hypothesis import given, settings, strategies as st
from returns.result import Failure, Success

from pce_memory.policy.patterns import compile_pattern


@pytest.mark.parametrize(
    "find",
    [
        r"(?i)[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}",
        r"\+?\d[\d\-\s]{7,}\d",
        r"(?i)sk-[a-z0-9]{10,}",
        r"(?:\d{1,3}\.){3}\d{1,3}",
        r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}",
        r"(?<![A-Za-z])CASE-(?P<number>\d+)(?:-\d+)?(?!\d)",
        r"(?:東京都|大阪府)[^、。]{1,20}",
        r"(?:foo|bar){2}",
        r"[\[\]()]x{2}{",
        r"(?s:.)x(?#note)",
        r"a{,3}b",
        r"\N{LATIN SMALL LETTER A}\x41\u0041",
        r"a++b",
    ],
)
def test_safe_patterns_compile(find):
    assert isinstance(compile_pattern(find), Success)


@pytest.mark.parametrize(
    ("find", "column"),
    [
        (r"(a+)+", 5),
        (r"(a|aa)*", 7),
        (r"(a|b)+", 6),
        (r"((a?){10}b?)*", 13),
        (r"(?:a*)*", 7),
        (r"(?:a{1,5}){20}", 11),
        (r"x(\d+\s?)+y", 10),
        (r"((a|a){})+", 10),
        (r"(a)\1", 4),
        (r"(?P<x>a)(?P=x)", 9),
        (r"(a)?(?(1)b|c)", 5),
        (r"(?x) a b", 1),
        (r"(?a)\w", 1),
        (r"[[a]", 1),
        (r"[a--b]", 1),
        (r"[\\[]", 1),
        (r"[a", 1),
        (r"a)", 2),
        (r"a{2001}", 2),
        (r"a*b*c*d*e*", 10),
        (r"x*", 1),
        (r"", 1),
        (r"*", 1),
        (r"(?<=a*)b", 1),
        ("a" * 1001, 1),
        ("(" * 30 + ")" * 30, 21),
        (r"a{3,2}", 3),
        (r"\400", 1),
        (r"(?z)", 2),
    ],
)
def test_unsafe_patterns_have_a_place(find, column):
    fault = compile_pattern(find).failure()
    assert fault.column == column
    assert fault.message


@settings(max_examples=600, deadline=None)
@given(
    st.one_of(
        st.text(max_size=40),
        st.text(alphabet="ab01()[]{}|*+?.,\\^$-:=!<>PimsxuLa#&~'\"", max_size=40),
        st.lists(
            st.sampled_from(["(", ")", "a", "|", "*", "+", "?", "{2}", "{1,3}", "{,}", "{}", "[a-z]", "\\d", "(?:", "(?i)", "(?u)", "(?a:", "(?=", "(?<=", ".", "\\1", "[", "]", "{99999999999999}"]),
            max_size=25,
        ).map("".join),
    )
)  # fmt: skip
def test_no_pattern_raises_and_safe_ones_are_quick(find):
    compiled = compile_pattern(find)
    if isinstance(compiled, Failure):
        assert 1 <= compiled.failure().column <= len(find) + 1
        return
    begin = time.process_time()
    for text in ("a" * 40 + "!", "0" * 40 + "!", "ab0" * 15 + "!"):
        assert compiled.unwrap().search(text) or True
    assert time.process_time() - begin < 1
