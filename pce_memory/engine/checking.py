"""Compare everything that is derived in a file with what it is derived from."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
    adopting,
    blocks,
    checking,
    checking_documents,
    checking_kept,
    document_index,
    document_vectors,
    index_state,
    indexing,
)
from pce_memory.store.adopting import Apart
from pce_memory.store.checking import Checked
from pce_memory.store.checking_documents import BEFORE_ALL, CheckedDocuments, Shown
from pce_memory.text.tokens import term_hash

AT_ONCE: Final = 8_192
SAMPLE: Final = 2_000
"""Of so many claims the terms are made anew; a file of fewer is compared whole."""

T = TypeVar("T", bound=Checked | CheckedDocuments)


class Everything(NamedTuple):
    """All rows with which something is wrong, by what that is, and how many were sampled."""

    rows: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, int]
    broken: tuple[int, ...]
    texts: Mapping[str, str]
    apart: tuple[Apart, ...]
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
            {**claims.rows, **documents.rows, **others, **unfit, **vectors.rows, **terms},
            vectors.counts,
            claims.broken,
            claims.texts,
            documents.apart,
            len(sample),
        )
        for is_current in _is_current(deps, policy)
        for claims in _claims(deps)
        for documents in _documents(deps, Shown(policy, is_current))
        for others in checking.disagreeing(deps.db)
        for unfit in _unfit(deps)
        for vectors in _vectors(deps, index)
        for sample in Success(_sample(claims) if is_current else ())
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


class _Documents(NamedTuple):
    rows: Mapping[str, tuple[str, ...]]
    apart: tuple[Apart, ...]


def _documents(deps: CoreDeps, shown: Shown) -> Result[_Documents, StoreError]:
    """Read every document; say of which of them a part stands under another key."""

    def after(last: int) -> Result[CheckedDocuments | None, StoreError]:
        return checking_documents.documents_after(last, shown, limit=AT_ONCE)(deps)

    return Result.do(
        _Documents(
            {
                "documents_unfit": _but(known, unfit),
                "documents_of_other_contents": _but(known, contents),
                "documents_of_other_values": tuple(
                    one for part in parts for one in part.other_values
                ),
                "documents_apart": tuple(known),
            },
            apart,
        )
        for parts in _through(after)
        for unfit in Success([one for part in parts for one in part.unfit])
        for contents in Success([one for part in parts for one in part.other_contents])
        for apart in adopting.apart([*unfit, *contents])(deps)
        for known in Success(dict.fromkeys(one.id for one in apart))
    )


def _but(known: Collection[str], rows: Sequence[str]) -> tuple[str, ...]:
    return tuple(one for one in rows if one not in known)


def _unfit(deps: CoreDeps) -> Result[Mapping[str, tuple[str, ...]], StoreError]:
    return Result.do(
        {**unreadable, **kept}
        for unreadable in checking.unreadable(deps.db)
        for kept in checking_kept.kept_unfit(deps.db)
    )


def _through(
    after: Callable[[int], Result[T | None, StoreError]],
) -> Result[tuple[T, ...], StoreError]:
    """Return all parts; each begins after the last key of the one before."""

    def steps() -> Iterator[Result[T | None, StoreError]]:
        last = BEFORE_ALL
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


def _is_current(deps: CoreDeps, policy: Policy) -> Result[bool, StoreError]:
    """Return whether all is indexed by this tokenizer under this policy, or is to be anyway."""
    return Result.do(
        state == wanted_state(deps, policy) and not before
        for state in index_state.get(deps.db)
        for before in index_state.documents_of_before(deps.db)
    )


def _sample(claims: _Claims) -> Sequence[int]:
    """Return the claims whose terms are made anew."""
    step = max(1, len(claims.sound) // SAMPLE)
    return sorted({*claims.sound[::step], *claims.empty[:SAMPLE]})


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
