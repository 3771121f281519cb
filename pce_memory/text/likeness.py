"""What a value looks like: a secret, or what code and documents put in the place of one."""

import re
from typing import Final

# What stands where a secret will be: a variable, a reference, a mask, a path, an address.
_REFERENCE: Final = re.compile(
    r"[$%<{\[]|[~.]{0,2}/|[a-z]:\\|https?://|--|(?:your|my|the|some|new|old)[_-]|(.)\1*$|x{3}|\*{3}"
    r"|!(?:vault|secret|env|ref|sub)\b|(?:bearer|basic)(?:%20|\+|$)|aws4-hmac"
    r"|(?:os|process|self|this|env|config|settings|secrets?|args|request|req|data|user)\.",
    re.IGNORECASE,
)
_CODE: Final = re.compile(
    r"[A-Za-z_][\w.]*[(\[{]|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[\w-]+(?:\.[a-z_]+)+$"
)
_MEASURE: Final = re.compile(
    r"v?\d+(?:[.:/,-]\d+)+[a-z]?|\d{1,6}-[a-z]+|\d+[+%~-]\d*"
    r"|\d{1,6}(?:[kmg]?b|m?s|px|bits?|bytes?|chars?|characters?|digits?|hours?|minutes?|days?|words?)"
    r"|(?:base|sha|md|hs|rs|es|aes|utf|ipv|rfc|ed|x50)-?\d{1,5}(?:[a-z]{0,6}\d?|[-_][\w-]{1,24})"
    r"|(?:uuid|oauth|ascii|http|hmac|argon|pbkdf|bcrypt|scrypt|1password)-?\d*[\w-]*",
    re.IGNORECASE,
)
_MIXED: Final = 20
_LETTER: Final = re.compile("[A-Za-z]")
_DIGIT: Final = re.compile("[0-9]")
_SIGNS: Final = frozenset("!@#$%^&*+?~")
LEAST: Final = 6
"""A shorter password is a word like any other."""
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
        "none null true false changeme placeholder",
    ),
)
_ABOUT: Final = re.compile(
    "文字|以上|以下|以内|必須|任意|未設定|設定|不要|なし|変更|省略|同じ|秘密|教え"
)
_JAPANESE: Final = re.compile("[々\u3041-\u30ff\u3400-\u9fff]")

MIXED: Final = (
    r"[々\u3041-\u30ff\u3400-\u9fff]{1,12}[!#-&(-+\--:=?-_a-~]{3,64}"
    "(?=[\\s。、」]|$|です|でした|だ(?![けっ])|に(?:変更|設定))"
)
"""A word in Japanese with digits and signs behind it, up to where such a value ends."""
# What is said about passwords with a number behind it: until when, how long, where it stands.
_TOLD: Final = re.compile(
    "[年月日版章条項桁長番回時分]|期限|更新|有効|最[低大小短長]|参照|確認|連絡|別途|令和|平成|英|数"
    "|担当|[\u30a1-\u30fa\u30fc\u3400-\u9fff][はをがのにでともへや]"
)

_DATED: Final = re.compile(r"\d+(?:[.:/,-]\d+)+")


def is_placeholder(value: str) -> bool:
    """Tell whether a value only stands where a secret will be: a variable, a mask, code.

    >>> [is_placeholder(value) for value in ("${PW}", "********", "get_token()", "hunter22")]
    [True, True, True, False]
    """
    return _REFERENCE.match(value) is not None or _CODE.match(value) is not None


def is_reference(value: str) -> bool:
    """Tell the same of a value that is certainly no code.

    >>> is_reference("$TOKEN"), is_reference("Mt.Fuji22")
    (True, False)
    """
    return _REFERENCE.match(value) is not None


def is_common_word(value: str) -> bool:
    """Tell whether a value is a word that stands behind such names in prose and code.

    >>> is_common_word("Required!"), is_common_word("swordfish")
    (True, False)
    """
    return value.casefold().rstrip("?!") in _WORDS


def is_about_names(value: str) -> bool:
    """Tell whether a value speaks of secrets itself, or measures one.

    >>> is_about_names("user_password"), is_about_names("sha256"), is_about_names("swordfish")
    (True, True, False)
    """
    lowered = value.lower()
    return any(name in lowered for name in _NAMES) or _MEASURE.fullmatch(value) is not None


def is_watchword(value: str) -> bool:
    """Tell whether a value in Japanese is a word, and not what is said about passwords.

    >>> is_watchword("ひらけごま"), is_watchword("8文字以上"), is_watchword("○○")
    (True, False, False)
    """
    return _JAPANESE.search(value) is not None and _ABOUT.search(value) is None


def is_word_with_digits(value: str) -> bool:
    """Tell whether a value is a word in Japanese made strong, and not what is said about one.

    >>> [is_word_with_digits(value) for value in ("さくら2024!", "有効期限2024", "毎月1日")]
    [True, False, False]
    """
    tail = value.lstrip("".join(_JAPANESE.findall(value)))
    told = _TOLD.search(value) or _ABOUT.search(value) or _DATED.fullmatch(tail)
    return not told and len(_DIGIT.findall(tail)) > 1


def is_strong(value: str) -> bool:
    """Tell whether a value looks like no word: digits or signs among letters.

    >>> is_strong("hunter22"), is_strong("swordfish"), is_strong("base64")
    (True, False, False)
    """
    if _MEASURE.fullmatch(value):
        return False
    letters = _LETTER.search(value) is not None
    digits = _DIGIT.search(value) is not None
    signs = not _SIGNS.isdisjoint(value.rstrip("!?"))
    word = value.rstrip("=")
    mixed = len(word) >= _MIXED and word.isalpha() and not word.islower() and not word.isupper()
    return (letters and digits) or (signs and (letters or digits)) or mixed
