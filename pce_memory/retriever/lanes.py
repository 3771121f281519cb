"""The lanes: what a query asks for, and the candidates by words and by meaning behind one mask.

This is the one place that asks the search index.
"""

from dataclasses import dataclass
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Found, Sought, Vector, Visibility, Weighing
from pce_memory.domain.policy import Policy
from pce_memory.errors import EmbeddingFailed, StoreError
from pce_memory.result import fold, reader
from pce_memory.store import events
from pce_memory.text.sanitize import sanitize
from pce_memory.text.stop_words import asked_terms
from pce_memory.text.tokens import term_hash

MAX_EMBED_CHARS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Question:
    """A query as it is looked for: its words, and its vector where there is one."""

    text: str
    terms: tuple[str, ...]
    vector: Vector | None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for: then every visible claim is a candidate."""
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the lanes found, and whether there was a vector to compare."""

    found: Found
    has_vector: bool
    is_empty_query: bool


@reader
def question(deps: CoreDeps, query: str, policy: Policy) -> Result[Question, StoreError]:
    """Return what a query asks for; without a vector, and with an event, if the embedder fails."""
    text = sanitize(query, max_chars=MAX_EMBED_CHARS)
    if not text.strip():
        return Success(Question("", (), None))
    terms = tuple(asked_terms(text))
    return _query_vector(deps, text, policy).map(lambda vector: Question(text, terms, vector))


@reader
def candidates(
    deps: CoreDeps,
    asked: Question,
    visible: Visibility,
    policy: Policy,
    *,
    sizes: tuple[int, int, int],
) -> Result[Candidates, StoreError]:
    """Return the best of both lanes, each candidate with everything it matches by.

    `sizes` are k_txt, k_vec and the number of items wanted. A query that asks for nothing gets
    the claims that weigh most.
    """
    k_txt, k_vec, wanted = sizes
    if asked.is_empty:
        rerank = policy.retrieval.rerank
        weighing = Weighing(rerank.half_life_days, rerank.use_quality)
        return deps.search_index.everything(visible, weighing, wanted).map(
            lambda found: Candidates(found, has_vector=False, is_empty_query=True)
        )
    sought = Sought(
        terms=tuple(sorted({term_hash(term) for term in asked.terms})),
        vector=asked.vector,
        k_txt=k_txt,
        k_vec=k_vec,
    )
    return deps.search_index.search(sought, visible).map(_with_vector)


def _with_vector(found: Found) -> Candidates:
    cosine = found.columns["cosine"]
    # NaN, no vector, is the one number that is not equal to itself.
    return Candidates(found, has_vector=bool((cosine == cosine).any()), is_empty_query=False)  # noqa: PLR0124


def _query_vector(deps: CoreDeps, text: str, policy: Policy) -> Result[Vector | None, StoreError]:
    """Return the query's vector; None, with an event, where the embedder fails."""

    def without(error: EmbeddingFailed) -> Result[Vector | None, StoreError]:
        if deps.db.read_only:
            return Success(None)
        payload = {"at": "activate", "error": error.code}
        return events.record("search_fallback", payload, policy_version=policy.version)(deps).map(
            lambda _: None
        )

    return fold(deps.embedding.embed(text), ok=Success, err=without)
