"""The lanes: candidates by words and by meaning, both behind the same mask.

This is the one place that asks the lanes. A faster body changes the ports, not what follows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Vector, Visibility
from pce_memory.domain.policy import Policy
from pce_memory.errors import EmbeddingFailed, StoreError
from pce_memory.result import fold, reader
from pce_memory.store import embeddings, events, search
from pce_memory.text.sanitize import sanitize
from pce_memory.text.stop_words import asked_terms

MAX_EMBED_CHARS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Candidates:
    """Row ids with their raw scores. A claim is in a mapping only where it has that score."""

    bm25: Mapping[int, float] = field(default_factory=dict[int, float])
    cosine: Mapping[int, float] = field(default_factory=dict[int, float])
    others: tuple[int, ...] = ()
    has_vector: bool = False
    is_empty_query: bool = False

    @property
    def row_ids(self) -> tuple[int, ...]:
        """Every candidate once, in ascending order."""
        return tuple(sorted({*self.bm25, *self.cosine, *self.others}))


@reader
def candidates(
    deps: CoreDeps, query: str, visible: Visibility, policy: Policy, *, sizes: tuple[int, int]
) -> Result[Candidates, StoreError]:
    """Return the best of both lanes, each candidate with both its scores.

    `sizes` are k_txt and k_vec. A query without words asks no lane: every visible claim is a
    candidate.
    """
    text = sanitize(query, max_chars=MAX_EMBED_CHARS)
    if not text.strip():
        return search.visible_rows(visible)(deps).map(
            lambda rows: Candidates(others=rows, is_empty_query=True)
        )
    return Result.do(
        found
        for vector in _query_vector(deps, text, policy)
        for found in _both(deps, text, vector, visible, sizes)
    )


def _both(
    deps: CoreDeps,
    text: str,
    vector: Vector | None,
    visible: Visibility,
    sizes: tuple[int, int],
) -> Result[Candidates, StoreError]:
    k_txt, k_vec = sizes
    nearest: Result[Mapping[int, float], StoreError] = (
        Success({}) if vector is None else deps.vector_index.nearest(vector, visible, limit=k_vec)
    )
    return Result.do(
        Candidates(bm25=bm25, cosine={**near, **far}, has_vector=bool(near))
        for near in nearest
        for bm25 in search.lexical_hits(asked_terms(text), visible, limit=k_txt, also=tuple(near))(
            deps
        )
        for far in _rest(deps, vector, [row for row in bm25 if row not in near])
    )


def _rest(
    deps: CoreDeps, vector: Vector | None, row_ids: list[int]
) -> Result[Mapping[int, float], StoreError]:
    """Complete the cosines of candidates that only the words found."""
    if vector is None:
        return Success({})
    return deps.vector_index.cosines(vector, row_ids)


def _query_vector(deps: CoreDeps, text: str, policy: Policy) -> Result[Vector | None, StoreError]:
    """Return the query's vector; None, with an event, where the embedder fails."""

    def without(error: EmbeddingFailed) -> Result[Vector | None, StoreError]:
        if deps.db.read_only:
            return Success(None)
        payload = {"at": "activate", "error": error.code}
        return events.record("search_fallback", payload, policy_version=policy.version)(deps).map(
            lambda _: None
        )

    return fold(embeddings.embed_query(text)(deps), ok=Success, err=without)
