"""Cut a text that is too long for one observation; the parts joined are the text again."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from pce_memory.text.detect import detect

# Where a text may be cut, the best places first: before a heading, after a blank line, after a
# line, after a sentence. Where none of them is near enough, between two characters.
_PLACES: Final = (
    re.compile(r"\n(?=#{1,6} )"),
    re.compile(r"\n(?:[ \t]*\n)+"),
    re.compile(r"\n"),
    re.compile(r"[。．！？]|[.!?] "),
)
# Whatever can end a claim, so that a part makes no more claims than the policy allows.
_ENDS: Final = re.compile(r"[\n.!?。．！？]")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text, and the line of the text it begins on, from 1."""

    text: str
    line: int


def cut(text: str, *, max_bytes: int, max_claims: int) -> tuple[Part, ...]:
    r"""Return the parts of a text, each within both limits.

    A cut never goes through something that is going to be redacted: half a key is no longer
    known as one.

    >>> [part.text for part in cut("# A\none\n\ntwo\n# B\nthree", max_bytes=16, max_claims=9)]
    ['# A\none\n\ntwo\n', '# B\nthree']
    """
    small = len(text.encode()) <= max_bytes
    if small and len(_ENDS.findall(text)) < max_claims:
        return (Part(text, 1),)
    knife = _Knife(text, max_bytes, max_claims)
    parts: list[Part] = []
    line = 1
    for start, end in pairwise([0, *knife.ends()]):
        piece = text[start:end]
        if piece.strip():
            parts.append(Part(piece, line))
        line += piece.count("\n")
    return tuple(parts)


@dataclass(frozen=True)
class _Knife:
    """A text and its limits, and where it may be cut."""

    text: str
    max_bytes: int
    max_claims: int

    @cached_property
    def _places(self) -> Sequence[Sequence[int]]:
        return [[found.end() for found in kind.finditer(self.text)] for kind in _PLACES]

    @cached_property
    def _claim_ends(self) -> Sequence[int]:
        return [found.end() for found in _ENDS.finditer(self.text)]

    @cached_property
    def _kept_whole(self) -> Sequence[tuple[int, int]]:
        return [(found.start, found.end) for found in detect(self.text)]

    def ends(self) -> Iterator[int]:
        """Yield where each part ends."""
        start = 0
        while start < len(self.text):
            start = self._end(start)
            yield start

    def _end(self, start: int) -> int:
        """Return the best place to cut in reach, else the last one that cuts nothing apart."""
        reach = self._reach(start)
        if reach == len(self.text):
            return reach
        for places in self._places:
            for place in reversed(
                places[bisect_right(places, start) : bisect_right(places, reach)]
            ):
                if self._whole(place) == place:
                    return place
        before = self._whole(reach)
        return before if before > start else self._past(reach)

    def _reach(self, start: int) -> int:
        """Return how far a part from `start` may go: at least one character."""
        ahead = self.text[start : start + self.max_bytes].encode()[: self.max_bytes]
        size = len(ahead.decode("utf-8", "ignore"))
        ends = self._claim_ends
        last = bisect_right(ends, start) + self.max_claims - 1
        by_claims = ends[last] if last < len(ends) else len(self.text)
        return max(start + 1, min(start + size, by_claims, len(self.text)))

    def _whole(self, place: int) -> int:
        """Return the place, moved to the front of what it would cut apart."""
        spans = self._kept_whole
        index = bisect_left(spans, (place, 0)) - 1
        return spans[index][0] if index >= 0 and place < spans[index][1] else place

    def _past(self, place: int) -> int:
        spans = self._kept_whole
        index = bisect_left(spans, (place, 0)) - 1
        return spans[index][1] if index >= 0 else place
