"""The lanes: what a query asks for, and the candidates by words and by meaning behind one mask.

This is the one place that asks the search index.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Found, Sought, Vector, Visibility, Weighing, Wider
from pce_memory.domain.policy import Policy
from pce_memory.errors import EmbedderMismatch, EmbeddingFailed, StoreError
from pce_memory.result import fold, reader
from pce_memory.retriever.wider import wider_than
from pce_memory.store import claims, embeddings, events
from pce_memory.text.asked import Asked, read_query
from pce_memory.text.counting import count_words
from pce_memory.text.identifiers import is_code
from pce_memory.text.periods import periods
from pce_memory.text.phrases import holds_phrase
from pce_memory.text.sanitize import sanitize
from pce_memory.text.tokens import term_hashes

LaneFault: TypeAlias = StoreError | EmbedderMismatch
"""What a lane that compares vectors may return."""

MAX_EMBED_CHARS: Final = 20_000
FEW_WORDS: Final = 2


@dataclass(frozen=True, slots=True)
class Question:
    """A query as it is looked for: its words, its vector if any, and what stands for its words."""

    asked: Asked
    vector: Vector | None
    wider: tuple[Wider, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for: then every visible claim is a candidate."""
        return not (self.asked.text.strip() or self.asked.excluded)


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the lanes found, whether there was a vector to compare, and the form of the query.

    `holds` has for each candidate whether it holds a phrase of the query; None where it quotes
    nothing.
    """

    found: Found
    has_vector: bool
    is_empty_query: bool
    holds: Sequence[bool] | None = None
    is_quotation: bool = False
    unrelated: float = 0.0
    words: int = 0
    is_short: bool = False


@reader
def question(deps: CoreDeps, query: str, policy: Policy) -> Result[Question, LaneFault]:
    """Return what a query asks for; without a vector, and with an event, if the embedder fails."""
    asked = read_query(sanitize(query, max_chars=MAX_EMBED_CHARS), deps.tokenizer)
    if not asked.text.strip():
        return Success(Question(asked, None))
    wider = wider_than(deps, asked, policy)
    return _query_vector(deps, asked.text, policy).map(
        lambda vector: Question(asked, vector, wider)
    )


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

    `sizes` are k_txt, k_vec and the number of claims for a query that asks for nothing: it gets
    those that weigh most.
    """
    k_txt, k_vec, most = sizes
    if asked.is_empty:
        rerank = policy.retrieval.rerank
        weighing = Weighing(rerank.half_life_days, rerank.use_quality)
        return deps.search_index.everything(visible, weighing, most).map(
            lambda found: Candidates(found, has_vector=False, is_empty_query=True)
        )
    return Result.do(
        candidates
        for found in deps.search_index.search(sought_by(deps, asked, k_txt, k_vec), visible)
        for asking in Success(
            _with_vector(found, asked.asked, embeddings.unrelated(deps.embedding))
        )
        for candidates in _quoting(deps, asking, asked.asked)
    )


def sought_by(deps: CoreDeps, asked: Question, k_txt: int, k_vec: int) -> Sought:
    """Return what the search index is asked for."""
    typed, needed = asked.asked, deps.tokenizer.needed_terms
    return Sought(
        terms=term_hashes(typed.terms),
        vector=asked.vector,
        k_txt=k_txt,
        k_vec=k_vec,
        excluded=tuple(term_hashes(needed(one)) for one in typed.excluded),
        phrases=tuple(term_hashes(needed(one)) for one in typed.phrases),
        periods=partial(periods, typed.text, zone=deps.timezone),
        wider=asked.wider,
    )


def _quoting(
    deps: CoreDeps, candidates: Candidates, asked: Asked
) -> Result[Candidates, StoreError]:
    """Return the candidates with who holds a phrase: the index knows only who has its words."""
    if not asked.phrases:
        return Success(candidates)
    columns = candidates.found.columns
    rows: list[int] = columns["row_id"].tolist()
    likely = [row for row, has in zip(rows, columns["quoted"].tolist(), strict=True) if has]

    def judged(texts: Mapping[int, str]) -> Candidates:
        holding = {
            row
            for row, text in texts.items()
            if any(holds_phrase(text, phrase) for phrase in asked.phrases)
        }
        holds = [row in holding for row in rows]
        return replace(candidates, holds=holds, is_quotation=asked.is_quotation)

    return claims.texts(likely)(deps).map(judged)


def _with_vector(found: Found, asked: Asked, unrelated: float) -> Candidates:
    cosine = found.columns["cosine"]
    words = count_words(asked.text)
    # NaN, no vector, is the one number that is not equal to itself.
    return Candidates(
        found,
        has_vector=bool((cosine == cosine).any()),  # noqa: PLR0124
        is_empty_query=False,
        unrelated=unrelated,
        words=words,
        is_short=words <= FEW_WORDS or bool(asked.phrases) or is_code(asked.text),
    )


def _query_vector(deps: CoreDeps, text: str, policy: Policy) -> Result[Vector | None, LaneFault]:
    """Return the query's vector; None, with an event, where the embedder fails."""

    def without(
        error: EmbeddingFailed | EmbedderMismatch,
    ) -> Result[Vector | None, LaneFault]:
        if isinstance(error, EmbedderMismatch):
            return Failure(error)
        if deps.db.read_only:
            return Success(None)
        payload = {"at": "activate", "error": error.code}
        return events.record("search_fallback", payload, policy_version=policy.version)(deps).map(
            lambda _: None
        )

    return fold(embeddings.embed_query(text)(deps), ok=Success, err=without)
