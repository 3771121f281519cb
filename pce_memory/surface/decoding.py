"""Bytes of a file into text, block by block: UTF-8, or what its mark says; never a guess."""

import codecs
import io
from collections.abc import Iterator
from typing import BinaryIO, Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidParameter

BLOCK: Final = 1 << 18
"""So many bytes are read at a time."""
LONGEST_LINE: Final = 1 << 24
"""A line of a transcript that is longer than this many bytes is no turn."""

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


def decode_blocks(file: BinaryIO, name: str) -> Iterator[Result[str, InvalidParameter]]:
    r"""Yield the text of a file in blocks, with plain line ends; a fault is the last of them.

    `name` is what a fault calls the file.

    >>> raw = codecs.BOM_UTF16_LE + "茶\r\n".encode("utf-16-le")
    >>> [block.unwrap() for block in decode_blocks(io.BytesIO(raw), "a.txt")]
    ['茶\n']
    >>> *_, fault = decode_blocks(io.BytesIO(b"caf\xe9"), "a.txt")
    >>> fault.failure().message
    'Invalid a.txt: byte 3 (0xe9) is not UTF-8; save the file as UTF-8'
    """
    head = file.read(BLOCK)
    mark, encoding = _marked(head)
    decoder = codecs.getincrementaldecoder(encoding)()
    # "\r\n" may stand on both sides of the end of a block.
    plain = io.IncrementalNewlineDecoder(None, translate=True)
    at, raw = len(mark), head[len(mark) :]
    while True:
        begin = at - len(decoder.getstate()[0])
        at += len(raw)
        try:
            text = decoder.decode(raw, final=not raw)
        except UnicodeDecodeError as error:
            yield _not_text(error, name, encoding, start=begin)
            return
        if block := plain.decode(text, final=not raw):
            yield Success(block)
        if not raw:
            return
        raw = file.read(BLOCK)


def decode_lines(file: BinaryIO, name: str) -> Iterator[Line]:
    r"""Yield the lines of a file; of a UTF-8 file, a line that cannot be read stops no other.

    >>> lines = decode_lines(io.BytesIO(b"a\n\xff\nb"), "x")
    >>> [(number, type(line).__name__) for number, line in lines]
    [(1, 'Success'), (2, 'Failure'), (3, 'Success')]
    """
    begin = file.tell()
    mark, encoding = _marked(file.read(len(codecs.BOM_UTF32_LE)))
    if encoding == "utf-8":
        _ = file.seek(begin + len(mark))
        yield from _utf8_lines(file, name, start=len(mark))
        return
    _ = file.seek(begin)
    number, rest = 1, ""
    for block in decode_blocks(file, name):
        if isinstance(block, Failure):
            yield number, block
            return
        *lines, rest = (rest + block.unwrap()).split("\n")
        yield from ((place, Success(line)) for place, line in enumerate(lines, start=number))
        number += len(lines)
    yield number, Success(rest)


def _utf8_lines(file: BinaryIO, name: str, *, start: int) -> Iterator[Line]:
    number = 0
    # Not the lines of Python: a separator such as U+2028 may stand inside a JSON string.
    while line := file.readline(LONGEST_LINE):
        number += 1
        length, place = len(line), f"{name}:{number}"
        if length == LONGEST_LINE and not line.endswith(b"\n"):
            while (more := file.readline(BLOCK)) and not more.endswith(b"\n"):
                length += len(more)
            reason = f"it is longer than {LONGEST_LINE} bytes; split it"
            yield number, Failure(InvalidParameter(place, reason))
            start += length + len(more)
            continue
        yield number, _decoded(line.removesuffix(b"\n"), place, start=start)
        start += length


def _marked(raw: bytes) -> tuple[bytes, str]:
    return next((one for one in _MARKS if raw.startswith(one[0])), (b"", "utf-8"))


def _decoded(raw: bytes, name: str, *, start: int) -> Result[str, InvalidParameter]:
    """Return the text; a fault names the byte by its place in the whole file."""
    try:
        return Success(raw.decode())
    except UnicodeDecodeError as error:
        return _not_text(error, name, "utf-8", start=start)


def _not_text(
    error: UnicodeDecodeError, name: str, encoding: str, *, start: int
) -> Failure[InvalidParameter]:
    what, byte = encoding.upper(), error.object[error.start]
    reason = f"byte {start + error.start} (0x{byte:02x}) is not {what}; save the file as UTF-8"
    return Failure(InvalidParameter(name, reason))
