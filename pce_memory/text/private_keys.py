"""Find private keys in PEM: by their first line, with or without a last one."""

import re
from collections.abc import Iterator
from typing import Final

from pce_memory.text.fold import Span
from pce_memory.text.placeholders import stands_for_a_value

_PEM_BEGIN: Final = re.compile(r"-{3,5}\ ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\ ?-{3,5}")
_PEM_END: Final = re.compile(r"-{3,5}\ ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\ ?-{3,5}")
# Without an end: whatever looks like base64, also with \n spelled out, and the last short line.
_PEM_BODY: Final = re.compile(
    r"(?:\s{1,4}[A-Za-z-]{3,24}: [^\r\n]{1,128}){0,6}"
    r"(?:(?:\s|\\r|\\n|[>\"'+]){0,12}[A-Za-z0-9+/]{20,}+)*+(?:\s{0,8}[A-Za-z0-9+/]{1,76}={1,2})?",
)
_LONGEST_PLACEHOLDER: Final = 80
_BASE64: Final = re.compile("[A-Za-z0-9+/]{20}")
# What PuTTY keeps: how many lines, and those.
_PUTTY: Final = re.compile(
    r"Private-Lines: \d{1,4}\s{1,4}(?P<body>[A-Za-z0-9+/]{16,}"
    r"(?:\s{1,4}[A-Za-z0-9+/]{16,}|\s{1,4}[A-Za-z0-9+/]{1,76}={1,2})*)"
)


def private_keys(text: str) -> Iterator[Span]:
    r"""Find private keys in PEM, from the first line to the last; also when the last is missing.

    >>> block = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----"
    >>> list(private_keys(f"key: {block} kept")) == [(5, 5 + len(block))]
    True
    """
    yield from (key.span("body") for key in _PUTTY.finditer(text))
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
            # A document shows where a key will be.
            if not _stands_for_a_body(text[begin.end() : end.start()]):
                yield begin.start(), end.end()
            continue
        body = _PEM_BODY.match(text, begin.end(), limit)
        if body and _BASE64.search(body.group()):
            yield begin.start(), body.end()


def _stands_for_a_body(body: str) -> bool:
    inner = re.sub(r"\\[nr]", " ", body).strip(" \t\r\n\"'+")
    return not inner or (len(inner) < _LONGEST_PLACEHOLDER and stands_for_a_value(inner))
