"""Made-up secrets and personal data: what `{{email}}` or `{{secret:github}}` stands for in tests.

A policy is stored as it is written, and a text with a key in it is refused. A test names the kind
of key instead, and one that nobody ever had is put in its place when the test runs.
"""

import re
from collections.abc import Iterator
from typing import Final

_BODY: Final = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
_PEM: Final = "PRIVATE KEY-----"

FAKES: Final[dict[str, str]] = {
    "email": "taro.yamada@example.com",
    "phone": "090-1234-5678",
    "credit_card": "4111 1111 1111 1111",
    "iban": "DE89 3704 0044 0532 0130 00",
    "my_number": "1234-5678-9018",
    "ip_address": "203.0.113.7",
    "us_ssn": "219-09-9998",
    "jp_address": "東京都千代田区丸の内1-2-3",
    "street_address": "221B Baker Street",
    # In pieces, so that this file holds no key either.
    "secret": "sk-proj-" + _BODY,
    "secret:openai": "sk-proj-" + _BODY,
    "secret:anthropic": "sk-ant-" + "api03-" + _BODY,
    "secret:github": "ghp_" + _BODY[:36],
    "secret:gitlab": "glpat-" + _BODY[:20],
    "secret:slack": "xoxb-" + "123456789012-" + _BODY[:24],
    "secret:aws": "AKIA" + "Q3EGRZ7T5XWNBV2M",
    "secret:google": "AIza" + "Sy" + _BODY[:33],
    "secret:stripe": "sk_live_" + _BODY[:24],
    "secret:npm": "npm_" + _BODY[:36],
    "secret:huggingface": "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH",
    "secret:jwt": "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0NSJ9." + _BODY,
    "secret:private_key": f"-----BEGIN {_PEM}\n{_BODY}{_BODY[:24]}\n-----END {_PEM}",
    "secret:database_url": "postgres://app:" + "Zq8mW2xR7k@db.example.com/main",
    "secret:password": "password: " + "Zq8mW2xR7kLp",
}
"""What each placeholder becomes, without its braces."""

_PLACEHOLDER: Final = re.compile(r"\{\{([A-Za-z_]+(?::[A-Za-z_]+)?)\}\}")


def with_fakes(text: str) -> str:
    """Return a text with every placeholder that is known replaced.

    >>> with_fakes("write to {{email}}, {{nobody}} or {{ email }}")
    'write to taro.yamada@example.com, {{nobody}} or {{ email }}'
    """
    return _PLACEHOLDER.sub(lambda found: FAKES.get(found[1], found[0]), text)


def unknown_placeholders(text: str) -> Iterator[tuple[int, str]]:
    """Yield each placeholder that stands for nothing, with its column from 1.

    >>> list(unknown_placeholders("to {{emial}} and {{email}}"))
    [(4, 'emial')]
    """
    for found in _PLACEHOLDER.finditer(text):
        if found[1] not in FAKES:
            yield found.start() + 1, found[1]
