"""What a text names, and above all what only looks like a name."""

import time

import pytest
from hypothesis import example, given, strategies as st

from pce_memory.extractor.mentions import MAX_NAME, MentionedEntity, mentions
from pce_memory.text.redact import REDACTION_KINDS

# (text, the canonical keys found: "@" actors, "[" concepts, the rest artifacts)
FOUND = [
    ("[[DuckDB]] を使う", ["[duckdb"]),
    ("see [[Restore  Drill|the drill]]", ["[restore drill"]),
    ("[[ＤｕｃｋＤＢ]] and [[duckdb]]", ["[duckdb"]),
    ("[[図書館システム]]と[[会計]]", ["[図書館システム", "[会計"]),
    ("[[C#]] and [[a/b]]", ["[c#", "[a/b"]),
    ("@tom writes, @Sato-san looks after it", ["@tom", "@sato-san"]),
    ("ask @tom.", ["@tom"]),
    ("(@tom, @tom) @TOM!", ["@tom"]),
    ("担当は@satoです。", ["@sato"]),
    ("cc:@mika", ["@mika"]),
    ("＠佐藤 さん、@田中さん", ["@佐藤", "@田中"]),
    ("@a_b-c_", ["@a_b-c"]),
    ("in src/kawasemi/import_csv.py.", ["src/kawasemi/import_csv.py"]),
    ("試験には tests/fixtures/books_small.csv を使って", ["tests/fixtures/books_small.csv"]),
    ("設定はconf/app.ymlを、手順はdocs/手順書.mdを。", ["conf/app.yml", "docs/手順書.md"]),
    ("(src/a.py, src/b.py:12)", ["src/a.py", "src/b.py"]),
    ("./run ../up/x ~/.bashrc /etc/hosts", ["run", "../up/x", "~/.bashrc", "/etc/hosts"]),
    ("././a.py and a/b.tar.gz", ["a.py", "a/b.tar.gz"]),
    ("/logo.svg", ["/logo.svg"]),
    ("src/a.py and ./src/a.py", ["src/a.py"]),
    ("https://Example.com/A/b?x=1#y", ["https://example.com/A/b"]),
    ("HTTPS://example.com/ と http://example.com:8080", ["https://example.com", "http://example.com:8080"]),
    ("詳細はhttps://example.com/docsを見てください", ["https://example.com/docs"]),
    ("(https://example.com/a_(b)).", ["https://example.com/a_(b)"]),
    ("[x](https://y.z/q)[b](https://u.v/w)", ["https://y.z/q", "https://u.v/w"]),
    ("<https://example.com/x>", ["https://example.com/x"]),
    ("https://example.com/x。次", ["https://example.com/x"]),
    ("https://user:pass@example.com/x", ["https://example.com/x"]),
    ("https://user:[secret]@example.com/x", ["https://example.com/x"]),
    ("https://example.com/x;session=1", ["https://example.com/x"]),
    ("#123を直した (#7)", ["#123", "#7"]),
    ("課題 #45、owner/repo#12", ["#45", "owner/repo#12"]),
    ("vuejs/Vue.js#12!", ["vuejs/vue.js#12"]),
    ("`parse_id` and `foo.Bar()`", ["parse_id", "foo.Bar"]),
    ("`README.md` `2024-notes.md` `.gitignore`", ["README.md", "2024-notes.md", ".gitignore"]),
    ("``a::b`` ```x_y```", ["a::b", "x_y"]),
    ("`src/a.py` は src/a.py", ["src/a.py"]),
    ("`./a.py` `/etc/hosts`", ["a.py", "/etc/hosts"]),
    ("`https://example.com/x?token=1`", ["https://example.com/x"]),
    ("```py\n@app.route\nsrc/a.py\n```\n@tom", ["@tom"]),
    ("[[A]] @b c/d.py #5", ["[a", "@b", "c/d.py", "#5"]),
    ("#5 c/d.py @b [[A]]", ["#5", "c/d.py", "@b", "[a"]),
]  # fmt: skip

