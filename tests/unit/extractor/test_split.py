"""How a text is cut: where sentences end, what Markdown means, and that nothing is lost."""

import re
import time
import unicodedata

import pytest
from hypothesis import example, given, strategies as st

from pce_memory.extractor.split import Segment, is_fragment, split

LONG = "this line was wrapped by an editor because it was about to be too long"
LANG = "この行は六十桁よりもずっと長いので、書いた人ではなくエディターが途中で折り返して"

# Each list is the pieces of the text that its parts make when they are put together.
SENTENCES = [
    ["It works.", " Ship it!", " Why?", " No idea"],
    ["動いた。", "出荷しよう！", "なぜ？", "分からない"],
    ["完了．", "次へ。", "ｶﾝﾘｮｳ｡", "次"],
    ["Done!", "次は？", "Next."],
    ["すごい!!", "本当？！", "はい。"],
    ["Wait... what is it.", " Well...", " Then go."],
    ["it works.", " my dog is called rex."],
    # Numbers, versions, addresses, files, times.
    ["Version 3.12.1 costs 1,840.50 yen.", " It is out."],
    ["３．５倍です．", "次です．"],
    ["See https://example.com/a.b?c=d!e&f=1.", " Then mail a.b@example.co.jp.", " Bye now."],
    ["Edit main.py and docs/a.b.md.", " Run v1.2.", " It is fast."],
    ["a != b and c ?? d, see x?y.", " Yes!"],
    ["See step 3.", " Then go on."],
    ["It has 3 parts: 1. a list 2. of things.", " Fine."],
    ["Steps: 1. Build 2. Test 3. Ship.", " See step 9.", " Then go."],
    ["Do this.", " 1. Build it.", " 2. Test it.", " See fig. 3.", " Then go."],
    ["Call .NET from Node.js.", " Use it."],
    # Abbreviations and initials.
    ["Mr. Smith, Mrs. Ito and Dr. No met Prof. J. K. Mori.", " They ate."],
    ["Use e.g. tea, i.e. leaves, vs. coffee etc. and so on.", " Good."],
    ["Tea, coffee, etc.", " The rest is water."],
    ["It is in the U.S. and the U.K. now.", " Bye."],
    ["Room No. 5, fig. 3, p. 12, vol. 2.", " No.", " We leave."],
    ["At 5 p.m. we left.", " It was 6 p.m.", " We slept."],
    ["Acme Inc. makes tea.", " It is from Acme Inc.", " They know."],
    ["So do I.", " Newton knew."],
    ["We chose plan B.", " Then it rained."],
    ["It took 20 ms.", " Fine."],
    # Code and links.
    ["Use `a. b! c` and ``x. Y``.", " Fine."],
    ["See [[Dr. A. B. Next]] now.", " Fine."],
    ["An open ` stays.", " Fine."],
    # Quotations and brackets.
    ["彼は「行く。来る。」と言った。", "終わり。"],
    ["「『本当？』と聞いた。」と書いた。", "終わり。"],
    ["「終わった。」", " 次に進む。"],
    ["「行く。」", "「来る。」"],
    ["これは例です（詳細は後述。）。", "次です。"],
    ["本当？と聞いた。", "はい。"],
    ["(See this. And that.)", " Then go."],
    ["It failed (finally!) and stopped.", " Good."],
    ['"Stop!" he said.', ' "Go."', " He left."],
    ["“Stop. Now.” he said.", " Fine."],
    ["**Done.**", " Next one."],
    ["開いたままの「括弧。", "次です。"],
    ["閉じただけ」です。", "次です。"],
    ["終わり。", '"次" です。'],
]  # fmt: skip

MARKDOWN = [
    ("# Title ##\ntext", ["Title", "text"]),
    ("## C#\n#5 is open", ["C#", "#5 is open"]),
    ("Title\n=====\n\n----\ntext", ["Title", "text"]),
    ("- one\n* two\n+ three\n• four\n・五番\n1. six\n2) seven\n(3) eight\n４．九番", ["one", "two", "three", "four", "五番", "six", "seven", "eight", "九番"]),
    ("  - inner\n- 1. both", ["inner", "both"]),
    ("-5 degrees\n3.5 litres\n2026. A year", ["-5 degrees", "3.5 litres", "2026. A year"]),
    ("３．５倍です", ["３．５倍です"]),
    ("> said one\n>> said two\n>= 3.11 is needed", ["said one", "said two", ">= 3.11 is needed"]),
    ("| Name | Port |\n|:-----|-----:|\n| web. Yes | 80 |", ["Name | Port", "web. Yes | 80"]),
    ("Name | Port\n--- | ---\nweb | 8080", ["Name | Port", "web | 8080"]),
    ("***\n- - -\n___\n+---+---+\ntext", ["text"]),
    ("```py\na = 1. # b\n\nc = 2\n```\ntext", ["```py\na = 1. # b\n\nc = 2\n```", "text"]),
    ("~~~\na. b\n~~~", ["~~~\na. b\n~~~"]),
    ("- ```\n  a. b\n  ```\n- next", ["- ```\n  a. b\n  ```", "next"]),
    ("```py\nleft open. Next", ["```py", "left open.", "Next"]),
    ("text\r\nmore\rlast", ["text", "more", "last"]),
    ("one\n\n\ntwo", ["one", "two"]),
]  # fmt: skip

