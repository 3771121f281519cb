"""Cut a text into the pieces that each say one thing: sentences, list items, rows, code."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pce_memory.domain.dictionary import DICTIONARY_KINDS
from pce_memory.extractor.blocks import BOX, Block, blocks
from pce_memory.extractor.sentences import CJK, cut, sentences
from pce_memory.text.fold import Span, is_invisible
from pce_memory.text.redact import REDACTION_KINDS

_SHORT: Final = 4
_SHORT_CJK: Final = 2
_LONGEST_FENCE: Final = 100

_CJK: Final = re.compile(f"[{CJK}\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")
_PLACEHOLDER: Final = re.compile(
    rf"\[(?:{'|'.join(sorted(REDACTION_KINDS | DICTIONARY_KINDS))})\]"
)
_FENCE: Final = re.compile(r"[\s>]*(?P<mark>`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a text and the line it starts on; a fragment is too short to say something."""

    text: str
    line: int
    fragment: bool = False
    checkbox: bool = False


def split(text: str, *, max_chars: int = 5000) -> list[Segment]:
    r"""Return the pieces of `text` in order; none is blank or longer than `max_chars`.

    Only the first sentence of an item carries its open checkbox; a done item begins with "[x]".

    >>> [one.text for one in split("# Plan\n- 設計を直す。担当は佐藤。\n- Use v1.2. It is fast!")]
    ['Plan', '設計を直す。', '担当は佐藤。', 'Use v1.2.', 'It is fast!']
    >>> split("ok\n- [ ] buy milk")[1]
    Segment(text='buy milk', line=2, fragment=False, checkbox=True)
    """
    return list(segments(text, max_chars=max_chars))


def segments(text: str, *, max_chars: int) -> Iterator[Segment]:
    """Yield what `split` returns, one after the other."""
    limit = max(1, max_chars)
    return (segment for block in blocks(text) for segment in _of_block(block, limit))


def _of_block(block: Block, max_chars: int) -> Iterator[Segment]:
    text = "".join(block.parts)
    if block.kind == "code" and len(text) > max_chars:
        yield from _code_segments(block, text, max_chars)
        return
    first = True
    for start, end in _spans(block, text, max_chars):
        words = text[start:end]
        yield Segment(
            text=words,
            line=_line_of(block, start),
            fragment=block.kind == "matter" or is_fragment(words),
            checkbox=block.checkbox and first,
        )
        first = False


def _spans(block: Block, text: str, max_chars: int) -> Iterator[Span]:
    whole = block.kind in {"code", "row", "matter"}
    for start, end in [(0, len(text))] if whole else sentences(text):
        for head, tail in cut(text[start:end], max_chars):
            yield start + head, start + tail


def _code_segments(block: Block, text: str, max_chars: int) -> Iterator[Segment]:
    """Yield a long block of code in parts, each in a fence of its own where there is room."""
    opening, _, rest = text.partition("\n")
    body = rest.rpartition("\n")[0]
    fence = _FENCE.match(opening)
    mark = fence["mark"] if fence else ""
    around = len(opening) + len(mark) + 2
    if around > min(_LONGEST_FENCE, max_chars // 2):
        opening, mark, around, body, offset = "", "", 0, text, 0
    else:
        offset = len(opening) + 1
    for start, end in cut(body, max_chars - around):
        words = body[start:end]
        fenced = f"{opening}\n{words}\n{mark}" if mark else words
        yield Segment(fenced, _line_of(block, offset + start), fragment=is_fragment(words))


def _line_of(block: Block, place: int) -> int:
    return block.lines[bisect_right(block.starts, place) - 1]


def is_fragment(text: str) -> bool:
    """Tell whether a piece is too short to say something, or has no letter and no digit.

    >>> [is_fragment(text) for text in ("ok!", "はい", "は", "----", "[secret]")]
    [True, False, True, True, True]
    """
    box = BOX.match(text)
    visible = _PLACEHOLDER.sub("", text[box.end() :] if box else text)
    if not any(map(str.isalnum, visible)):
        return True
    enough = _SHORT_CJK if _CJK.search(visible) else _SHORT
    drawn = (char for char in visible if not (char.isspace() or is_invisible(char)))
    return len(list(islice(drawn, enough))) < enough
