"""Laws of redaction: what is planted is gone, nothing that is detected remains, twice is once."""

import itertools
import string
import unicodedata
from collections import Counter
from random import Random

import pytest
from hypothesis import assume, example, given, settings, strategies as st

from benchmarks.secret_tokens import TOKENS, draw
from pce_memory.domain.policy import Policy
from pce_memory.policy.redaction import detected_class, redact as redact_by, redact_for
from pce_memory.text.detect import ASKED_KINDS, PII_KINDS, SECRET_KINDS, detect
from pce_memory.text.fold import fold
from pce_memory.text.redact import REDACTION_KINDS, redact
from tests.unit.policy.policies import policy

EVERY_KIND = SECRET_KINDS | PII_KINDS | ASKED_KINDS


def luhn(body: str) -> str:
    """Return the digits of a card with its check digit."""
    digits = [int(digit) for digit in reversed(body)]
    total = sum(sum(divmod(2 * d, 10)) if i % 2 == 0 else d for i, d in enumerate(digits))
    return body + str(-total % 10)


def my_number(body: str) -> str:
    """Return an individual number with its check digit."""
    weights = (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
    total = sum(int(digit) * weight for digit, weight in zip(body, weights, strict=True))
    return body + str((11 - total % 11) % 11 % 10)


def iban(country: str, account: str) -> str:
    """Return a bank account with its check number."""
    number = int("".join(str(int(char, 36)) for char in f"{account}{country}00"))
    return f"{country}{98 - number % 97:02d}{account}"


def grouped(digits: str, size: int, by: str) -> str:
    return by.join(digits[i : i + size] for i in range(0, len(digits), size))


digits = st.text(alphabet=string.digits, min_size=4, max_size=4)
names = st.text(alphabet=string.ascii_lowercase, min_size=2, max_size=8)
gaps = st.sampled_from(["-", " ", "", "－", "‐", "−", "–"])
dashes = st.sampled_from(["-", "－", "‐", "−", "–", "ー"])

emails = st.builds("{}.{}@{}.example.{}".format, names, names, names, st.sampled_from(["com", "co.jp", "io"]))  # fmt: skip
phones = st.one_of(
    st.builds("{0}{3}{1}{3}{2}".format, st.sampled_from(["090", "080", "070", "050"]), digits, digits, dashes),
    st.builds("{0}{3}{1}{3}{2}".format, st.sampled_from(["+81 90", "+81-3", "03", "06"]), digits, digits, dashes),
    st.builds("（03）{}-{}".format, digits, digits),
    st.builds("電話 {}".format, st.builds("03{}{}".format, digits, digits)),
)  # fmt: skip
cards = st.builds(
    lambda body, gap: grouped(luhn("4" + body[:14]), 4, gap),
    st.text(alphabet=string.digits, min_size=14, max_size=14),
    gaps,
)
ibans = st.builds(
    lambda body, gap: grouped(iban("DE", body), 4, gap),
    st.text(alphabet=string.digits, min_size=18, max_size=18),
    st.sampled_from(["", " "]),
)
my_numbers = st.builds(
    lambda body, gap: "個人番号：" + grouped(my_number(body), 4, gap),
    st.text(alphabet=string.digits, min_size=11, max_size=11),
    st.sampled_from(["", " ", "-", "－"]),
)
ips = st.builds("203.0.{}.{}".format, st.integers(1, 99), st.integers(1, 254))
tokens = st.builds(
    lambda family, seed: TOKENS[family](Random(seed)),
    st.sampled_from(sorted(TOKENS)),
    st.integers(0, 10_000),
)
passwords = st.builds(
    lambda said, seed: said.format(draw(Random(seed), string.ascii_letters + string.digits, 14)),
    st.sampled_from(["password={}0a", "パスワードは{}0aです", "Authorization: Bearer {}0a", "postgres://u:{}0a@h/d"]),
    st.integers(0, 10_000),
)  # fmt: skip
planted = st.one_of(emails, phones, cards, ibans, my_numbers, ips, tokens, passwords)


def wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202e\u0301\u0327\ufe0f\u20e3"


@st.composite
def hidden(draw_from):
    """Draw something planted as somebody may hide it: full width, with signs that nobody sees."""
    text = draw_from(planted)
    if draw_from(st.booleans()):
        text = wide(text)
    for _ in range(draw_from(st.integers(0, 3))):
        place = draw_from(st.integers(1, len(text) - 1))
        text = text[:place] + draw_from(st.sampled_from(UNSEEN)) + text[place:]
    return text


# Nothing that could be a part of what stands beside it.
before = st.sampled_from(["連絡は", "です。", "、", "\n", " ", "（", "）", "「", "」まで", "鍵：", "\t", "、以上", "と", " / ", "🎉"])  # fmt: skip
# A bracket right behind a name is that of a call: `password=make_password(`.
behind = before.filter(lambda text: text != "（")
noise = st.sampled_from(["[email]", "[secret]", "2025-12-18", "v1.2.3", "password:", "パスワードは", "tel ", "sk-", "AKIA", "@", "://", "eyJ", "-----BEGIN PRIVATE KEY-----", "1", "-", "\u200b", "\u0301", "\ud83c", "\x00", "Ａ", "４", "ー", "%40", "&#64;", "\\u0040", "〒", "東京都", "合言葉は", "暗証番号 "])  # fmt: skip


def bare(text: str) -> str:
    """Return the letters and digits of a text, folded: what a reader would copy."""
    return "".join(filter(str.isalnum, fold(text).text))


def kernel(text: str) -> str:
    """Return the part of something planted that may not be left: all of it behind its label."""
    return bare(text.rpartition("：")[2].rpartition(":")[2] if "個人番号" in text else text)


@settings(max_examples=300)
@given(st.lists(st.tuples(before, hidden(), behind), min_size=1, max_size=4))
def test_nothing_planted_is_left(pieces):
    once = redact("".join(f"{left}{item}{right}" for left, item, right in pieces))
    assert detect(once.text) == ()
    assert redact(once.text).text == once.text
    for _, item, _ in pieces:
        assert kernel(item) not in bare(once.text)
        # Nor a half of it.
        longest_run = max(bare(item).split("です"), key=len)
        assume(len(longest_run) >= 8)
        assert longest_run[-8:] not in bare(once.text)


@settings(max_examples=300)
@given(st.lists(st.one_of(before, noise, planted, hidden()), max_size=12).map("".join))
@example("password: \u200b\u0301")
@example("sk-" * 40)
@example("a@b@c.com@d.com 4111 1111 1111 1111 1111")
def test_whatever_stands_together_twice_is_once(text):
    once = redact(text, kinds=REDACTION_KINDS)
    assert detect(once.text, EVERY_KIND) == ()
    assert redact(once.text, kinds=REDACTION_KINDS).text == once.text


@settings(max_examples=200)
@given(st.lists(st.one_of(before, noise, planted), max_size=8).map("".join))
def test_a_find_has_its_place_and_none_overlap(text):
    found = detect(text, EVERY_KIND)
    assert list(found) == sorted(found, key=lambda match: match.start)
    assert all(0 <= match.start < match.end <= len(text) for match in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))


