"""Vectors of texts, computed once: the embedding cache of the file before the embedder."""

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import Calibrated, CoreDeps, EmbeddingProvider, QueryEmbedder, Row, Vector
from pce_memory.errors import EmbeddingFailed, StoreError
from pce_memory.result import reader
from pce_memory.store.claims import literals
from pce_memory.store.statements import rows_json, statements

SQL: Final = statements("vectors")


def vector_text(vector: Vector) -> str:
    """Return a vector as text that DuckDB casts to an array: nine digits keep every float32.

    >>> vector_text([0.5, -1.0])
    '[0.5,-1]'
    """
    return ("[" + ",".join(["%.9g"] * len(vector)) + "]") % tuple(vector)


def text_key(text: str) -> str:
    """Return the cache key of the exact text embedded."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=20).hexdigest()


@reader
def embed_query(deps: CoreDeps, text: str) -> Result[Vector, EmbeddingFailed]:
    """Return the vector of a question; most models embed it as any other text."""
    provider = deps.embedding
    return (
        provider.embed_query(text) if isinstance(provider, QueryEmbedder) else provider.embed(text)
    )


def unrelated(provider: EmbeddingProvider) -> float:
    """Return about the cosine of a question and a text that has nothing to do with it."""
    return provider.unrelated if isinstance(provider, Calibrated) else 0.0


@reader
def embed_all(
    deps: CoreDeps, texts: Sequence[str]
) -> Result[Mapping[str, Vector], EmbeddingFailed | StoreError]:
    """Return the vector of each text, from the cache where it is there."""
    keys = {text: text_key(text) for text in dict.fromkeys(texts)}
    return Result.do(
        {**known, **new}
        for known in _cached(deps, keys)
        for missing in Success([text for text in keys if text not in known])
        for vectors in (deps.embedding.embed_batch(missing) if missing else Success([]))
        for new in Success(dict(zip(missing, vectors, strict=True)))
    )


@reader
def embed_anew(
    deps: CoreDeps, texts: Sequence[str]
) -> Result[Mapping[str, Vector], EmbeddingFailed]:
    """Return the vector of each text without a look into the cache."""
    distinct = list(dict.fromkeys(texts))
    return deps.embedding.embed_batch(distinct).map(
        lambda vectors: dict(zip(distinct, vectors, strict=True))
    )


@reader
def remember(deps: CoreDeps, vectors: Mapping[str, Vector]) -> Result[None, StoreError]:
    """Keep vectors in the cache of the file."""
    if not vectors:
        return Success(None)
    rows = [
        {"text_key": text_key(text), "embedding": vector_text(vector)}
        for text, vector in vectors.items()
    ]
    params = {**_model(deps), "rows": rows_json(rows), "now": deps.clock()}
    return deps.db.execute(SQL["cache"], params)


def _cached(deps: CoreDeps, keys: Mapping[str, str]) -> Result[Mapping[str, Vector], StoreError]:
    if not keys:
        return Success({})
    texts = {key: text for text, key in keys.items()}
    sql = SQL["cached"].replace("{hashes}", literals(tuple(texts)))

    def read(rows: Sequence[Row]) -> Mapping[str, Vector]:
        return {texts[row["text_key"]]: json.loads(row["embedding"]) for row in rows}

    return deps.db.query(sql, _model(deps)).map(read)


def _model(deps: CoreDeps) -> dict[str, object]:
    return {"model_id": deps.embedding.model_id, "version": deps.embedding.version}
