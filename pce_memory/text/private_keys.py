"""Find private keys in PEM: by their first line, with or without a last one."""

import re
from collections.abc import Iterator
from typing import Final

from pce_memory.text.fold import Span

_PEM_BEGIN: Final = re.compile(r"-{3,5}\ ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\ ?-{3,5}")
_PEM_END: Final = re.compile(r"-{3,5}\ ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\ ?-{3,5}")
# Without an end: whatever looks like base64, also with \n spelled out, and the last short line.
_PEM_BODY: Final = re.compile(
    r"(?:(?:\s|\\r|\\n|[>\"'+]){0,12}[A-Za-z0-9+/]{20,}+)*+(?:\s{0,8}[A-Za-z0-9+/]{1,76}={1,2})?",
)


def private_keys(text: str) -> Iterator[Span]:
    r"""Find private keys in PEM, from the first line to the last; also when the last is missing.

    >>> block = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----"
    >>> list(private_keys(f"key: {block} kept")) == [(5, 5 + len(block))]
    True
    """
    if "PRIVATE KEY" not in text:
        return
    begins = list(_PEM_BEGIN.finditer(text))
    ends = _PEM_END.finditer(text)
    end = next(ends, None)
    for i, begin in enumerate(begins):
        while end and end.start() < begin.end():
            end = next(ends, None)
        limit = begins[i + 1].start() if i + 1 < len(begins) else len(text)
        if end and end.end() <= limit:
            yield begin.start(), end.end()
        elif body := _PEM_BODY.match(text, begin.end(), limit):
            yield begin.start(), body.end()
