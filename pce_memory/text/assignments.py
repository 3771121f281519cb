"""Find passwords and keys by the name in front of them, as in `password=…` and パスワードは….

The name alone says little ("password: required", `token: str`), so the value has to look like a
secret, and how much it has to depends on the name and on what stands between the two.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from pce_memory.text.fold import Span
from pce_memory.text.likeness import (
    LEAST,
    MIXED,
    is_about_names,
    is_common_word,
    is_placeholder,
    is_strong,
    is_watchword,
    is_word_with_digits,
)
from pce_memory.text.placeholders import stands_for_a_value
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.stated import BEGINS_OF_HEADERS, stated_secrets

_NAME: Final = r"""
    (?P<password> password | passwd | (?P<phrase>passphrase|パスフレーズ) | passcode | パスワード
      | パスコード | 合言葉 | (?<![A-Za-z])(?:pwd|pass|pw) )
  # Short for a password, and also a path: what it says decides.
  | (?P<short> (?<![ァ-ヶー])パス(?=\ ?[はをが:=→]) )
  | (?P<pin> 暗証番号 | (?<![A-Za-z])pin(?:\ ?code|コード|番号)? | ピンコード )
  | (?P<token> (?:api|access|secret|auth|encryption|signing|account|master|subscription|storage)
        [_\ -]?key
      | (?<![A-Za-z])(?:secret|token|credential|authorization)
      | (?:client|app|shared|webhook|jwt)[_-]?secret
      | (?:access|auth|refresh|bearer|bot|api|session|csrf|deploy)[_-]?token
      | (?:API|アクセス|シークレット|認証|暗号化|共有|署名)\ ?キー | トークン | シークレット
      | (?:秘密|共有|暗号)鍵 )