WRAPPED = [
    (f"{LONG}\ngoes on here. Next", [f"{LONG} goes on here.", "Next"]),
    (f"{LANG}\n続いています。次", [f"{LANG}続いています。", "次"]),
    (f"{LANG}\nDuckDB に続く", [f"{LANG}DuckDB に続く"]),
    (f"- {LONG}\n  goes on here", [f"{LONG} goes on here"]),
    (f"> {LONG}\n> goes on here", [f"{LONG} goes on here"]),
    (f"{LONG} well-\nknown", [f"{LONG} well-known"]),
    (f"{LONG},\nBut it goes on", [f"{LONG}, But it goes on"]),
    (f"{LONG}\nDuckDB. Next", [f"{LONG} DuckDB.", "Next"]),
    ("short line\nand another", ["short line", "and another"]),
    (f"{LONG}.\nand another", [f"{LONG}.", "and another"]),
    (f"{LONG}:\nand another", [f"{LONG}:", "and another"]),
    (f"{LONG}\n\nand another", [LONG, "and another"]),
    (f"{LONG}\n- and another", [LONG, "and another"]),
    (f"{LONG}\n# Another", [LONG, "Another"]),
    (f"{LONG}\n> and another", [LONG, "and another"]),
    (f"{LONG}\n| a | bc |", [LONG, "a | bc"]),
    (f"# {LONG}\nand another", [LONG, "and another"]),
    (f"{LONG}  \nand another", [LONG, "and another"]),
    (f"{LONG}\nAlice: another", [LONG, "Alice: another"]),
    (f"{LONG}\n2026-03-02 another", [LONG, "2026-03-02 another"]),
    (f"{LONG}\nERROR another", [LONG, "ERROR another"]),
    # "A new" would have stood on the first line, had an editor wrapped it.
    (f"{LONG}\nA new line that is so much longer that nobody wrapped the one before it, not at all", [LONG, "A new line that is so much longer that nobody wrapped the one before it, not at all"]),
]  # fmt: skip


def texts(text, **options):
    return [one.text for one in split(text, **options)]


@pytest.mark.parametrize("parts", SENTENCES)
def test_ends_sentences(parts):
    assert texts("".join(parts)) == [part.strip() for part in parts]


@pytest.mark.parametrize(("text", "pieces"), MARKDOWN)
def test_reads_markdown(text, pieces):
    assert texts(text) == pieces


@pytest.mark.parametrize(("text", "pieces"), WRAPPED)
def test_puts_wrapped_lines_together(text, pieces):
    assert texts(text) == pieces


def test_an_open_box_is_a_flag_and_a_done_one_stays_in_the_text():
    text = "- [ ] buy milk. Two litres.\n- [x] call Bob\n* [X] 牛乳を買う\n[ ] no bullet\n☐ 設計\n✅ shipped it\n- [] empty"
    assert split(text) == [
        Segment("buy milk.", 1, checkbox=True),
        Segment("Two litres.", 1),
        Segment("[x] call Bob", 2),
        Segment("[X] 牛乳を買う", 3),
        Segment("no bullet", 4, checkbox=True),
        Segment("設計", 5, checkbox=True),
        Segment("✅ shipped it", 6),
        Segment("[] empty", 7),
    ]


def test_each_piece_knows_its_line():
    text = f"# A title\n\n{LONG} and\ngoes. Next sentence\n\n```\ncode\n```\n| a | bc |\nlast. One more"
    assert [one.line for one in split(text)] == [1, 3, 4, 6, 9, 10, 10]


def test_front_matter_is_kept_as_a_fragment():
    text = "---\ntitle: A title\ntags:\n  - one\n---\ntext"
    assert split(text) == [
        Segment("---\ntitle: A title\ntags:\n  - one\n---", 1, fragment=True),
        Segment("text", 6),
    ]
    assert texts("---\nJust some text.\n---\nMore") == ["Just some text.", "More"]
    assert texts("---\ntitle: left open") == ["title: left open"]


FRAGMENTS = ["a", "ok", "ok!", "...", "———", "は", "[secret]", "[x] a", "🎉🎉🎉🎉", "(a)", "a\u200b\u200b\u200b", "[email] [phone]"]  # fmt: skip
WHOLE = [
    "Yes.",
    "はい",
    "了解",
    "A案",
    "1234",
    "네 네",
    "[x] done",
    "Mail: [email]",
    "Good morning!",
    "🎉 party",
]


@pytest.mark.parametrize("text", FRAGMENTS)
def test_a_piece_that_says_nothing_is_a_fragment(text):
    assert is_fragment(text)
    assert [one.fragment for one in split(text)] == [True]


