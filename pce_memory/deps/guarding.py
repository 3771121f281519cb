"""Ports of the host's that raise or lie: what they do wrong becomes an error with a name.

A clock, ids and digests are asked deep inside, where no Result leads out; so these raise
`MemoryFault`, which the operations turn into the failure it carries.
"""

import math
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, TypeVar, cast

from returns.result import Failure, Result, Success

from pce_memory.deps.embedding import EmbeddingProvider, QueryEmbedder
from pce_memory.deps.raised import RAISED, kind_of
from pce_memory.deps.search import Vector
from pce_memory.domain.model import LAST_MOMENT
from pce_memory.errors import (
    ClockFailed,
    EmbeddingFailed,
    InvalidId,
    MemoryFault,
    PortFailed,
)
from pce_memory.result import collect

T = TypeVar("T")
_LONGEST: Final = 512
_NEARLY_ONE: Final = 1e-3


class Guarded:
    """A port that does nothing wrong, or says so by an error of ours: it needs no other guard."""

    __slots__ = ()


class _Sized(Protocol):
    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> object: ...


def is_ours(given: object) -> bool:
    """Return whether a function is of this package."""
    function = cast("partial[object]", given).func if isinstance(given, partial) else given
    module = str(getattr(function, "__module__", ""))
    return function is time.time or module.startswith("pce_memory.")


def raised_by(given: object) -> tuple[type[BaseException], ...]:
    """Return what a source may raise; from one of ours a SystemExit is a signal's: it passes."""
    return (Exception,) if is_ours(given) else RAISED


@dataclass(frozen=True, slots=True)
class GuardedClock(Guarded):
    """A clock, rounded to what a timestamp keeps."""

    given: Callable[[], object]
    raised: tuple[type[BaseException], ...] = RAISED

    def __call__(self) -> float:
        """Return now, or raise what is wrong with it."""
        # A host's clock may raise anything; its text may say anything, so only its kind is told.
        try:
            now = self.given()
        except self.raised as error:
            raise MemoryFault(ClockFailed(type(error).__name__)) from None
        if isinstance(now, bool) or not isinstance(now, (int, float)):
            raise MemoryFault(ClockFailed(type(now).__name__))
        if not 0 <= now <= LAST_MOMENT:  # neither NaN nor infinity is
            raise MemoryFault(ClockFailed(_shown(now)))
        return round(float(now), 6)


def _shown(number: float) -> str:
    try:
        return str(float(number))
    except OverflowError:
        return "a huge number"


@dataclass(frozen=True, slots=True)
class GuardedIds(Guarded):
    """An id source; an id is its prefix and 1 to 64 of A-Z a-z 0-9 _ -."""

    given: Callable[[str], object]
    raised: tuple[type[BaseException], ...] = RAISED

    def __call__(self, prefix: str) -> str:
        """Return an id, or raise what is wrong with it."""
        name = f"id that the id source gave for {prefix}"
        try:
            made = self.given(prefix)
        except self.raised as error:
            raise MemoryFault(InvalidId(name, type(error).__name__)) from None
        if not isinstance(made, str):
            raise MemoryFault(InvalidId(name, type(made).__name__))
        if not re.fullmatch(rf"{prefix}[A-Za-z0-9_-]{{1,64}}", made):
            raise MemoryFault(InvalidId(name, made))
        return made


@dataclass(frozen=True, slots=True)
class GuardedDigest(Guarded):
    """What makes digests; one is a text that is neither empty nor long."""

    given: Callable[[str], object]

    def __call__(self, text: str) -> str:
        """Return a digest, or raise what is wrong with it."""
        try:
            made = self.given(text)
        except RAISED as fault:
            raise MemoryFault(PortFailed("digest", kind_of(fault))) from None
        if not isinstance(made, str):
            raise MemoryFault(PortFailed("digest", f"it gave {type(made).__name__}, no text"))
        if not 0 < len(made) <= _LONGEST:
            raise MemoryFault(PortFailed("digest", f"it gave {len(made)} characters"))
        return made


@dataclass(frozen=True, slots=True)
class GuardedGrown(Guarded):
    """Who is told how many postings were added; what is written does not hang on it."""

    given: Callable[[int], object]

    def __call__(self, postings: int) -> None:
        """Tell it. Postings that it does not have sorted are left to `maintain`."""
        with suppress(*RAISED):
            _ = self.given(postings)


