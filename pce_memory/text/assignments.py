"""Find passwords and keys by the name in front of them, as in `password=…` and パスワードは….

The name alone says little ("password: required", `token: str`), so the value has to look like a
secret, and how much it has to depends on the name and on what stands between the two.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pce_memory.text.fold import Span

_NAME: Final = r"""
    (?P<password> password | passwd | (?P<phrase>passphrase|パスフレーズ) | passcode | パスワード
      | パスコード | 合言葉 | (?<![A-Za-z])(?:pwd|pass|pw) )
  # Short for a password, and also a path: what it says decides.
  | (?P<short> (?<![ァ-ヶー])パス(?=\ ?[はをが:=→]) )
  | (?P<pin> 暗証番号 | (?<![A-Za-z])pin(?:\ ?code|コード|番号)? | ピンコード )
  | (?P<token> (?:api|access|secret|auth|encryption|signing|account|master|subscription|private)[_\ -]?key
      | (?<![A-Za-z])(?:secret|token|credential|authorization)
      | (?:client|app|shared|webhook|jwt)[_-]?secret
      | (?:access|auth|refresh|bearer|bot|api|session|csrf|deploy)[_-]?token
      | (?:API|アクセス|シークレット|認証|暗号化|共有|署名)\ ?キー | トークン | シークレット | (?:秘密|共有|暗号)鍵 )
