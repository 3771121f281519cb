"""Find what looks drawn at random and is public by its form: keys, addresses, digests, pictures.

Only what nobody could take for a secret stands here; a digest or a number without a form of its
own is told from a token by what is said around it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from typing import Final

from pce_memory.text.fold import Span
from pce_memory.text.quick_search import QuickSearch, quick_search

# Each begins with one of these.
_BEGINS: Final = (
    "ssh-", "ecdsa-", "sk-ssh-", "sk-ecdsa-", "AAAA[BCEI]3", "0x[0-9a-fA-F]",
    "Qm[1-9A-HJ-NP-Za-km-z]{8}", "baf[ykr]", "k51q",
    "(?i)sha[0-9]{1,3}[:=~-]", "(?i)md5[:-]", "blake[23]", "data:", ";base64,", "h1:",
    "-----BEGIN", "npub1", "did:", "bc1", "xpub", "age1",
    r"(?i)(?:md5|sha[0-9]{1,3}) ?\(", "(?i)fingerprint", "[13][1-9A-HJ-NP-Za-km-z]{25,34}",
)  # fmt: skip
_FORM: Final = re.compile(
    r"""
    # Public keys of SSH, with their type before them or alone.
    (?:(?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]{2,40}[ \t]{1,4})?AAAA[BCEI]3[A-Za-z0-9+/]{20,16384}={0,3}
    # Addresses on a chain, and the public halves of keys.
    | 0x[0-9a-fA-F]{40}(?![0-9A-Za-z]) | (?:npub1|bc1|age1|xpub)[0-9A-Za-z]{38,112}
    | did:[a-z0-9]{2,16}:[A-Za-z0-9._:%-]{16,256}
    # Addresses by content.
    | Qm[1-9A-HJ-NP-Za-km-z]{44}(?![0-9A-Za-z]) | baf[ykr][a-z2-7]{50,120} | k51q[a-z0-9]{50,80}
    # Digests that name their algorithm.
    | (?:[Ss][Hh][Aa]\d{1,3}|[Mm][Dd]5|blake[23][bs]?)
      (?:[:=-])[A-Za-z0-9+/_-]{22,128}={0,2} | h1:[A-Za-z0-9+/]{43}=
    | (?i:md5|sha\d{1,3})[ ]?\([^()\n]{1,256}\)[ ]?=[ ]?[0-9a-fA-F]{32,128}
    | (?i:fingerprint)[^\n:=]{0,24}[:=]\s{0,4}[A-Za-z0-9+/:=]{16,128}
    # What is drawn, and types of files.
    | data:[a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,80}(?:;[a-z0-9=-]{1,40}){0,4},[A-Za-z0-9+/%=_-]*
    | -----BEGIN[ ](?!(?:[A-Z0-9]+[ ]){0,4}PRIVATE)[A-Z0-9 ]{1,40}-----(?:\s|\\[rn]
      |[A-Za-z0-9+/=]){0,65536}
    """,
    re.VERBOSE,
)
# Where coins are sent to: a check at its end tells it from any other.
_COINS: Final = re.compile("[13][1-9A-HJ-NP-Za-km-z]{25,34}(?![0-9A-Za-z])")
_BASE58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_COINS_BYTES: Final = 25
_CHECK_BYTES: Final = 4


def public_values(text: str) -> Iterator[Span]:
    """Find them.

    >>> text = "token = 0xdAC17F958D2ee523a2206206994597C13D831ec7"
    >>> list(public_values(text))
    [(8, 50)]
    """
    ended = 0
    for start, _ in _search()(text):
        if start < ended or (start and text[start - 1].isalnum()):
            continue
        if form := _FORM.match(text, start):
            ended = form.end()
            yield start, ended
        elif (address := _COINS.match(text, start)) and _is_of_coins(address.group()):
            ended = address.end()
            yield start, ended


def _is_of_coins(address: str) -> bool:
    number = 0
    for char in address:
        number = number * len(_BASE58) + _BASE58.index(char)
    if number.bit_length() > 8 * _COINS_BYTES:
        return False
    decoded = number.to_bytes(_COINS_BYTES, "big")
    body, check = decoded[:-_CHECK_BYTES], decoded[-_CHECK_BYTES:]
    return sha256(sha256(body).digest()).digest()[:_CHECK_BYTES] == check


def without_public(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return the spans that are no part of what is public."""
    secrets = list(spans)
    if not secrets:
        return []
    public = list(public_values(text))
    return [span for span in secrets if not _is_within(span, public)]


def _is_within(span: Span, public: list[Span]) -> bool:
    place = bisect_right(public, span[0], key=lambda form: form[0]) - 1
    return place >= 0 and span[1] <= public[place][1]


@cache
def _search() -> QuickSearch:
    return quick_search(_BEGINS)
