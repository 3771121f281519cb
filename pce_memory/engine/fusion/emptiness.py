"""Why a lane found nothing: by what its caller may see, so it tells of nothing else."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Visibility
from pce_memory.domain.fusion import Lane
from pce_memory.domain.lanes import LaneAsk
from pce_memory.engine.fusion.document_lanes import LONGEST_QUERY, PRECISION
from pce_memory.errors import CoreError
from pce_memory.result import reader
from pce_memory.retriever.lane_hits import LaneHits
from pce_memory.store import documents, search
from pce_memory.text.asked import Asked, read_query
from pce_memory.text.sanitize import sanitize

OF_LANE: Final[Mapping[Lane, str]] = {
    "semantic": "no visible {noun} has a vector to compare",
    "original_dense": "no visible {noun} has a vector to compare",
    "graph": "no visible {noun} names an entity that the best for the query name",
    "code": "no visible {noun} carries one of the codes that are asked for",
}


@reader
def with_reason(
    deps: CoreDeps, hits: LaneHits, lane: Lane, ask: LaneAsk, mask: Visibility
) -> Result[LaneHits, CoreError]:
    """Return what a lane found; where that is nothing, with the reason."""
    if len(hits.keys) or hits.empty:
        return Success(hits)
    return Result.do(
        replace(hits, empty=_reason(deps, lane, ask, visible=visible))
        for visible in _visible(deps, ask, mask)
    )


def _visible(deps: CoreDeps, ask: LaneAsk, mask: Visibility) -> Result[int, CoreError]:
    """Return how many claims or documents the boundary and the filters leave."""
    if ask.collection == "documents":
        return documents.count(mask)(deps).map(int)
    return search.visible_rows(mask)(deps).map(len)


def _reason(deps: CoreDeps, lane: Lane, ask: LaneAsk, *, visible: int) -> str:
    noun = ask.collection.removesuffix("s")
    if not visible:
        by = "the boundary and the filters leave" if ask.filters else "the boundary shows"
        return f"{by} no {noun}"
    if lane != "fulltext":
        narrow = lane == "semantic" and noun == "document" and ask.feature_scope != "wide"
        of_scope = f" and a field of {ask.feature_scope}" if narrow else ""
        return OF_LANE[lane].format(noun=noun) + of_scope
    asked = read_query(sanitize(ask.query, max_chars=LONGEST_QUERY), deps.tokenizer)
    return _of_words(asked, noun, every=ask.name_of("fulltext") == PRECISION)


def _of_words(asked: Asked, noun: str, *, every: bool) -> str:
    wanted = "every word that is asked for" if every else "a word that is asked for"
    phrases = " and every quoted phrase" if every and asked.phrases else ""
    left_out = " and nothing that is left out" if asked.excluded else ""
    return f"no visible {noun} holds {wanted}{phrases}{left_out}"