"""
# Printable ASCII without space, quotes, comma, semicolon and angle brackets.
_CHARS: Final = r"[!#-&(-+\--:=?-_a-~]"
_LOOKED_AT: Final = 128  # of a bare value; what is found to be a secret is followed to its end
_VALUE: Final = rf"""(?P<value> "[^"\n]{{4,}}+" | '[^'\n]{{4,}}+' | `[^`\n]{{4,}}+`
    | 「[^」\n]{{2,60}}」 | {_CHARS}{{4,{_LOOKED_AT}}} | (?P<mixed>{MIXED}))"""
# The value is only looked at, so that a name inside it ("password: token: …") is read as well.
_ASSIGNED: Final = re.compile(
    rf"""
    (?=[abcdejmprstwパピ合暗アシ認ト秘共署]) (?:{_NAME})
    (?:_base)? ["'`\]*」]{{0,3}}
    (?:\ ?\([^()\n]{{0,32}}\) | \ (?:for|of|on|to)\ [^\n:=]{{1,32}}? )?
    (?: \s{{0,3}} (?P<sign> := | => | -> | ==? | : | → | > | (?:%22)?%(?:25)?3[AaDd](?:%22)? )
        \s{{0,4}} (?:\*\*\ )?
      | \ {{1,3}}(?:is|was|to)\ {{1,3}} | \ {{1,3}}value=
      | (?P<particle>\ ?(?:[はがを、]|として)[、,]?\ ?) | (?=「) )
    (?={_VALUE})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OPTION: Final = re.compile(
    rf"""
    -- (?:[a-z]{{1,16}}-){{0,3}} (?: (?P<password>password|passwd|pass|passphrase) | (?P<pin>pin)
      | (?P<token>token|secret|api-?key|key) ) (?P<sign>[\ =]) {_VALUE}
    """,
    re.VERBOSE,
)
# Where a name may begin; the pattern is tried at these places only.
_BEGINS: Final = (
    r"(?i)(?:pass|pwd|pw|pin|secret|token|credential|authorization"
    r"|(?:api|access|secret|auth|encryption|signing|account|master|subscription|storage)[_ -]?key"
    r"|(?:client|app|shared|webhook|jwt)[_-]?secret"
    r"|(?:access|auth|refresh|bearer|bot|api|session|csrf|deploy)[_-]?token)"
)
HINTS: Final = (_BEGINS, BEGINS_OF_HEADERS, "(?i)cookie")
_JAPANESE: Final = re.compile(
    "パス|合言葉|暗証番号|ピンコード|API|アクセス|シークレット|認証|暗号|共有|署名|トークン|秘密鍵",
    re.IGNORECASE,
)
# Without one of these nothing here finds anything, nor does `stated_secrets`.
JAPANESE_HINTS: Final = (
    "パス",
    "合言葉",
    "暗証番号",
    "ピン",
    "キー",
    "シークレット",
    "トークン",
    "鍵",
)
_REST: Final = re.compile(f"{_CHARS}*")

_KEPT: Final = re.compile(
    r"\s?[にへでからを]{1,2}\s?(?:保存|保管|格納|管理|取得|読|置|入|生成|暗号)"
)
_TRAILING: Final = ".:)]}"
_ENDED: Final = re.compile(r"[\"')\]}.:]{0,3}[ \t]{0,8}(?:[\n,;|<]|%2[26]|[^\x00-\x7f]|$)")
_NEXT_FIELD: Final = re.compile(r"&\w{1,32}=")
# The same, and the end of a string, where the whole assignment is encoded for a URL.
_ENCODED_END: Final = re.compile(r"%(?:25)?2[26]|&")
_PIN: Final = re.compile(r"\d{4,8}")
_SAID: Final = re.compile("です|でした|だ(?![けっ])|である|。|$")
_SET: Final = re.compile("です|でした|だ(?![けっ])|に(?:変更|設定)")
_PATH: Final = re.compile(r"[/\\.]")
_PHRASE: Final = re.compile(r"[A-Za-z0-9]+(?:[-_ ][A-Za-z0-9]+){2,11}")
_NOT_ASSIGNED: Final = frozenset(["", " "])  # prose, and the option of a command


class _Claim(NamedTuple):
    """A value, and what speaks for its being a secret."""

    value: str
    name: str
    phrase: bool
    sign: str
    particle: bool
    shouted: bool
    quoted: bool
    mixed: bool
    following: str


def assigned_secrets(text: str) -> Iterator[Span]:
    """Find the values that are passwords, keys or tokens by the name before them.

    >>> [text[a:b] for text in ("password=hunter22", "パスワードは hunter22 です", "token: str")
    ...  for a, b in assigned_secrets(text)]
    ['hunter22', 'hunter22']
    """
    japanese = not text.isascii() and any(hint in text for hint in JAPANESE_HINTS)
    if not japanese and next(_hints()(text), None) is None:
        return
    done = 0
    for found in _assignments(text, japanese=japanese):
        if found.start() < done:
            continue
        start, end = _value(text, found)
        if _is_secret(_claim(text, found, start=start, end=end)):
            done = _end_of_long(text, end) if end - start == _LOOKED_AT else end
            yield start, done
    yield from stated_secrets(text)


def _assignments(text: str, *, japanese: bool) -> Iterator[re.Match[str]]:
    begins = [start for start, _ in _search()(text)]
    if japanese:
        begins = sorted({*begins, *(name.start() for name in _JAPANESE.finditer(text))})
    for begin in begins:
        found = _ASSIGNED.match(text, begin)
        if found:
            yield found
    if "--" in text:
        yield from _OPTION.finditer(text)


@cache
def _search() -> QuickSearch:
    return quick_search([_BEGINS])


@cache
def _hints() -> QuickSearch:
    return quick_search(HINTS)


def _end_of_long(text: str, end: int) -> int:
    rest = _REST.match(text, end)
    return rest.end() if rest else end


def _value(text: str, found: re.Match[str]) -> Span:
    start, end = found.span("value")
    if text[start] in "\"'`「":
        return start + 1, end - 1
    if (found["sign"] or "").startswith("%"):
        encoded = _ENCODED_END.search(text, start, end)
        end = encoded.start() if encoded else end
    elif "&" in found["value"] and (field := _NEXT_FIELD.search(text, start, end)):
        return start, field.start()
    # A bracket before Japanese, or before nothing, begins a remark; else it is that of a call.
    following = text[end : end + 1]
    if text[end - 1] in "([{" and not (following and following.isascii()):
        end -= 1
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return start, end


def _claim(text: str, found: re.Match[str], *, start: int, end: int) -> _Claim:
    named = found.groupdict()
    name = next(kind for kind in ("password", "short", "pin", "token") if named.get(kind))
    return _Claim(
        value=text[start:end],
        name=name,
        phrase=bool(named.get("phrase")),
        sign=found["sign"] or "",
        particle=bool(named.get("particle")),
        shouted=found["sign"] == "=" and found[name].isupper(),
        quoted=start > found.start("value"),
        mixed=bool(named.get("mixed")),
        following=text[end : end + 16],
    )


def _is_secret(claim: _Claim) -> bool:
    if claim.name == "pin":
        return _PIN.fullmatch(claim.value) is not None
    if claim.mixed:
        shown = claim.sign or (claim.particle and _SET.match(claim.following))
        return claim.name == "password" and bool(shown) and is_word_with_digits(claim.value)
    if not claim.value.isascii():
        said = claim.quoted and (claim.sign or claim.particle)
        return claim.name == "password" and bool(said) and is_watchword(claim.value)
    if claim.phrase and claim.quoted and _PHRASE.fullmatch(claim.value):
        return True
    return not _is_something_else(claim) and (is_strong(claim.value) or _is_meant(claim))


def _is_something_else(claim: _Claim) -> bool:
    value = claim.value
    return (
        len(value) < LEAST
        or " " in value
        or is_common_word(value)
        # A name without a value is followed by the next name.
        or is_placeholder(value.rstrip("=:"))
        or (value.isascii() and stands_for_a_value(value))
        or (claim.name == "short" and _PATH.search(value) is not None)
        # The sign of an element of XML, or of nothing.
        or (claim.sign == ">" and not claim.following.startswith("<"))
        or _KEPT.match(claim.following) is not None
    )


def _is_meant(claim: _Claim) -> bool:
    """Tell whether a value that could be a word is meant as a secret, by how it is written."""
    if claim.name == "password" and claim.value.isdecimal():
        return True
    if claim.phrase and _PHRASE.fullmatch(claim.value):
        return True
    # What code compares with is a variable.
    if is_about_names(claim.value) or (claim.sign == "==" and not claim.quoted):
        return False
    if claim.sign in _NOT_ASSIGNED:
        return _is_said_to_be(claim)
    if claim.shouted:
        return True
    word = claim.value.isalpha() and _ENDED.match(claim.following) is not None
    return claim.name == "password" and (claim.quoted or word)


def _is_said_to_be(claim: _Claim) -> bool:
    """Tell whether a Japanese sentence says that this, which could be a word, is the password."""
    said = claim.particle and _SAID.match(claim.following) is not None
    return claim.name == "password" and said and claim.value.isalpha()
