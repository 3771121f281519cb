r"""Emoji as terms: one for a sequence, however it is coloured and whoever draws it.

A family, a flag or a keycap is a sequence of several characters and one sign to its reader, so it
is one term. Selectors of a style, tones of skin and the signs of a sex leave no trace in it: what
was typed on one device finds what was typed on another.
"""

import re
from collections.abc import Iterator
from typing import Final

_FLAG: Final = "\U0001f1e6-\U0001f1ff"
# Dingbats that are brackets or numbers are those, wherever they stand; 🆐 is the letters DJ.
_SIGN: Final = (
    "\u231a\u231b\u23e9-\u23f3\u23f8-\u23fa\u2600-\u2767\u2794-\u27bf\u2b1b\u2b1c\u2b50\u2b55"
    f"\U0001f000-\U0001f0ff\U0001f170-\U0001f18f\U0001f191-\U0001f19a{_FLAG}"
    "\U0001f300-\U0001faff"
)
_JOINER: Final = "\u200d"
_TAG: Final = "\U000e0020-\U000e007f"
_STYLE: Final = "\ufe0e\ufe0f\U0001f3fb-\U0001f3ff"
_JOINED_UP_TO: Final = 8  # the longest that is drawn as one has four

_MAY_BE: Final = re.compile(f"[{_SIGN}\u20e3]")
_TERM: Final = re.compile(rf"[{_SIGN}]|[#*0-9]\u20e3\Z")
_EMOJI: Final = re.compile(
    rf"[{_FLAG}]{{2}}|(?<![^\W_])[#*0-9]\ufe0f?\u20e3"
    rf"|[{_SIGN}][{_STYLE}]*[{_TAG}]{{0,32}}"
    rf"(?:{_JOINER}[{_SIGN}][{_STYLE}]*){{0,{_JOINED_UP_TO}}}"
)
_UNSAID: Final = re.compile(
    f"(?<=.)(?:[{_STYLE}]|{_JOINER}[\u2640\u2642](?!{_JOINER}))", re.DOTALL
)

EMOJI: Final = _EMOJI.pattern
"""One emoji, as a piece of another pattern; it has no groups."""


def may_hold_emoji(text: str) -> bool:
    """Tell quickly whether a text may have an emoji: most have none."""
    return not text.isascii() and _MAY_BE.search(text) is not None


def emoji_in(text: str) -> Iterator[tuple[int, int, str]]:
    r"""Yield where each emoji of a text starts and has ended, and its term.

    >>> [term for _, _, term in emoji_in("ok 👍🏽 ❤️, 🇯🇵🇫🇷 🤷🏻‍♀️")] == ["👍", "❤", "🇯🇵", "🇫🇷", "🤷"]
    True
    >>> [len(term) for _, _, term in emoji_in("👩‍👩‍👧‍👦 1️⃣ → ★")]
    [7, 2, 1]
    """
    for found in _EMOJI.finditer(text):
        yield found.start(), found.end(), _UNSAID.sub("", found.group())


def is_emoji(stretch: str) -> bool:
    """Tell whether a stretch of a text, of which `emoji_in` cut the emoji out, is one of them.

    >>> is_emoji("👍"), is_emoji("漢字")
    (True, False)
    """
    return _TERM.match(stretch) is not None
