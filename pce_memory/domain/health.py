"""How a memory does: what it was made by, what it is used with, and what is in it."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.stamped import Stamped

Count: TypeAlias = Annotated[int, Field(ge=0)]


class Health(Stamped):
    """How a memory does; counts are of all claims and documents, whoever may see them.

    schema_version: the last migration. duckdb_version: of the library in use.
    file_bytes: of the file and its log; 0 in RAM.
    tokenizer, tokenizer_in_use: which indexed the claims, and which reads queries.
    embedder, embedder_in_use: of the vectors in the file, None where it has none; and of queries.
    stemmer: what stems English words.
    claims: how many there are of each status. without_vector: how many wait for `reembed`.
    documents, documents_without_vector: the same of documents.
    postings_sorted, postings_unsorted: terms of claims; `maintain` sorts them.
    index, vectors: whether `reindex`, whether `reembed` is needed, for `reasons`.
    mirror: what is held in memory beside the file: off, not loaded, loading, ready or too large.
    """

    schema_version: Count
    duckdb_version: str
    file_bytes: Count
    tokenizer: str
    tokenizer_in_use: str
    stemmer: str
    embedder: str | None
    embedder_in_use: str
    claims: Mapping[str, Count]
    without_vector: Count
    documents: Count
    documents_without_vector: Count
    postings_sorted: Count
    postings_unsorted: Count
    index: Literal["ok", "reindex needed"]
    vectors: Literal["ok", "reembed needed"]
    reasons: tuple[str, ...]
    mirror: str
