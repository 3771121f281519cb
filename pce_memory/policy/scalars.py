"""What a plain word of YAML means, and how a quoted text lies in its file."""

import re
from typing import Final

_INT: Final = re.compile(r"[-+]?[0-9]{1,18}", re.ASCII)
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_SPECIAL: Final[dict[str, object]] = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "false": False,
    ".inf": float("inf"),
    "+.inf": float("inf"),
    "-.inf": float("-inf"),
    ".nan": float("nan"),
}
_ESCAPES: Final = {"x": 4, "u": 6, "U": 10}


def plain_value(text: str) -> object:
    """Return what a plain word means.

    >>> [plain_value(text) for text in ("12", "0.5", "true", "", "yes", "1.0.0", "2025-12-18")]
    [12, 0.5, True, None, 'yes', '1.0.0', '2025-12-18']
    """
    if text.lower() in _SPECIAL:
        return _SPECIAL[text.lower()]
    if _INT.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def offset(raw: str, count: int) -> int:
    r"""Return how far into a quoted or plain text its first `count` characters reach.

    >>> offset("a b", 2), offset("'it''s'", 3), offset(r'"\x41b"', 1)
    (2, 5, 5)
    """
    quote = raw[:1] if raw[:1] in {"'", '"'} else ""
    at = len(quote)
    for _ in range(count):
        if quote == "'" and raw.startswith("''", at):
            at += 2
        elif quote == '"' and raw.startswith("\\", at):
            at += _ESCAPES.get(raw[at + 1 : at + 2], 2)
        else:
            at += 1
    return at
