"""Patterns of policy authors: RE2 runs them in linear time, or they have a place and a reason."""

import time
import warnings
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st
from returns.result import Failure, Success

from pce_memory.policy.patterns import MAX_CHARS, MAX_DEPTH, Budget, compile_pattern


def finds(find: str, text: str) -> list[str]:
    return [text[one.start() : one.end()] for one in compile_pattern(find).unwrap().finditer(text)]


@pytest.mark.parametrize(
    "find",
    [
        r"(?i)[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}",
        r"\+?\d[\d\-\s]{7,}\d",
        r"(?i)sk-[a-z0-9]{10,}",
        r"(?:\d{1,3}\.){3}\d{1,3}",
        r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}",
        r"\bCASE-(?P<number>\d+)(?:-\d+)?\b",
        r"(?:東京都|大阪府)[^、。]{1,20}",
        r"(?:foo|bar){2}",
        r"[\[\]()]x{2}{",
        r"(?s:.)x",
        r"a{,3}b",
        r"\x41\x{65e5}",
        r"\p{Hiragana}+\p{Nd}",
        # What a scan would refuse for the time it takes by backtracking.
        r"(a+)+",
        r"(a|b)+",
        r"(\d+)+",
        r"(?:a{1,5}){20}",
        r"x(\d+\s?)+y",
        r"((a|a){})+",
        r"a*b*c*d*e*f",
        "(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH,
        # What stands in a set or is quoted is no group and no reference.
        r"[[a]",
        r"[\\[]",
        r"[](?=]",
        r"[[:alpha:](?=]",
        r"\Q(?=\1\E",
        r"\\1",
    ],
)
def test_safe_patterns_compile(find):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(compile_pattern(find), Success)


@pytest.mark.parametrize(
    ("find", "column"),
    [
        (r"(a)\1", 4),
        (r"\\\1", 3),
        (r"(?P<x>a)(?P=x)", 9),
        (r"(a)?(?(1)b|c)", 5),
        (r"(?<=a*)b", 1),
        (r"(?<!a)b", 1),
        (r"日(?=b)", 2),
        (r"a(?!b)", 2),
        (r"(?x) a b", 1),
        (r"(?a)\w", 1),
        (r"(?z)", 1),
        (r"[a--b]", 2),
        (r"日本[z-a]", 4),
        (r"[a", 1),
        (r"日[日本", 2),
        (r"[[:foo:]]", 2),
        (r"a)", 2),
        (r"(a", 1),
        (r"a++b", 2),
        (r"a**", 2),
        (r"(?s:.)x(?#note)", 8),
        (r"\N{LATIN SMALL LETTER A}", 1),
        (r"a\u0041", 2),
        (r"a\Z", 2),
        (r"\400", 1),
        (r"a{2001}", 2),
        (r"a{3,2}", 2),
        (r"((a{100}){100}){100}", 4),
        (r"(?a|b)*", 1),
        (r"日[)](日))", 8),
        (r"*", 1),
        ("\\", 1),
        # A byte of a character has no place in the text.
        (r"a\C", 2),
        (r"\Q[\E\C]", 6),
        (r"[[:alpha:][]\C]", 13),
        ("a\ud800", 2),
        ("[\udfff]", 2),
        # What matches the empty text, at the least beside a word.
        (r"x*", 1),
        (r"(a|aa)*", 1),
        (r"a*b*c*d*e*", 1),
        (r"(?:a*)*", 1),
        (r"", 1),
        (r"a|", 1),
        (r"(?m)^", 1),
        (r"\b", 1),
        (r"\b|a", 1),
        ("(" * 30 + ")" * 30, 1),
        ("a" * (MAX_CHARS + 1), 1),
        ("(" * (MAX_DEPTH + 1) + "a" + ")" * (MAX_DEPTH + 1), MAX_DEPTH + 1),
    ],
)
def test_refused_patterns_have_a_place(find, column):
    fault = compile_pattern(find).failure()
    assert fault.column == column
    assert fault.message


def test_a_pattern_that_needs_too_much_memory_is_refused():
    fault = compile_pattern(r"(?:\pL{999}|" * 20 + "a" + ")" * 20).failure()
    assert fault.column == 1
    assert "too large" in fault.message


@pytest.mark.parametrize(
    ("find", "text", "found"),
    [
        (r"BEGIN[^!]*END", "a\nBEGIN\n1\r\n2\nEND\nb", ["BEGIN\n1\r\n2\nEND"]),
        (r"(?s)b.*y", "a\nb\nx\ny\nz", ["b\nx\ny"]),
        (r"b.*y", "b\ny", []),
        (r"(?m)^room \d+$", "room 1\nno room 2\nroom 3", ["room 1", "room 3"]),
        (r"^room \d+$", "room 1\nroom 3", []),
        (r"(?i)case-é", "CASE-É case-é", ["CASE-É", "case-é"]),
        (r"a|ab|b", "ab", ["a", "b"]),
        (r"aa", "aaa", ["aa"]),
        (r"\bCASE\b", "案件CASEです CASEs", ["CASE"]),
        (r"\w+\s\d", "é x\u30001 y 1", ["y 1"]),
        (r"\p{L}+[\s\p{Z}]\p{Nd}", "é\u3000１", ["é\u3000１"]),
        (r"a.b", "a\0b", ["a\0b"]),
        (r"a.b", "a\ud800b", ["a\ud800b"]),
    ],
)
def test_a_pattern_finds(find, text, found):
    assert finds(find, text) == found


