"""What documents are found by, made anew: their terms, and the vectors that are missing."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Vector
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, StoreError
from pce_memory.store import document_index, document_vectors, embeddings, index_state
from pce_memory.store.document_index import Indexable
from pce_memory.store.document_vectors import Space
from pce_memory.text.tokens import term_hash

BATCH: Final = 256
Batch: TypeAlias = tuple[Indexable, ...]
_BEFORE_ALL: Final = -(1 << 63)


def reindex_documents(deps: CoreDeps) -> Result[int, CoreError]:
    """Write the terms of all documents anew, and erase the vectors of what is another text now.

    A batch is a transaction. `reembed` makes up for the vectors.
    """

    def step(last: int) -> Result[Batch, CoreError]:
        return deps.db.transaction(
            lambda: Result.do(
                batch
                for policy in deps.policy_store.get_current()
                for batch in _after(deps, last, partial(_anew, deps, policy))
            )
        )

    return Result.do(
        done for done in _through(step) for _ in index_state.documents_of_now(deps.db)
    )


def show_documents_anew(deps: CoreDeps, policy: Policy) -> Result[None, CoreError]:
    """Write what all documents are ordered and filtered by as a policy shows it; see `keys_anew`.

    In a transaction: no filter may be judged by the rules of before.
    """

    def shown(batch: Batch) -> Result[None, StoreError]:
        return document_index.keys_anew(batch, policy)(deps)

    return _through(lambda last: _after(deps, last, shown)).map(lambda _: None)


def _through(step: Callable[[int], Result[Batch, CoreError]]) -> Result[int, CoreError]:
    """Go through all documents; a step gets the last key of before. Return how many there are."""
    done, last = 0, _BEFORE_ALL
    while True:
        found = step(last)
        if isinstance(found, Failure):
            return found
        batch = found.unwrap()
        if not batch:
            return Success(done)
        done, last = done + len(batch), batch[-1].doc_key


def _after(
    deps: CoreDeps, last: int, work: Callable[[Batch], Result[None, StoreError]]
) -> Result[Batch, CoreError]:
    """Do some work for the documents that come next, and return them."""
    return Result.do(
        batch
        for batch in document_index.after(last, limit=BATCH)(deps)
        for _ in (work(batch) if batch else Success(None))
    )


def _anew(deps: CoreDeps, policy: Policy, batch: Batch) -> Result[None, StoreError]:
    texts = {one.doc_key: one.text(policy) for one in batch}
    other = {
        one.doc_key: texts[one.doc_key]
        for one in batch
        if term_hash(texts[one.doc_key]) != one.embedded
    }
    return Result.do(
        None
        for _ in document_index.index_anew(batch, policy)(deps)
        for _ in (document_vectors.erase(deps, list(other)) if other else Success(None))
        for _ in document_index.set_embedded(other)(deps)
    )


def reembed_documents(deps: CoreDeps, space: Space, policy: Policy) -> Result[int, CoreError]:
    """Give the documents that have no vector in a space one; return how many those were."""
    made = document_vectors.made(deps, space)
    if isinstance(made, Failure):
        return made
    done = 0
    while True:
        step = _embed(deps, space, policy)
        if isinstance(step, Failure):
            return step
        if not step.unwrap():
            return Success(done)
        done += step.unwrap()


def _embed(deps: CoreDeps, space: Space, policy: Policy) -> Result[int, CoreError]:
    return Result.do(
        len(batch)
        for batch in document_index.without_vector(space, limit=BATCH)(deps)
        for said in Success({one.doc_key: one.text(policy) for one in batch})
        for vectors in embeddings.embed_anew(list(said.values()))(deps)
        for _ in (
            deps.db.transaction(partial(_write, deps, space, policy, vectors))
            if batch
            else Success(None)
        )
    )


def _write(
    deps: CoreDeps, space: Space, policy: Policy, vectors: Mapping[str, Vector]
) -> Result[None, StoreError]:
    """Write the vectors of those documents that are still there, and say what was embedded."""
    return Result.do(
        None
        for batch in document_index.without_vector(space, limit=BATCH)(deps)
        for said in Success({one.doc_key: one.text(policy) for one in batch})
        for same in Success({key: text for key, text in said.items() if text in vectors})
        for _ in document_vectors.write_into(
            deps, space, {key: vectors[text] for key, text in same.items()}
        )
        for _ in document_index.set_embedded(same)(deps)
    )
