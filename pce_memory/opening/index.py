"""Whether the index of a file is one that the tokenizer at hand can read."""

from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.policy import Policy
from pce_memory.engine.reindex import rebuild, wanted_state
from pce_memory.engine.reindex_documents import reindex_documents
from pce_memory.errors import CoreError, StoreError, TokenizerMismatch
from pce_memory.store import document_index, index_state, indexing, postings

AT_ONCE: Final = 20_000
"""An index of so many claims that an earlier version made is brought up to date at opening."""


def check_index(deps: CoreDeps, policy: Policy, *, allow_reindex: bool) -> Result[bool, CoreError]:
    """Return whether the tokenizer at hand has indexed all claims; a failure unless it may not.

    A file without claims becomes its own; what an earlier version of ours made is made anew where
    it is small.
    """
    given = deps.tokenizer.id
    return Result.do(
        ours
        for state in index_state.get(deps.db)
        for only_claims in indexing.count_after(deps.db, postings.NOTHING)
        for documents in document_index.count()(deps)
        for claims in Success(only_claims + documents)
        for ours in (
            _become(deps, policy).map(_true)
            if not claims
            else Success(True)  # noqa: FBT003 - the value of a Result, no option
            if state.tokenizers == (given,)
            else _anew(deps)
            if state.older(given) and claims <= AT_ONCE and not deps.db.read_only
            else Success(False)  # noqa: FBT003
            if allow_reindex
            else Failure(TokenizerMismatch(state.tokenizer, given))
        )
        for _ in (_documents_anew(deps, documents) if ours else Success(None))
    )


def _documents_anew(deps: CoreDeps, count: int) -> Result[None, CoreError]:
    """Index documents of an earlier version anew where they are few; `health` tells of many."""
    if not 0 < count <= AT_ONCE or deps.db.read_only:
        return Success(None)
    return Result.do(
        None
        for before in index_state.documents_of_before(deps.db)
        for _ in (reindex_documents(deps) if before else Success(0))
    )


def _anew(deps: CoreDeps) -> Result[bool, CoreError]:
    return Result.do(
        True
        # Documents first: that the claims are done is what says that the index is ours.
        for _ in reindex_documents(deps)
        for _ in rebuild(deps, vectors=False)
    )


def _true(_: object) -> bool:
    return True


def _become(deps: CoreDeps, policy: Policy) -> Result[None, StoreError]:
    wanted = wanted_state(deps, policy)
    if deps.db.read_only:
        return Success(None)
    return Result.do(
        None
        for state in index_state.get(deps.db)
        for _ in (Success(None) if state == wanted else index_state.put(deps.db, wanted))
    )
