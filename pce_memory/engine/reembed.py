"""Give every claim a vector of the embedder at hand: in batches, resumable at each."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

from returns.result import Result, Success

from pce_memory.adapters.vectors import Space, SqlVectorIndex, Unembedded
from pce_memory.deps import CoreDeps, Vector
from pce_memory.domain.policy import Policy
from pce_memory.engine.reindex_documents import reembed_documents
from pce_memory.errors import CoreError, StoreError
from pce_memory.policy.indexed import indexed_text
from pce_memory.result import collect
from pce_memory.store import embeddings, events, indexing
from pce_memory.store.document_vectors import Space as DocumentSpace

BATCH: Final = 256

Progress: TypeAlias = Callable[[int, int], object]
"""Called with how many are done and how many there are in all."""


def reembed(
    deps: CoreDeps, index: SqlVectorIndex, *, progress: Progress | None = None
) -> Result[int, CoreError]:
    """Compute the vectors that are missing, put them in use, and return how many there were.

    Each batch is a transaction: a run that is broken off goes on where it stopped. Until the
    last batch is in, a space of another model stays in the file untouched.
    """
    return Result.do(
        done
        for policy in deps.policy_store.get_current()
        for space in index.writable()
        for total in index.count_without_vector(space)
        for step in Success(partial(_step, deps, index, space, policy))
        for done in _fill(step, total=total, progress=progress)
        for _ in reembed_documents(deps, DocumentSpace(space.generation, space.dimension), policy)
        for _ in index.promote(space)
        for _ in events.record(
            "reembed",
            {"model": space.model_id, "dimension": space.dimension, "claims": done},
            policy_version=policy.version,
        )(deps)
    )


def _fill(
    take: Callable[[], Result[int, CoreError]], *, total: int, progress: Progress | None
) -> Result[int, CoreError]:
    def steps() -> Iterator[Result[int, CoreError]]:
        done = 0
        while True:
            step = take()
            yield step
            if step == Success(0):
                return
            done += step.value_or(0)
            if progress is not None:
                _ = progress(done, max(total, done))

    return collect(steps()).map(sum)


def _step(
    deps: CoreDeps, index: SqlVectorIndex, space: Space, policy: Policy
) -> Result[int, CoreError]:
    """Write the vectors of one batch and return how many it had; 0 is the end."""
    return Result.do(
        len(batch)
        for batch in index.without_vector(space, BATCH)
        for said in Success({one.row_id: _embedded(one, policy) for one in batch})
        for vectors in embeddings.embed_all(list(said.values()))(deps)
        for _ in deps.db.transaction(partial(_write, deps, index, space, policy, vectors))
    )


def _embedded(one: Unembedded, policy: Policy) -> str:
    return indexed_text(one.text, one.boundary_class, policy, said_by=one.said_by)


def _write(
    deps: CoreDeps,
    index: SqlVectorIndex,
    space: Space,
    policy: Policy,
    vectors: Mapping[str, Vector],
) -> Result[None, StoreError]:
    """Write the vectors of those claims that are still there, and still say what was embedded."""
    return Result.do(
        None
        for batch in index.without_vector(space, BATCH)
        for said in Success({one.row_id: _embedded(one, policy) for one in batch})
        for same in Success({row: text for row, text in said.items() if text in vectors})
        for _ in index.write_into(space, [(row, vectors[text]) for row, text in same.items()])
        for _ in indexing.set_embedded(same)(deps)
    )