@pytest.mark.parametrize("text", WHOLE)
def test_a_short_piece_that_says_something_is_none(text):
    assert not is_fragment(text)
    assert [one.fragment for one in split(text)] == [False]


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "　", "---", "***\n\n====", "|---|---|", "\u3000\n\t"]
)
def test_nothing_comes_of_nothing(text):
    assert split(text) == []


def test_a_long_sentence_is_cut_behind_a_clause_or_a_word():
    assert texts("one two, three four five", max_chars=12) == ["one two,", "three four", "five"]
    assert texts("昨日は雨でしたが、今日は晴れました", max_chars=10) == [
        "昨日は雨でしたが、",
        "今日は晴れました",
    ]
    assert texts("a" * 25, max_chars=10) == ["a" * 10, "a" * 10, "a" * 5]
    assert texts("か\u3099" * 6, max_chars=5) == ["か\u3099" * 2] * 3
    assert texts("abc", max_chars=1) == ["a", "b", "c"]
    assert texts("abc", max_chars=0) == ["a", "b", "c"]


def test_long_code_is_cut_at_lines_and_each_part_is_fenced():
    code = "\n".join(f"line_{number} = {number}" for number in range(100))
    pieces = split(f"text\n```py\n{code}\n```\nmore text", max_chars=200)
    parts = pieces[1:-1]
    assert len(parts) > 5
    assert all(one.text.startswith("```py\n") and one.text.endswith("\n```") for one in parts)
    assert "\n".join(one.text[6:-4] for one in parts) == code
    lines = ["text", "```py", *code.split("\n")]
    assert all(lines[one.line - 1] == one.text.split("\n")[1] for one in parts)
    tight = texts("```\n" + "a" * 30 + "\n```", max_chars=8)
    assert max(map(len, tight)) == 8
    assert visible("".join(tight)) == "```" + "a" * 30 + "```"


def visible(text):
    return "".join(text.split())


def letters(text):
    return [char for char in text if unicodedata.category(char).startswith("L")]


PLAIN = st.text(st.sampled_from("aBc 漢かカ。．！？!?.,、「」『』（）()\"'“”…:\n\u3000é🎉\u0301")) | st.lists(
    st.sampled_from(["Dr", "e.g", "etc", "U.S", ".", ". ", "。", "と", "「", "」", "a", "B", " ", "\n", "？", "!", LONG, LANG])
).map("".join)  # fmt: skip
ANY = st.text() | st.lists(
    st.sampled_from(["- ", "* ", "[ ] ", "[x] ", "# ", "> ", "|", "---", "```", "~~~", "\n", "\n\n", "1. ", "・", "a", "bc. ", "漢字。", "`", "[[", "]]", " ", "a: b", LONG])
).map("".join)  # fmt: skip
LIMITS = st.integers(1, 60) | st.just(5000)


@given(PLAIN, LIMITS)
def test_every_visible_character_of_plain_text_is_kept_in_order(text, limit):
    assert visible("".join(texts(text, max_chars=limit))) == visible(text)


@given(ANY, LIMITS)
@example("# #\n## a #", 5000)
@example("- - - a\n* * b", 5000)
@example("---\na: b\n---\nc", 3)
def test_every_letter_of_any_text_is_kept_in_order(text, limit):
    found = letters("".join(texts(text, max_chars=limit)))
    if "```" in text or "~~~" in text:
        # A long block of code repeats the line that opens it.
        kept = iter(found)
        assert all(letter in kept for letter in letters(text))
    else:
        assert found == letters(text)


@given(ANY | PLAIN, LIMITS)
def test_pieces_are_short_and_stripped_and_on_their_lines(text, limit):
    pieces = split(text, max_chars=limit)
    lines = re.split(r"\r\n|\r|\n", text)
    assert [one.line for one in pieces] == sorted(one.line for one in pieces)
    for one in pieces:
        assert 0 < len(one.text) <= limit
        assert one.text == one.text.strip()
        if not one.text.startswith(("```", "~~~")):
            assert one.text[0] in lines[one.line - 1]


@given(PLAIN)
def test_a_piece_is_one_piece(text):
    for one in texts(text):
        assert texts(one) == [one]


@given(
    st.lists(
        st.sampled_from(
            ["It works.", "Why not?", "動いた。", "Dr. Ito came.", "「行く。」と言った。"]
        )
    )
)
def test_sentences_are_found_again(parts):
    assert texts(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "unit",
    ["a", ".", "!", "。", "`", "`a ", "[[a", "「", "「a。", "(", ")", "'", " ", "\n", "- ", "> ", "1. ", "# ", "#",
     "|", "|-", "-", "e.g. ", "A. ", "```\n", "a: b\n", "- [ ] a\n", LONG + "\n", "a\u0300", "\u200d", ".\"'*"],
)  # fmt: skip
def test_is_linear(unit):
    text = unit * (40_000 // len(unit))
    start = time.perf_counter()
    for hostile in (text, f"# {text}x", f"---\n{text}"):
        _ = split(hostile)
    assert time.perf_counter() - start < 6
