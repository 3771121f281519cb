"""Find what opens an account or a wallet when all else is lost: seed phrases, backup codes."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from pce_memory.text.fold import Span
from pce_memory.text.quick_search import QuickSearch, quick_search

_PHRASE_NAME: Final = (
    r"(?:(?:seed|recovery|secret|backup|wallet|mnemonic|bip-?39)[ _-]?(?:recovery[ _-])?"
    r"(?:phrases?|words?|seeds?|mnemonics?)|mnemonics?(?:[ _]code)?)"
)
_JAPANESE_PHRASE: Final = (
    r"(?:(?:リカバリー?|シード|ニーモニック|復元|バックアップ)(?:フレーズ|コード)?|秘密の言葉)"
)
_PHRASE: Final = re.compile(
    rf"(?:{_PHRASE_NAME}|{_JAPANESE_PHRASE})[\"'*]{{0,3}}[^\n:=：]{{0,48}}?(?:\s?[:=：]"
    rf"|[ ]is|[ ]are|は)\s{{0,4}}[\"'`「]?"
    r"(?P<words>(?:\d{1,2}[.)]?\s{1,2})?(?:[a-z]{3,8}|[ぁ-ん]{2,7})(?:[\s,、]{1,3}(?:\d{1,2}[.)]?\s{1,2})?(?:[a-z]{3,8}|[ぁ-ん]{2,7})(?![A-Za-z'-])){11,23})",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[a-z]{3,8}|[ぁ-ん]{2,7}")
# Words of sentences that the list which such phrases are drawn from has not.
_SENTENCE: Final = frozenset(
    re.findall(
        r"\w+",
        "the and are for not your with from have has was were them their would could should its "
        "ever into his her our been being does did which while because about than",
    )
)
_LENGTHS: Final = (24, 21, 18, 15, 12)

_CODES_NAME: Final = (
    r"(?:(?:backup|back-up|recovery|scratch|emergency|rescue|restore|one-time|single-use|2fa|mfa|two-factor|account)"
    r"[ _-](?:(?:recovery|backup|access|login|verification)[ _-])?(?:codes?|keys?))"
)
_JAPANESE_CODES: Final = (
    r"(?:バックアップ|リカバリー?|復旧|回復|復元|緊急|予備)(?:用)?の?(?:コード|キー|鍵)"
)
_CODES: Final = re.compile(
    rf"(?:{_CODES_NAME}|{_JAPANESE_CODES})[^\n:=：]{{0,40}}?(?:[ \t]*[:=：](?:\*\*)?"
    rf"|[ ](?:is|are)(?:[ ]now)?[:：]?|は[:：]?|[ \t]*(?=\n))\s{{0,4}}",
    re.IGNORECASE,
)
_ITEM: Final = re.compile(
    r"(?:[-*•・][ \t]{1,3}|\[[ x]\][ \t]|\d{1,2}[.)][ \t]{1,3}){0,2}`?"
    r"(?P<code>[0-9A-Za-z]{3,16}(?:[ -][0-9A-Za-z]{3,16}){0,7})`?"
    r"(?P<end>[ \t]*[,;、/|][ \t]*|[ \t]*(?:\r?\n[ \t]{0,8}){1,2}|[ \t.。]*$"
    r"|[ \t]{2,8})"
)
_LEAST: Final = 6
_MOST_CODES: Final = 64
_DIGIT: Final = re.compile("[0-9]")
_CHOSEN_BY_NOBODY: Final = 3


def recovery_secrets(text: str) -> Iterator[Span]:
    """Find them.

    >>> text = "Backup codes: 4829-1038, 5738-2910"
    >>> [text[a:b] for a, b in recovery_secrets(text)]
    ['4829-1038', '5738-2910']
    """
    begins = [start for start, _ in _search()(text)]
    if any(name in text for name in JAPANESE_RECOVERY):
        begins += [name.start() for name in _JAPANESE.finditer(text)]
    for begin in begins:
        if phrase := _PHRASE.match(text, begin):
            yield from _phrase(text, phrase)
        elif codes := _CODES.match(text, begin):
            yield from _codes(text, codes.end())


def _phrase(text: str, phrase: re.Match[str]) -> Iterator[Span]:
    words = list(_WORD.finditer(text, *phrase.span("words")))
    count = next((length for length in _LENGTHS if len(words) >= length), None)
    if count and _SENTENCE.isdisjoint(word.group() for word in words[:count]):
        yield words[0].start(), words[count - 1].end()


def _codes(text: str, place: int) -> Iterator[Span]:
    for _ in range(_MOST_CODES):
        item = _ITEM.match(text, place)
        if item is None or not _is_code(item["code"]):
            return
        yield item.span("code")
        place = item.end()


def _is_code(code: str) -> bool:
    """Tell whether this was drawn: each part of it has digits, or enough of it has."""
    digits = len(_DIGIT.findall(code))
    parts = re.split("[ -]", code)
    drawn = sum(bool(_DIGIT.search(part)) for part in parts)
    return len(code) >= _LEAST and digits >= _CHOSEN_BY_NOBODY and 2 * drawn > len(parts)


_JAPANESE: Final = re.compile(f"{_JAPANESE_PHRASE}|{_JAPANESE_CODES}")
BEGINS_OF_RECOVERY: Final = (f"(?i){_PHRASE_NAME}", f"(?i){_CODES_NAME}")
JAPANESE_RECOVERY: Final = (
    "リカバリ",
    "シードフレーズ",
    "ニーモニック",
    "バックアップコード",
    "復旧",
    "復元",
    "回復",
    "緊急",
    "予備",
    "秘密の言葉",
    "バックアップ",
)


@cache
def _search() -> QuickSearch:
    return quick_search(BEGINS_OF_RECOVERY)
