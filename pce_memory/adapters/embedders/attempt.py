"""The one place where whatever a model raises becomes an error value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from returns.result import Failure, Result, Success

from pce_memory.adapters.foreign_parts import opened
from pce_memory.adapters.raised import RAISED, kind_of
from pce_memory.errors import EmbeddingFailed, MemoryFault

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_LONGEST_REASON = 200


def told(fault: BaseException) -> str:
    """Return the kind and the first line of an exception raised while no text was at hand."""
    first, *_ = str(fault).strip().splitlines() or [""]
    return f"{type(fault).__name__}: {first[:_LONGEST_REASON]}" if first else kind_of(fault)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a failure is said of: the text that was embedded, and the embedder."""

    text: str
    provider: str

    def failed(self, reason: str) -> EmbeddingFailed:
        """Return the error with this reason."""
        return EmbeddingFailed(self.text, self.provider, reason)


def attempt(
    work: Callable[[], T], who: Subject, *, say: Callable[[BaseException], str] = kind_of
) -> Result[T, EmbeddingFailed]:
    """Run a model's code; whatever it raises is returned as EmbeddingFailed."""
    try:
        return Success(work())
    except MemoryFault as fault:
        error = fault.error
        return Failure(error if isinstance(error, EmbeddingFailed) else who.failed(error.message))
    except RAISED as fault:
        return Failure(who.failed(say(fault)))


def ask(work: Callable[[], object], who: Subject) -> Result[object, EmbeddingFailed]:
    """Run other people's code that gives a Result, or plainly what it found."""

    def told_as(error: object) -> EmbeddingFailed:
        if isinstance(error, EmbeddingFailed):
            return error
        return who.failed("it gave a Failure")

    return Result.do(found for given in attempt(work, who) for found in opened(given).alt(told_as))