@settings(max_examples=200)
@given(planted, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_a_normal_form_hides_nothing(item, form):
    text = f"連絡は{unicodedata.normalize(form, item)}、以上"
    assert kernel(item) not in bare(redact(text).text)


finds = st.one_of(
    st.sampled_from(
        [
            r"CASE-\d+",
            "a.",
            "[0-9]+",
            r"\bno\b",
            "(?i)case",
            "^.",
            "b$",
            "x|xx|xyx",
            r"\s",
            "社外秘",
            "mail",
        ]
    ).map(lambda find: {"find": find}),
    st.lists(
        st.sampled_from(
            ["佐藤", "佐藤健", "健二", "Sato", "Sato Kenji", "a", "xy", "社外", "secret"]
        ),
        min_size=1,
        max_size=4,
        unique=True,
    ).map(lambda words: {"words": words}),
)
rules = st.builds(
    lambda find, replace: {"name": "own", **find, "replace": replace},
    finds,
    st.sampled_from(["", "x", "[own]", "a", "CASE-1", "佐", "yx"]),
)
letters = st.sampled_from(["CASE-12", "佐藤", "健二", "佐", "藤", "sato", " kenji", "a", "x", "y", "no", "1", "\n", " ", "社外秘", "x@example.com", "AKIAIOSFODNN7EXAMPLE", "[own]"])  # fmt: skip


def own(*rules: dict[str, object]) -> Policy:
    return policy(
        redact_policies={"own": {"rules": rules}},
        classes={"pii": {"allow": [], "redact": ["own", "email"]}},
    )


@settings(max_examples=300)
@given(st.lists(rules, min_size=1, max_size=4), st.lists(letters, max_size=14).map("".join))
def test_rules_of_a_policy_settle(made, text):
    once = redact_by(text, own(*made))
    assert redact_by(once, own(*made)) == once
    assert not {match.kind for match in detect(once)} & {"email", *SECRET_KINDS}


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from(["佐藤", "佐藤健", "Sato", "José", "de la Cruz", "健"]), min_size=1, unique=True),
    st.lists(st.sampled_from(["佐藤", "健", "ＳＡＴＯ", "sato", "jose\u0301", "JOSÉ", "de  la\u3000cruz", "、", " ", "x", "\u200b"]), max_size=12).map("".join),
)  # fmt: skip
def test_no_listed_word_is_left(words, text):
    listed = own({"name": "own", "words": words, "replace": "[person]"})
    redacted = redact_for(text, listed, boundary_class="pii").text
    assert redacted == redact_for(redacted, listed, boundary_class="pii").text
    assert detected_class(redacted, listed) == "public"
    for word in words:
        if not word.isascii() and word != "José":
            assert word not in fold(redacted).text


