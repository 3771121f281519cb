"""Cut a text into runs of one kind: words of ASCII, Latin, CJK, other scripts, emoji."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

from pce_memory.text.emoji import emoji_in, is_emoji, may_hold_emoji
from pce_memory.text.fold import caseless, is_invisible, normalized
from pce_memory.text.identifiers import ASCII_WORD

LATIN, HIRAGANA, KATAKANA, KANJI, OTHER, MARK = "ahkcom"
"""One letter for each kind of character; `Run.kinds` spells a run in these."""

_NONE: Final = " "
_BLOCKS: Final = (
    (HIRAGANA, 0x3041, 0x309F),
    (KATAKANA, 0x30A1, 0x30FF),
    (KATAKANA, 0x31F0, 0x31FF),
    (KANJI, 0x2E80, 0x2FDF),
    (KANJI, 0x3005, 0x3007),
    (KANJI, 0x3021, 0x303C),
    (KANJI, 0x3100, 0x312F),
    (KANJI, 0x31A0, 0x31BF),
    (KANJI, 0x3400, 0x4DBF),
    (KANJI, 0x4E00, 0x9FFF),
    (KANJI, 0xF900, 0xFAFF),
    (KANJI, 0x20000, 0x3FFFF),
    (LATIN, 0x0000, 0x02AF),
    (LATIN, 0x1E00, 0x1EFF),
    (LATIN, 0x2C60, 0x2C7F),
    (LATIN, 0xA720, 0xA7FF),
    (LATIN, 0xAB30, 0xAB6F),
)
# Marks of no script of their own: they stay with the letter before them.
_LOOSE_MARKS: Final = (
    (0x0300, 0x036F),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0x3099, 0x309A),
    (0xFE20, 0xFE2F),
)
_HYPHENS: Final = "‐‑−"  # what word processors write for "-" within a word

_RUNS: Final = re.compile("(?P<latin>a[am]*)|(?P<cjk>[hkc][hkcm]*)|(?P<other>o[om]*)")
# Next to one of these a letter of ASCII belongs to a word that is not all ASCII: caf|é.
_BESIDE: Final = (
    "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1eff\u20d0-\u20ff"
    "\u2c60-\u2c7f\u3099\u309a\ua720-\ua7ff\uab30-\uab6f\ufe20-\ufe2f"
)
_LATIN: Final = re.compile(f"[{_BESIDE}]")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_BEYOND_ASCII_WORDS: Final = re.compile(
    f"(?:(?<![A-Za-z0-9])[A-Za-z0-9]++(?=[{_BESIDE}])|[{_BESIDE}][A-Za-z0-9]*+|[^\\x00-\\x7f])++"
)


class Run(NamedTuple):
    """A piece of a text in one kind of writing: `ascii`, `latin`, `cjk`, `other` or `emoji`.

    A run of `ascii` is a word as it is written, the others are caseless; `kinds` is for CJK.
    """

    kind: str
    text: str
    kinds: str = ""


class _Kinds(dict[int, str]):
    """A translation table from characters to their kinds; learns each one once."""

    def __missing__(self, code: int) -> str:
        kind = self[code] = _kind(code)
        return kind


class _Shown(dict[int, str | None]):
    """A translation table that drops what is not drawn; learns each character once."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        shown = None if is_invisible(char) else "-" if char in _HYPHENS else char
        self[code] = shown
        return shown


def _kind(code: int) -> str:
    category = unicodedata.category(chr(code))
    if category[0] == "M":
        loose = any(first <= code <= last for first, last in _LOOSE_MARKS)
        return MARK if loose else OTHER
    if category[0] not in "LN":
        return _NONE
    return next((kind for kind, first, last in _BLOCKS if first <= code <= last), OTHER)


_KINDS: Final = _Kinds()
_SHOWN: Final = _Shown()


def stretches(text: str) -> Iterator[tuple[list[str], str]]:
    """Yield words of ASCII as they are written, and the text of other writing that follows them.

    An emoji is a stretch of its own: what joins it and is not drawn is a part of it alone.

    >>> list(stretches("解約ＡＰＩ_v2 ok\u200b, café!"))
    [([], '解約'), (['API_v2', 'ok'], 'café'), ([], '')]
    """
    return _around_emoji(text) if may_hold_emoji(text) else _without_emoji(text)


def _around_emoji(text: str) -> Iterator[tuple[list[str], str]]:
    done = 0
    for start, end, term in emoji_in(text):
        yield from _without_emoji(text[done:start])
        yield [], term
        done = end
    yield from _without_emoji(text[done:])


def _without_emoji(text: str) -> Iterator[tuple[list[str], str]]:
    shown = _shown(text)
    done = 0
    # The second pattern is right for every text, and takes twice as long.
    pattern = _BEYOND_ASCII_WORDS if _LATIN.search(shown) else _BEYOND_ASCII
    for other in pattern.finditer(shown):
        start, end = other.span()
        # Given a place and not a piece, the pattern sees what stands before it.
        yield ASCII_WORD.findall(shown, done, start), shown[start:end]
        done = end
    yield ASCII_WORD.findall(shown, done), ""


def runs(text: str) -> Iterator[Run]:
    """Yield the runs of a text from left to right.

    >>> [run.text for run in runs("解約ＡＰＩ_v2を\u200b呼ぶ。CAFÉ, мир")]
    ['解約', 'API_v2', 'を呼ぶ', 'café', 'мир']
    """
    for words, other in stretches(text):
        for word in words:
            yield Run("ascii", word)
        yield from beyond_ascii(other)


def beyond_ascii(text: str) -> Iterator[Run]:
    """Yield the runs of the second part of a stretch."""
    if is_emoji(text):
        yield Run("emoji", text)
        return
    kinds = text.translate(_KINDS)
    for run in _RUNS.finditer(kinds):
        start, end = run.span()
        kind = str(run.lastgroup)
        if kind == "cjk":
            yield Run(kind, text[start:end], run.group())
        else:
            yield Run(kind, caseless(text[start:end]))


def _shown(text: str) -> str:
    normal = normalized("NFKC", text)
    shown = normal.translate(_SHOWN)
    # What was kept apart by something invisible may compose now.
    return normal if shown == normal else normalized("NFKC", shown)
