"""Vectors of texts, computed once: those of the claims before the embedder."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import (
    Calibrated,
    CoreDeps,
    EmbeddingProvider,
    QueryEmbedder,
    Vector,
    model_of,
)
from pce_memory.errors import EmbedderMismatch, EmbeddingFailed, StoreError
from pce_memory.result import reader
from pce_memory.store.statements import statements

SQL: Final = statements("vectors")


def vector_text(vector: Vector) -> str:
    """Return a vector as text that DuckDB casts to an array: nine digits keep every float32.

    >>> vector_text([0.5, -1.0])
    '[0.5,-1]'
    """
    return ("[" + ",".join(["%.9g"] * len(vector)) + "]") % tuple(vector)


def text_key(text: str) -> str:
    """Return the key under which earlier versions kept the vector of a text a second time."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=20).hexdigest()


@reader
def same_model(deps: CoreDeps) -> Result[None, EmbedderMismatch]:
    """Return a failure where the embedder and the index of vectors are not of one model.

    A deps record may be put together of any: vectors of two models are never compared.
    """
    given = model_of(deps.embedding)
    if given == deps.vector_index.model:
        return Success(None)
    return Failure(EmbedderMismatch(deps.vector_index.model, given))


@reader
def embed_query(deps: CoreDeps, text: str) -> Result[Vector, EmbeddingFailed | EmbedderMismatch]:
    """Return the vector of a question; most models embed it as any other text."""
    provider = deps.embedding
    embed = provider.embed_query if isinstance(provider, QueryEmbedder) else provider.embed
    return Result.do(vector for _ in same_model()(deps) for vector in embed(text))


def unrelated(provider: EmbeddingProvider) -> float:
    """Return about the cosine of a question and a text that has nothing to do with it."""
    return provider.unrelated if isinstance(provider, Calibrated) else 0.0


@reader
def embed_all(
    deps: CoreDeps, texts: Sequence[str]
) -> Result[Mapping[str, Vector], EmbeddingFailed | EmbedderMismatch | StoreError]:
    """Return the vector of each text; the embedder is asked for those that no claim has."""
    distinct = list(dict.fromkeys(texts))
    return Result.do(
        {**known, **new}
        for _ in same_model()(deps)
        for known in deps.vector_index.of_texts(distinct)
        for missing in Success([text for text in distinct if text not in known])
        for vectors in (deps.embedding.embed_batch(missing) if missing else Success([]))
        for new in Success(dict(zip(missing, vectors, strict=True)))
    )


@reader
def embed_anew(
    deps: CoreDeps, texts: Sequence[str]
) -> Result[Mapping[str, Vector], EmbeddingFailed | EmbedderMismatch]:
    """Return the vector of each text without a look at those that there are."""
    distinct = list(dict.fromkeys(texts))
    return Result.do(
        dict(zip(distinct, vectors, strict=True))
        for _ in same_model()(deps)
        for vectors in deps.embedding.embed_batch(distinct)
    )


@reader
def drop_copies(deps: CoreDeps) -> Result[None, StoreError]:
    """Forget the vectors that earlier versions kept a second time; nobody reads them."""
    return deps.db.execute(SQL["drop_copies"])
