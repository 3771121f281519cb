"""Judge a value under its key, as the same value is judged in a text behind that name.

`{"password": "pelican"}` holds a secret, though neither `password` nor `pelican` is one.
"""

import re
from collections.abc import Sequence
from typing import Final

from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.secret_names import Claim, claim_of

_QUOTES: Final = "\"'`"
_SPACES: Final = re.compile(r"[\s\"'`]+")
# What else says that a secret follows.
_OTHER_NAMES: Final = re.compile(
    r"(?i)pin\b|code|otp|seed|phrase|mnemonic|recovery|backup|cookie|session|connection|dsn|url|hook"
    r"|[^\x00-\x7f]"
)
_LONGEST_VALUE: Final = 4096
_LONGEST_NAME: Final = 256


def name_of(keys: Sequence[str]) -> str:
    """Return the name that a value has by its keys, from the outermost to its own.

    A key belongs to the name as long as what stands below it is about a secret.

    >>> name_of(["config", "credentials", "db"]), name_of(["password_policy", "vendor"])
    ('credentials.db', 'vendor')
    """
    own = [_SPACES.sub("_", key.strip()) for key in keys]
    place = len(own) - 1
    while place > 0 and claim_of(own[place - 1]) is not Claim.NOTHING:
        place -= 1
    return ".".join(own[max(place, 0) :])[-_LONGEST_NAME:]


def without_secrets(name: str, value: str) -> str:
    """Return a value without what is a secret under this name.

    >>> without_secrets("db_password", "pelican"), without_secrets("bird", "pelican")
    ('[secret]', 'pelican')
    """
    if claim_of(name) is Claim.NOTHING and not _OTHER_NAMES.search(name):
        return value
    return "".join(_line_without(name, line) for line in value.splitlines(keepends=True))


def is_secret_under(name: str, value: str) -> bool:
    """Tell whether a value holds a secret under this name.

    >>> is_secret_under("db_password", "pelican"), is_secret_under("db_password", "${PW}")
    (True, False)
    """
    return without_secrets(name, value) != value


def _line_without(name: str, line: str) -> str:
    value = line.strip()
    if not value or len(value) > _LONGEST_VALUE:
        return line
    quote = next((quote for quote in _QUOTES if quote not in value), "")
    begin = f"{name}: {quote}"
    parts: list[str] = []
    place = 0
    for match in detect(f"{begin}{value}{quote}\n", SECRET_KINDS):
        start, end = match.start - len(begin), min(match.end - len(begin), len(value))
        if start >= place and end > start:
            parts += [value[place:start], "[secret]"]
            place = end
    parts.append(value[place:])
    return line.replace(value, "".join(parts), 1) if place else line