def guarded_clock(given: Callable[[], object]) -> GuardedClock:
    """Return a clock that is checked; one that is already stays as it is."""
    return given if isinstance(given, GuardedClock) else GuardedClock(given, raised_by(given))


def guarded_ids(given: Callable[[str], object]) -> GuardedIds:
    """Return an id source that is checked; one that is already stays as it is."""
    return given if isinstance(given, GuardedIds) else GuardedIds(given, raised_by(given))


class GuardedEmbedder(Guarded):
    """An embedder that was put into a deps record as it is: unit vectors, or EmbeddingFailed."""

    def __init__(self, given: EmbeddingProvider) -> None:
        self._given = given
        if callable(getattr(given, "embed_query", None)):
            self.embed_query = self._embed_query

    @property
    def model_id(self) -> str:
        """The name of the weights."""
        return self._named("model_id")

    @property
    def version(self) -> str:
        """Which of the weights of that name."""
        return self._named("version")

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        value = self._asked("dimension")
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise MemoryFault(self._failed("", "its dimension is no whole number above 0"))
        return value

    @property
    def unrelated(self) -> float:
        """About the cosine of what has nothing to do with each other."""
        value = getattr(self._given, "unrelated", 0.0)
        return float(value) if isinstance(value, (int, float)) and -1 <= value < 1 else 0.0

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text."""
        return self._one(text, lambda: self._given.embed(text))

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts, in order."""
        about = texts[0] if texts else ""

        def each(found: object) -> Result[Sequence[Vector], EmbeddingFailed]:
            rows = cast("_Sized", found)
            if len(rows) != len(texts):
                reason = f"it gave {len(rows)} vectors for {len(texts)} texts"
                return Failure(self._failed(about, reason))
            return collect(self._vector(about, rows[place]) for place in range(len(rows)))

        return self._judged(about, lambda: self._given.embed_batch(list(texts)), each)

    def _embed_query(self, text: str) -> Result[Vector, EmbeddingFailed]:
        asked = cast("QueryEmbedder", self._given)
        return self._one(text, lambda: asked.embed_query(text))

    def _one(self, text: str, work: Callable[[], object]) -> Result[Vector, EmbeddingFailed]:
        return self._judged(text, work, lambda found: self._vector(text, found))

    def _judged(
        self,
        text: str,
        work: Callable[[], object],
        judge: Callable[[object], Result[T, EmbeddingFailed]],
    ) -> Result[T, EmbeddingFailed]:
        try:
            said = work()
            if isinstance(said, Failure):
                error = cast("object", said.failure())
                if isinstance(error, EmbeddingFailed):
                    return Failure(error)
                return Failure(self._failed(text, "it gave a Failure"))
            plain = not isinstance(said, Success)
            return judge(said if plain else cast("Success[object]", said).unwrap())
        except MemoryFault:
            raise
        except RAISED as fault:
            return Failure(self._failed(text, kind_of(fault)))

    def _vector(self, text: str, found: object) -> Result[Vector, EmbeddingFailed]:
        """Return a vector of the right length, made a unit vector where it is none."""
        numbers = [float(cast("float", one)) for one in cast("Sequence[object]", found)]
        if isinstance(found, str) or len(numbers) != self.dimension:
            reason = f"it gave {len(numbers)} numbers instead of {self.dimension}"
            return Failure(self._failed(text, reason))
        length = math.hypot(*numbers)
        if not 0 < length < math.inf:
            return Failure(self._failed(text, "its vector has no finite length above 0"))
        if abs(length - 1) <= _NEARLY_ONE:
            return Success(cast("Vector", found))
        return Success([number / length for number in numbers])

    def _named(self, name: str) -> str:
        value = self._asked(name)
        if not isinstance(value, str) or not 0 < len(value) <= _LONGEST:
            raise MemoryFault(self._failed("", f"its {name} is no text of 1 to {_LONGEST}"))
        return value

    def _asked(self, name: str) -> object:
        try:
            return getattr(self._given, name)
        except RAISED as fault:
            raise MemoryFault(self._failed("", kind_of(fault))) from None

    def _failed(self, text: str, reason: str) -> EmbeddingFailed:
        return EmbeddingFailed(text, type(self._given).__name__, reason)


def guarded_embedder(given: EmbeddingProvider) -> EmbeddingProvider:
    """Return an embedder that is checked; one that is already stays as it is."""
    return given if isinstance(given, Guarded) else GuardedEmbedder(given)