"""
# Printable ASCII without space, quotes, comma, semicolon and angle brackets.
_CHARS: Final = r"[!#-&(-+\--:=?-_a-~]"
_LOOKED_AT: Final = 128  # of a bare value; what is found to be a secret is followed to its end
_VALUE: Final = rf"""(?P<value> "[^"\n]{{4,}}+" | '[^'\n]{{4,}}+' | `[^`\n]{{4,}}+`
    | 「[^」\n]{{2,60}}」 | {_CHARS}{{4,{_LOOKED_AT}}})"""
# The value is only looked at, so that a name inside it ("password: token: …") is read as well.
_ASSIGNED: Final = re.compile(
    rf"""
    (?=[abcdejmprstwパピ合暗アシ認ト秘共署]) (?:{_NAME})
    ["'`\]*」]{{0,3}} (?:\ ?\([^()\n]{{0,32}}\) | \ (?:for|of|on|to)\ [^\n:=]{{1,32}}? )?
    (?: \s{{0,3}} (?P<sign> := | => | -> | ==? | : | → | > ) \s{{0,4}} (?:\*\*\ )?
      | \ {{1,3}}(?:is|was|to)\ {{1,3}} | (?P<particle>\ ?[はがを、][、,]?\ ?) | (?=「) )
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
_HEADER: Final = re.compile(
    r"(?=[abcmprsパ])(?:(?<![A-Za-z])(?:bearer|authorization[\"']?\s?[:=]\s?[\"']?(?:basic|token))\s{1,3}"
    r"(?P<value>[A-Za-z0-9._~+/=-]{12,2048})"
    # Nothing between the two: then it has to look very much like one.
    r"|(?:(?:password|passwd|パスワード)[ \t]{1,8}(?=[!-~]{0,63}[0-9][!-~]{0,62}[0-9])"
    r"|パスワード ?(?=[!-~]{0,60}[A-Za-z][0-9]{1,8}[A-Za-z]))"
    r"(?P<bare>[A-Za-z0-9!@#$%^&*+?~_-]{6,64})(?![A-Za-z0-9_.-])"
    r"|パスワード[^「」→\n]{0,12}(?:「|→ ?)(?P<shown>[!-~]{6,64})(?![!-~])"
    # What commands and servers take it by.
    r"|(?:sshpass\s{1,4}-p|requirepass\s)\s{0,4}[\"']?(?P<server>[^\s\"']{4,128})"
    r"|(?:mysql|mysqldump|mysqladmin|mariadb)\s[^\n|;]{0,160}?\s-p(?P<client>[^\s\"']{4,128})"
    r"|curl\s[^\n]{0,200}?(?:-u|--user)[ =]?[\"']?[\w.@-]{1,64}:(?P<user>[^\s\"']{4,128}))",
    re.IGNORECASE,
)
_EXPLAINED: Final = re.compile(r"\((?:パスワード|password|pw)\)", re.IGNORECASE)
_BEFORE: Final = re.compile(r"(?<![!-~])[!-~]{6,64}(?= ?$)")
# Kana and kanji are words everywhere else, so only what is called a watchword is one.
_WATCHWORD: Final = re.compile(
    "合言葉(?:\\s?[:=]\\s?(?P<written>[々\u3041-\u30ff\u3400-\u9fff]{2,20})(?=[。、\\s]|$)"
    "|は(?P<said>[々\u3041-\u30ff\u3400-\u9fff]{2,20}?)(?=です|だ(?:[。\\s]|$)))",
)

# None of the patterns matches without one of these.
_HINTS: Final = (
    *("pass", "pwd", "pw", "pin", "key", "secret", "token", "credential", "authorization"),
    *("bearer", "curl", "mysql", "mariadb", "パス", "合言葉", "暗証番号", "ピンコード", "キー"),
    *("トークン", "シークレット", "秘密鍵"),
)
_REST: Final = re.compile(f"{_CHARS}*")

# What stands where a secret will be: a variable, a reference, a mask, a path, an address.
_REFERENCE: Final = re.compile(
    r"[$%<{\[]|[~.]{0,2}/|[a-z]:\\|https?://|--|(?:your|my|the|some|new|old)[_-]|(.)\1*$|x{3}|\*{3}"
    r"|!(?:vault|secret|env|ref|sub)\b|(?:bearer|basic)(?:%20|\+|$)"
    r"|(?:os|process|self|this|env|config|settings|secrets?|args|request|req|data|user)\.",
    re.IGNORECASE,
)
_CODE: Final = re.compile(
    r"[A-Za-z_][\w.]*[(\[{]|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[\w-]+(?:\.[a-z_]+)+$"
)
_MEASURE: Final = re.compile(
    r"v?\d+(?:[.:/,-]\d+)+[a-z]?|\d{1,6}-[a-z]+|\d+[+%~-]\d*"
    r"|\d{1,6}(?:[kmg]?b|m?s|px|bits?|bytes?|chars?|characters?|digits?|hours?|minutes?|days?|words?)"
    r"|(?:base|sha|md|hs|rs|es|aes|utf|ipv|rfc|ed|x50)-?\d+[\w-]*"
    r"|(?:uuid|oauth|ascii|http|hmac|argon|pbkdf|bcrypt|scrypt|1password)-?\d*[\w-]*",
    re.IGNORECASE,
)
_NAMES: Final = ("pass", "secret", "token", "cred", "string", "type", "field", "value", "input")
_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        "required optional needed missing invalid incorrect expired expires reset changed change "
        "protected hashed encrypted hidden redacted unknown example default disabled enabled "
        "forgotten forgot update updated wrong correct strong weak empty blank private public "
        "character characters length minimum maximum please enter confirm verify generate "
        "generated rotate rotated stored sample dummy undefined boolean integer number object "
        "username userid account email settings config environ getenv prompt import export "
        "return function method class variable parameter argument option header cookie session "
        "database server client provider manager policy policies rules authentication allowed "
        "forbidden denied failed failure success accepted rejected unset revoked manual automatic "
        "bearer keychain bitwarden lastpass keepass keepassxc vault nothing available unavailable "
        "none null true false changeme",
    ),
)
_ABOUT: Final = re.compile(
    "文字|以上|以下|以内|必須|任意|未設定|設定|不要|なし|変更|省略|同じ|秘密|教え"
)
_JAPANESE: Final = re.compile("[々\u3041-\u30ff\u3400-\u9fff]")
_KEPT: Final = re.compile(
    r"\s?[にへでからを]{1,2}\s?(?:保存|保管|格納|管理|取得|読|置|入|生成|暗号)"
)
_LETTER: Final = re.compile("[A-Za-z]")
_DIGIT: Final = re.compile("[0-9]")
_SIGNS: Final = frozenset("!@#$%^&*+?~")
_TRAILING: Final = ".:)]}([{"
_ENDED: Final = re.compile(r"[\"')\]}.:]{0,3}[ \t]{0,8}(?:[\n,;|<]|[^\x00-\x7f]|$)")
_NEXT_FIELD: Final = re.compile(r"&\w{1,32}=")
_PIN: Final = re.compile(r"\d{4,8}")
_SAID: Final = re.compile("です|でした|だ(?![けっ])|である|。|$")
_PATH: Final = re.compile(r"[/\\.]")
_PHRASE: Final = re.compile(r"[A-Za-z0-9]+(?:[-_ ][A-Za-z0-9]+){2,11}")
_LEAST: Final = 6
_NOT_ASSIGNED: Final = frozenset(["", " "])  # prose, and the option of a command
_MIXED: Final = 20


