"""Tell how a memory does: nothing is changed, and no text is read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypedDict

from returns.result import Result, Success

from pce_memory.adapters.commits import lacking
from pce_memory.adapters.duck import DuckDatabase
from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import CoreDeps
from pce_memory.domain.health import Health
from pce_memory.domain.policy import Policy
from pce_memory.engine.checking import deep
from pce_memory.engine.reindex import wanted_state
from pce_memory.errors import CoreError
from pce_memory.store import document_index, document_vectors, index_state, indexing, postings
from pce_memory.store.index_state import IndexState
from pce_memory.store.postings import Counts

OF_BEFORE: Final = "documents were indexed by an earlier version"
STEMMER: Final = "snowballstemmer porter, Python"


def health(
    deps: CoreDeps,
    index: SqlVectorIndex,
    policy: Policy,
    *,
    db: DuckDatabase,
    mirror: str,
    deeply: bool = False,
) -> Result[Health, CoreError]:
    """Return how a memory does; `deeply` compares all that is derived in it."""
    return Result.do(
        Health(
            **_of_file(deps, db),
            **_told(parts, vectors),
            reasons=(*_damage(db), *parts.reasons, *vectors.reasons, *_lacking(db)),
            schema_version=schema,
            duckdb_version=duckdb,
            embedder_in_use=index.model,
            mirror=mirror,
            deep=known,
        )
        for duckdb, schema in indexing.versions(deps.db)
        for vectors in _of_vectors(deps, index)
        for parts in _of_index(deps, policy)
        for known in (deep(deps, index, policy) if deeply else Success(None))
    )


class _File(TypedDict):
    tokenizer_in_use: str
    stemmer: str
    file: Literal["ok", "damaged"]
    file_bytes: int
    commits_missing: int


def _of_file(deps: CoreDeps, db: DuckDatabase) -> _File:
    return {
        "tokenizer_in_use": deps.tokenizer.id,
        "stemmer": STEMMER,
        "file": "damaged" if db.damage.is_known else "ok",
        "file_bytes": _size(db.path) + _size(f"{db.path}.wal"),
        "commits_missing": 0 if db.missing is None else db.missing.commits,
    }


class _Told(TypedDict):
    claims: Mapping[str, int]
    documents: int
    postings_sorted: int
    postings_unsorted: int
    tokenizer: str
    index: Literal["ok", "reindex needed"]
    vectors: Literal["ok", "reembed needed"]
    embedder: str | None
    without_vector: int
    documents_without_vector: int


def _told(parts: "_Index", vectors: "_Vectors") -> _Told:
    return {
        "claims": parts.claims,
        "documents": parts.documents,
        "postings_sorted": parts.postings.sorted,
        "postings_unsorted": parts.postings.fresh,
        "tokenizer": parts.tokenizer,
        "index": "reindex needed" if parts.reasons else "ok",
        "vectors": "reembed needed" if vectors.reasons else "ok",
        "embedder": vectors.used,
        "without_vector": vectors.lacking.claims,
        "documents_without_vector": vectors.lacking.documents,
    }


def _damage(db: DuckDatabase) -> tuple[str, ...]:
    return () if db.damage.fault is None else (db.damage.fault.message,)


def _lacking(db: DuckDatabase) -> tuple[str, ...]:
    return () if db.missing is None else (lacking(db.missing, db.path),)


class _Index(NamedTuple):
    claims: Mapping[str, int]
    documents: int
    postings: Counts
    tokenizer: str
    reasons: tuple[str, ...]


def _of_index(deps: CoreDeps, policy: Policy) -> Result[_Index, CoreError]:
    wanted = wanted_state(deps, policy)
    return Result.do(
        _Index(claims, documents, counts, state.tokenizer, (*reasons, *more))
        for claims in indexing.count_by_status(deps.db)
        for documents in document_index.count()(deps)
        for counts in postings.counts(deps.db)
        for state in index_state.get(deps.db)
        for begun in postings.rebuild_state(deps.db)
        for before in index_state.documents_of_before(deps.db)
        for some in Success(bool(claims) or documents > 0)
        for reasons in Success(_reasons(state, wanted, begun=begun is not None) if some else ())
        for more in Success((OF_BEFORE,) if documents and before else ())
    )


class _Lacking(NamedTuple):
    """How many have no vector."""

    claims: int
    documents: int


class _Vectors(NamedTuple):
    used: str | None
    lacking: _Lacking
    reasons: tuple[str, ...]


def _of_vectors(deps: CoreDeps, index: SqlVectorIndex) -> Result[_Vectors, CoreError]:
    return Result.do(
        _Vectors(used, lacking, _why(used, index.model, lacking))
        for spaces in index.spaces()
        for used in Success(next((one.model for one in spaces if one.status == "active"), None))
        for claims in index.count_missing()
        for space in document_vectors.readable(deps)
        for documents in document_index.count_without_vector(space)(deps)
        for lacking in Success(_Lacking(claims, documents))
    )


def _why(used: str | None, ours: str, lacking: _Lacking) -> tuple[str, ...]:
    if any(lacking) and used is not None and used != ours:
        return ("vectors are of another embedder",)
    counts = zip(_Lacking._fields, lacking, strict=True)
    return tuple(f"{what} have no vector" for what, count in counts if count)


def _reasons(state: IndexState, wanted: IndexState, *, begun: bool) -> tuple[str, ...]:
    told = {
        "texts were indexed by another tokenizer": state.tokenizers != wanted.tokenizers,
        "texts were indexed under other rules of redaction": state.redactions != wanted.redactions,
        "a reindex was begun and has not ended": begun,
    }
    return tuple(reason for reason, holds in told.items() if holds)


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
