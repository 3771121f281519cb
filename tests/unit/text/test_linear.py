"""No text takes the detectors more than linear time, up to the longest observation."""

import time
from collections.abc import Callable
from itertools import count

import pytest

from pce_memory.text.detect import ASKED_KINDS, PII_KINDS, SECRET_KINDS, detect
from pce_memory.text.redact import redact
from pce_memory.text.words import word_list
from tests.unit.text.test_detect import HOSTILE

_RUNS = count()
EVERY_KIND = SECRET_KINDS | PII_KINDS | ASKED_KINDS
PIECES = [
    *HOSTILE,
    "0", "12", "1 2", "(03", "+", "-", "–", "—", "a-", "sk-a", "ghp_", "'\"", "「「", "\"'`", "{", "[[", "\\", "%40", "a%40", "&#",
    "AbC1+/", "AbC1_-", "0123456789abcdef", "eyJhbGci.", "SG.", "SG.aaaaaaaaaaaaaaaaaaaaaa.", "1//0", "8Q~", "xoxe.xoxp-1-",
    "AccountKey=aaaa", "aws_secret_access_key ", "mysql -u a -p", "パスワード", "パスワードは", "合言葉は", "暗証番号", "〇九", "〒", "〒1", "東京都",
    "東京都千代田区", "神南", "1丁目", "12 Main ", "P.O. Box ", "SSN ", "個人番号1", "\u0301", "a\u0301", "\u200b", "Ａ", "１", "\n", " ", "\r\n> ",
    "ssn 123-45-", "203.0.", "2001:", "::", "DE89\n", "(at) ", "[", "]", "(パスワード)", "password value=", "→", "kernel ", "v", ".", "@a.",
    '"@', '"a"@b.', "x@[", "é@", "é", "a@é.", "田", "田@", "[dot]", "a[dot]", "a [at] b [dot] ", "a at b dot ", "a dot ", "mail ", "ドット", "アットマーク",
    "1の", "01の", "〇の", "415.", "415.555.", "090-1\n-", "4111.", "4111・", "・", "GB82-", "GB82-WEST-", "マイナンバー\n", "中京区上る", "京都市中京区",
    "password%3D", "%22", "パスワード：あ1", "パスワードはあ", "Cookie: ", "Cookie: session=", "cookie: a=b; ", "sid=", "1.0.0.1 v", "sk-a-", "1:AA",
    "key=", 'pass: "', "key,key\n", "| key | ", "pass\\\n", "key = value\n", "the password for the ", "secret key (abc) ", "<name>password</name>",
    '{"name": "password", ', "'a' + 'b' ", '"ab" + ', "password is ", "mysql -u a -p ", "echo a | ", "Qm", "sha256:", "data:a/b;", "密码是", "seed phrase ",
    "backup codes: ", "IDENTIFIED BY ", "INSERT INTO a (password) VALUES ", "wget --user a:", "a".ljust(21, "a") + "\n", "% password",
    "jwt.sign(", "auth=(a, ", 'PDO("a", ', "getenv('a', ", "${A:-", "| default('", "ENV A ", "password 0 ", "a:5432:b:c:", "a.b:25 c@d:", "1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf",
    "user=b password=c ", "123456:AAAA", "a/b+C1", "Private-Lines: 1\nAAAA", "APIキー\n", "token\n", "create user a password ",
]  # fmt: skip


def seconds(work: Callable[[str], object], text: str) -> float:
    """Return the CPU time of the quickest of three runs, each of a text not seen before."""
    taken: list[float] = []
    for _ in range(3):
        # That nothing was found in a text is remembered.
        fresh = f"{next(_RUNS)}\n{text}"
        begin = time.process_time()
        work(fresh)
        taken.append(time.process_time() - begin)
    return min(taken)


def find_all(text: str) -> None:
    detect(text, EVERY_KIND)


@pytest.mark.parametrize("piece", PIECES)
def test_twice_the_text_takes_twice_the_time(piece: str) -> None:
    text = piece * (2**14 // len(piece.encode()))
    once, twice, four = (seconds(find_all, text * times) for times in (1, 2, 4))
    # What is quadratic takes 16 times as long for 4 times the text.
    assert four < 8 * max(once, 0.01)
    assert four < 4 * max(twice, 0.01)


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["a", "1", "1-", "@", "a@", "sk-", "'\"", "AbC1+/", "パスワードは", "x@example.com "])  # fmt: skip
def test_a_mebibyte_is_looked_through(piece: str) -> None:
    text = piece * (2**20 // len(piece.encode()))
    small = seconds(find_all, text[: len(text) // 8])
    assert seconds(find_all, text) < 16 * max(small, 0.02)


@pytest.mark.parametrize("piece", ["090-1234-5678 ", "x@example.com,", "[secret]", "password=a1b2c3d4 "])  # fmt: skip
def test_redacting_many_takes_linear_time(piece: str) -> None:
    text = piece * (2**14 // len(piece))
    once = seconds(redact, text)
    assert seconds(redact, text * 4) < 8 * max(once, 0.01)


@pytest.mark.parametrize("piece", ["a", "あ", "aあ", "a ", "ab"])
def test_words_take_linear_time(piece: str) -> None:
    words = word_list(tuple(char * size for char in "aあ" for size in range(1, 60)))

    def find(text: str) -> None:
        _ = list(words.find(text))

    text = piece * (2**13 // len(piece))
    once = seconds(find, text)
    assert seconds(find, text * 4) < 8 * max(once, 0.01)
