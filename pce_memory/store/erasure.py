"""Erase claims and scrub observations wherever they left a trace; a digest stays."""

from collections.abc import Mapping, Sequence
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.erasure import Erasure, ErasureReason
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.policy import Policy
from pce_memory.errors import StoreError
from pce_memory.policy.indexed import indexed_text
from pce_memory.result import collect, reader
from pce_memory.store import graph_words, postings, reviews, runs, support
from pce_memory.store.claims import literals
from pce_memory.store.embeddings import text_key
from pce_memory.store.fitting import fitting
from pce_memory.store.search import rows_json_of_hashes
from pce_memory.store.statements import lives, rows_json, statements, with_rows

SQL: Final = statements("erasure")
CHUNK: Final = 5_000
"""So many claims are erased by one round of statements."""

_OF_CLAIMS: Final = (
    "erase_contexts",
    "erase_feedback",
    "erase_evidence",
    "erase_mentions",
    "erase_relations",
    "erase_judgements",
    "erase_aliases",
)


@reader
def expired(deps: CoreDeps, policy: Policy) -> Result[tuple[int, ...], StoreError]:
    """Return the keys of the claims whose time is over under a policy."""
    now = deps.clock()
    params = {"now": now, **lives(policy.scopes.alive_since(now))}
    return deps.db.query(SQL["expired_rows"], params).map(_row_ids)


@reader
def led_here(deps: CoreDeps, row_ids: Sequence[int]) -> Result[tuple[int, ...], StoreError]:
    """Return the keys of claims and of all that they stand for."""
    return deps.db.query(with_rows(SQL["rows_led_here"], row_ids)).map(_row_ids)


@reader
def derived(deps: CoreDeps, row_ids: Sequence[int]) -> Result[tuple[int, ...], StoreError]:
    """Return the keys of the claims that were made of these, at any remove."""
    return deps.db.query(with_rows(SQL["rows_derived"], row_ids)).map(_row_ids)


@reader
def holding_all(deps: CoreDeps, asked: Sequence[str]) -> Result[tuple[int, ...], StoreError]:
    """Return the keys of the claims that hold every one of the terms."""
    params = {"terms": rows_json_of_hashes(asked), "count": len(set(asked))}
    return deps.db.query(SQL["rows_with_terms"], params).map(_row_ids)


@reader
def of_actor(
    deps: CoreDeps, actor: str
) -> Result[tuple[tuple[ObservationId, ...], tuple[int, ...]], StoreError]:
    """Return what an actor said, and the claims whose evidence names nobody else."""
    return Result.do(
        (_observation_ids(said), _row_ids(rows))
        for said in deps.db.query(SQL["observations_of_actor"], {"actor": actor})
        for rows in deps.db.query(SQL["rows_from_actor"], {"actor": actor})
    )


@reader
def resting_on(
    deps: CoreDeps, ids: Sequence[ObservationId]
) -> Result[tuple[int, ...], StoreError]:
    """Return the keys of the claims that rest on these observations and on nothing else."""
    return deps.db.query(_ids(SQL["rows_of_observations"], ids)).map(_row_ids)


@reader
def sources_of(
    deps: CoreDeps, row_ids: Sequence[int]
) -> Result[tuple[ObservationId, ...], StoreError]:
    """Return the observations that claims were drawn from."""
    rows = deps.db.query(with_rows(SQL["observations_of_claims"], row_ids))
    return rows.map(_observation_ids)


@reader
def saying(
    deps: CoreDeps, row_ids: Sequence[int]
) -> Result[tuple[ObservationId, ...], StoreError]:
    """Return the observations that say what claims say, word for word."""
    rows = deps.db.query(with_rows(SQL["observations_saying"], row_ids))
    return rows.map(_observation_ids)


@reader
def beside(
    deps: CoreDeps, ids: Sequence[ObservationId]
) -> Result[tuple[tuple[ObservationId, int], ...], StoreError]:
    """Return which claims were drawn from which observations."""
    return deps.db.query(_ids(SQL["rows_beside"], ids)).map(
        lambda rows: tuple((ObservationId(row["id"]), int(row["row_id"])) for row in rows)
    )


@reader
def erase_actor(deps: CoreDeps, actor: str) -> Result[None, StoreError]:
    """Remove what names somebody as the one who said it; what they decided stays, by a digest."""
    both = {"actor": actor, "digest": deps.digest(actor)}
    return Result.do(
        None
        for _ in deps.db.execute(SQL["pseudonymize_audit"], both)
        for _ in deps.db.execute(SQL["pseudonymize_reviews"], both)
        for _ in deps.db.execute(SQL["erase_contexts_of_actor"], {"actor": actor})
        for _ in deps.db.execute(SQL["erase_context_items"])
        for _ in deps.db.execute(SQL["erase_evidence_of_actor"], {"actor": actor})
        for _ in support.erase()(deps)
        for _ in runs.erase_of_actor(actor)(deps)
    )


@reader
def claim_ids(deps: CoreDeps, row_ids: Sequence[int]) -> Result[Mapping[int, ClaimId], StoreError]:
    """Return the ids of claims by their keys."""
    rows = deps.db.query(with_rows(SQL["texts_of_rows"], row_ids))
    return rows.map(lambda found: {int(row["row_id"]): ClaimId(row["id"]) for row in found})


