"""Fold text for comparing and searching, in linear time, with a way back to the original."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

Span: TypeAlias = tuple[int, int]
"""Where something starts and where it has ended."""

# Python's canonical ordering is an insertion sort: 40,000 unsorted marks on one letter take more
# than a second. Shorter texts cannot hurt, and longer runs are sorted before Python sees them.
_SORT_FROM: Final = 2_000
_LONG_RUN: Final = 32

_DASHES: Final = "‐‑‒–—―−⁃﹣－"
# Not format characters by category, but drawn as nothing all the same.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
# Drawn over the character before: "p\u0301assword" is read as password.
_MARKS: Final = frozenset({"Mn", "Me"})
_SELECTORS: Final = frozenset(map(chr, [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10)]))


def normalized(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Return `text` in a Unicode normal form; linear even for a letter with a million marks.

    >>> normalized("NFC", "カ\u3099")
    'ガ'
    >>> len(normalized("NFC", "a" + "\u0300\u0316" * 100_000))
    200000
    """
    if text.isascii():
        return text
    if len(text) < _SORT_FROM:
        return unicodedata.normalize(form, text)
    parts: Literal["NFD", "NFKD"] = "NFD" if form == "NFC" else "NFKD"
    marks = [c for c in set(text) if unicodedata.combining(unicodedata.normalize(parts, c)[0])]
    if marks:
        runs = re.compile(f"[{re.escape(''.join(sorted(marks)))}]{{{_LONG_RUN},}}")
        text = runs.sub(lambda run: _in_canonical_order(parts, run.group()), text)
    return unicodedata.normalize(form, text)


def _in_canonical_order(form: Literal["NFD", "NFKD"], marks: str) -> str:
    apart = {c: unicodedata.normalize(form, c) for c in set(marks)}
    return "".join(sorted("".join(map(apart.__getitem__, marks)), key=unicodedata.combining))


def caseless(text: str) -> str:
    """Return `text` without differences of case, width or invisible characters.

    >>> caseless("Ａpple\u200b ﾊﾞｰ ß")
    'apple バー ss'
    """
    folded = normalized("NFKC", text).casefold()
    if folded.isascii():
        return folded
    # Case folding can leave the normal form (it splits some letters), so normalise once more.
    return normalized("NFKC", folded.translate(_INVISIBLE))


class _Invisible(dict[int, str | None]):
    """A translation table that drops what is not drawn; learns each character once."""

    def __missing__(self, code: int) -> str | None:
        kept = None if is_invisible(chr(code)) else chr(code)
        self[code] = kept
        return kept


def is_invisible(char: str) -> bool:
    """Tell whether the character is drawn as nothing: zero width, bidi mark, selector, filler.

    >>> [is_invisible(c) for c in ("\u200b", "\u202e", "\ufe0f", " ", "a")]
    [True, True, True, False, False]
    """
    return unicodedata.category(char) == "Cf" or char in _BLANK or char in _SELECTORS


class Folded(NamedTuple):
    """A folded text; `offsets[i]` is where its i-th character came from (None: the same place)."""

    text: str
    offsets: Sequence[int] | None

    def span(self, start: int, end: int) -> Span:
        """Return where [start, end) of the folded text stands in the original.

        Invisible characters and marks right behind it belong to it.
        """
        if self.offsets is None or start >= end:
            return start, end
        return self.offsets[start], max(self.offsets[end], self.offsets[end - 1] + 1)


class _Plain(dict[str, str]):
    """The plain form of each character, or kana with its voice mark; learns each one once."""

    def __missing__(self, unit: str) -> str:
        plain = self[unit] = _plain(unit)
        return plain


def _plain(unit: str) -> str:
    if len(unit) > 1:
        return unicodedata.normalize("NFKC", unit)
    if is_invisible(unit) or unicodedata.category(unit) in _MARKS:
        return ""
    if unit in _DASHES:
        return "-"
    digit = unicodedata.decimal(unit, None)
    return unicodedata.normalize("NFKC", unit) if digit is None else str(digit)


