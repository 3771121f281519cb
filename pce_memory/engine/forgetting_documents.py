"""Which documents are to be forgotten: one by its id, or those that hold some words."""

from collections.abc import Sequence

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.erasure import Forgetting
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, UnknownDocument
from pce_memory.policy.outgoing import cleaner
from pce_memory.result import reader
from pce_memory.store import document_index, document_words
from pce_memory.store.visibility import View, view_if_any
from pce_memory.text.phrases import loose_terms


def words_to_forget(deps: CoreDeps, query: str) -> tuple[str, ...]:
    """Return the terms that every text has which holds the words of a query."""
    return loose_terms(deps.tokenizer.query_terms(query), query)


@reader
def documents_to_forget(
    deps: CoreDeps, wanted: Forgetting, boundary: Boundary | None, policy: Policy
) -> Result[tuple[int, ...], CoreError]:
    """Return the keys of the documents that are meant, of those that a boundary shows.

    None is the owner: he sees all, also what is not indexed and what does not leave.
    """
    if wanted.document_id is not None:
        doc_id = wanted.document_id
        return Result.do(
            seen
            for keys in document_index.by_id(doc_id)(deps)
            for seen in _seen(deps, keys, boundary, policy)
            for _ in (Success(None) if seen else Failure(UnknownDocument(doc_id)))
        )
    if wanted.query is None:
        return Success(())
    terms = words_to_forget(deps, wanted.query)
    if boundary is None:
        return document_words.holding_all(terms, cleaner(policy, ()), owner=True)(deps).map(tuple)
    return Result.do(
        shown
        for seen in view_if_any(boundary, policy)(deps)
        for shown in (Success(()) if seen is None else _shown_holding(deps, terms, seen, policy))
    )


def _shown_holding(
    deps: CoreDeps, terms: Sequence[str], seen: View, policy: Policy
) -> Result[tuple[int, ...], CoreError]:
    clean = cleaner(policy, seen.narrowed.classes)
    return Result.do(
        shown
        for keys in document_words.holding_all(terms, clean, owner=False)(deps)
        for shown in document_index.visible_among(keys, seen.visible)(deps)
    )


def _seen(
    deps: CoreDeps, keys: Sequence[int], boundary: Boundary | None, policy: Policy
) -> Result[tuple[int, ...], CoreError]:
    if boundary is None or not keys:
        return Success(tuple(keys))
    return Result.do(
        shown
        for seen in view_if_any(boundary, policy)(deps)
        for shown in (
            Success(()) if seen is None else document_index.visible_among(keys, seen.visible)(deps)
        )
    )
