"""What stands between the engine and any embedder: clean text in, unit vectors out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from operator import index
from typing import TYPE_CHECKING, Final, SupportsIndex, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.embedders.attempt import Subject, ask, attempt
from pce_memory.adapters.embedders.recent import RecentVectors
from pce_memory.adapters.embedders.vectors import MAX_DIMENSION, as_rows, unit_vectors
from pce_memory.adapters.foreign_names import named
from pce_memory.adapters.foreign_parts import an_object
from pce_memory.deps.callables import TEXT, TEXTS, function_of
from pce_memory.deps.guarding import Guarded
from pce_memory.errors import EmbeddingFailed, InvalidParameter
from pce_memory.result import collect
from pce_memory.text.sanitize import sanitize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pce_memory.deps import EmbeddingProvider, QueryEmbedder, Vector

BATCH_SIZE: Final = 64
MAX_CHARS: Final = 20_000
RECENT: Final = 256

_PARTS: Final = ("embed", "embed_batch", "model_id", "version", "dimension")
_CALLS: Final = {"embed": TEXT, "embed_batch": TEXTS, "embed_query": TEXT}
LIMIT: Final = 0.99
"""Above it nothing could be told apart."""


@dataclass(frozen=True, slots=True)
class Description:
    """What an embedder says of itself, read once: later changes would mix vectors."""

    model_id: str
    version: str
    dimension: int
    reads_queries: bool
    """Whether it has `embed_query`."""
    unrelated: float = 0.0
    """The cosine of what has nothing to do with each other; 0 unless it says another."""


class SafeEmbedder(Guarded):
    """Any embedder, made safe: it never raises, and gives unit vectors or EmbeddingFailed.

    Texts are sanitised and cut to `max_chars`; a batch is deduplicated and handed on in parts of
    `batch_size`. The vectors of the last `RECENT` texts given to `embed`, and of as many questions
    given to `embed_query`, are kept: one object has one model, so the text alone is the key. Safe
    to share between threads if the embedder is.
    """

    def __init__(
        self,
        provider: EmbeddingProvider,
        description: Description,
        *,
        batch_size: int = BATCH_SIZE,
        max_chars: int = MAX_CHARS,
    ) -> None:
        self._provider = provider
        self._batch_size = batch_size
        self._max_chars = max_chars
        self._reads_queries = description.reads_queries
        self._recent = RecentVectors(RECENT)
        self._recent_queries = RecentVectors(RECENT)
        self.model_id = description.model_id
        self.version = description.version
        self.dimension = description.dimension
        self.unrelated = description.unrelated

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the unit vector of one text, from the recent ones if it is there."""
        return self._remembered(self._recent, self._clean(text), self._batch)

    def embed_query(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the unit vector of a question: the text's own, if the model makes no difference.

        It is from the recent ones if it is there.
        """
        if not self._reads_queries:
            return self.embed(text)
        return self._remembered(self._recent_queries, self._clean(text), self._query)

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the unit vectors of many texts, in order."""
        clean = [self._clean(text) for text in texts]
        unique = list(dict.fromkeys(clean))
        starts = range(0, len(unique), self._batch_size)
        parts = (unique[start : start + self._batch_size] for start in starts)
        return collect(map(self._batch, parts)).map(partial(_in_order, clean, unique))

    def warmup(self) -> Result[None, EmbeddingFailed]:
        """Have the model loaded now instead of at the first text."""
        return self._batch(["warm"]).map(lambda _: None)

    def _clean(self, text: str) -> str:
        return sanitize(text, max_chars=self._max_chars)

    def _remembered(
        self,
        recent: RecentVectors,
        clean: str,
        make: Callable[[Sequence[str]], Result[Sequence[Vector], EmbeddingFailed]],
    ) -> Result[Vector, EmbeddingFailed]:
        def keep(vectors: Sequence[Vector]) -> Vector:
            recent.put(clean, vectors[0])
            return vectors[0]

        known = recent.get(clean)
        return Success(known) if known is not None else make([clean]).map(keep)

    def _batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of texts that are clean, distinct and at most one part."""
        who = Subject(texts[0], self.model_id)
        # The embedder gets a copy: what it does to its list must not change ours.
        given = ask(lambda: self._provider.embed_batch(list(texts)), who)
        return self._units(given, who, len(texts))

    def _query(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vector of one question, as a batch of one."""
        who = Subject(texts[0], self.model_id)
        asked = cast("QueryEmbedder", self._provider)
        given = ask(lambda: asked.embed_query(texts[0]), who)
        return self._units(given.map(lambda one: [one]), who, 1)

    def _units(
        self, found: Result[object, EmbeddingFailed], who: Subject, count: int
    ) -> Result[Sequence[Vector], EmbeddingFailed]:
        return Result.do(
            vectors
            for given in found
            for rows in attempt(partial(as_rows, given), who, say=_no_vectors)
            for vectors in unit_vectors(rows, count=count, dimension=self.dimension).alt(
                who.failed
            )
        )


def _no_vectors(fault: BaseException) -> str:
    return f"it gave no list of vectors of numbers ({type(fault).__name__})"


def checked(
    provider: EmbeddingProvider, *, batch_size: int = BATCH_SIZE, max_chars: int = MAX_CHARS
) -> Result[SafeEmbedder, InvalidParameter | EmbeddingFailed]:
    """Return any embedder made safe, or what it lacks; asking its dimension may load it."""
    if isinstance(provider, SafeEmbedder):
        return Success(provider)
    name = type(provider).__name__
    return Result.do(
        SafeEmbedder(provider, description, batch_size=batch_size, max_chars=max_chars)
        for _ in an_object(provider, "embedder")
        for parts in collect(_part(provider, name, part) for part in _PARTS)
        for ask_query in attempt(lambda: getattr(provider, "embed_query", None), Subject("", name))
        for reads_queries in _reads_queries(ask_query)
        for unrelated in attempt(lambda: _unrelated(provider), Subject("", name))
        for described in _description(parts, reads_queries=reads_queries)
        for description in Success(replace(described, unrelated=unrelated))
    )


def _reads_queries(method: object) -> Result[bool, InvalidParameter]:
    reads = callable(method)
    checked_call = _called(method, "embed_query") if reads else Success(None)
    return checked_call.map(lambda _: reads)


def _unrelated(provider: object) -> float:
    given = getattr(provider, "unrelated", 0.0)
    is_number = isinstance(given, (int, float)) and -1.0 <= given < LIMIT
    return float(given) if is_number else 0.0


def _part(
    provider: object, name: str, part: str
) -> Result[object, InvalidParameter | EmbeddingFailed]:
    # getattr runs a caller's property, which may raise anything.
    found = attempt(lambda: getattr(provider, part, None), Subject("", name))
    return Result.do(value for given in found for value in _present(given, name, part))


def _called(method: object, part: str) -> Result[None, InvalidParameter]:
    return function_of("embedder", method, _CALLS[part], called=f"its {part}")


def _present(value: object, name: str, part: str) -> Result[object, InvalidParameter]:
    if value is None or (part.startswith("embed") and not callable(value)):
        makes = "pce_memory.adapters.embedders.from_callable makes one of a function"
        needs = f"an embedder has {', '.join(_PARTS)}; {makes}"
        return _invalid(f"{name} has no {part}; {needs}")
    if part not in _CALLS:
        return Success(value)
    return _called(value, part).map(lambda _: value)


def _description(
    parts: Sequence[object], *, reads_queries: bool
) -> Result[Description, InvalidParameter]:
    _, _, model_id, version, dimension = parts
    for name, value in (("model_id", model_id), ("version", version)):
        if isinstance(unfit := named(value, "embedder", name), Failure):
            return unfit
    if not isinstance(dimension, SupportsIndex) or not 1 <= index(dimension) <= MAX_DIMENSION:
        return _invalid(f"its dimension is not a whole number from 1 to {MAX_DIMENSION}")
    return Success(Description(str(model_id), str(version), index(dimension), reads_queries))


def _invalid(reason: str) -> Failure[InvalidParameter]:
    return Failure(InvalidParameter("embedder", reason))


def _in_order(
    texts: Sequence[str], unique: Sequence[str], parts: Sequence[Sequence[Vector]]
) -> Sequence[Vector]:
    known = dict(zip(unique, chain.from_iterable(parts), strict=True))
    return [known[text] for text in texts]
