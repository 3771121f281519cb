"""Whatever is typed is read: phrases, what is left out, and else what it says."""

import time

import pytest
from hypothesis import given, strategies as st

from pce_memory.text.asked import MAX_QUOTED, Asked, read_query
from pce_memory.text.stop_words import asked_terms
from pce_memory.text.tokens import query_terms

PLAIN = [  # nothing is quoted and nothing left out
    "rm -rf /", "rm -rf / --force", "-5", "it is -5 degrees", "--flag", "e-mail", "- item", "-", "--", "---", "a - b", "x -y", "-xy z",
    "-漢", "well-known", "PROJ-123", "550e8400-e29b-41d4-a716-446655440000", "git log -n 5", "gcc -std=c++17", "-12345", "-v1.2",
    "-p8080", "-j4", "-A123456", "-1.5.5", "-v1.5.5", "-3度", "x -#", "-#abc", "-#", "-/", "-~/", "-/rf", "-มี", "-가", "-e\u0301x",
    '"', '""', '"""', '" "', "'single'", '5" and 6" disks', "「」", "「", "」「", "“", "”x“", 'say "hello', "「閉じない", '"!?"', '-"!?"', '-""',
    "%", "_", "100%_", "\\", "\\n", "'; drop table claims; --", "\x00", "a\x00b", "\ud800", "\udfff x", "🎉", "👩‍👩‍👧", "مرحبا", "שלום -", "e\u0301",
    "\u0301", "the", "who are you", "", " ", "\n", "\u3000", "－", "ー", "a\n-foo\n-bar", "-foo\n-bar", "list:\n  -alpha\n  -beta", "-\nfoo",
]  # fmt: skip
LEAVE_OUT = [
    ("cat -dog", "cat", ("dog",)),
    ("-dog cat", "cat", ("dog",)),
    ("cat -dog bird", "cat bird", ("dog",)),
    ("cat　－犬小屋", "cat", ("犬小屋",)),
    ("検索 -旧版 の話", "検索 の話", ("旧版",)),
    ("cat -dog.", "cat", ("dog",)),
    ("cat -dog, bird", "cat, bird", ("dog",)),
    ("cat -snake_case -PROJ-123", "cat", ("snake_case", "PROJ-123")),
    ("cat -dog -dog", "cat", ("dog",)),
    ('cat -"red dog" bird', "cat bird", ("red dog",)),
    ("cat -“red dog”", "cat", ("red dog",)),
    ("猫 -「赤い犬」", "猫", ("赤い犬",)),
    ("cat -été", "cat", ("été",)),
    ("cat -мир", "cat", ("мир",)),
    ("-kitchen", "", ("kitchen",)),
    ("เมือง -กรุงเทพ", "เมือง", ("กรุงเทพ",)),
    ("แมว -มะลิ", "แมว", ("มะลิ",)),
    ("ລາວ -ວຽງຈັນ", "ລາວ", ("ວຽງຈັນ",)),
    ("ខ្មែរ -ភ្នំពេញ", "ខ្មែរ", ("ភ្នំពេញ",)),
    ("भाषा -हिंदी", "भाषा", ("हिंदी",)),
    ("도시 -서울", "도시", ("서울",)),
    ("cat -e\u0301te\u0301", "cat", ("e\u0301te\u0301",)),
    ("issue -#4521", "issue", ("#4521",)),
    ("nginx -/etc/nginx/nginx.conf", "nginx", ("/etc/nginx/nginx.conf",)),
    ("shell -~/.zshrc", "shell -~/.zshrc", ()),
    ("shell -~/bin", "shell", ("~/bin",)),
    ("社長 -A社", "社長", ("A社",)),
    ('-"a b"', "", ("a b",)),
]
QUOTED = [
    ('"red lamp"', ("red lamp",), True),
    ('where is the "red lamp"?', ("red lamp",), False),
    ("“red lamp” ", ("red lamp",), True),
    ("「赤い灯」はどこ", ("赤い灯",), False),
    ("『赤い灯』", ("赤い灯",), True),
    ("＂red lamp＂", ("red lamp",), True),
    ('"to be or not to be"', ("to be or not to be",), True),
    ('"red" "lamp" "red"', ("red", "lamp"), True),
    ('"cat -dog"', ("cat -dog",), True),
    ('"%_"x" "a\\b"', ("x", "a\\b"), True),
    ('5" disk "red lamp"', ("red lamp",), False),
]


@pytest.mark.parametrize("typed", PLAIN)
def test_nothing_special(typed: str) -> None:
    assert read_query(typed) == Asked(typed, tuple(asked_terms(typed)))


@pytest.mark.parametrize(("typed", "text", "excluded"), LEAVE_OUT)
def test_what_is_left_out_is_not_asked_for(
    typed: str, text: str, excluded: tuple[str, ...]
) -> None:
    assert read_query(typed) == Asked(text, tuple(asked_terms(text)), excluded=excluded)


@pytest.mark.parametrize(("typed", "phrases", "alone"), QUOTED)
def test_what_is_quoted(typed: str, phrases: tuple[str, ...], alone: bool) -> None:
    asked = read_query(typed)
    assert (asked.text, asked.phrases, asked.excluded, asked.is_quotation) == (
        typed,
        phrases,
        (),
        alone,
    )
    for phrase in phrases:
        assert set(query_terms(phrase)) <= set(asked.terms)


def test_both() -> None:
    assert read_query('"red lamp" office -kitchen -"old hall"') == Asked(
        text='"red lamp" office',
        terms=("red", "lamp", "offic"),
        phrases=("red lamp",),
        excluded=("kitchen", "old hall"),
    )


def test_there_is_an_end_to_what_is_quoted_and_left_out() -> None:
    asked = read_query(
        " ".join(f'-word{"abcdefghij"[n % 10] * n} "quoted {n}"' for n in range(1, 50))
    )
    assert len(asked.phrases) == len(asked.excluded) == MAX_QUOTED
    assert "wordbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"[:5] in asked.text


@given(st.text() | st.text(st.sampled_from("ab \"“”「」『』-－\n漢字'.,")))
def test_any_text_is_read(typed: str) -> None:
    asked = read_query(typed)
    assert len(asked.text) <= len(typed)
    assert len(set(asked.terms)) == len(asked.terms)
    assert all(asked.phrases)
    assert all(asked.excluded)
    # What was read has nothing left to leave out, unless it grew together.
    assert set(asked_terms(asked.text)) <= set(asked.terms)
    if not asked.excluded:
        assert asked.text == typed


@pytest.mark.parametrize(
    "piece",
    ['"', '"a" ', "-abc ", "-a", "「", "「a」", "-「", " -", "“", "a-b ", "-\n", "－漢字 ", '-"'],
)
def test_reading_takes_linear_time(piece: str) -> None:
    text = piece * (2**13 // len(piece))
    once, four = (min(took(text * times) for _ in range(3)) for times in (1, 4))
    assert four < 10 * max(once, 0.005)


def took(text: str) -> float:
    begun = time.process_time()
    read_query(text)
    return time.process_time() - begun