NOTHING = [
    "",
    "Nothing is named here, not even Tom or DuckDB.",
    "何も書いていない。",
    "[[ ]] [[]] [[|x]] [link] [[a\nb]]",
    "[secret] [email] [[secret]] [[email]]",
    "tom@example.com, a.b+c@example.co.jp, x@y",
    "`@app.route` `@tom`",
    "```\n@dataclass\n[[x]]\n```",
    "~~~\n@tom\n~~~",
    "npm i @types/node @scope/pkg",
    "@here @all @channel @param @media @dataclass",
    '@app.get("/") @example.com @lru_cache()',
    "v1@2 a/@b c.@d 飲み会@渋谷 会議@Zoom @3pm @ tom",
    "and/or he/she km/h 24/7 1/2 2019/4/1 3/4.5mm",
    "Node.js/Express.js TCP/IP i.e/e.g",
    "/help </div> a // b http:// ./ ../ / ~/",
    "他/自 と/か /笑 「/」",
    "py3.11/py3.12 v1.2/v1.3",
    "README.md main.py",
    "https://",
    "https://日本語.jp/x ftp://example.com/a.txt file:///a/b.txt",
    "postgres://kawasemi:[secret]@db.example:5432/books.db",
    "https://example.com/[secret]/x",
    "#fff #0B7FAB #000000 #333333 #333 &#39; a#1 ##2 #12a #1,000 #1.5 #12345678",
    "our #1 choice, the #1 priority",
    "`two words` `a` `42` `-x` `日本語 です` `a=b` `x` ``",
    "`unclosed",
    "git@github.com:owner/repo.git",
]  # fmt: skip


def keys(text):
    marks = {"Actor": "@", "Concept": "[", "Artifact": ""}
    return [marks[one.type] + one.canonical_key for one in mentions(text)]


@pytest.mark.parametrize(("text", "found"), FOUND)
def test_finds(text, found):
    assert keys(text) == found


@pytest.mark.parametrize("text", NOTHING)
def test_is_silent(text):
    assert keys(text) == []


def test_keeps_the_name_as_it_was_first_written():
    assert mentions("@Sato and @sato in [[Big  Plan|plan]], `run()`") == (
        MentionedEntity("Actor", "Sato", "sato"),
        MentionedEntity("Concept", "Big Plan", "big plan"),
        MentionedEntity("Artifact", "run()", "run"),
    )


def test_a_name_that_is_too_long_is_none():
    assert mentions(f"[[{'a' * MAX_NAME}]]")
    assert not mentions(f"[[{'a' * (MAX_NAME + 1)}]]")
    assert not mentions(f"`{'a' * 101}`")
    assert not mentions("https://example.com/" + "a" * MAX_NAME)
    assert not mentions("src/" + "a" * MAX_NAME + ".py")


PIECES = ["[[", "]]", "@", "#12", "`", "```\n", "a/b.py", "https://", "x.y", " ", "\n", "。", "、は",
          "[secret]", "tom", "|", "(", ")", "/", "./", "1", "?q=1"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.text())
def test_names_are_told_once_and_never_empty(text):
    found = mentions(text)
    assert len({(one.type, one.canonical_key) for one in found}) == len(found)
    for one in found:
        assert 0 < len(one.canonical_key) <= MAX_NAME
        assert 0 < len(one.name) <= MAX_NAME
        assert one.name == one.name.strip()
        assert one.canonical_key not in {f"[{kind}]" for kind in REDACTION_KINDS}


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_saying_it_twice_names_nothing_new(text):
    # Code comes out of step where a fence is left open.
    if "`" not in text:
        assert mentions(f"{text}\n\n{text}") == mentions(text)


WORD = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=6, max_size=20)


@given(WORD, WORD, WORD)
@example("useruser", "hunter22", "token123")
def test_what_an_address_hides_is_never_kept(user, password, token):
    url = f"https://Q{user}:Q{password}@example.com/a?key=Q{token}#Q{token}"
    for text in (url, f"`{url}`", f"詳細は{url}です。", f"({url})"):
        assert keys(text) == ["https://example.com/a"]
        assert "Q" not in "".join(one.name + one.canonical_key for one in mentions(text))


@pytest.mark.parametrize(
    "unit",
    ["a", "a/", "/", "./", "@", "@a", "@a ", "#1", "#1 ", "[", "[[a", "`", "`a ", "https://", "a@", "a:",
     "~~~\n", "a.", "a/b.c", "-", "漢/", "(", "http://a.b/c "],
)  # fmt: skip
def test_is_linear(unit):
    start = time.perf_counter()
    _ = mentions(unit * (200_000 // len(unit)))
    assert time.perf_counter() - start < 3