@reader
def erase_claims(
    deps: CoreDeps, row_ids: Sequence[int], *, why: ErasureReason
) -> Result[tuple[ClaimId, ...], StoreError]:
    """Erase claims, with those they stand for, wherever they left a trace; in a transaction."""
    return Result.do(
        tuple(one for group in groups for one in group)
        for every in led_here(row_ids)(deps)
        for groups in collect(
            _erased(deps, every[start : start + CHUNK], why)
            for start in range(0, len(every), CHUNK)
        )
        for _ in support.erase()(deps)
    )


def _erased(
    deps: CoreDeps, row_ids: Sequence[int], why: ErasureReason
) -> Result[tuple[ClaimId, ...], StoreError]:
    return Result.do(
        ids
        for rows in deps.db.query(with_rows(SQL["texts_of_rows"], row_ids))
        for ids in Success(tuple(ClaimId(row["id"]) for row in rows))
        for alone in deps.db.query(_ids(SQL["entities_of_claims"], ids))
        for _ in collect(deps.db.execute(_ids(SQL[name], ids)) for name in _OF_CLAIMS)
        for _ in reviews.close(ids)(deps)
        for _ in runs.erase_listing(row_ids)(deps)
        # What a reviewer says of a rejection is his; of what is forgotten it may say too much.
        for _ in (
            Success(None)
            if why == "rejected"
            else deps.db.execute(_ids(SQL["erase_review_notes"], ids))
        )
        for _ in deps.db.execute(SQL["erase_context_items"])
        for _ in _erase_entities(deps, [str(row["entity_id"]) for row in alone])
        for _ in _erase_rows(deps, row_ids, _embedded(deps, rows))
        for _ in recorded(
            deps, "claim", [(str(row["id"]), deps.digest(row["text"])) for row in rows], why
        )
    )


def _erase_rows(
    deps: CoreDeps, row_ids: Sequence[int], texts: Sequence[str]
) -> Result[None, StoreError]:
    cached = SQL["erase_cached"].replace("{hashes}", literals([text_key(one) for one in texts]))
    return Result.do(
        None
        for _ in postings.erase(deps.db, row_ids)
        for _ in deps.vector_index.erase(row_ids)
        for _ in deps.db.execute(cached)
        for _ in deps.db.execute(with_rows(SQL["erase_claims"], row_ids))
    )


def _embedded(deps: CoreDeps, rows: Sequence[Row]) -> list[str]:
    """Return the texts of claims, and what of them is embedded."""
    policy = deps.policy_store.get_current().value_or(None)
    texts = [str(row["text"]) for row in rows]
    if policy is None:
        return texts
    said = [
        indexed_text(row["text"], row["boundary_class"], policy, said_by=row["said_by"])
        for row in rows
    ]
    return [*texts, *said]


def _erase_entities(deps: CoreDeps, ids: Sequence[str]) -> Result[None, StoreError]:
    return Result.do(
        None
        for _ in graph_words.unlink(ids)(deps)
        for _ in deps.db.execute(_ids(SQL["erase_edges"], ids))
        for _ in deps.db.execute(_ids(SQL["erase_entities"], ids))
    )


@reader
def scrub(
    deps: CoreDeps, ids: Sequence[ObservationId], *, why: ErasureReason, evidence: bool
) -> Result[tuple[ObservationId, ...], StoreError]:
    """Forget what observations said; with `evidence`, also as a reason to believe other claims."""
    # A context that is kept tells of the evidence: without it, it is not kept either.
    gone = (
        ("erase_contexts_of_observations", "erase_evidence_of_observations")
        if evidence
        else ("erase_snippets",)
    )
    return Result.do(
        tuple(ObservationId(row["id"]) for row in rows)
        for rows in deps.db.query(_ids(SQL["observations_to_scrub"], ids))
        for _ in collect(deps.db.execute(_ids(SQL[name], ids)) for name in gone)
        for _ in (support.erase()(deps) if evidence else Success(None))
        for _ in deps.db.execute(SQL["erase_context_items"])
        for _ in deps.db.execute(_ids(SQL["scrub_observations"], ids))
        for _ in recorded(
            deps,
            "observation",
            [(str(row["id"]), str(row["content_digest"])) for row in rows],
            why,
        )
    )


@reader
def erasures(
    deps: CoreDeps, *, digest: str | None = None, limit: int = 100
) -> Result[tuple[Erasure, ...], StoreError]:
    """Return the newest erasures, of one digest or of all."""
    rows = deps.db.query(SQL["erasures"], {"digest": digest, "limit": limit})
    return rows.map(lambda found: tuple(fitting(found, Erasure.model_validate)))


def recorded(
    deps: CoreDeps, subject: str, digests: Sequence[tuple[str, str]], why: ErasureReason
) -> Result[None, StoreError]:
    """Write down what was erased, as digests."""
    rows = [
        {"id": deps.ids("ers_"), "subject": subject, "subject_id": one, "digest": digest}
        for one, digest in digests
    ]
    if not rows:
        return Success(None)
    params = {"rows": rows_json(rows), "why": why, "now": deps.clock()}
    return deps.db.execute(SQL["insert_erasures"], params)


def _ids(statement: str, ids: Sequence[str]) -> str:
    return statement.replace("{ids}", literals(ids))


def _row_ids(rows: Sequence[Row]) -> tuple[int, ...]:
    return tuple(int(row["row_id"]) for row in rows)


def _observation_ids(rows: Sequence[Row]) -> tuple[ObservationId, ...]:
    return tuple(
        ObservationId(row.get("id") or row["observation_id"])
        for row in rows
        if (row.get("id") or row.get("observation_id")) is not None
    )
