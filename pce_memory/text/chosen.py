"""Tell what somebody chose as a password from what code and documents say in the same place.

Where a string stands under the name of a password and can be nothing else, everything but a
placeholder, a reference, a label and a sentence is one: `pelican`, `correct horse battery`.
"""

import re
from typing import Final

from pce_memory.text.likeness import is_common_word, is_watchword
from pce_memory.text.placeholders import stands_for_a_value

_SHORTEST: Final = 3
_LONGEST: Final = 512
_MOST_WORDS: Final = 24
# What a value says that is only about secrets: "user_password", "NewPassword", "Passwort", "pw2".
_LABEL: Final = re.compile(
    r"(?!\d+\Z)(?:user|name|login|new|old|current|confirm(?:ed|ation)?|repeat|verify|re|db|database|my|your|the|a"
    r"|admin|root|raw|plain|hashed|client|access|api|auth|bearer|private|public|id|app|field|input"
    r"|form|value|valor|valeur|valore|wert|text|string|str|type|hash|key|of|to|and|or|for|with|no|has|is|get|set|show|hide|self"
    r"|password|passwort|passwd|passphrase|passcode|pass|pwd|pw|token|secret|credentials?|kennwort|pin"
    r"|contrase(?:ñ|n)a|senha|clave|wachtwoord|motdepasse|mot|de|passe|parola|пароль|密码|密碼|비밀번호"
    r"|lösenord|hasło|şifre|パスワード|暗証番号|[\s_.:*\d-]){1,24}",
    re.IGNORECASE,
)
_SAID: Final = re.compile(
    r"(?i)\b(?:the|is|are|was|be|of|your|you|must|should|please|enter|for|with|that|this|not|and|or|if"
    r"|to|in|at|on|from|has|have|will|can|cannot|it|required|invalid|der|die|das|ist|le|la|les|est|el"
    r"|es|de|del|votre|su)\b"
)
# A type, a call, or a member of something: code.
_CODE: Final = re.compile(
    r"[A-Za-z_$][\w$.]*[(\[{<].*|[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+[()]*"
    r"|(?:str|string|text|bytes|int|integer|bool|boolean|char|varchar|any|object|float|number|self"
    r"|secretstr|optional|list|dict|array|unknown|void|var|const|let|func|function|class|new|hash|plain"
    r"|binary|blob|uuid|email|date|json|none|default|prompt|ask|stdin|env|file|vault|keyring|bcrypt"
    r"|argon2|scrypt|pbkdf2|sha256|sha512|md5|obligatori[oa]|obligatoire|erforderlich|requis|requerida?"
    r"|обязателен|verplicht|必填|필수|必須)",
    re.IGNORECASE | re.DOTALL,
)
_LABELLED: Final = re.compile(r"[A-Z][a-z]+(?: [A-Z]?[a-z]+)+[.:?!]?")
_SENTENCE_END: Final = re.compile(r"[a-z]{2}[.?:]$")


def is_chosen(value: str) -> bool:
    """Tell whether a value may be a password that somebody chose.

    >>> [is_chosen(value) for value in ("pelican", "correct horse battery", "P@ss", "1234")]
    [True, True, True, True]
    >>> [is_chosen(value) for value in ("${PW}", "required", "Enter your password", "get_pw()")]
    [False, False, False, False]
    """
    if not _SHORTEST <= len(value) <= _LONGEST or "\n" in value:
        return False
    if stands_for_a_value(value) or is_common_word(value) or _LABEL.fullmatch(value):
        return False
    if _CODE.fullmatch(value):
        return False
    if not value.isascii() and not any(map(str.isalnum, value)):
        return False
    words = value.split()
    return len(words) == 1 or _is_phrase(value, words)


def _is_phrase(value: str, words: list[str]) -> bool:
    """Tell whether words with blanks between them are a phrase to remember, and no sentence."""
    if len(words) > _MOST_WORDS or _SAID.search(value) or _SENTENCE_END.search(value):
        return False
    # Words of a command: a path, an option, a pipe.
    if any(word[0] in "/~<>|$" for word in words[1:]):
        return False
    return not _LABELLED.fullmatch(value) and value.isascii()


def is_chosen_in_quotes(value: str) -> bool:
    """Tell the same of what stands between quotes, which may be a word of any language.

    >>> is_chosen_in_quotes("ひらけごま"), is_chosen_in_quotes("8文字以上")
    (True, False)
    """
    if value.isascii():
        return is_chosen(value)
    return is_chosen(value) and (is_watchword(value) or all(ord(char) < _LATIN for char in value))


_LATIN: Final = 0x250
_WORDS: Final = re.compile(r"[a-z0-9]+(?:[-_ ][a-z0-9]+){2,11}")
_LONG_WORD: Final = 12


def is_chosen_secret(value: str) -> bool:
    """Tell whether a value may be a secret of a server that somebody chose: words put together.

    >>> is_chosen_secret("walrus-moon-river"), is_chosen_secret("keyboard cat")
    (True, True)
    >>> is_chosen_secret("my-secret-token"), is_chosen_secret("prod-db")
    (False, False)
    """
    if not is_chosen(value):
        return False
    if _WORDS.fullmatch(value):
        return True
    return " " in value or (len(value) >= _LONG_WORD and value.isalpha() and value.islower())
