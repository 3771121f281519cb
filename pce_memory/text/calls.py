"""Find secrets among the arguments of calls: a user's password, the key that signs or encrypts.

Which argument is the secret depends on what is called; a row is names and the place of it.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from pce_memory.text.chosen import is_chosen_in_quotes, is_chosen_secret
from pce_memory.text.fold import Span
from pce_memory.text.likeness import is_strong
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.randomness import is_jumbled, is_random

_STRING: Final = r"""[bruf@$]{0,2}(?P<open>["'`])(?P<value>[^"'`\n]{3,512})(?P=open)"""
_ARGUMENT: Final = (
    r"""(?:"[^"\n]{0,256}"|'[^'\n]{0,256}'|`[^`\n]{0,256}`"""
    r"""|[^"'`,()\n]{1,96}|[^"'`,()\n]{0,64}\([^()\n]{0,96}\))"""
)
_BEHIND: Final[Mapping[int, re.Pattern[str]]] = {
    place: re.compile(
        rf"\s{{0,8}}(?:{_ARGUMENT}\s{{0,4}},\s{{0,40}}){{{place - 1}}}(?:\w{{1,24}}\s?=\s?)?"
        rf"(?:\w{{1,16}}[.(]\s?){{0,2}}{_STRING}"
    )
    for place in (1, 2, 3)
}
# Called with a user and a password, and with nothing else: any word is one.
_LOGINS: Final = (
    r"PasswordAuthentication|PasswordCredentials?|NetworkCredential|PasswordAuthenticationToken"
    r"|BasicAuth(?:entication|Credentials)?|BasicCredentials|HTTPDigestAuth"
    r"|PlainAuthenticator|PlainTextAuthProvider|(?:set_?)?basic_?auth|\bauth=|PlainCredentials"
)
# Called so too, but for much else: the password has to look made up.
_MAYBE_LOGINS: Final = r"\.(?:log_?in|log_?on|auth|authenticate|credentials|sign_?in)"
_CONNECTIONS: Final = (
    r"getConnection|mysqli|mysqli_(?:real_)?connect|mysql_p?connect|oci_connect|PDO|pymssql[.]connect"
    r"|pg8000[.]connect|MySQLdb[.]connect|pymysql[.]connect|createConnection"
)
_KEYS: Final = (
    r"(?:AES|DES3?|Blowfish|ARC4|ChaCha20(?:_Poly1305)?|HMAC|hmac)[.]new|Fernet|AESGCM"
    r"|SecretKeySpec|ChaCha20Poly1305|Keys[.]hmacShaKeyFor"
)
_KEYS_BEHIND: Final = (
    r"(?i:jwt|jws)[.](?:encode|sign|verify|decode)|createHmac|createCipheriv|createDecipheriv"
    r"|CryptoJS[.][A-Za-z]{2,12}[.](?:en|de)crypt|CryptoJS[.]Hmac[A-Z0-9a-z]{2,8}"
    r"|Algorithm[.]HMAC[0-9]{3}"
)
# What is called, which argument is looked at, and whether a word is enough.
_ROWS: Final = (
    (_LOGINS, 2, "any"),
    (_MAYBE_LOGINS, 2, "made up"),
    (_CONNECTIONS, 3, "any"),
    (_KEYS, 1, "key"),
    (_KEYS_BEHIND, 2, "key"),
)
_LEAST_KEY: Final = 8


def secrets_of_calls(text: str) -> Iterator[Span]:
    """Find them.

    >>> code = 'requests.get(url, auth=("a", "pelican")); jwt.encode(claims, "walrus-moon-river")'
    >>> [code[start:end] for start, end in secrets_of_calls(code)]
    ['pelican', 'walrus-moon-river']
    """
    for start, end in _search()(text):
        call = text[start:end].rstrip("( \t")
        for names, place, likeness in _ROWS:
            if _compiled(names).search(call):
                argument = _BEHIND[place].match(text, end)
                if argument and _is_secret(argument["value"], likeness):
                    yield argument.span("value")
                break


def _is_secret(value: str, likeness: str) -> bool:
    if likeness == "any":
        return is_chosen_in_quotes(value)
    if not is_chosen_in_quotes(value):
        return False
    if likeness == "made up":
        return is_strong(value)
    if len(value) < _LEAST_KEY:
        return False
    return is_strong(value) or is_chosen_secret(value) or is_random(value) or is_jumbled(value)


@cache
def _compiled(names: str) -> re.Pattern[str]:
    return re.compile(f"(?:{names})$")


@cache
def _search() -> QuickSearch:
    return quick_search(call_patterns())


def call_patterns() -> list[str]:
    """Return what calls are looked for by: patterns for `quick_search`."""
    return [rf"(?:{names})\s?\(" for names, _, _ in _ROWS]
