# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""The regular expressions of policy authors, run by RE2: no text takes them long.

RE2 is loaded with the first pattern. It has no references back and no look-around: nothing that
needs backtracking, so one find takes linear time. Many finds that each look ahead to the end of
the text (`a[^b]*b|a`) would still add up to quadratic time: they share a budget, and what it does
not suffice for counts as found, unseen.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Protocol, cast

from returns.result import Failure, Result, Success

MAX_CHARS: Final = 1_000
MAX_DEPTH: Final = 50
MAX_MEMORY: Final = 8 << 20
"""What RE2 may use for one pattern, in bytes; one that needs more is refused."""

# Measured: RE2 looks at 0.6 GB a second, a find costs 4 µs whatever it looks at, and 64 KiB of
# `a` under `a[^b]*b|a` take 3.4 s unbounded and 0.8 s with these.
UNTIMED: Final = 16 << 20
"""How many characters finds can have looked ahead at before the clock is asked."""
USUAL: Final = 20e-6
"""Seconds that a find may take at no charge."""
SPARE: Final = 0.5
"""Seconds beyond that which the rules of a policy may take for one text."""

_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_REFUSED: Final = {
    "references back and look-around are refused": re.compile(r"\\[1-9]|\(\?(?:=|!|<=|<!|P=|\()"),
    # It would split a character, and what comes after it would have no place in the text.
    r"\C is a byte, not a character": re.compile(r"\\C"),
}
_ESCAPED: Final = re.compile(
    r"\\Q.*?(?:\\E|\Z)|\\[\\\[\]()]|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]", re.DOTALL
)


class Match(Protocol):
    """A find: where it begins and where it ends."""

    def start(self) -> int:
        """Return where it begins."""
        ...

    def end(self) -> int:
        """Return where it ends."""
        ...


@dataclass(frozen=True, slots=True)
class _Unsearched:
    """The rest of a text that was given up."""

    _start: int
    _end: int

    def start(self) -> int:
        return self._start

    def end(self) -> int:
        return self._end


@dataclass(slots=True)
class Budget:
    """What the finds of one text may take together, beyond what so many finds always take."""

    seconds: float = SPARE
    """Left of it: CPU time of this thread."""

    def pay(self, seconds: float) -> bool:
        """Return whether it suffices for a find of so many seconds; a quick one gives back."""
        self.seconds = min(SPARE, self.seconds + USUAL - seconds)
        return self.seconds > 0


class _Compiled(Protocol):
    """A pattern as RE2 has it: a text that is no UTF-8 raises."""

    def finditer(self, text: str) -> Iterator[Match]: ...


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern."""

    _compiled: _Compiled

    def finditer(self, text: str, budget: Budget | None = None) -> Iterator[Match]:
        """Yield the finds of a text, from left to right; the last may be all that is left."""
        # UTF-8 has no half of a surrogate pair; one sign for one keeps the places.
        finds = self._compiled.finditer(_SURROGATE.sub("\ufffd", text))
        budget = Budget() if budget is None else budget
        ahead = end = 0
        while True:
            # As long as it cannot have taken long, the clock has no say: most texts never ask it.
            begun = time.thread_time() if ahead > UNTIMED else None
            found = next(finds, None)
            if found is None:
                return
            yield found
            end = found.end()
            ahead += len(text) - end
            if begun is not None and not budget.pay(time.thread_time() - begun):
                yield _Unsearched(end, len(text))
                return


class PatternFault(NamedTuple):
    """What is wrong with a pattern, and at which column of it, from 1."""

    column: int
    message: str


@lru_cache(maxsize=1024)
def compile_pattern(find: str) -> Result[Pattern, PatternFault]:
    r"""Return a pattern that runs in linear time.

    >>> compile_pattern(r"(a)\1").failure()
    PatternFault(column=4, message='references back and look-around are refused')
    """
    if len(find) > MAX_CHARS:
        return Failure(PatternFault(1, f"a pattern has at most {MAX_CHARS} characters"))
    return Result.do(
        pattern
        for _ in _shaped(find)
        for pattern in _compiled(find)
        for _ in _finds_something(pattern)
    )


def _shaped(find: str) -> Result[None, PatternFault]:
    if half := _SURROGATE.search(find):
        return Failure(PatternFault(half.start() + 1, "half of a surrogate pair is no character"))
    # Sets and escapes are blanked out: what stands in them is no group and no reference.
    bare = _ESCAPED.sub(lambda found: "." * len(found.group()), find)
    for message, refused in _REFUSED.items():
        if found := refused.search(bare):
            return Failure(PatternFault(found.start() + 1, message))
    depth = 0
    for column, sign in enumerate(bare, start=1):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return Failure(PatternFault(column, "this ) closes nothing"))
        if depth > MAX_DEPTH:
            return Failure(PatternFault(column, f"groups go at most {MAX_DEPTH} deep"))
    return Success(None)


def _compiled(find: str) -> Result[Pattern, PatternFault]:
    import re2  # noqa: PLC0415 - only where a policy has patterns of its own

    options = re2.Options()
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    try:
        return Success(Pattern(cast("_Compiled", re2.compile(find, options))))
    except re2.error as error:
        return Failure(_fault(find, error))


def _fault(find: str, error: Exception) -> PatternFault:
    """Return RE2's message, and the column of the piece that it quotes after a colon."""
    told = error.args[0] if error.args else ""
    text = told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)
    what, _, piece = text.partition(": ")
    return PatternFault(max(find.find(piece), 0) + 1, f"no regular expression: {what}")


def _finds_something(pattern: Pattern) -> Result[None, PatternFault]:
    # A word is a text of its own here: `\b` finds nothing in an empty one.
    finds = (one for text in ("", "a") for one in pattern.finditer(text))
    if all(one.end() > one.start() for one in finds):
        return Success(None)
    return Failure(PatternFault(1, "it matches the empty text, so it would match everywhere"))
