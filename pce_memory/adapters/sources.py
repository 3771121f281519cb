"""A host's clock, id source, dictionaries and codes, made safe: what they do wrong has a name.

They are called deep inside, where no Result leads out; so they raise `MemoryFault`, which the
operations turn into the failure it carries.
"""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pce_memory.adapters.raised import RAISED
from pce_memory.deps import Clock, Ids
from pce_memory.domain.dictionary import Dictionary
from pce_memory.domain.model import LAST_MOMENT
from pce_memory.errors import ClockFailed, InvalidId, InvalidParameter, MemoryFault, shown
from pce_memory.text.codes import Normalizer


def _raised(given: object) -> tuple[type[BaseException], ...]:
    """Return what a source may raise; from one of ours a SystemExit is a signal's: it passes."""
    ours = given is time.time or str(getattr(given, "__module__", "")).startswith("pce_memory.")
    return (Exception,) if ours else RAISED


def safe_clock(clock: Callable[[], object]) -> Clock:
    """Return the clock, rounded to what a timestamp keeps."""
    raised = _raised(clock)

    def checked() -> float:
        # A host's clock may raise anything; its text may say anything, so only its kind is told.
        try:
            given = clock()
        except raised as error:
            raise MemoryFault(ClockFailed(type(error).__name__)) from None
        if isinstance(given, bool) or not isinstance(given, (int, float)):
            raise MemoryFault(ClockFailed(type(given).__name__))
        if not 0 <= given <= LAST_MOMENT:  # neither NaN nor infinity is
            raise MemoryFault(ClockFailed(_shown(given)))
        return round(float(given), 6)

    return checked


def _shown(number: float) -> str:
    try:
        return str(float(number))
    except OverflowError:
        return "a huge number"


def safe_ids(ids: Callable[[str], object]) -> Ids:
    """Return the id source; an id is its prefix and 1 to 64 of A-Z a-z 0-9 _ -."""
    raised = _raised(ids)

    def checked(prefix: str) -> str:
        name = f"id that the id source gave for {prefix}"
        try:
            made = ids(prefix)
        except raised as error:
            raise MemoryFault(InvalidId(name, type(error).__name__)) from None
        if not isinstance(made, str):
            raise MemoryFault(InvalidId(name, type(made).__name__))
        if not re.fullmatch(rf"{prefix}[A-Za-z0-9_-]{{1,64}}", made):
            raise MemoryFault(InvalidId(name, made))
        return made

    return checked


def safe_normalizer(taxonomy: str, given: Callable[[str], object]) -> Normalizer:
    """Return what writes the codes of a taxonomy as they are compared."""

    def checked(code: str) -> str:
        try:
            made = given(code)
        except RAISED as error:
            raise MemoryFault(_unfit(taxonomy, f"raised {type(error).__name__}")) from None
        if not isinstance(made, str) or not made:
            raise MemoryFault(_unfit(taxonomy, f"returned a {type(made).__name__}"))
        return made

    return checked


def _unfit(taxonomy: str, what: str) -> InvalidParameter:
    reason = f"that of {shown(taxonomy)} {what}; it returns a code that is not empty"
    return InvalidParameter("code_normalizers", reason)


@dataclass(frozen=True, slots=True)
class SafeDictionary:
    """A dictionary whose finds are places of the text, whoever wrote it."""

    kind: str
    given: Dictionary

    def find(self, text: str) -> Sequence[tuple[int, int]]:
        """Return where each find begins and has ended."""
        try:
            found = [(int(start), int(end)) for start, end in self.given.find(text)]
        except RAISED as error:
            raise MemoryFault(self._fault(f"raised {type(error).__name__}")) from None
        if any(not 0 <= start <= end <= len(text) for start, end in found):
            raise MemoryFault(self._fault("found a place outside the text"))
        return found

    def _fault(self, what: str) -> InvalidParameter:
        reason = f"that of {self.kind} {what}; its find(text) returns pairs (start, end)"
        return InvalidParameter("dictionaries", reason)