_INVISIBLE: Final = _Invisible()
_PLAIN: Final = _Plain()
_VOICED: Final = re.compile("([\u3046-\u30fd\uff66-\uff9d][\u3099\u309a\uff9e\uff9f])")


def fold(text: str) -> Folded:
    r"""Return `text` with each character made plain: width, digits, dashes, escapes.

    What is not drawn, and what is drawn over another character, is gone. Character by character,
    so that every place has a way back.

    >>> folded = fold("電話\u200b０９０−１２３４")
    >>> folded.text
    '電話090-1234'
    >>> folded.span(2, 5)
    (3, 6)
    >>> fold("ﾊﾟｽﾜｰﾄﾞ").text
    'パスワード'
    >>> fold(r"\u96fb\u8a71\t090%2D1234&nbsp;\"x\"").text
    '電話\t090-1234 "x"'
    """
    if _MAY_ESCAPE.search(text) and _ESCAPED.search(text):
        return _unescaped(text)
    if text.isascii():
        return Folded(text, None)
    if not _VOICED.search(text) and all(len(_PLAIN[char]) == 1 for char in set(text)):
        return Folded("".join(map(_PLAIN.__getitem__, text)), None)
    plain: list[str] = []
    offsets: list[int] = []
    for start, unit in _units(text):
        plain.append(_PLAIN[unit])
        offsets.extend([start] * len(plain[-1]))
    return Folded("".join(plain), [*offsets, len(text)])


def _unescaped(text: str) -> Folded:
    """Return a text of a program or a page: what stands for a character is that character."""
    plain: list[str] = []
    offsets: list[int] = []
    done = 0
    for found in _ESCAPED.finditer(text):
        _append(text[done : found.start()], done, plain, offsets)
        done = found.end()
        one = _PLAIN[_character(found)]
        plain.append(one)
        offsets.extend([found.start()] * len(one))
    _append(text[done:], done, plain, offsets)
    return Folded("".join(plain), [*offsets, len(text)])


def _append(text: str, at: int, plain: list[str], offsets: list[int]) -> None:
    """Add a piece without escapes, which begins at a place of the whole."""
    if text.isascii():
        plain.append(text)
        offsets.extend(range(at, at + len(text)))
        return
    for start, unit in _units(text):
        plain.append(_PLAIN[unit])
        offsets.extend([at + start] * len(plain[-1]))


def _character(found: re.Match[str]) -> str:
    """Return what an escape stands for; a blank where that is no character to be read."""
    kind, said = str(found.lastgroup), str(found.group(str(found.lastgroup)))
    if kind == "letter":
        return _LETTERS.get(said, said)
    if kind == "name":
        return _NAMES[said]
    code = int(said, 10 if kind == "decimal" else 16)
    usable = code < 0x110000 and not 0xD800 <= code < 0xE000  # noqa: PLR2004 - Unicode's own
    return chr(code) if usable and code >= ord(" ") else " "


_MAY_ESCAPE: Final = re.compile(r"[\\%&]")
_LETTERS: Final = {"n": "\n", "r": "\n", "t": "\t", "b": " ", "f": " ", "v": " ", "0": " "}
_NAMES: Final = {"nbsp": " ", "amp": "&", "quot": '"', "lt": "<", "gt": ">", "apos": "'"}
# Of percent signs only what stands for a sign of ASCII: the rest of a text may hold shares.
_ESCAPED: Final = re.compile(
    r"\\(?:u(?:\{(?P<braced>[0-9A-Fa-f]{1,6})\}|(?P<long>[0-9A-Fa-f]{4}))|x(?P<byte>[0-9A-Fa-f]{2})|(?P<letter>[nrtbfv0\"'/]))"
    r"|%(?P<percent>[2-7][0-9A-Fa-f])"
    r"|&(?:\#(?P<decimal>[0-9]{2,7})|\#x(?P<hex>[0-9A-Fa-f]{2,6})|(?P<name>nbsp|amp|quot|lt|gt|apos));"
)


def _units(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for part in _VOICED.split(text):
        if _VOICED.fullmatch(part):
            yield start, part
        else:
            yield from enumerate(part, start)
        start += len(part)