@pytest.mark.parametrize("kind", sorted(EVERY_KIND))
def test_no_kind_finds_its_own_name(kind):
    assert detect(f"[{kind}]", EVERY_KIND) == ()


def looked_through_each_time(text: str, kinds: frozenset[str]) -> tuple[str, Counter[str]]:
    """Redact as `redact` says it does, with a look at the text before each step."""
    counts: Counter[str] = Counter()
    for step in (kinds & {"secret"}, kinds):
        wanted = (step & REDACTION_KINDS) | (SECRET_KINDS if "secret" in step else frozenset())
        while step and (found := detect(text, wanted)):
            names = ["secret" if one.kind in SECRET_KINDS else one.kind for one in found]
            counts.update(names)
            for one, name in reversed(list(zip(found, names, strict=True))):
                text = f"{text[: one.start]}[{name}]{text[one.end :]}"
    return text, counts


@given(
    said=st.lists(
        st.one_of(
            emails, phones, cards, ips, tokens, passwords, st.sampled_from([" ", "\n", "@", ":"])
        ),
        min_size=1,
        max_size=6,
    ).map(" ".join),
    kinds=st.sampled_from(
        [frozenset(REDACTION_KINDS - ASKED_KINDS), frozenset({"email", "phone"})]
    ),
)
def test_a_look_that_is_spared_would_have_found_nothing(said: str, kinds: frozenset[str]) -> None:
    redacted = redact(said, kinds=kinds)
    assert (redacted.text, Counter(redacted.counts)) == looked_through_each_time(said, kinds)


@given(
    said=st.lists(st.one_of(emails, phones, tokens, st.just("a lamp")), max_size=3).map(" ".join),
    asked=st.lists(st.sets(st.sampled_from(sorted(EVERY_KIND)), min_size=1), max_size=5),
)
def test_what_is_remembered_of_a_clean_text_hides_nothing(
    said: str, asked: list[set[str]]
) -> None:
    """Of each group of kinds the same is found, whatever was looked for before."""
    for kinds in asked:
        found = {one.kind for one in detect(said, kinds)}
        assert found == {one.kind for one in detect(f"{said}\n", kinds)}
