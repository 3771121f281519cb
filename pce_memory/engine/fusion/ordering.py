"""The order of what a lane found: by score, or by what claims and documents are."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.deps.backend import SearchBackend
from pce_memory.domain.fusion import Lane
from pce_memory.domain.lanes import LaneAsk, Sort
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.policy.outgoing import Clean, cleaner
from pce_memory.result import reader
from pce_memory.retriever.lane_hits import LaneHits
from pce_memory.store import ordering
from pce_memory.store.ordering import Rankable
from pce_memory.store.run_documents import DOCUMENTS
from pce_memory.store.visibility import View

MOST: Final = 10_000
MATCHING: Final[frozenset[Lane]] = frozenset({"fulltext", "code"})
"""Lanes that find what matches; the others find what is near, so everything in the end."""


def sortable(ask: LaneAsk, backend: SearchBackend | None) -> Result[None, InvalidParameter]:
    """Return a failure if a lane cannot be put in the order that is asked for."""
    if ask.sort.is_usual:
        return Success(None)
    if backend is not None:
        reason = "what a backend of the host's finds stands in its own order"
        return Failure(InvalidParameter("sort", reason))
    if ask.sort.by == "score":
        return Success(None)
    return ordering.ordered_by(ask.sort.by, ask.collection).map(lambda _: None)


def sought(ask: LaneAsk, lane: Lane) -> LaneAsk:
    """Return what is looked for before it is put in order.

    By words and codes that is all that matches, the best 10 000 of it where it is more; of what
    is near, the nearest `top_k`.
    """
    if ask.sort.is_usual or lane not in MATCHING:
        return ask
    return ask.model_copy(update={"top_k": MOST})


@reader
def in_order(
    deps: CoreDeps, hits: LaneHits, ask: LaneAsk, seen: View, policy: Policy
) -> Result[LaneHits, CoreError]:
    """Return the first `top_k` in the order asked for, equal ones by score, then by place.

    Of several values the least counts where it ascends, the greatest where it descends; what has
    none comes last. A text counts as it would leave: its order would tell what is not shown.
    """
    sort = ask.sort
    if sort.is_usual:
        return Success(hits)
    clean = cleaner(policy, seen.narrowed.classes)
    keys: list[int] = hits.keys.tolist()
    plain = [key & ~DOCUMENTS for key in keys]
    if sort.by == "score":
        scores: list[float] = hits.scores.tolist()
        each = {one: ((False, score, ""),) for one, score in zip(plain, scores, strict=True)}
        return Success(_cut(hits, _order(plain, each, sort, clean), ask.top_k))
    return Result.do(
        _cut(hits, _order(plain, values, sort, clean), ask.top_k)
        for source in ordering.ordered_by(sort.by, ask.collection)
        for values in ordering.values_of(source, plain, ask.collection, seen.visible)(deps)
    )


def _order(
    keys: Sequence[int],
    values: Mapping[int, Sequence[Rankable]],
    sort: Sort,
    clean: Clean,
) -> list[int]:
    """Return places; Python's sort leaves equal ones as they stand, reversed or not."""
    falls = sort.order == "desc"
    pick = max if falls else min
    counts = {
        place: pick((kind, number, clean(text)) for kind, number, text in values[key])
        for place, key in enumerate(keys)
        if values.get(key)
    }
    there = sorted(counts, key=counts.__getitem__, reverse=falls)
    return [*there, *(place for place in range(len(keys)) if place not in counts)]


def _cut(hits: LaneHits, order: Sequence[int], top_k: int) -> LaneHits:
    places = np.array(order[:top_k], np.int64)
    more = hits.more or len(order) > top_k
    return LaneHits(hits.keys[places], hits.scores[places], more=more, empty=hits.empty)
