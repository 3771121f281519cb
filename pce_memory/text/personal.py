"""Find personal data in a folded text: one function a kind, each linear in the text.

A wrong hit destroys knowledge, so each kind has a checksum, a strict form or a keyword beside it.
Guards are written on ASCII classes: a word boundary does not exist between Latin and Japanese.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from ipaddress import IPv6Address, IPv6Network
from types import MappingProxyType
from typing import Final

from pce_memory.text.emails import emails
from pce_memory.text.fold import Span
from pce_memory.text.phones import phones
from pce_memory.text.versions import is_a_version

Finder = Callable[[str], Iterator[Span]]

_DIGIT: Final = re.compile("[0-9]")  # most texts have none, and need no second look
# Overlapping candidates, one at each run of digits: a card can stand behind another number.
_CARD: Final = re.compile(
    r"[1-6](?=(?P<rest>\d{3}(?:[ -]?\n?\d){8,15})(?!\d))"
    # What stands before it; a pattern that begins with a set of signs is searched for fastest.
    r"(?:(?<![A-Za-z0-9].)|(?<=JCB.)|(?<=(?i:visa|amex|card).))(?<![A-Za-z0-9][-_].)(?<!\d[.,].)"
)
# With other signs between the groups only as they stand on the card: versions have dots as well.
_CARD_DOTS: Final = re.compile("[.][0-9]{4,6}[.]")
_CARD_SIGNS: Final = re.compile(
    r"[2-6](?=\d{3}[.・·•]\d{4})(?:(?<![A-Za-z0-9].)|(?<=JCB.)|(?<=(?i:visa|amex|card).))"
    r"(?<![0-9][.,・·•].)(?<!\[[.*].)"
    r"(?:\d{3}([.・·•])\d{4}\1\d{4}\1\d{4}|(?<=3)[47]\d\d([.・·•])\d{6}\2\d{5})"
    r"(?![A-Za-z0-9])(?![.,・·•-][0-9])"
)
_CARD_FORMS: Final = re.compile(
    r"4(?:\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14}"
    r"|6\d{15,18}|(?:1800|2131)\d{11}|(?P<short>4\d{12}|(?:5[0678]|6)\d{10,13})"
)
# With 12 to 15 digits they look like any number, such as that on a barcode: the word has to stand
# in front.
_CARD_WORD: Final = re.compile(r"(?:card|cc|credit|debit|カード)[^\d\n]{0,16}$", re.IGNORECASE)
_LEAST_CARD_DIGITS: Final = 12
_DOUBLED: Final = str.maketrans("0123456789", "0246813579")
_CARD_GROUP: Final = 4
_NO_GAPS: Final = str.maketrans("", "", " -\r\n.・·•")

_WORD: Final = re.compile("[A-Za-z0-9]")
_IBAN: Final = re.compile(
    r"(?<![A-Za-z0-9])(?P<country>[A-Za-z]{2})\d{2}(?:(?:[ \n]?[A-Za-z0-9]){11,30}"
    # With dashes between groups of four, and of nothing else: ids have dashes too.
    r"|(?<![A-Za-z0-9][-_]....)(?:-\n?[A-Za-z0-9]{4}){2,7}(?:-\n?[A-Za-z0-9]{1,3})?"
    r"(?![A-Za-z0-9]|[-_][A-Za-z0-9]))"
)
_IBAN_COUNTRIES: Final = {
    15: "NO",
    16: "BE",
    18: "DK FI FO GL NL",
    19: "MK SI",
    20: "AT BA EE KZ LT LU XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ TL",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HU LB PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU",
    31: "MT SC",
    32: "LC",
}
_IBAN_LENGTHS: Final = {
    country: length
    for length, countries in _IBAN_COUNTRIES.items()
    for country in re.findall("[A-Z]{2}", countries)
}

_MY_NUMBER_HINTS: Final = ("ナンバー", "個人番号", "umber", "UMBER")
_MY_NUMBER: Final = re.compile(
    r"(?:マイナンバー|個人番号|my ?number|individual number)"
    r"(?:[^\d\n]{0,12}\d{1,2} ?(?:桁|digits))?[^\d\n]{0,24}"
    # The number may stand on the next line.
    r"(?:(?:\r?\n){1,2}[^\d\n]{0,12})?(?P<number>\d{4}[- ]?\n?\d{4}[- ]?\n?\d{4})(?![A-Za-z0-9])",
    re.IGNORECASE,
)
# Nine digits in groups of 3-2-4 are part numbers and phone numbers elsewhere: the word counts.
_SSN_HINTS: Final = ("SSN", "ssn", "ocial ", "OCIAL ", "社会保障", "ソーシャル")
_SSN: Final = re.compile(
    r"(?:(?<![A-Za-z])ssn(?![A-Za-z])|social security|社会保障番号|ソーシャルセキュリティ)"
    r"[^\d\n]{0,24}(?:(?:\r?\n){1,2}[^\d\n]{0,12})?"
    r"(?P<number>(?!000|666|9)\d{3}(?P<gap>[- ]?)(?!00)\d{2}(?P=gap)(?!0000)\d{4})"
    r"(?![A-Za-z0-9])(?!-\d)",
    re.IGNORECASE,
)

# Cheap to look for, and in every address.
_DOTTED: Final = re.compile(r"[0-9]\.[0-9]{1,3}\.[0-9]{1,3}\.")
_COLONS: Final = re.compile("[0-9A-Fa-f]:[0-9A-Fa-f]{0,4}:")
_OCTET: Final = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_IPV4: Final = re.compile(
    r"(?<![A-Za-z0-9.])(?<![A-Za-z0-9][-_])"
    # This machine, no machine and net masks are nobody's.
    r"(?!127\.|0\.|255\.)"
    rf"{_OCTET}(?:\.{_OCTET}){{3}}(?![A-Za-z0-9])(?![.]\d)(?!-[A-Za-z]|[項章節条])",
)
# A version that is named as one here is no address there.
_NAMED: Final = re.compile(
    rf"[vV](?<![A-Za-z0-9].)\.?({_OCTET}(?:\.{_OCTET}){{3}})(?![A-Za-z0-9])"
)
_IPV6: Final = re.compile(
    r"(?<![A-Za-z0-9.])(?<!\d:)(?<!::)(?=[A-Fa-f:]{0,39}\d)"
    r"[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![A-Za-z0-9:.])",
)
# With gaps only where the first groups are given out: a::b is a path in some language, and
# face::b00c is two words. Said to be an address, or written out, they are one all the same.
_GIVEN_OUT: Final = tuple(
    map(
        IPv6Network,
        ("2000::/3", "fc00::/7", "fe80::/10", "ff00::/8", "64:ff9b::/96", "64:ff9b:1::/48"),
    )
)
_SAID_IPV6: Final = re.compile(
    r"(?<![A-Za-z])(?:ip|ipv6|inet6|addr(?:ess)?)(?: addr(?:ess)?)?(?: is|は)?[\s:=]{0,3}"
    r"[\[(\"']?\Z"
    r"|アドレス(?:は|:)?\s?\Z",
    re.IGNORECASE,
)
_LAST_GROUP: Final = 7


def _digits(number: str) -> str:
    return number.translate(_NO_GAPS)


def cards(text: str) -> Iterator[Span]:
    """Find payment cards: the length of their brand, and a right check digit.

    >>> list(cards("4111 1111 1111 1111 と 4111111111111112"))
    [(0, 19)]
    """
    for found in _CARD.finditer(text) if _DIGIT.search(text) else ():
        start, card = found.start(), found.group() + found["rest"]
        if length := _card_length(card, text[max(0, start - 24) : start]):
            yield start, start + length
    if _CARD_DOTS.search(text) or "・" in text or "·" in text or "•" in text:
        for found in _CARD_SIGNS.finditer(text):
            digits = _digits(found.group())
            if _CARD_FORMS.fullmatch(digits) and _has_luhn_digit(digits):
                yield found.span()


def _card_length(candidate: str, before: str) -> int:
    """Return how much of the candidate is a card, the longest first, or 0."""
    digits = _digits(candidate)
    ends = [i for i, char in enumerate(candidate, 1) if "0" <= char <= "9"]
    for count in range(len(digits), _LEAST_CARD_DIGITS - 1, -1):
        end = ends[count - 1]
        if count < len(digits) and ends[count] == end + 1:
            continue
        form = _CARD_FORMS.fullmatch(digits, 0, count)
        if form is None or (form["short"] and not _CARD_WORD.search(before)):
            continue
        if _has_luhn_digit(digits[:count]) and _is_grouped(candidate[:end]):
            return end
    return 0


def _is_grouped(number: str) -> bool:
    groups = re.split("[ -]", number.replace("\n", ""))
    return len(groups) == 1 or (len(groups[0]) == _CARD_GROUP and min(map(len, groups)) > 1)


def _has_luhn_digit(digits: str) -> bool:
    total = sum(map(int, digits[-1::-2] + digits[-2::-2].translate(_DOUBLED)))
    return total % 10 == 0 and len(set(digits)) > 1


def ibans(text: str) -> Iterator[Span]:
    """Find bank accounts: the length of their country, and a right check number.

    >>> list(ibans("DE89 3704 0044 0532 0130 00 OK DE89 3704 0044 0532 0130 01"))
    [(0, 27)]
    """
    # What the pattern takes may run on into the next account: it goes on from the end of each.
    place = 0
    while found := _IBAN.search(text, place) if _DIGIT.search(text) else None:
        place = found.start() + 1
        wanted = _IBAN_LENGTHS.get(found["country"].upper())
        ends = [i for i, char in enumerate(found.group(), 1) if char.isalnum()]
        if wanted is None or wanted > len(ends):
            continue
        end = found.start() + ends[wanted - 1]
        if not _WORD.match(text, end) and _has_iban_check(text[found.start() : end]):
            yield found.start(), end
            place = end


def _has_iban_check(account: str) -> bool:
    letters = "".join(filter(str.isalnum, account))
    return int("".join(str(int(char, 36)) for char in letters[4:] + letters[:4])) % 97 == 1


def my_numbers(text: str) -> Iterator[Span]:
    """Find Japanese individual numbers: only behind their name, with a right check digit.

    >>> list(my_numbers("マイナンバーは1234-5678-9018です。123456789018"))
    [(7, 21)]
    """
    if not any(hint in text for hint in _MY_NUMBER_HINTS):
        return
    for found in _MY_NUMBER.finditer(text):
        if _has_my_number_check(_digits(found["number"])):
            yield found.span("number")


def us_ssns(text: str) -> Iterator[Span]:
    """Find US social security numbers: only behind their name, in a form that is given out.

    >>> list(us_ssns("my SSN is 123-45-6789, and not 123-45-6789 or SSN 000-12-3456"))
    [(10, 21)]
    """
    if not any(hint in text for hint in _SSN_HINTS):
        return iter(())
    return (found.span("number") for found in _SSN.finditer(text))


def _has_my_number_check(digits: str) -> bool:
    weights = (2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6)
    total = sum(int(d) * weight for d, weight in zip(digits[-2::-1], weights, strict=True))
    return int(digits[-1]) == (11 - total % 11) % 11 % 10


def ip_addresses(text: str) -> Iterator[Span]:
    """Find addresses of machines, but neither versions nor this machine's own.

    >>> list(ip_addresses("203.0.113.7 v1.2.3.4 127.0.0.1 2001:db8::7 10:20:30 std::a::b"))
    [(0, 11), (31, 42)]
    """
    if _DOTTED.search(text):
        yield from _ipv4(text)
    for found in _IPV6.finditer(text) if _COLONS.search(text) else ():
        said = _SAID_IPV6.search(text[max(0, found.start() - 24) : found.start()]) is not None
        if not found.group().endswith("::") and _is_of_a_machine(found.group(), said=said):
            yield found.span()


def _ipv4(text: str) -> Iterator[Span]:
    versions = None
    for found in _IPV4.finditer(text):
        # One that ends in 0 is a network.
        if found.group().endswith(".0") or is_a_version(text, *found.span()):
            continue
        if versions is None:
            versions = frozenset(_NAMED.findall(text))
        if found.group() not in versions:
            yield found.span()


def _is_of_a_machine(text: str, *, said: bool) -> bool:
    try:
        address = IPv6Address(text)
    except ValueError:
        return False
    if any(address in network for network in _GIVEN_OUT):
        return True
    # All eight groups written out are an address whatever it begins with; hardware has pairs.
    groups = text.split(":")
    written_out = len(groups) == _LAST_GROUP + 1 and max(map(len, groups)) > len("00")
    return (written_out or (said and "::" in text)) and int(address) > 1


PERSONAL: Final[Mapping[str, Finder]] = MappingProxyType(
    {
        "email": emails,
        "phone": phones,
        "credit_card": cards,
        "iban": ibans,
        "my_number": my_numbers,
        "us_ssn": us_ssns,
        "ip_address": ip_addresses,
    }
)
