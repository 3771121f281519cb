"""Index every claim anew, beside the index in use: in batches, resumable at each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import CoreDeps, Vector
from pce_memory.domain.policy import Policy
from pce_memory.engine.reembed import Progress, reembed
from pce_memory.engine.reindex_documents import reindex_documents
from pce_memory.errors import CoreError, StoreError
from pce_memory.integrator.anew import write_vectors
from pce_memory.integrator.indexing import vectors_of
from pce_memory.policy.indexed import redaction_digest
from pce_memory.store import events, index_state, indexing, postings
from pce_memory.store.index_state import IndexState
from pce_memory.store.indexing import Readable
from pce_memory.store.postings import Rebuild
from pce_memory.store.search import posted

BATCH: Final = 512


def reindex(
    deps: CoreDeps, index: SqlVectorIndex, *, progress: Progress | None = None
) -> Result[int, CoreError]:
    """Make all postings anew, then the vectors that are missing; return how many claims there are.

    What of a claim is indexed is decided by the policy in force: the vector of a claim of which
    that is another text is replaced as well. Until all are made the old postings are in use, and
    one transaction exchanges them. A run that is broken off goes on where it stopped.
    """
    return Result.do(
        done
        for done in rebuild(deps, vectors=True, progress=progress)
        for _ in reindex_documents(deps)
        for _ in reembed(deps, index, progress=progress)
    )


def wanted_state(deps: CoreDeps, policy: Policy) -> IndexState:
    """Return what an index that is made now is made by."""
    return IndexState((deps.tokenizer.id,), (redaction_digest(policy),))


def rebuild(
    deps: CoreDeps, *, vectors: bool, progress: Progress | None = None
) -> Result[int, CoreError]:
    """Make all postings anew; with `vectors`, replace those that are of another text by now."""
    while True:
        step = _step(deps, vectors=vectors)
        if isinstance(step, Failure):
            return step
        rebuilt = step.unwrap()
        told = indexing.count_after(deps.db, postings.NOTHING)
        if isinstance(told, Failure):
            return told
        every = told.unwrap()
        if rebuilt is None:
            sorted_again = postings.sort(deps.db)
            return sorted_again if isinstance(sorted_again, Failure) else Success(every)
        left = indexing.count_after(deps.db, rebuilt.done).value_or(0)
        if progress is not None:
            _ = progress(every - left, every)


def _step(deps: CoreDeps, *, vectors: bool) -> Result[Rebuild | None, CoreError]:
    """Do one batch; return how far that is, None when the postings have been exchanged."""
    return Result.do(
        after
        for policy in deps.policy_store.get_current()
        for before in deps.db.transaction(partial(_begun, deps, policy))
        for batch in indexing.to_index_after(before.done, policy, limit=BATCH)(deps)
        for made in (
            vectors_of(deps, [one.text for one in batch if one.changed], policy, at="reindex")
            if vectors
            else Success(None)
        )
        for after in deps.db.transaction(
            partial(_written, deps, policy, before, batch, made)
            if batch
            else partial(_exchanged, deps, policy, before)
        )
    )


def _begun(deps: CoreDeps, policy: Policy) -> Result[Rebuild, StoreError]:
    """Return how far a rebuild has come; one of other rules than those of now begins again."""
    of = str(wanted_state(deps, policy))
    return Result.do(
        rebuild
        for there in postings.rebuild_state(deps.db)
        for rebuild in Success(there if there is not None and there.of == of else Rebuild(of))
        for _ in (Success(None) if rebuild == there else postings.set_rebuild(deps.db, rebuild))
    )


def _written(
    deps: CoreDeps,
    policy: Policy,
    before: Rebuild,
    batch: Sequence[Readable],
    vectors: Mapping[str, Vector] | None,
) -> Result[Rebuild, CoreError]:
    """Write what was made of a batch, as its claims stand now; another run may have done so."""
    after = replace(before, done=batch[-1].row_id)
    return Result.do(
        after
        for mine in _is_mine(deps, before)
        for claims in indexing.to_index([one.row_id for one in batch], policy)(deps)
        for _ in (_batch(deps, claims, vectors) if mine else Success(None))
        for _ in (postings.set_rebuild(deps.db, after) if mine else Success(None))
    )


def _is_mine(deps: CoreDeps, before: Rebuild) -> Result[bool, CoreError]:
    """Return whether all is as it was when the batch was begun: the policy in force as well."""
    return Result.do(
        there == before and str(wanted_state(deps, policy)) == before.of
        for policy in deps.policy_store.get_current()
        for there in postings.rebuild_state(deps.db)
    )


def _batch(
    deps: CoreDeps, claims: Sequence[Readable], vectors: Mapping[str, Vector] | None
) -> Result[None, StoreError]:
    words = {one.row_id: deps.tokenizer.terms(one.text) for one in claims}
    changed = [one for one in claims if one.changed] if vectors is not None else []
    same = {one.row_id: one.text for one in claims if one.embedded is None and not one.changed}
    made = vectors or {}
    return Result.do(
        None
        for _ in postings.insert_rebuilt(deps.db, list(posted(words).rows()))
        for _ in (
            deps.vector_index.erase([one.row_id for one in changed]) if changed else Success(None)
        )
        for _ in write_vectors([one for one in changed if one.text in made], made)(deps)
        for _ in indexing.set_embedded({} if vectors is None else same)(deps)
    )


def _exchanged(
    deps: CoreDeps, policy: Policy, before: Rebuild
) -> Result[Rebuild | None, CoreError]:
    """Put the new postings in use, unless claims have come since or the policy is another."""
    return Result.do(
        None if whole else before
        for mine in _is_mine(deps, before)
        for left in indexing.count_after(deps.db, before.done)
        for whole in Success(mine and left == 0)
        for _ in (_in_use(deps, policy) if whole else Success(None))
    )


def _in_use(deps: CoreDeps, policy: Policy) -> Result[None, StoreError]:
    return Result.do(
        None
        for _ in postings.exchange_rebuilt(deps.db)
        for _ in index_state.put(deps.db, wanted_state(deps, policy))
        for _ in events.record(
            "reindex", {"tokenizer": deps.tokenizer.id}, policy_version=policy.version
        )(deps)
    )
