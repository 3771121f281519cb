"""A host's clock, id source, dictionaries and codes, made safe: what they do wrong has a name.

They are called deep inside, where no Result leads out; so they raise `MemoryFault`, which the
operations turn into the failure it carries.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pce_memory.adapters.raised import RAISED
from pce_memory.deps import Clock, Ids
from pce_memory.deps.guarding import guarded_clock, guarded_ids
from pce_memory.domain.dictionary import Dictionary
from pce_memory.errors import InvalidParameter, MemoryFault, shown
from pce_memory.text.codes import Normalizer


def safe_clock(clock: Callable[[], object]) -> Clock:
    """Return the clock, rounded to what a timestamp keeps."""
    return guarded_clock(clock)


def safe_ids(ids: Callable[[str], object]) -> Ids:
    """Return the id source; an id is its prefix and 1 to 64 of A-Z a-z 0-9 _ -."""
    return guarded_ids(ids)


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
