"""Find e-mail addresses in a folded text: plain, international, quoted, and hidden from machines.

Guards are written on ASCII classes: a word boundary does not exist between Latin and Japanese.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Final

from pce_memory.text.fold import Span

# The sign between the two parts, as HTML, an address bar or JSON has it, and as people hide it.
_AT: Final = r"(?:@|%40|&#(?:64|[xX]40);|&commat;|\\u0040| ?[\[({<] ?(?i:at) ?[\])}>] ?)"
_AT_HINT: Final = re.compile(r"@|%40|&(?:#|com)|\\u0040|[\[({<] ?(?i:at)")
_LOCAL: Final = r"(?<![A-Za-z0-9])(?!git@)[A-Za-z0-9][A-Za-z0-9._%+'-]{0,63}"
# Neither a package version (pkg@1.2.3-rc.one) nor an image for dense screens (logo@2x.png).
_NO_VERSION: Final = r"(?!\d{1,4}\.\d{1,4}\.|[1-4]x\.)"
_HOST: Final = (
    rf"(?:\r?\n[ \t>]{{0,8}})?{_NO_VERSION}"
    r"(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9_])"
)
_EMAIL: Final = re.compile(_LOCAL + _AT + _HOST)
# "odd name"@example.com, and user@[192.0.2.10].
_QUOTED: Final = rf'"(?:[^"\\\n]|\\.){{1,64}}"@{_HOST}'
_OCTET: Final = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_LITERAL: Final = (
    rf'(?:{_LOCAL}|"[^"\\\n]{{1,64}}")@\['
    rf"(?:{_OCTET}(?:\.{_OCTET}){{3}}|(?i:IPv6:)[0-9A-Fa-f:.]{{2,45}})\]"
)

# Words for the two signs. In brackets they are meant as signs; without, the rest has to tell.
_TOP: Final = (
    "(?:com|net|org|edu|gov|int|mil|info|biz|name|pro|app|dev|cloud|online|site|tech|tokyo|xyz|jobs"
    "|example|test|xn--[A-Za-z0-9-]{2,59}|[A-Za-z]{2})"  # any country
)
_AT_SIGN: Final = r" ?(?:[\[({<] ?(?i:at|アット(?:マーク)?) ?[\])}>]|アットマーク) ?"
_DOT_SIGN: Final = r" ?(?:[\[({<] ?(?i:dot|ドット) ?[\])}>]|ドット) ?"
_LABEL: Final = "[A-Za-z0-9-]{1,63}"
_SIGNED: Final = (
    rf"{_LOCAL}(?:{_DOT_SIGN}[A-Za-z0-9_%+'-]{{1,64}}){{0,4}}(?:@|{_AT_SIGN}){_NO_VERSION}"
    rf"(?:{_LABEL}(?:\.|{_DOT_SIGN})){{1,8}}{_TOP}(?![A-Za-z0-9_])"
)
# "Look at the dot com boom" and "works at example dot com" name no mailbox.
_NO_MAILBOX: Final = (
    "(?!(?:us|him|her|them|it|you|is|are|was|were|be|here|there|now|more|site|website|page|blog"
    "|store|shop|docs?|look|find|see|visit|read|work|works|live|lives|meet|hosted|available|online"
    "|up|out|me|job|based|everyone|people|[a-z]{1,30}(?:ed|ing)) at)"
)
_NO_HOST: Final = "(?!(?:the|an?|this|that|our|your|my|his|its|their|one|any|every|least|most) )"
_SPOKEN: Final = (
    r"(?i:(?:(?<![^\n])|(?<=mail )|(?<=mail: )|(?<=mail to )|(?<=mail is )|(?<=address is )"
    r"|(?<=write to )|(?<=contact )|(?<=contact: )|(?<=reach )|(?<=メールは)|(?<=メール:))"
    rf"{_NO_MAILBOX}[a-z0-9][a-z0-9._%+-]{{0,63}}(?: dot [a-z0-9_-]{{1,32}}){{0,3}} at "
    rf"{_NO_HOST}(?:{_LABEL} dot ){{1,4}}{_TOP}(?![a-z0-9_-]))"
)

# Letters of scripts that write spaces between words, and of those that write none.
_SPACED: Final = "A-Za-z0-9\u00c0-\u1fff\uac00-\ud7a3"
_KANJI: Final = "々\u3400-\u9fff"
_ABROAD: Final = (
    "(?:рф|рус|бел|укр|срб|мкд|қаз|бг|ею|москва|дети|онлайн|сайт|орг|ком|ελ|ευ|中国|中國|公司|网络"
    "|網絡|网址|在线|中文网|广告|商标|台湾|台灣|香港|新加坡|世界|みんな|テスト|コム|ストア|クラウド|セール"
    "|ファッション|グーグル|ポイント|한국|닷컴|닷넷|ไทย|مصر|امارات|السعودية|ایران)"
)
_DOMAIN: Final = (
    rf"@(?:[\w-]{{1,63}}\.){{1,4}}(?:{_TOP}(?![A-Za-z0-9_])|{_ABROAD}(?![\u00c0-\u1fff]))"
)
_MAILBOX: Final = (
    rf"(?<![{_SPACED}._%+'-])[{_SPACED}][{_SPACED}._%+'-]{{0,63}}\Z"
    # Before a Japanese name of a place the words around it have no spaces: one script, one name.
    rf"|[{_KANJI}]{{1,12}}\Z|[ァ-ヺー]{{1,16}}\Z|[ぁ-ゖー]{{1,12}}\Z"
)
# Before a domain in ASCII the same could be the sentence: "許可するのは@example.comだけ".
_APART: Final = rf"(?:(?<![\S])|(?<=[:<(「\"',、]))[{_KANJI}ァ-ヺー]{{1,12}}\Z"
# Each begins with letters that are looked for fast: few texts have any of these.
_SIGN_HINTS: Final = [
    re.compile(rf"{dot}(?<=[\[({{< ]{dot})[\])}}> ]") for dot in ("dot", "DOT", "Dot")
]
_LONGEST: Final = 64


def emails(text: str) -> Iterator[Span]:
    """Find e-mail addresses; one that two forms find may come twice.

    >>> list(emails("連絡はx@example.comまで git@github.com:a/b pkg@1.2.3-rc.one"))
    [(3, 16)]
    >>> list(emails("иван@пример.рф")), list(emails("bob [at] example [dot] com"))
    ([(0, 14)], [(0, 26)])
    """
    finds: list[Iterator[Span]] = []
    if _AT_HINT.search(text):
        finds.append(_spans(_EMAIL, text))
        if '"@' in text:
            finds.append(_spans(_compiled(_QUOTED), text))
        if "@[" in text:
            finds.append(_spans(_compiled(_LITERAL), text))
        if "@" in text and not text.isascii():
            finds.append(_international(text))
    if _has_sign(text):
        finds += [_spans(_compiled(_SIGNED), text), _spans(_compiled(_SPOKEN), text)]
    return chain.from_iterable(finds)


def _has_sign(text: str) -> bool:
    """Tell whether a word for one of the signs may be in a text."""
    if "ット" in text:
        return True
    return ("dot" in text or "OT" in text or "Dot" in text) and any(
        hint.search(text) for hint in _SIGN_HINTS
    )


def _international(text: str) -> Iterator[Span]:
    """Find those with letters beyond ASCII on one side or both."""
    for domain in _compiled(_DOMAIN).finditer(text):
        at = domain.start()
        start = max(0, at - _LONGEST)
        if domain.group().isascii() and text[start:at].isascii():
            continue
        mailbox = _compiled(_MAILBOX).search(text[start:at])
        if mailbox is None:
            continue
        if domain.group().isascii():
            abroad = not mailbox.group().isascii() and mailbox.group()[0] < "\u3000"
            if not abroad and not _compiled(_APART).search(text, start, at):
                continue
        yield start + mailbox.start(), domain.end()


def _spans(pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    return (found.span() for found in pattern.finditer(text))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern for the first text that may hold such an address: few ever do."""
    return re.compile(pattern)
