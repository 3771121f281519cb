"""Bytes of a file into text: UTF-8, or what the byte order mark says; never a guess."""

import codecs
from collections.abc import Iterator
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidParameter

# The longer marks first: that of UTF-16 is the beginning of that of UTF-32.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

Line: TypeAlias = tuple[int, Result[str, InvalidParameter]]
"""A line by its number from 1: its text, or why it cannot be read."""


def decode(raw: bytes, name: str) -> Result[str, InvalidParameter]:
    r"""Return the text of a file, with plain line ends; `name` is what a fault calls it.

    >>> decode(codecs.BOM_UTF16_LE + "茶\r\n".encode("utf-16-le"), "a.txt").unwrap()
    '茶\n'
    >>> decode(b"caf\xe9", "a.txt").failure().message
    'Invalid a.txt: byte 3 (0xe9) is not UTF-8; save the file as UTF-8'
    """
    mark, encoding = _marked(raw)
    text = _decoded(raw[len(mark) :], name, encoding, start=len(mark))
    return text.map(lambda one: one.replace("\r\n", "\n").replace("\r", "\n"))


def decode_lines(raw: bytes, name: str) -> Iterator[Line]:
    r"""Yield the lines of a file; of a UTF-8 file, a line that cannot be read stops no other.

    >>> [(number, type(line).__name__) for number, line in decode_lines(b"a\n\xff\nb", "x")]
    [(1, 'Success'), (2, 'Failure'), (3, 'Success')]
    """
    mark, encoding = _marked(raw)
    if encoding != "utf-8":
        whole = decode(raw, name)
        lines = whole.map(lambda text: text.split("\n")).value_or([])
        yield from ((number, Success(line)) for number, line in enumerate(lines, start=1))
        if isinstance(whole, Failure):
            yield 1, whole
        return
    start = len(mark)
    # Not splitlines: a line separator such as U+2028 may stand inside a JSON string.
    for number, line in enumerate(raw[start:].split(b"\n"), start=1):
        yield number, _decoded(line, f"{name}:{number}", encoding, start=start)
        start += len(line) + 1


def _marked(raw: bytes) -> tuple[bytes, str]:
    return next((one for one in _MARKS if raw.startswith(one[0])), (b"", "utf-8"))


def _decoded(raw: bytes, name: str, encoding: str, *, start: int) -> Result[str, InvalidParameter]:
    """Return the text; a fault names the byte by its place in the whole file."""
    try:
        return Success(raw.decode(encoding))
    except UnicodeDecodeError as error:
        what = encoding.upper()
        reason = (
            f"byte {start + error.start} (0x{raw[error.start]:02x}) is not {what}; "
            "save the file as UTF-8"
        )
        return Failure(InvalidParameter(name, reason))
