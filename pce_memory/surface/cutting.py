"""Cut a text that is too long for one observation; the parts joined are the text again.

The text comes in blocks, and no more of it is held than a few parts need.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final

from pce_memory.text.detect import SECRET_KINDS, Match, detect

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
_FENCE: Final = re.compile(r"^[ \t>]{0,8}(?P<mark>```|~~~)[^\n]*$", re.MULTILINE)

_WINDOW: Final = 4
"""So many of the longest parts are looked at together."""
_LEAST_WINDOW: Final = 1 << 16
_MOST_HELD: Final = 1 << 21
"""What is found and goes on for longer than so many characters is cut all the same."""
_AROUND: Final = 1 << 13
"""So many characters on both sides of a cut are looked through for what it would cut apart."""
_TRIES: Final = 8
"""So many places of a kind are looked around before the whole window is looked through."""
_FAR: Final = SECRET_KINDS & {"private_key"}
"""What may go on for longer than that."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text, and the line of the text it begins on, from 1."""

    text: str
    line: int


def cut(text: str, *, max_bytes: int, max_claims: int) -> tuple[Part, ...]:
    r"""Return the parts of a text, each within both limits: see `cut_blocks`.

    >>> [part.text for part in cut("# A\none\n\ntwo\n# B\nthree", max_bytes=16, max_claims=9)]
    ['# A\none\n\ntwo\n', '# B\nthree']
    """
    return tuple(cut_blocks([text], max_bytes=max_bytes, max_claims=max_claims))


def cut_blocks(blocks: Iterable[str], *, max_bytes: int, max_claims: int) -> Iterator[Part]:
    """Yield the parts of a text that comes in blocks, each within both limits.

    A cut never goes through something that is going to be redacted: half a key is no longer
    known as one.
    """
    usual = max(_WINDOW * max_bytes, _LEAST_WINDOW)
    source, text, window, line, over = iter(blocks), "", usual, 1, False
    while not over or text:
        text, over = _filled(source, text, window, over=over)
        knife = _Knife(text, max_bytes, max_claims, over=over, forced=window >= _MOST_HELD)
        done = 0
        for end in knife.ends():
            piece, done = text[done:end], end
            if piece.strip():
                yield Part(piece, line)
            line += piece.count("\n")
        text = text[done:]
        # What is found and is longer than the window asks for more of the text.
        window = usual if done else 2 * window


def _filled(source: Iterator[str], text: str, window: int, *, over: bool) -> tuple[str, bool]:
    """Return the text with what comes next, as much as fills the window, and whether it is all."""
    blocks, length = [text], len(text)
    while not over and length < window:
        block = next(source, None)
        over = block is None
        blocks.append(block or "")
        length += len(blocks[-1])
    return "".join(blocks), over


@dataclass(frozen=True)
class _Knife:
    """A piece of a text and its limits, and where it may be cut.

    `over`: nothing comes behind it. `forced`: it is cut even if more had to be known for that.
    """

    text: str
    max_bytes: int
    max_claims: int
    over: bool
    forced: bool

    @cached_property
    def _places(self) -> Sequence[Sequence[int]]:
        return [[found.end() for found in kind.finditer(self.text)] for kind in _PLACES]

    @cached_property
    def _claim_ends(self) -> Sequence[int]:
        return [found.end() for found in _ENDS.finditer(self.text)]

    @cached_property
    def _found(self) -> Sequence[Match]:
        return detect(self.text)

    @cached_property
    def _found_far(self) -> Sequence[Match]:
        return detect(self.text, _FAR)

    @cached_property
    def _fences(self) -> Sequence[tuple[int, int]]:
        """Where code stands between fences; one that is not closed is none."""
        spans: list[tuple[int, int]] = []
        opened: re.Match[str] | None = None
        for fence in _FENCE.finditer(self.text):
            if opened is None:
                opened = fence
            elif fence["mark"] == opened["mark"]:
                spans.append((opened.start(), fence.end()))
                opened = None
        return spans

    def ends(self) -> Iterator[int]:
        """Yield where each part ends, as far as what stands behind it is known."""
        known = len(self.text) if self.over or self.forced else len(self.text) - _AROUND
        start = 0
        while start < len(self.text):
            start = self._end(start)
            if start > known:
                return
            yield start

    def _end(self, start: int) -> int:
        """Return the best place to cut in reach, else the last one that cuts nothing apart."""
        reach = self._reach(start)
        if reach == len(self.text):
            return reach
        for place in self._tried(start, reach):
            if self._cuts_nothing(place):
                return place
        for places in self._places:
            for place in _within(places, start, reach):
                if self._whole(place) == place:
                    return place
        before = self._whole(reach)
        return before if before > start else self._past(reach)

    def _reach(self, start: int) -> int:
        """Return how far a part from `start` may go: at least one character."""
        ahead = self.text[start : start + self.max_bytes].encode()
        size = len(ahead[: self.max_bytes].decode("utf-8", "ignore"))
        ends = self._claim_ends
        last = bisect_right(ends, start) + self.max_claims - 1
        by_claims = ends[last] if last < len(ends) else len(self.text)
        return max(start + 1, min(start + size, by_claims, len(self.text)))

    def _tried(self, start: int, reach: int) -> Iterator[int]:
        """Yield the places in reach to look around, the best first: none is between fences."""
        for places in self._places:
            free = (place for place in _within(places, start, reach) if not self._is_within(place))
            yield from islice(free, _TRIES)

    def _is_within(self, place: int) -> bool:
        far = _spans(self._found_far)
        return _inside(self._fences, place) is not None or _inside(far, place) is not None

    def _cuts_nothing(self, place: int) -> bool:
        """Tell whether all that is found around a place is found as well if it is cut there."""
        begin = max(0, place - _AROUND)
        together = detect(self.text[begin : place + _AROUND])
        if not together:
            return True
        before = detect(self.text[begin:place])
        behind = detect(self.text[place : place + _AROUND])
        apart = {(one.start, one.end) for one in before}
        apart |= {(one.start + place - begin, one.end + place - begin) for one in behind}
        return all(
            any(start <= one.start and one.end <= end for start, end in apart) for one in together
        )

    def _whole(self, place: int) -> int:
        """Return the place, moved to the front of what it would cut apart."""
        around = _inside(_spans(self._found), place)
        return around[0] if around else place

    def _past(self, place: int) -> int:
        around = _inside(_spans(self._found), place)
        return around[1] if around else place


def _within(places: Sequence[int], start: int, reach: int) -> Iterator[int]:
    """Return the places behind a start up to a reach, the last first."""
    return reversed(places[bisect_right(places, start) : bisect_right(places, reach)])


def _spans(found: Sequence[Match]) -> Sequence[tuple[int, int]]:
    return [(one.start, one.end) for one in found]


def _inside(spans: Sequence[tuple[int, int]], place: int) -> tuple[int, int] | None:
    """Return the span that a cut at a place would go through."""
    index = bisect_left(spans, (place, 0)) - 1
    return spans[index] if index >= 0 and place < spans[index][1] else None
