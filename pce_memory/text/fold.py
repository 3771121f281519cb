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
        last = self.offsets[end - 1]
        # One character of the original may have become several; it ends where the next begins.
        while end < len(self.offsets) and self.offsets[end] == last:
            end += 1
        return self.offsets[start], max(self.offsets[min(end, len(self.offsets) - 1)], last + 1)


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
    """Return `text` with each character made plain: width, digits, dashes.

    What is not drawn, and what is drawn over another character, is gone. Character by character,
    so that every place has a way back.

    >>> folded = fold("電話\u200b０９０−１２３４")
    >>> folded.text
    '電話090-1234'
    >>> folded.span(2, 5)
    (3, 6)
    >>> fold("ﾊﾟｽﾜｰﾄﾞ").text
    'パスワード'
    """
    if text.isascii():
        return Folded(text, None)
    if not _VOICED.search(text) and all(len(_PLAIN[char]) == 1 for char in set(text)):
        return Folded("".join(map(_PLAIN.__getitem__, text)), None)
    plain: list[str] = []
    offsets: list[int] = []
    _append(text, 0, plain, offsets, _uneven(text))
    return Folded("".join(plain), [*offsets, len(text)])


def readings(text: str) -> Iterator[Folded]:
    r"""Yield a text as it may be read: as it stands, with gaps, and as a program or page says it.

    What is not drawn is nothing to one reader and a gap to another; `\n` is two letters of a path,
    or the end of a line.

    >>> [one.text for one in readings(r"\u96fb\u8a71\t090%2D1234&nbsp;\"x\"")][-1]
    '電話\t090-1234 "x"'
    """
    yield fold(text)
    gaps = {} if text.isascii() else _gaps(text)
    if gaps:
        yield fold(text.translate(gaps))
    if _MAY_ESCAPE.search(text) and _ESCAPED.search(text):
        yield _unescaped(text)


def _gaps(text: str) -> dict[int, str]:
    """Return a blank for each character of a text that is drawn as nothing."""
    return {code: " " for code in map(ord, set(text)) if _INVISIBLE[code] is None}


def _unescaped(text: str) -> Folded:
    """Return a text of a program or a page: what stands for a character is that character."""
    plain: list[str] = []
    offsets: list[int] = []
    uneven = _VOICED if text.isascii() else _uneven(text)
    done = 0
    for found in _ESCAPED.finditer(text):
        _append(text[done : found.start()], done, plain, offsets, uneven)
        done = found.end()
        one = _PLAIN[_character(found)]
        plain.append(one)
        offsets.extend([found.start()] * len(one))
    _append(text[done:], done, plain, offsets, uneven)
    return Folded("".join(plain), [*offsets, len(text)])


def _append(
    text: str, at: int, plain: list[str], offsets: list[int], uneven: re.Pattern[str]
) -> None:
    """Add a piece without escapes, which begins at a place of the whole."""
    if text.isascii():
        plain.append(text)
        offsets.extend(range(at, at + len(text)))
        return
    done = 0
    for unit in uneven.finditer(text):
        start = unit.start()
        plain += map(_PLAIN.__getitem__, text[done:start])
        offsets.extend(range(at + done, at + start))
        plain.append(_PLAIN[unit.group()])
        offsets.extend([at + start] * len(plain[-1]))
        done = unit.end()
    plain += map(_PLAIN.__getitem__, text[done:])
    offsets.extend(range(at + done, at + len(text)))


def _character(found: re.Match[str]) -> str:
    """Return what an escape stands for; a blank where that is no character to be read."""
    kind, said = str(found.lastgroup), str(found.group(str(found.lastgroup)))
    if kind == "letter":
        return _LETTERS.get(said, said)
    if kind == "name":
        return _NAMES[said]
    if kind == "bytes":
        return bytes.fromhex(said.replace("%", "")).decode("utf-8", "replace")
    if kind == "ansi":
        return " "
    code = int(said, 10 if kind == "decimal" else 16)
    usable = code < 0x110000 and not 0xD800 <= code < 0xE000  # noqa: PLR2004 - Unicode's own
    return chr(code) if usable and code >= ord(" ") else " "


_MAY_ESCAPE: Final = re.compile(r"[\\%&\x1b]")
_LETTERS: Final = {"n": "\n", "r": "\n", "t": "\t", "b": " ", "f": " ", "v": " ", "0": " "}
_NAMES: Final = {
    "nbsp": " ", "ensp": " ", "emsp": " ", "thinsp": " ", "amp": "&", "quot": '"', "lt": "<",
    "gt": ">", "apos": "'", "ndash": "-", "mdash": "-", "hyphen": "-", "shy": "", "zwnj": "",
}  # fmt: skip
_HEX: Final = "[0-9A-Fa-f]"
# Of percent signs before digits only what stands for a sign of ASCII: a text may hold shares.
_ESCAPED: Final = re.compile(
    rf"(?:\\(?:u001[bB]|x1[bB]|033|e)|\x1b)(?P<ansi>\[[0-9;]{{0,16}}[A-Za-z])"
    rf"|\\(?:u\{{(?P<braced>{_HEX}{{1,6}})\}}|u(?P<long>{_HEX}{{4}})|U(?P<wide>{_HEX}{{8}})"
    rf"|x(?P<byte>{_HEX}{{2}})|(?P<letter>[nrtbfv0\"'/]))"
    rf"|%(?P<percent>[2-7]{_HEX}|0[9AaDd])|(?P<bytes>(?:%[89A-Fa-f]{_HEX})+)"
    rf"|&(?:\#(?P<decimal>[0-9]{{2,7}})|\#x(?P<hex>{_HEX}{{2,6}})|(?P<name>{'|'.join(_NAMES)}));"
)


def _uneven(text: str) -> re.Pattern[str]:
    """Return the pattern of what is not one character when it is plain."""
    uneven = "".join(sorted(char for char in set(text) if len(_PLAIN[char]) != 1))
    return re.compile(f"{_VOICED.pattern}|[{re.escape(uneven)}]") if uneven else _VOICED
