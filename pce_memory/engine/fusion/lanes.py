"""One lane: it looks under the mask and the filters, and leaves a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Visibility
from pce_memory.deps.backend import BackendHit, SearchBackend
from pce_memory.domain.fused import RunHandle
from pce_memory.domain.fusion import Lane
from pce_memory.domain.lanes import LaneAsk
from pce_memory.domain.policy import Policy, seconds
from pce_memory.engine.fusion.document_lanes import LONGEST_QUERY, PRECISION, of_documents
from pce_memory.engine.fusion.emptiness import with_reason
from pce_memory.engine.fusion.lacking import without_codes
from pce_memory.engine.fusion.ordering import in_order, sortable, sought
from pce_memory.engine.fusion.telling import Looking, told
from pce_memory.engine.ready import Ready
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.policy.boundary import narrowed_to
from pce_memory.policy.outgoing import cleaner, plain_out
from pce_memory.result import reader
from pce_memory.retriever import lane_hits
from pce_memory.retriever.lane_hits import LaneHits
from pce_memory.retriever.select import short_enough
from pce_memory.store import audit, events, run_foreign, runs
from pce_memory.store.audit import decided
from pce_memory.store.documents import FEATURES
from pce_memory.store.filters import compile_filters
from pce_memory.store.run_documents import SOURCE
from pce_memory.store.runs import Run
from pce_memory.store.visibility import View, filtered, view
from pce_memory.text.sanitize import sanitize
from pce_memory.text.secrecy import storable


@dataclass(frozen=True, slots=True)
class Asking:
    """Which lane is asked what, for whom; of a backend of the host's where one is named."""

    lane: Lane
    ask: LaneAsk
    ready: Ready
    source: str
    backend: SearchBackend | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What a lane found, and what could be seen when it looked."""

    hits: LaneHits
    view: View
    named: Sequence[BackendHit] = ()
    warnings: Sequence[str] = ()


@reader
def run_lane(deps: CoreDeps, asking: Asking) -> Result[RunHandle, CoreError]:
    """Return the run that a lane leaves, and how long it took."""
    begun = deps.clock()
    return Result.do(
        handle.took(1000 * (deps.clock() - begun))
        for seen in look(asking)(deps)
        for handle in _saved(deps, asking, seen)
    )


@reader
def ids(deps: CoreDeps, asking: Asking) -> Result[tuple[str, ...], CoreError]:
    """Return the ids that a lane finds, and leave nothing."""
    return Result.do(
        (
            tuple(one.doc_id for one in seen.named)
            if asking.backend is not None
            else tuple(one.doc_id for one in found)
        )
        for seen in look(asking)(deps)
        for who in Success(Looking(seen.view, asking.ready.policy))
        for found in told([] if asking.backend is not None else seen.hits.keys.tolist(), who)(deps)
    )


@reader
def look(deps: CoreDeps, asking: Asking) -> Result[Seen, CoreError]:
    """Return what a lane finds; all reads see one state of the file."""
    ask, policy = asking.ask, asking.ready.policy

    def found(seen: View) -> Result[Seen, CoreError]:
        if asking.backend is not None:
            return _of_backend(asking, seen, asking.backend)
        return deps.db.snapshot(partial(_of_file, deps, asking, seen))

    return Result.do(
        seen
        for _ in _askable(asking.lane, ask, policy)
        for _ in sortable(ask, asking.backend)
        for reach in view(asking.ready.boundary, policy)(deps)
        for _ in deps.search_index.follow()
        for seen in found(reach)
    )


def _askable(lane: Lane, ask: LaneAsk, policy: Policy) -> Result[None, InvalidParameter]:
    if lane == "code":
        lacks = None if ask.codes.total else ("codes", "give {taxonomy: {code: weight}}")
    else:
        lacks = None if ask.query.strip() else ("query", "it is empty")
    told_of = {"lane_name": ask.lane_name, "codes": ask.codes, "field_boosts": ask.field_boosts}
    return Result.do(
        None
        for _ in short_enough(ask.query, policy)
        for _ in (Success(None) if lacks is None else Failure(InvalidParameter(*lacks)))
        for _ in storable(filters=ask.filters, **told_of)
    )


def _of_file(deps: CoreDeps, asking: Asking, seen: View) -> Result[Seen, CoreError]:
    ask, policy = asking.ask, asking.ready.policy
    search = _claims if ask.collection == "claims" else of_documents
    return Result.do(
        Seen(hits, seen, warnings=warnings)
        for rows in compile_filters(ask.filters, ask.collection)
        for mask in Success(filtered(seen.visible, rows))
        for found in search(deps, asking.lane, sought(ask, asking.lane), mask, policy)
        for ordered in in_order(found, ask, seen, policy)(deps)
        for hits in with_reason(ordered, asking.lane, ask, mask)(deps)
        for warnings in without_codes(deps, asking.lane, ask, seen)
    )


def _claims(
    deps: CoreDeps, lane: Lane, ask: LaneAsk, mask: Visibility, policy: Policy
) -> Result[LaneHits, CoreError]:
    match lane:
        case "fulltext":
            every = ask.name_of("fulltext") == PRECISION
            return lane_hits.fulltext(ask.query, mask, policy, top_k=ask.top_k, every=every)(deps)
        case "semantic":
            return lane_hits.semantic(ask.query, mask, policy, top_k=ask.top_k)(deps)
        case "graph":
            return lane_hits.graph(ask.query, mask, policy, top_k=ask.top_k, hops=ask.hops)(deps)
        case "code":
            return lane_hits.by_codes(ask.codes.codes, mask, top_k=ask.top_k)(deps)
        case "original_dense":
            dense = lane_hits.original_dense
            return dense(ask.query, mask, policy, top_k=ask.top_k)(deps)


def _of_backend(asking: Asking, seen: View, backend: SearchBackend) -> Result[Seen, CoreError]:
    ask, one_more = asking.ask, asking.ask.top_k + 1
    if asking.lane == "fulltext":
        found = backend.fulltext_search(ask.query, ask.filters, one_more)
    elif asking.lane != "semantic":
        reason = f"a backend of the host's has no lane {asking.lane}"
        return Failure(InvalidParameter("lane", reason))
    elif ask.filters:
        reason = "a backend's search by meaning takes none"
        return Failure(InvalidParameter("filters", reason))
    else:
        found = backend.semantic_search(ask.query, ask.feature_scope, one_more)
    return found.map(lambda hits: _named(hits, asking, seen))


def _named(found: Sequence[BackendHit], asking: Asking, seen: View) -> Seen:
    """Return hits of a backend in its order, each document once."""
    first = {hit.doc_id: hit for hit in reversed(found)}
    once = [hit for hit in found if first[hit.doc_id] is hit]
    kept = once[: asking.ask.top_k]
    keys = [runs.foreign_key(asking.source, one.doc_id) for one in kept]
    more = len(once) > len(kept)
    hits = lane_hits.of_ids([one.score for one in kept], keys, more=more)
    empty = None if kept else "the backend found nothing"
    return Seen(replace(hits, empty=empty), seen, kept)


def _saved(deps: CoreDeps, asking: Asking, seen: Seen) -> Result[RunHandle, CoreError]:
    run = _run(deps, asking, seen)
    reach = narrowed_to(asking.ready.boundary, seen.view.narrowed)
    columns = {"key": seen.hits.keys, "score": seen.hits.scores}
    rows = [
        {
            "key": runs.foreign_key(asking.source, one.doc_id),
            "source": asking.source,
            "doc_id": one.doc_id,
            "metadata": dict(one.metadata),
        }
        for one in seen.named
    ]

    def work() -> Result[RunHandle, CoreError]:
        return Result.do(
            handle_of(run)
            for _ in runs.insert(run, reach, columns)(deps)
            for _ in run_foreign.insert(rows)(deps)
            for _ in _told(deps, asking, run)
        )

    return deps.db.transaction(work)


def _run(deps: CoreDeps, asking: Asking, seen: Seen) -> Run:
    ask, now, policy = asking.ask, deps.clock(), asking.ready.policy
    query, params = _asked_for(asking, seen)
    return Run(
        run_id=deps.ids(f"{asking.lane}-"),
        kind="lane",
        lane=asking.lane,
        lane_name=ask.name_of(asking.lane),
        source=asking.source,
        query=query or None,
        params=params,
        policy_version=policy.version,
        created_at=now,
        expires_at=now + seconds(policy.fusion.run_ttl),
        documents=len(seen.hits.keys),
    )


def _asked_for(asking: Asking, seen: Seen) -> tuple[str, Mapping[str, object]]:
    """Return what was asked for as it is kept: without secrets and personal data.

    It is told to who asked, and nothing is searched by it again: a blend needs ranks alone.
    """
    ask = asking.ask
    params = ask.model_dump(mode="json", exclude={"query", "lane_name"}, exclude_defaults=True)
    found: dict[str, object] = {"truncated": seen.hits.more, "top_k": ask.top_k}
    if not ask.sort.is_usual:
        found["sort"] = ask.sort.model_dump(mode="json")
    if asking.lane == "semantic" and asking.source == SOURCE:
        names = FEATURES[ask.feature_scope]
        found |= {} if names is None else {"narrowed_to": list(names)}
    found |= {"warnings": list(seen.warnings)} if seen.warnings else {}
    clean = cleaner(asking.ready.policy, ())
    kept = plain_out({**params, **found}, clean)
    empty = {"empty": seen.hits.empty} if seen.hits.empty else {}
    query = clean(sanitize(ask.query, max_chars=LONGEST_QUERY))
    return query, {**cast("Mapping[str, object]", kept), **empty}


def handle_of(run: Run) -> RunHandle:
    """Return the handle of a lane run."""
    return RunHandle.model_validate(
        {
            "run_id": run.run_id,
            "lane": run.lane,
            "run_id_lane": run.run_id,
            "hit_count": run.documents,
            "top_k": run.params["top_k"],
            "meta": {
                "lane_name": run.lane_name,
                "source": run.source,
                "query": run.query,
                **run.params,
                "expires_at": run.expires_at,
            },
        }
    )


def _told(deps: CoreDeps, asking: Asking, run: Run) -> Result[None, CoreError]:
    """Tell the audit and the events, by counts and digests."""
    digest = deps.digest(asking.ask.query)
    payload = {"lane": asking.lane, "documents": run.documents, "query": digest}
    ready = asking.ready
    decision = decided(
        f"fusion.{asking.lane}",
        "allowed",
        ready.boundary,
        ready.policy,
        counts={asking.source if asking.backend is None else "foreign": run.documents},
    )
    return Result.do(
        None
        for _ in events.record("run", payload, policy_version=ready.policy.version)(deps)
        for _ in audit.record([decision])(deps)
    )
