"""Find phone numbers by the words beside them: `Tel`, 電話, "call me at", "(mobile)"."""

import re
from collections.abc import Iterator
from typing import Final

from pce_memory.text.beside_numbers import is_measured
from pce_memory.text.fold import Span

EXTENSION: Final = (
    r"(?:[ ,;]{0,2}\(?(?:x|ext(?:ension)?\.?|durchwahl|内線)(?:\ ?(?:番号|は|:|[-ー]))?"
    r"\ ?\d{1,6}\)?)?"
)
_NUMBER: Final = rf"(?P<number>[+(]{{0,2}}\d(?:[-ー ()./]{{0,2}}\d){{6,14}}{EXTENSION})"
_LABELS: Final = (
    r"(?:(?<![A-Za-z])(?:tel|telephone|phone|whatsapp|sms|telefon|telefone|telefono|teléfono|tél"
    r"|téléphone|telefonnummer|rufnummer|handy(?:nummer)?|móvil|celular|cellulare|portable|fono"
    r"|hotline|telefax)(?![a-z])"
    r"|電話|連絡先|ファックス|ファクス|直通|着信|発信|フリーダイヤル"
    r"|ナビダイヤル|[☎☏📞📱]"
    r"|电话|電話號碼|手机号?码?|手機號?碼?|联系方式|전화|휴대폰|핸드폰|연락처|телефон|тел(?![а-я]))"
)
# Cells, desks and what is mobile have other numbers as well: a sign or a word has to follow.
_WEAK_LABELS: Final = r"(?:(?<![A-Za-z])(?:mobile?|cell|fax|desk)(?![A-Za-z])|携帯)"
_SAID: Final = (
    r"(?:[ .]{0,2}(?:phone|number|no|num|nr|nummer|is|ist|est|es)(?![a-z])|番号|号码|번호"
    r"|は|은|는|是)"
)
_BETWEEN: Final = r"[^\dA-Za-z\n+(]{0,12}(?:[:：]\s{1,4})?"
_LABELLED: Final = re.compile(
    rf"{_LABELS}{_SAID}{{0,2}}(?![a-z]){_BETWEEN}{_NUMBER}(?![A-Za-z0-9])", re.IGNORECASE
)
_WEAKLY: Final = re.compile(
    rf"{_WEAK_LABELS}(?:(?P<said>{_SAID}{{1,2}}{_BETWEEN}|[ .]?[:：]\s{{0,4}})|{_BETWEEN})"
    rf"{_NUMBER}(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_CALLED: Final = re.compile(
    r"(?<![A-Za-z])(?:(?:call|ring|phone)(?: (?:me|us|him|her|them|back|[a-z]{2,20}))?"
    r"(?: back)?(?: (?:on|at))?|(?:reach|text|contact|fax)(?: [a-z]{2,20})?(?: back)? (?:on|at)"
    r"|dial|answering at|messages? to|appelez(?:-moi)?(?: au)?"
    r"|(?:llam[ae]|llámame|lig[ae]|chiama(?:mi)?)(?: al?| para)?|erreichbar unter)"
    rf"\s{_NUMBER}(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_PLACED: Final = re.compile(
    rf"(?<![A-Za-z0-9.+-])(?<!\d[ (]){_NUMBER}[- ]\(?(?:office|fax|mobile|cell|desk)(?![A-Za-z])",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"(?:19|20)\d\d([-/. ]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)"
    r"|(?<!\d)(?:19|20)\d\d ?- ?(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)(?:[0-2]?\d|3[01])([-/.])(?:[0-2]?\d|3[01])\2(?:19|20)\d\d(?!\d)"
)
_GROUPED: Final = re.compile(r"\d[-ー ()./]+\d")
_BARE_DIGITS: Final = 9
_CALLED_DIGITS: Final = 7
# Substrings are looked for much faster than patterns; most numbers have none of these beside them.
_HINTS: Final = (
    "tel", "tél", "phon", "fono", "fax", "mobil", "móvil", "cel", "desk", "whatsapp", "sms",
    "handy", "ruf", "port", "hotline", "office", "電", "携", "連", "ファ", "直", "着", "発",
    "フリ", "ナビ", "☎", "☏", "📞", "📱", "手", "电", "联", "전", "휴", "핸", "연", "тел",
)  # fmt: skip
_CALL_HINTS: Final = (
    "call", "ring", "reach", "text", "contact", "phone", "fax", "dial", "answering",
    "message", "appelez", "llam", "llám", "lig", "chiam", "erreichbar",
)  # fmt: skip
_IPV4: Final = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}")
_NOT_A_DIGIT: Final = re.compile("[^0-9]")
_EXTENDED: Final = re.compile("(?i)x|ext|durchwahl|内線")


def labelled_phones(text: str, start: int, until: int) -> Iterator[Span]:
    """Find those whose words and digits stand within text[start:until].

    >>> text = "Phone: 467 3395, call me at 69 987 88 37. The phone of 2025-12-18"
    >>> [text[a:b] for a, b in labelled_phones(text, 0, len(text))]
    ['467 3395', '69 987 88 37']
    """
    window = text[start:until].lower()
    if any(hint in window for hint in _HINTS):
        for found in _LABELLED.finditer(text, start, until):
            yield from _checked(text, found)
        for found in _WEAKLY.finditer(text, start, until):
            if found["said"] or len(phone_digits(found["number"])) >= _BARE_DIGITS:
                yield from _checked(text, found)
        yield from _called(text, _PLACED, start, until)
    if any(hint in window for hint in _CALL_HINTS):
        yield from _called(text, _CALLED, start, until)


def _called(text: str, pattern: re.Pattern[str], start: int, until: int) -> Iterator[Span]:
    for found in pattern.finditer(text, start, until):
        # A server may be called too.
        if _IPV4.fullmatch(found["number"]):
            continue
        least = _CALLED_DIGITS if _GROUPED.search(found["number"]) else _BARE_DIGITS
        if len(phone_digits(found["number"])) >= least:
            yield from _checked(text, found)


def phone_digits(number: str) -> str:
    """Return the digits of a number without its extension.

    >>> phone_digits("03-1234-5678 内線12")
    '0312345678'
    """
    return _NOT_A_DIGIT.sub("", _EXTENDED.split(number, maxsplit=1)[0])


def is_a_date(number: str) -> bool:
    """Tell whether a date stands in the number: 2025-12-18, 20251218, 18.12.2025."""
    return _DATE.search(number) is not None


def _checked(text: str, found: re.Match[str]) -> Iterator[Span]:
    if not is_a_date(found["number"]) and not is_measured(text, found.end("number")):
        yield found.span("number")
