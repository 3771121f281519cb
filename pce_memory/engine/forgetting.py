"""Forget for good: which claims and observations that is, and their erasure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.erasure import ForgetResult, Forgetting
from pce_memory.domain.ids import ClaimId, DocumentId, ObservationId, called, ids_in
from pce_memory.domain.policy import Policy
from pce_memory.engine.forgetting_claims import permitted_rows, rows_named
from pce_memory.engine.forgetting_documents import documents_to_forget
from pce_memory.engine.forgetting_runs import erase_runs_asking, erase_runs_with, words_of
from pce_memory.engine.forgetting_words import (
    claims_to_forget,
    holders_to_forget,
    observations_to_forget,
)
from pce_memory.errors import CoreError, InvalidParameter, UnknownClaim
from pce_memory.integrator.anew import embed_anew, write_anew
from pce_memory.result import reader
from pce_memory.store import (
    audit,
    document_index,
    erasure,
    events,
    graph_words,
    indexing,
    observations,
    support,
)
from pce_memory.store.audit import decided
from pce_memory.store.graph_words import NO_HOLDERS, Holders
from pce_memory.store.visibility import shown_rows

NAMED: Final = ("claim_id", "observation_id", "actor", "query", "document_id")
"""What can be forgotten: one of these is given."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is to be erased: claims, those made of them, observations asked for and behind them.

    `holders` are what else holds the words of a query.
    """

    rows: tuple[int, ...] = ()
    derived: tuple[int, ...] = ()
    asked: tuple[ObservationId, ...] = ()
    behind: tuple[ObservationId, ...] = ()
    documents: tuple[int, ...] = ()
    holders: Holders = NO_HOLDERS


@reader
def forget(
    deps: CoreDeps, wanted: Forgetting, boundary: Boundary, policy: Policy, *, owner: bool
) -> Result[ForgetResult, CoreError]:
    """Erase what is wanted, in one transaction: for the owner whatever the file holds of it.

    For anybody else it is only what the boundary shows; an observation that says something else
    too is left as it is.
    """

    def sought() -> Result[Found, CoreError]:
        return Result.do(
            found
            for _ in _one_thing(wanted)
            for found in _found(deps, wanted, None if owner else boundary, policy)
        )

    def planned() -> Result[ForgetResult, CoreError]:
        return Result.do(done for found in sought() for done in _planned(deps, found, wanted))

    def erased() -> Result[tuple[ForgetResult, tuple[int, ...]], CoreError]:
        return Result.do(
            (done, moved)
            for found in sought()
            for done in _erased(deps, found, wanted, owner=owner)
            for moved in _moved(deps, found, wanted, policy, owner=owner)
            for _ in _told(deps, done, boundary, policy)
        )

    if wanted.dry_run:  # it writes nothing, so it works on a memory that is only read
        return deps.db.snapshot(planned)
    return Result.do(
        done
        for done, moved in deps.db.transaction(erased)
        for _ in embed_anew(moved, policy)(deps)
    )


def _moved(
    deps: CoreDeps, found: Found, wanted: Forgetting, policy: Policy, *, owner: bool
) -> Result[tuple[int, ...], CoreError]:
    """Let what others bear out be their words from now on, and not be found by his name."""
    actor = wanted.actor if owner else None
    if not found.asked and actor is None:
        return Success(())
    return Result.do(
        rows
        for rows in indexing.attribute_to_others(found.asked, actor=actor)(deps)
        for _ in write_anew(rows, policy)(deps)
    )


def _one_thing(wanted: Forgetting) -> Result[None, InvalidParameter]:
    given = [getattr(wanted, name) for name in NAMED]
    if sum(one is not None for one in given) == 1:
        return Success(None)
    reason = f"give one of {', '.join(NAMED)}"
    return Failure(InvalidParameter("forget", reason))


def _found(
    deps: CoreDeps, wanted: Forgetting, boundary: Boundary | None, policy: Policy
) -> Result[Found, CoreError]:
    return Result.do(
        Found(
            rows, tuple(row for row in made if row not in rows), named, behind, documents, holders
        )
        for asked, first in _asked(deps, wanted, boundary, policy)
        for seen in permitted_rows(deps, first, boundary, policy)
        for _ in (_known(wanted, seen) if boundary is not None else Success(None))
        for rows in erasure.led_here(seen)(deps)
        for derived in (erasure.derived(rows)(deps) if wanted.derived else Success(()))
        for shown in permitted_rows(deps, derived, boundary, policy)
        for made in erasure.led_here(shown)(deps)
        for named in _wholly(deps, asked, boundary, policy)
        for sources in erasure.sources_of(rows)(deps)
        for said in erasure.saying((*rows, *made))(deps)
        for noted in observations_to_forget(wanted, owner=boundary is None)(deps)
        for behind in _wholly(deps, (*sources, *said, *noted), boundary, policy, known=sources)
        for documents in documents_to_forget(wanted, boundary, policy)(deps)
        for holders in holders_to_forget(wanted, owner=boundary is None)(deps)
    )


def _wholly(
    deps: CoreDeps,
    ids: Sequence[ObservationId],
    boundary: Boundary | None,
    policy: Policy,
    *,
    known: Sequence[ObservationId] = (),
) -> Result[tuple[ObservationId, ...], CoreError]:
    """Return those observations of which a boundary shows every claim; the owner sees all.

    There has to be a claim, or it has to be known that one came of it.
    """
    if boundary is None:
        return Success(tuple(dict.fromkeys(ids)))
    return Result.do(
        tuple(
            one
            for one in dict.fromkeys(ids)
            if _all_shown(
                [row for source, row in pairs if source == one], shown, empty=one in known
            )
        )
        for pairs in erasure.beside(ids)(deps)
        for shown in shown_rows([row for _, row in pairs], boundary, policy, each=True)(deps)
    )


def _all_shown(rows: Sequence[int], shown: frozenset[int], *, empty: bool) -> bool:
    return shown.issuperset(rows) if rows else empty


def _known(wanted: Forgetting, seen: Sequence[int]) -> Result[None, UnknownClaim]:
    if wanted.claim_id is None or seen:
        return Success(None)
    return Failure(UnknownClaim(wanted.claim_id))


def _asked(
    deps: CoreDeps, wanted: Forgetting, boundary: Boundary | None, policy: Policy
) -> Result[tuple[tuple[ObservationId, ...], tuple[int, ...]], CoreError]:
    """Return the observations that are named, and the claims that fall with what is named."""
    owner = boundary is None
    if wanted.claim_id is not None:
        return rows_named(deps, wanted.claim_id, boundary, policy).map(lambda rows: ((), rows))
    if wanted.observation_id is not None:
        return Result.do(
            (ids, rows)
            for ids in _observation(deps, wanted.observation_id, owner=owner)
            for rows in erasure.resting_on(ids)(deps)
        )
    if wanted.actor is not None:
        return Result.do(
            (said, tuple(dict.fromkeys((*rows, *resting))))
            for said, rows in erasure.of_actor(wanted.actor)(deps)
            for resting in erasure.resting_on(said)(deps)
        )
    if wanted.document_id is not None:
        return Success(((), ()))
    return claims_to_forget(wanted.query or "", boundary, policy)(deps).map(
        lambda rows: ((), rows)
    )


def _observation(
    deps: CoreDeps, one: ObservationId, *, owner: bool
) -> Result[tuple[ObservationId, ...], CoreError]:
    """Return an observation that is there; to a boundary, one that is not is one it hides."""
    missing = InvalidParameter("observation_id", "no observation has it")
    return Result.do(
        ids
        for found in observations.by_id([one])(deps)
        for ids in (
            Failure(missing) if owner and not found else Success(tuple(seen.id for seen in found))
        )
    )


def _planned(deps: CoreDeps, found: Found, wanted: Forgetting) -> Result[ForgetResult, CoreError]:
    return Result.do(
        ForgetResult(
            claims=_names(ids, (*found.rows, *found.derived)),
            derived=_names(ids, found.derived),
            observations=ids_in(ObservationId, dict.fromkeys((*found.asked, *found.behind))),
            documents=ids_in(DocumentId, documents),
            others=found.holders.count,
            dry_run=wanted.dry_run,
        )
        for ids in erasure.claim_ids((*found.rows, *found.derived))(deps)
        for documents in document_index.ids(found.documents)(deps)
    )


def _names(ids: Mapping[int, ClaimId], rows: Sequence[int]) -> tuple[ClaimId, ...]:
    return ids_in(ClaimId, (called(ids[row]) for row in rows))


def _erased(
    deps: CoreDeps, found: Found, wanted: Forgetting, *, owner: bool
) -> Result[ForgetResult, CoreError]:
    rows = (*found.rows, *found.derived)
    return Result.do(
        done.model_copy(update={"others": done.others + asking + holding})
        for done in _planned(deps, found, wanted)
        for asking in erase_runs_asking(wanted, owner=owner)(deps)
        for words in _words(deps, found, owner=owner)
        for _ in _unsupported(deps, found, wanted, owner=owner)
        for _ in erasure.scrub(found.asked, why="forgotten", evidence=True)(deps)
        for _ in erasure.scrub(found.behind, why="forgotten", evidence=False)(deps)
        for _ in erasure.erase_claims(rows, why="forgotten")(deps)
        for _ in document_index.erase(found.documents, why="forgotten")(deps)
        for _ in (
            erasure.erase_actor(wanted.actor)(deps)
            if wanted.actor is not None and owner
            else Success(None)
        )
        for _ in graph_words.erase(found.holders)(deps)
        for holding in erase_runs_with(words)(deps)
    )


def _words(deps: CoreDeps, found: Found, *, owner: bool) -> Result[frozenset[str], CoreError]:
    """Return the words that go; to a caller it would tell whether what is hidden has them too."""
    if not owner:
        return Success(frozenset())
    rows = (*found.rows, *found.derived)
    observed = tuple(dict.fromkeys((*found.asked, *found.behind)))
    return words_of(rows, observed, found.documents)(deps)


def _unsupported(
    deps: CoreDeps, found: Found, wanted: Forgetting, *, owner: bool
) -> Result[None, CoreError]:
    """Take from what stays what only the claims and evidence that go have brought to it."""
    actor = wanted.actor if owner else None
    rows = (*found.rows, *found.derived)
    nothing = not found.asked and actor is None
    return Result.do(
        None
        for _ in support.erase_brought(rows, found.asked, actor=actor)(deps)
        for _ in (Success(None) if nothing else support.withdraw(found.asked, actor=actor)(deps))
    )


def _told(
    deps: CoreDeps, done: ForgetResult, boundary: Boundary, policy: Policy
) -> Result[None, CoreError]:
    counts = {
        "claims": len(done.claims),
        "derived": len(done.derived),
        "observations": len(done.observations),
        "documents": len(done.documents),
    }
    return Result.do(
        None
        for _ in audit.record([decided("forget", "allowed", boundary, policy, counts=counts)])(
            deps
        )
        for _ in events.record("forget", counts, policy_version=policy.version)(deps)
    )
