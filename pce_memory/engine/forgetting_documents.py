"""Which documents are to be forgotten: one by its id, or those that hold some words."""

from collections.abc import Sequence

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.erasure import Forgetting
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, UnknownDocument
from pce_memory.result import fold, reader
from pce_memory.store import document_index
from pce_memory.store.visibility import view
from pce_memory.text.phrases import loose_terms


def words_to_forget(deps: CoreDeps, query: str) -> tuple[str, ...]:
    """Return the terms that every text has which holds the words of a query."""
    return loose_terms(deps.tokenizer.query_terms(query), query)


@reader
def documents_to_forget(
    deps: CoreDeps, wanted: Forgetting, boundary: Boundary | None, policy: Policy
) -> Result[tuple[int, ...], CoreError]:
    """Return the keys of the documents that are meant, of those that a boundary shows.

    None is the owner: he sees all, and of class pii also the texts that are not indexed.
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
    return Result.do(
        seen
        for keys in document_index.holding_all(terms)(deps)
        for more in (document_index.saying_all(terms)(deps) if boundary is None else Success(()))
        for seen in _seen(deps, tuple(dict.fromkeys((*keys, *more))), boundary, policy)
    )


def _seen(
    deps: CoreDeps, keys: Sequence[int], boundary: Boundary | None, policy: Policy
) -> Result[tuple[int, ...], CoreError]:
    if boundary is None or not keys:
        return Success(tuple(keys))
    return fold(
        view(boundary, policy)(deps),
        ok=lambda seen: document_index.visible_among(keys, seen.visible)(deps),
        err=lambda _: Success(()),
    )
