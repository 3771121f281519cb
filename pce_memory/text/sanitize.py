"""Find and replace what cannot be stored: NUL and halves of surrogate pairs."""

import re
from typing import Final

_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENTS: Final = {0: " ", **dict.fromkeys(range(0xD800, 0xE000), "\ufffd")}


def find_unstorable(text: str) -> int | None:
    r"""Return where the first NUL or lone surrogate stands, or None.

    >>> find_unstorable("plain 文字 🎉")
    >>> find_unstorable("a\x00b")
    1
    >>> find_unstorable("ab\ud83c")
    2
    """
    found = _UNSTORABLE.search(text)
    return found.start() if found else None


def sanitize(text: str, *, max_chars: int) -> str:
    r"""Return at most `max_chars` characters of `text`, each of them storable.

    >>> sanitize("a\x00b\ud83c tail", max_chars=4)
    'a b\ufffd'
    """
    cut = text[: max(0, max_chars)]
    return cut.translate(_REPLACEMENTS) if _UNSTORABLE.search(cut) else cut
