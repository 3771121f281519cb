"""Lanes over documents: what each finds by itself, ranked, as keys of a run."""

from collections.abc import Mapping
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Vector, Visibility
from pce_memory.domain.document import Hits, Style
from pce_memory.domain.fusion import Lane
from pce_memory.domain.lanes import LaneAsk
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.retriever import lane_hits
from pce_memory.retriever.lane_hits import LaneHits
from pce_memory.retriever.lanes import question
from pce_memory.store import documents, run_documents
from pce_memory.text.asked import read_query
from pce_memory.text.sanitize import sanitize

PRECISION: Final = "precision"
LONGEST_QUERY: Final = 1 << 20


def of_documents(
    deps: CoreDeps, lane: Lane, ask: LaneAsk, mask: Visibility, policy: Policy
) -> Result[LaneHits, CoreError]:
    """Return the documents that a lane finds under a mask."""
    found: Result[Hits, CoreError]
    match lane:
        case "fulltext":
            style: Style = "precision" if ask.name_of("fulltext") == PRECISION else "recall"
            typed = sanitize(ask.query, max_chars=LONGEST_QUERY)
            asked = read_query(typed, deps.tokenizer)
            if not asked.terms:
                return Success(lane_hits.nothing(lane_hits.NO_WORD))
            words = documents.Words(asked, ask.top_k, style, ask.field_boosts)
            found = documents.fulltext(words, mask, policy)(deps)
        case "code":
            found = documents.by_codes(ask.codes.codes, mask, limit=ask.top_k)(deps)
        case "semantic" | "original_dense":
            return _near(deps, lane, ask, mask, policy)
        case _:
            reason = (
                f"documents have no lane {lane}; use fulltext, semantic, original_dense or code"
            )
            return Failure(InvalidParameter("collection", reason))
    return Result.do(_keyed(hits, keys) for hits in found for keys in _keys(deps, hits))


def _near(
    deps: CoreDeps, lane: Lane, ask: LaneAsk, mask: Visibility, policy: Policy
) -> Result[LaneHits, CoreError]:
    """Return the documents nearest to a text; a whole document has one vector, so any scope is it.

    A feature scope narrows: it takes those documents that have one of its fields.
    """
    scope = ask.feature_scope if lane == "semantic" else "wide"

    def nearest(vector: Vector | None) -> Result[LaneHits, CoreError]:
        if vector is None:
            return Success(lane_hits.nothing(lane_hits.NO_VECTOR))
        near = documents.semantic(vector, mask, limit=ask.top_k, feature_scope=scope)
        return Result.do(_keyed(hits, keys) for hits in near(deps) for keys in _keys(deps, hits))

    return Result.do(
        hits for asked in question(ask.query, policy)(deps) for hits in nearest(asked.vector)
    )


def _keys(deps: CoreDeps, hits: Hits) -> Result[Mapping[str, int], CoreError]:
    return run_documents.keys_of([one.doc_id for one in hits.items])(deps).map(lambda keys: keys)


def _keyed(hits: Hits, keys: Mapping[str, int]) -> LaneHits:
    known = [one for one in hits.items if one.doc_id in keys]
    return lane_hits.of_ids(
        [one.score for one in known],
        [keys[one.doc_id] for one in known],
        more=hits.total > len(hits.items),
    )