class _Claim(NamedTuple):
    """A value, and what speaks for its being a secret."""

    value: str
    name: str
    phrase: bool
    sign: str
    particle: bool
    shouted: bool
    quoted: bool
    following: str


def assigned_secrets(text: str) -> Iterator[Span]:
    """Find the values that are passwords, keys or tokens by the name before them.

    >>> [text[a:b] for text in ("password=hunter22", "パスワードは hunter22 です", "token: str")
    ...  for a, b in assigned_secrets(text)]
    ['hunter22', 'hunter22']
    """
    lowered = text.lower()
    if not any(hint in lowered for hint in _HINTS):
        return
    for pattern in (_ASSIGNED, _OPTION) if "--" in text else (_ASSIGNED,):
        done = 0
        for found in pattern.finditer(text):
            if found.start() < done:
                continue
            start, end = _value(text, found)
            if _is_secret(_claim(text, found, start=start, end=end)):
                done = _end_of_long(text, end) if end - start == _LOOKED_AT else end
                yield start, done
    for found in _HEADER.finditer(text):
        value = found[found.lastgroup or 0]
        if _is_strong(value) and not _REFERENCE.match(value):
            yield found.span(found.lastgroup or 0)
    for name in _EXPLAINED.finditer(text):
        start = max(0, name.start() - 66)
        value = _BEFORE.search(text[start : name.start()])
        if value and _is_strong(value.group()) and not _REFERENCE.match(value.group()):
            yield start + value.start(), start + value.end()
    for found in _WATCHWORD.finditer(text):
        if not _ABOUT.search(found[found.lastgroup or 0]):
            yield found.span(found.lastgroup or 0)


def _end_of_long(text: str, end: int) -> int:
    rest = _REST.match(text, end)
    return rest.end() if rest else end


def _value(text: str, found: re.Match[str]) -> Span:
    start, end = found.span("value")
    if text[start] in "\"'`「":
        return start + 1, end - 1
    if "&" in found["value"] and (field := _NEXT_FIELD.search(text, start, end)):
        return start, field.start()
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
        following=text[end : end + 16],
    )


def _is_secret(claim: _Claim) -> bool:
    value = claim.value
    if claim.name == "pin":
        return _PIN.fullmatch(value) is not None
    if not value.isascii():
        said = claim.quoted and (claim.sign or claim.particle)
        word = _JAPANESE.search(value) and not _ABOUT.search(value)
        return bool(claim.name == "password" and said and word)
    if claim.phrase and claim.quoted and _PHRASE.fullmatch(value):
        return True
    if claim.name == "short" and _PATH.search(value):
        return False
    if len(value) < _LEAST or " " in value or value.casefold().rstrip("?!") in _WORDS:
        return False
    if claim.sign == ">" and not claim.following.startswith("<"):
        return False  # the sign of an element of XML, or of nothing
    if _REFERENCE.match(value) or _CODE.match(value) or _KEPT.match(claim.following):
        return False
    return _is_strong(value) or _is_meant(claim)


def _is_strong(value: str) -> bool:
    """Tell whether the value looks like no word: digits or signs among letters."""
    if _MEASURE.fullmatch(value):
        return False
    letters = _LETTER.search(value) is not None
    digits = _DIGIT.search(value) is not None
    signs = not _SIGNS.isdisjoint(value.rstrip("!?"))
    mixed = (
        len(value) >= _MIXED and value.isalpha() and not value.islower() and not value.isupper()
    )
    return (letters and digits) or (signs and (letters or digits)) or mixed


def _is_meant(claim: _Claim) -> bool:
    """Tell whether a value that could be a word is meant as a secret, by how it is written."""
    if claim.name == "password" and claim.value.isdecimal():
        return True
    if claim.phrase and _PHRASE.fullmatch(claim.value):
        return True
    lowered = claim.value.lower()
    if any(name in lowered for name in _NAMES) or _MEASURE.fullmatch(claim.value):
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
