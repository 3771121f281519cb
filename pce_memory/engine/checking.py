"""Compare everything that is derived in a file with what it is derived from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeVar

from returns.result import Result, Success

from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import CoreDeps
from pce_memory.domain.health import Deep
from pce_memory.domain.policy import Policy
from pce_memory.engine.defects import NAMED, defects_of
from pce_memory.engine.reindex import wanted_state
from pce_memory.errors import CoreError, StoreError
from pce_memory.extractor.recovering import texts_found
from pce_memory.result import collect
from pce_memory.store import (
    blocks,
    checking,
    checking_documents,
    document_index,
    document_vectors,
    index_state,
    indexing,
)
from pce_memory.store.checking import Checked
from pce_memory.store.checking_documents import CheckedDocuments
from pce_memory.text.tokens import term_hash

AT_ONCE: Final = 8_192
SAMPLE: Final = 2_000
"""Of so many claims the terms are made anew; a file of fewer is compared whole."""
_BEFORE_ALL: Final = -1

T = TypeVar("T", bound=Checked | CheckedDocuments)


class Everything(NamedTuple):
    """All rows with which something is wrong, by what that is, and how many were sampled."""

    rows: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, int]
    broken: tuple[int, ...]
    texts: Mapping[str, str]
    sampled: int


def deep(deps: CoreDeps, index: SqlVectorIndex, policy: Policy) -> Result[Deep, CoreError]:
    """Return what does not agree in a file: all of it is read at one moment."""
    return deps.db.snapshot(
        lambda: Result.do(
            Deep(
                counts=counts,
                sampled=known.sampled,
                defects=defects_of(known.rows, known.counts),
            )
            for _ in blocks.read_all(deps.db)
            for counts in checking.counts(deps.db)
            for known in everything(deps, index, policy)
        )
    )


def everything(
    deps: CoreDeps, index: SqlVectorIndex, policy: Policy
) -> Result[Everything, CoreError]:
    """Return all that does not agree; inside a snapshot or a transaction."""
    return Result.do(
        Everything(
            {**claims.rows, **documents, **others, **unreadable, **vectors.rows, **terms},
            vectors.counts,
            claims.broken,
            claims.texts,
            len(sample),
        )
        for claims in _claims(deps)
        for documents in _documents(deps)
        for others in checking.disagreeing(deps.db)
        for unreadable in checking.unreadable(deps.db)
        for vectors in _vectors(deps, index)
        for sample in _sample(deps, policy, claims)
        for terms in _of_other_terms(deps, policy, sample)
    )


class _Claims(NamedTuple):
    rows: Mapping[str, tuple[str, ...]]
    broken: tuple[int, ...]
    sound: tuple[int, ...]
    empty: tuple[int, ...]
    texts: Mapping[str, str]


def _claims(deps: CoreDeps) -> Result[_Claims, StoreError]:
    """Read every claim; say of whose lost text an observation still tells."""
    return Result.do(
        _Claims(
            {
                "claims_unfit": tuple(one for part in parts for one in part.unfit),
                "claims_of_other_words": tuple(one for one in other if one not in texts),
                "claims_of_other_words_known": tuple(one for one in other if one in texts),
            },
            broken,
            tuple(key for part in parts for key in part.sound),
            tuple(key for part in parts for key in part.empty),
            texts,
        )
        for parts in _through(partial(checking.claims_after, deps.db, limit=AT_ONCE))
        for other in Success(tuple(one for part in parts for one in part.other_words))
        for broken in Success(tuple(key for part in parts for key in part.broken))
        for behind in (checking.texts_behind(broken)(deps) if other else Success(()))
        for texts in Success(texts_found(behind))
    )


def _documents(deps: CoreDeps) -> Result[Mapping[str, tuple[str, ...]], StoreError]:
    def after(last: int) -> Result[CheckedDocuments | None, StoreError]:
        return checking_documents.documents_after(last, limit=AT_ONCE)(deps)

    return _through(after).map(
        lambda parts: {
            "documents_unfit": tuple(one for part in parts for one in part.unfit),
            "documents_of_other_contents": tuple(
                one for part in parts for one in part.other_contents
            ),
            "documents_of_other_values": tuple(one for part in parts for one in part.other_values),
        }
    )


def _through(
    after: Callable[[int], Result[T | None, StoreError]],
) -> Result[tuple[T, ...], StoreError]:
    """Return all parts; each begins after the last key of the one before."""

    def steps() -> Iterator[Result[T | None, StoreError]]:
        last = _BEFORE_ALL
        while True:
            step = after(last)
            yield step
            part = step.value_or(None)
            if part is None:
                return
            last = part.last

    return collect(steps()).map(lambda parts: tuple(part for part in parts if part is not None))


class _Vectors(NamedTuple):
    rows: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, int]


def _vectors(deps: CoreDeps, index: SqlVectorIndex) -> Result[_Vectors, CoreError]:
    return Result.do(
        _Vectors(
            {
                **sound,
                "vector_tables_lost": tuple(f"vectors_{space.generation}" for space in lost),
                "claims_without_vector": tuple(str(one.row_id) for one in lacking) or ("all",),
                "documents_without_vector": tuple(map(str, without)) or ("all",),
            },
            {"claims_without_vector": missing, "documents_without_vector": documents},
        )
        for lost in index.tables.lost()
        for spaces in index.spaces()
        for sound in checking.vectors([space.generation for space in spaces])(deps)
        for missing in index.count_missing()
        for active in index.active()
        for lacking in (index.without_vector(active, NAMED) if active else Success(()))
        for space in document_vectors.readable(deps)
        for documents in document_index.count_without_vector(space)(deps)
        for some in (
            document_index.without_vector(space, limit=NAMED)(deps) if space else Success(())
        )
        for without in Success([one.doc_key for one in some])
    )


def _sample(deps: CoreDeps, policy: Policy, claims: _Claims) -> Result[Sequence[int], StoreError]:
    """Return the claims whose terms are made anew: none where a reindex is needed anyway."""
    step = max(1, len(claims.sound) // SAMPLE)
    chosen = sorted({*claims.sound[::step], *claims.empty[:SAMPLE]})
    return index_state.get(deps.db).map(
        lambda state: chosen if state == wanted_state(deps, policy) else ()
    )


def _of_other_terms(
    deps: CoreDeps, policy: Policy, sample: Sequence[int]
) -> Result[Mapping[str, tuple[str, ...]], StoreError]:
    return Result.do(
        {"claims_of_other_terms": keys}
        for claims in (indexing.to_index(sample, policy)(deps) if sample else Success(()))
        for wanted in Success(
            {one.row_id: [*map(term_hash, deps.tokenizer.terms(one.text))] for one in claims}
        )
        for keys in checking.of_other_terms(wanted)(deps)
    )
