"""Mend what of a file can be made again, and say what is lost."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import CoreDeps
from pce_memory.domain.health import Deep, Defect, RepairResult
from pce_memory.domain.ids import ClaimId, EvidenceId, ObservationId
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence
from pce_memory.engine.checking import Everything, deep, everything
from pce_memory.engine.ready import Ready
from pce_memory.engine.reembed import reembed
from pce_memory.engine.reindex import rebuild
from pce_memory.engine.reindex_documents import reindex_documents
from pce_memory.errors import CoreError, ReadOnly, StoreError
from pce_memory.result import collect
from pce_memory.store import adopting, checking, checking_kept, document_rows, events, evidence
from pce_memory.store.audit import Decision, decided
from pce_memory.store.checking_documents import dates_of_documents

PASSES: Final = 3
POSTINGS: Final = frozenset(
    {
        "claims_of_other_words_known",
        "claims_of_other_length",
        "claims_of_other_terms",
        "terms_of_nothing",
    }
)
DOCUMENTS: Final = frozenset(
    {"documents_apart", "documents_of_other_values", "documents_of_other_length"}
)
VECTORS: Final = frozenset(
    {
        "claims_without_vector",
        "vector_tables_lost",
        "vectors_unsound",
        "documents_without_vector",
        "document_vectors_unsound",
    }
)


def repair(
    deps: CoreDeps, index: SqlVectorIndex, policy: Policy, *, dry_run: bool
) -> Result[RepairResult, CoreError]:
    """Mend what can be made again of what is left; a dry run says what that would be.

    Rows are mended in one transaction. Postings and vectors, which take longer, are made after it
    as `reindex` and `reembed` make them: a run that is broken off is taken up by the next.
    """
    if dry_run:
        return deep(deps, index, policy).map(partial(_planned, at=deps.clock()))
    if deps.db.read_only:
        return Failure(ReadOnly("repair"))
    return Result.do(
        done
        for before in deep(deps, index, policy)
        for after in _mended(deps, index, policy, before)
        for done in Success(_done(before, after, at=deps.clock()))
        for _ in events.record("repair", _told(done), policy_version=policy.version)(deps)
    )


def _mended(
    deps: CoreDeps, index: SqlVectorIndex, policy: Policy, before: Deep, *, passes: int = PASSES
) -> Result[Deep, CoreError]:
    """Mend until nothing is left that can be: what is mended may bring up what it hid."""
    return Result.do(
        after
        for _ in deps.db.transaction(partial(_rows_mended, deps, index, policy))
        for _ in _made_again(deps, index, frozenset(one.kind for one in before.defects))
        for left in deep(deps, index, policy)
        for after in (
            _mended(deps, index, policy, left, passes=passes - 1)
            if passes > 1 and any(one.mend == "repair" for one in left.defects)
            else Success(left)
        )
    )


def repaired(ready: Ready, done: RepairResult) -> Decision:
    """Return what the audit is told of a repair."""
    counts = {"mended": _all(done.mended), "lost": _all(done.lost)}
    return decided("repair", "allowed", ready.boundary, ready.policy, counts=counts)


def _all(defects: Sequence[Defect]) -> int:
    return sum(one.count for one in defects)


def _planned(known: Deep, *, at: float) -> RepairResult:
    return RepairResult(
        dry_run=True,
        found=known.defects,
        mended=tuple(one for one in known.defects if one.mend == "repair"),
        lost=tuple(one for one in known.defects if one.mend == "lost"),
        at=at,
    )


def _done(before: Deep, after: Deep, *, at: float) -> RepairResult:
    left = {one.kind for one in after.defects}
    return RepairResult(
        dry_run=False,
        found=before.defects,
        mended=tuple(one for one in before.defects if one.kind not in left),
        lost=after.defects,
        at=at,
    )


def _told(done: RepairResult) -> Mapping[str, object]:
    return {"mended": _counts(done.mended), "lost": _counts(done.lost)}


def _counts(defects: Sequence[Defect]) -> Mapping[str, int]:
    return {one.kind: one.count for one in defects}


def _rows_mended(deps: CoreDeps, index: SqlVectorIndex, policy: Policy) -> Result[None, CoreError]:
    return Result.do(
        None
        for before in everything(deps, index, policy)
        for _ in adopting.join(before.apart)(deps)
        for known in (everything(deps, index, policy) if before.apart else Success(before))
        for _ in collect(checking.set_text(one, text)(deps) for one, text in known.texts.items())
        for spaces in index.spaces()
        for _ in checking.erase_dangling([space.generation for space in spaces])(deps)
        for _ in _evidence(deps, known.rows["claims_without_evidence"])
        for _ in checking_kept.erase_unfit(known.rows)(deps)
        for _ in checking.notes_anew(known.rows)(deps)
        for _ in _documents(deps, known)
    )


def _evidence(deps: CoreDeps, ids: Sequence[str]) -> Result[None, StoreError]:
    """Write again that claims were drawn from the observations that they name as their origin."""
    if not ids:
        return Success(None)
    return Result.do(
        None
        for rows in checking.origins(ids)(deps)
        for _ in evidence.insert(
            [
                Evidence(
                    id=EvidenceId(deps.ids("evd_")),
                    claim_id=ClaimId(row["claim_id"]),
                    observation_id=ObservationId(row["observation_id"]),
                    method="rule",
                    note="repaired",
                    source_type=row["source_type"],
                    source_id=row["source_id"],
                    created_at=row["created_at"],
                )
                for row in rows
            ]
        )(deps)
    )


def _documents(deps: CoreDeps, known: Everything) -> Result[None, StoreError]:
    gone = [int(key) for key in known.rows["document_rows_of_nothing"]]
    return Result.do(
        None
        for _ in (document_rows.erase(gone)(deps) if gone else Success(None))
        for _ in (
            dates_of_documents(deps) if known.rows["documents_of_other_values"] else Success(None)
        )
    )


def _made_again(
    deps: CoreDeps, index: SqlVectorIndex, kinds: frozenset[str]
) -> Result[None, CoreError]:
    return Result.do(
        None
        for _ in (rebuild(deps, vectors=True) if kinds & POSTINGS else Success(0))
        for _ in (reindex_documents(deps) if kinds & DOCUMENTS else Success(0))
        for _ in (reembed(deps, index) if kinds & (VECTORS | POSTINGS | DOCUMENTS) else Success(0))
    )
