"""The regular expressions of policy authors: only those that cannot take exponential time.

Python's engine backtracks without a limit, so what may repeat in two ways is refused before it
is compiled: a repeated group with a choice inside, references back, endless chains of repetition.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from returns.result import Failure, Result, Success

MAX_CHARS: Final = 1_000
MAX_DEPTH: Final = 20
MAX_REPEAT: Final = 1_000
MAX_UNBOUNDED: Final = 4
MAX_WAYS: Final = 100_000

_PIECE: Final = re.compile(
    r"""(?P<refused>\\[1-9]|\(\?P=|\(\?\(|\(\?[ims-]*[aLux])
    |(?P<escape>\\(?:N\{[^}]*\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.))
    |(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])
    |(?P<comment>\(\?\#[^)]*\))
    |(?P<flags>\(\?[ims]+\))
    |(?P<open>\((?:\?(?:[:=!>]|<[=!]|P<\w+>|[ims-]+:))?)
    |(?P<close>\))
    |(?P<or>\|)
    |(?P<repeat>(?:[*+?]|\{(?:[0-9]+,?[0-9]*|,[0-9]*)\})[?+]?)
    |(?P<plain>.)""",
    re.VERBOSE | re.DOTALL,
)
# Python warns that these may mean something else in a set one day.
_UNCLEAR_SET: Final = re.compile(r"\[|--|&&|~~|\|\|")
_ESCAPE: Final = re.compile(r"\\.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PatternFault:
    """What is wrong with a pattern, and at which column of it, from 1."""

    column: int
    message: str


@lru_cache(maxsize=1024)
def compile_pattern(find: str) -> Result[re.Pattern[str], PatternFault]:
    r"""Return a pattern that is safe to run.

    >>> compile_pattern(r"(\d+)+").failure()
    PatternFault(column=6, message='what repeats here can itself match in several ways')
    """
    if len(find) > MAX_CHARS:
        return Failure(PatternFault(1, f"a pattern has at most {MAX_CHARS} characters"))
    if fault := _Scan().fault(find):
        return Failure(fault)
    try:
        pattern = re.compile(find)
    except re.error as error:
        return Failure(PatternFault((error.pos or 0) + 1, f"no regular expression: {error.msg}"))
    if pattern.fullmatch(""):
        return Failure(PatternFault(1, "it matches the empty text, so it would match everywhere"))
    return Success(pattern)


@dataclass(slots=True)
class _Group:
    """The ways in which what stands in a group so far can match, and those of its last piece."""

    ways: int = 1
    last: int = 1
    branches: int = 0

    def add(self, ways: int) -> None:
        self.ways = min(self.ways * self.last, MAX_WAYS + 1)
        self.last = ways

    def branch(self) -> None:
        self.branches = min(self.branches + self.total(), MAX_WAYS + 1)
        self.ways = self.last = 1

    def total(self) -> int:
        return min(self.ways * self.last, MAX_WAYS + 1)

    def closed(self) -> int:
        return min(self.branches + self.total(), MAX_WAYS + 1)


class _Scan:
    """One pass over the pieces of a pattern, which counts in how many ways each can match."""

    def __init__(self) -> None:
        self._groups = [_Group()]
        self._unbounded = 0

    def fault(self, find: str) -> PatternFault | None:
        """Return the first piece that is refused, if one is."""
        for piece in _PIECE.finditer(find):
            if message := self._piece(str(piece.lastgroup), piece.group()):
                return PatternFault(piece.start() + 1, message)
        return None

    def _piece(self, kind: str, text: str) -> str | None:
        match kind:
            case "refused":
                return "references back, conditions and flags besides i, m and s are refused"
            case "open" if len(self._groups) > MAX_DEPTH:
                return f"groups go at most {MAX_DEPTH} deep"
            case "open":
                self._groups.append(_Group())
            case "close" if len(self._groups) > 1:
                self._groups[-2].add(self._groups.pop().closed())
            case "or":
                self._groups[-1].branch()
            case "repeat":
                return self._repeat(text)
            case "set" if _UNCLEAR_SET.search(_ESCAPE.sub("", text[1:-1])):
                return "write \\[ \\- \\& \\~ \\| for these signs inside [ ]"
            case "plain" if text == "[":
                return "this [ is not closed"
            case "escape" | "set" | "plain":
                self._groups[-1].add(1)
            case _:
                pass
        return None

    def _repeat(self, text: str) -> str | None:
        fewest, most = _bounds(text)
        group = self._groups[-1]
        if most is None:
            self._unbounded += 1
        if self._unbounded > MAX_UNBOUNDED:
            return f"a pattern has at most {MAX_UNBOUNDED} repetitions without an upper bound"
        if most is not None and most > MAX_REPEAT:
            return f"a repetition goes up to {MAX_REPEAT} at most"
        if group.last > 1 and most != 1 and group.last ** min(most or 64, 64) > MAX_WAYS:
            return "what repeats here can itself match in several ways"
        each = group.last ** min(most or 1, 64)
        ways = MAX_WAYS + 1 if most is None else each * max(most - fewest + 1, 1)
        group.last = min(ways, MAX_WAYS + 1)
        return None


def _bounds(text: str) -> tuple[int, int | None]:
    """Return the fewest and the most repetitions; None where there is no upper bound.

    >>> _bounds("+?"), _bounds("{2,3}"), _bounds("{4}")
    ((1, None), (2, 3), (4, 4))
    """
    match text[0]:
        case "*":
            return 0, None
        case "+":
            return 1, None
        case "?":
            return 0, 1
        case _:
            low, comma, high = text.rstrip("?+")[1:-1].partition(",")
            fewest = int(low or 0)
            return (fewest, int(high) if high else None) if comma else (fewest, fewest)
