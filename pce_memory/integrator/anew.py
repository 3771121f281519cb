"""Index given claims anew, when what of them is indexed has become another text."""

from collections.abc import Mapping, Sequence
from functools import partial

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Vector
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, StoreError
from pce_memory.integrator.indexing import vectors_of
from pce_memory.result import reader
from pce_memory.store import indexing, postings, search
from pce_memory.store.indexing import Readable


@reader
def write_anew(deps: CoreDeps, row_ids: Sequence[int], policy: Policy) -> Result[None, StoreError]:
    """Write the postings of claims anew and erase their vectors; in a transaction.

    `embed_anew` makes up for the vectors, at once or when the transaction is over: an embedder may
    be slow, and others wait meanwhile.
    """
    if not row_ids:
        return Success(None)
    return Result.do(
        None
        for claims in indexing.to_index(row_ids, policy)(deps)
        for words in Success({one.row_id: deps.tokenizer.terms(one.text) for one in claims})
        for _ in postings.erase(deps.db, row_ids)
        for _ in deps.vector_index.erase(row_ids)
        for _ in search.insert_postings(words)(deps)
        for _ in postings.rebuilt_again(deps.db, row_ids)
        for _ in indexing.set_indexed({key: len(some) for key, some in words.items()})(deps)
    )


@reader
def embed_anew(deps: CoreDeps, row_ids: Sequence[int], policy: Policy) -> Result[None, CoreError]:
    """Give claims the vectors that `write_anew` erased.

    Where the embedder fails they have none, an event says so, and `reembed` makes up for it.
    """
    if not row_ids:
        return Success(None)
    return Result.do(
        None
        for claims in indexing.to_index(row_ids, policy)(deps)
        for vectors in vectors_of(deps, [one.text for one in claims], policy, at="anew")
        for _ in deps.db.transaction(partial(_written, deps, row_ids, policy, vectors))
    )


def _written(
    deps: CoreDeps, row_ids: Sequence[int], policy: Policy, vectors: Mapping[str, Vector]
) -> Result[None, StoreError]:
    """Write the vectors of those claims that are still there, and still say what was embedded."""
    return Result.do(
        None
        for claims in indexing.to_index(row_ids, policy)(deps)
        for _ in write_vectors([one for one in claims if one.text in vectors], vectors)(deps)
    )


@reader
def write_vectors(
    deps: CoreDeps, claims: Sequence[Readable], vectors: Mapping[str, Vector]
) -> Result[None, StoreError]:
    """Write the vectors of claims, and what they are of; in a transaction."""
    return Result.do(
        None
        for _ in deps.vector_index.write([(one.row_id, vectors[one.text]) for one in claims])
        for _ in indexing.set_embedded({one.row_id: one.text for one in claims})(deps)
    )
