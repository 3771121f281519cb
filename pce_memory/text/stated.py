"""Find secrets that are told without a sign of assignment: headers, commands, and Japanese."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from pce_memory.text.fold import Span
from pce_memory.text.likeness import is_reference, is_strong, is_watchword
from pce_memory.text.quick_search import QuickSearch, quick_search

_HEADER: Final = re.compile(
    r"(?=[abcmprsパトキ])(?:(?<![A-Za-z])"
    r"(?:bearer|authorization[\"']?\s?[:=]\s?[\"']?(?:basic|token))\s{1,3}"
    r"(?P<value>[A-Za-z0-9._~+/=-]{12,2048})"
    # Nothing between the two: then it has to look very much like one.
    r"|(?:(?:password|passwd|パスワード)(?:[ \t]{1,8}|\r?\n[ \t]{0,8})"
    r"(?=[!-~]{0,63}[0-9][!-~]{0,62}[0-9])"
    r"|(?:パスワード|トークン|キー) ?(?=[!-~]{0,60}[A-Za-z][0-9]{1,8}[A-Za-z]))"
    r"(?P<bare>[A-Za-z0-9!@#$%^&*+?~_-]{6,64})(?![A-Za-z0-9_.-])"
    r"|パスワード[^「」→\n]{0,12}(?:「|→ ?)(?P<shown>[!-~]{6,64})(?![!-~])"
    # What commands and servers take it by.
    r"|(?:sshpass\s{1,4}-p|requirepass\s)\s{0,4}[\"']?(?P<server>[!#-&(-~]{4,128})"
    r"|(?:mysql|mysqldump|mysqladmin|mariadb)\s[^\n|;]{0,160}?\s-p(?P<client>[!#-&(-~]{4,128})"
    r"|curl\s[^\n]{0,200}?(?:-u|--user)[ =]?[\"']?[\w.@-]{1,64}:(?P<user>[!#-&(-~]{4,128}))",
    re.IGNORECASE,
)
# Where it may begin.
BEGINS_OF_HEADERS: Final = (
    "(?i)(?:bearer|authorization|passw|sshpass|requirepass|mysql|mariadb|curl)"
)
_JAPANESE_NAMES: Final = ("パスワード", "トークン", "キー")
_JAPANESE: Final = re.compile("|".join(_JAPANESE_NAMES))
# In a header of HTTP, and where a client is told what to send.
_COOKIES: Final = re.compile(
    r"(?<![a-z])(?:set-)?cookies?[\"']?(?:\s?[:=]|(?<=--cookie)\s)(?P<pairs>[^\r\n]{1,8192})",
    re.IGNORECASE,
)
_SESSION: Final = re.compile(
    r"(?<![\w.-])(?:[\w.-]{0,32}?(?:sess|auth(?!or)|token|jwt|remember|login|csrf|xsrf)[\w.-]{0,32}"
    r"|(?:[\w-]{1,24}[._-])?s?sid)[\"']?\s?[:=]\s?[\"']?(?P<value>[^\s;,\"'<>]{8,4096})",
    re.IGNORECASE,
)
_EXPLAINED: Final = re.compile(r"\((?:パスワード|password|pw)\)", re.IGNORECASE)
_BEFORE: Final = re.compile(r"(?<![!-~])[A-Za-z0-9!@#$%^&*+?~_.-]{6,64}(?= ?$)")
# Digits behind the name of nothing else.
_NUMBERED: Final = re.compile(
    r"(?:暗証番号|(?:PIN|ピン)(?:コード|番号)|パスコード|passcode) ?(?P<value>[0-9]{4,8})"
    r"(?![0-9A-Za-z桁年月日円回件個])",
    re.IGNORECASE,
)
# Kana and kanji are words everywhere else, so only what is called a watchword is one.
_LETTERS: Final = "[々\u3041-\u30ff\u3400-\u9fff]"
_WATCHWORD: Final = re.compile(
    rf"合言葉(?:「(?P<quoted>{_LETTERS}{{2,20}})」"
    rf"|\s?[:=]\s?(?P<written>{_LETTERS}{{2,20}})(?=[。、\s]|$)"
    rf"|は(?P<said>{_LETTERS}{{2,20}}?)(?=です|だ(?:[。\s]|$)))"
)
_PIECE: Final = 66


def stated_secrets(text: str) -> Iterator[Span]:
    """Find them by what stands around them.

    >>> [text[a:b] for text in ("Bearer 0123456789abcdef", "合言葉はうみです", "PINコード 9021")
    ...  for a, b in stated_secrets(text)]
    ['0123456789abcdef', 'うみ', '9021']
    """
    for found in _headers(text):
        if _is_secret(found[found.lastgroup or 0]):
            yield found.span(found.lastgroup or 0)
    for header in _COOKIES.finditer(text) if "ookie" in text or "COOKIE" in text else ():
        for cookie in _SESSION.finditer(text, *header.span("pairs")):
            if _is_secret(cookie["value"]):
                yield cookie.span("value")
    for name in _EXPLAINED.finditer(text) if "(" in text else ():
        start = max(0, name.start() - _PIECE)
        value = _BEFORE.search(text[start : name.start()])
        if value and _is_secret(value.group()):
            yield start + value.start(), start + value.end()
    yield from _numbers_and_words(text)


def _numbers_and_words(text: str) -> Iterator[Span]:
    if not text.isascii() or "passcode" in text.lower():
        yield from (found.span("value") for found in _NUMBERED.finditer(text))
    for found in _WATCHWORD.finditer(text) if "合言葉" in text else ():
        if is_watchword(found[found.lastgroup or 0]):
            yield found.span(found.lastgroup or 0)


def _headers(text: str) -> Iterator[re.Match[str]]:
    begins = [start for start, _ in _search()(text)]
    if not text.isascii() and any(name in text for name in _JAPANESE_NAMES):
        begins += [name.start() for name in _JAPANESE.finditer(text)]
    for begin in begins:
        found = _HEADER.match(text, begin)
        if found:
            yield found


@cache
def _search() -> QuickSearch:
    return quick_search([BEGINS_OF_HEADERS])


def _is_secret(value: str) -> bool:
    return is_strong(value) and not is_reference(value)