@pytest.mark.parametrize(
    "before",
    ["", "日本語", "ＣＡＳＥ", "👩‍👩‍👧", "e\u0301か\u3099", "\0\n", "\ud800", "\U0010ffff𠮷"],
)
def test_places_are_those_of_characters(before):
    text = f"{before}CASE-12、{before}CASE-3{before}"
    matches = compile_pattern(r"CASE-\d+").unwrap().finditer(text)
    begin, second = len(before), 2 * len(before) + 8
    places = [(one.start(), one.end()) for one in matches]
    assert places == [(begin, begin + 7), (second, second + 6)]


@pytest.mark.parametrize(
    "find", ["a*a*a*a*z", "(.*)(.*)(.*)(.*)=", "(a+)+$", "(x+x+)+y", r"(\d+)+$", "(a|aa)+!x"]
)
@pytest.mark.parametrize("sign", ["a", "x", "1", "="])
def test_long_texts_take_little_time(find, sign):
    pattern = compile_pattern(find).unwrap()
    begin = time.process_time()
    # The ends stand for none, one that fits and one that does not.
    for end in ("", "z=y", "!"):
        assert len(list(pattern.finditer(sign * 65_536 + end))) <= 65_537
    assert time.process_time() - begin < 2


@settings(max_examples=600, deadline=None)
@given(
    st.one_of(
        st.text(max_size=40),
        st.text(alphabet=st.characters(exclude_categories=()), max_size=20),
        st.text(alphabet="ab01()[]{}|*+?.,\\^$-:=!<>PimsxuLa#&~'\"", max_size=40),
        st.lists(
            st.sampled_from(["(", ")", "a", "|", "*", "+", "?", "{2}", "{1,3}", "{,}", "{}", "[a-z]", "\\d", "(?:", "(?i)", "(?u)", "(?a:", "(?=", "(?<=", ".", "\\1", "[", "]", "{99999999999999}", "{1000}", "\\Q", "\\E", "\\C", "\\pL", "[:alpha:]", "日", "\ud800", "\0"]),
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
    for text in ("a" * 400 + "!", "0" * 400 + "!", "ab0日" * 100 + "\ud800!"):
        for one in compiled.unwrap().finditer(text):
            assert 0 <= one.start() <= one.end() <= len(text)
    assert time.process_time() - begin < 1


UNITS = ("a", "[^b]", r"\pL", ".")
SHAPES = ("a{u}*b|a", "(?:{u}+)+!|a", "(?:{u}?){{100}}!|{u}", "{u}{{1,200}}!|.", "(?s)(?:{u}|{u}{u})*(?:x|y)|.", "(?i){u}*{u}*{u}*q|a|日")  # fmt: skip
TEXTS = ("a", "日", "aé1 ")


def seconds(pattern, text: str) -> float:
    begin = time.process_time()
    count = sum(1 for _ in pattern.finditer(text))
    assert count <= len(text)
    return time.process_time() - begin


def plain_scan() -> float:
    """Return what as many quick finds take as 64 KiB can have."""
    return seconds(compile_pattern("a").unwrap(), "a" * 65_536)


@pytest.mark.parametrize("find", ["a[^b]*b|a", r"(?s)a.*b|a", r"\p{L}+\d|\p{L}", "(x?){500}y|x"])
@pytest.mark.parametrize("sign", ["a", "x", "日"])
def test_finds_that_look_far_ahead_share_a_budget(find, sign):
    # Without it: 3 to 5 seconds, and four times as much for twice the text.
    assert seconds(compile_pattern(find).unwrap(), sign * 65_536) < 8 * plain_scan()


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("unit", UNITS)
def test_no_pattern_takes_long_on_any_text(shape, unit):
    limit = 16 * plain_scan()
    pattern = compile_pattern(shape.format(u=unit)).unwrap()
    for piece in TEXTS:
        assert seconds(pattern, (piece * 65_536)[:65_536]) < limit, piece


def test_what_the_budget_does_not_suffice_for_counts_as_found():
    text = "a" * 65_536 + " the end"
    places = [(one.start(), one.end()) for one in compile_pattern("a[^b]*b|a").unwrap().finditer(text)]  # fmt: skip
    assert places[0] == (0, 1)
    assert places[-1][1] == len(text)
    # Nothing between two finds is passed over.
    assert all(before[1] == after[0] for before, after in pairwise(places))


def test_a_spent_budget_searches_no_further():
    budget = Budget(seconds=-1.0)
    text = "a" * 10_000
    last = list(compile_pattern("a").unwrap().finditer(text, budget))[-1]
    assert last.end() == len(text)
    assert last.start() < len(text) - 1


def test_many_quick_finds_spend_nothing():
    budget = Budget()
    finds = compile_pattern("[0-9]").unwrap().finditer("1 " * 200_000, budget)
    assert sum(1 for _ in finds) == 200_000
    assert budget.seconds > 0.4
