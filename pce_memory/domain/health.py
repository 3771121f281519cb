"""How a memory does: what it was made by, what it is used with, and what is in it."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.model import EpochSeconds, Model
from pce_memory.domain.stamped import Stamped

Count: TypeAlias = Annotated[int, Field(ge=0)]


Mend: TypeAlias = Literal["repair", "lost"]


class Defect(Model):
    """Rows of one table with which one thing is wrong; of texts nothing is told.

    kind: a short name of what is wrong. says: the same as a sentence. count: how many rows.
    rows: their ids, or the keys of those that have none: the first hundred.
    mend: whether `repair` puts it right, or it is lost.
    """

    kind: str
    table: str
    says: str
    count: Annotated[int, Field(ge=1)]
    rows: tuple[str, ...]
    mend: Mend


class Counts(Model):
    """How many rows there are of what hangs together."""

    claims: Count
    observations: Count
    evidence: Count
    entities: Count
    mentions: Count
    relations: Count
    postings: Count
    documents: Count
    document_postings: Count


class Deep(Model):
    """What a comparison of everything that is derived with what it is derived from came to.

    sampled: of how many claims the terms were made anew and compared; everything else was compared
    whole.
    """

    counts: Counts
    sampled: Count
    defects: tuple[Defect, ...]


class RepairResult(Stamped):
    """What a repair found, and what it did; a dry run does nothing.

    found: what was wrong. mended: what of it is right now; in a dry run, what would be.
    lost: what cannot be made of anything that is left.
    """

    dry_run: bool
    found: tuple[Defect, ...]
    mended: tuple[Defect, ...]
    lost: tuple[Defect, ...]
    at: EpochSeconds


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
    file: whether it is known to be damaged: it is not written any more then.
    mirror: what is held in memory beside the file: off, not loaded, loading, ready or too large.
    commits_missing: how many commits that were acknowledged were not there at opening, at least.
    deep: with `health(deep=True)`, what does not agree in the file; `repair` mends what it can.
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
    file: Literal["ok", "damaged"] = "ok"
    reasons: tuple[str, ...]
    mirror: str
    commits_missing: Count = 0
    deep: Deep | None = None
