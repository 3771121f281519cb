"""Lanes over claims: what each finds by itself, ranked; the mask goes first, then the filters.

They ask the search index that an activation asks, through the same reading of the query.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from returns.result import Result, Success

from pce_memory.deps import Arrays, CoreDeps, Visibility
from pce_memory.domain.policy import Policy
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.retriever.lanes import LaneFault, Question, question, sought_by
from pce_memory.scoring.blend import WeighedRun, blend
from pce_memory.scoring.reciprocal import DEFAULT_K
from pce_memory.store import claims, codes
from pce_memory.store.codes import Profile
from pce_memory.text.demanded import demanded_terms
from pce_memory.text.phrases import holds_phrase
from pce_memory.text.tokens import term_hashes

Keys: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]

SEEDS: Final = 16
"""So many of the best by words, and by meaning, are where a walk over entities begins."""
PER_HOP: Final = 0.75
NO_WORD: Final = "the query has no word to look for"
NO_VECTOR: Final = "the embedder gave no vector"


@dataclass(frozen=True, slots=True)
class LaneHits:
    """Claims that a lane found, best first; whether there are more; why there are none."""

    keys: Keys
    scores: Floats
    more: bool = False
    empty: str | None = None


def _first(keys: Keys, scores: Floats, top_k: int) -> LaneHits:
    order = np.lexsort((keys, -scores))
    kept = order[:top_k]
    return LaneHits(keys[kept], scores[kept], more=len(order) > top_k)


@reader
def fulltext(
    deps: CoreDeps, query: str, visible: Visibility, policy: Policy, *, top_k: int, every: bool
) -> Result[LaneHits, LaneFault]:
    """Return claims by BM25: with any word of the query, or with every word and every phrase."""
    return Result.do(
        hits
        for asked in question(query, policy)(deps)
        for hits in _by_words(deps, replace(asked, vector=None), visible, top_k, every=every)
    )


def _by_words(
    deps: CoreDeps, asked: Question, visible: Visibility, top_k: int, *, every: bool
) -> Result[LaneHits, StoreError]:
    sought = sought_by(deps, asked, top_k + 1, 0)
    if every:
        # What holds every term of a phrase is what the index calls quoted.
        needed = term_hashes(demanded_terms(asked.asked))
        sought = replace(sought, phrases=(needed,) if needed else ())
    if not sought.terms:
        return Success(nothing(NO_WORD))
    column = "quoted" if every else "by_words"

    def hits(found: Arrays, holding: frozenset[int] | None) -> LaneHits:
        kept = found[column] & ~np.isnan(found["bm25"])
        if holding is not None:
            kept &= np.isin(found["row_id"], list(holding))
        return _first(found["row_id"][kept].astype(np.int64), found["bm25"][kept], top_k)

    return Result.do(
        hits(found.columns, holding)
        for found in deps.search_index.search(sought, visible)
        for holding in _holding(deps, asked, found.columns, every=every)
    )


def _holding(
    deps: CoreDeps, asked: Question, found: Arrays, *, every: bool
) -> Result[frozenset[int] | None, StoreError]:
    """Return the claims that hold every quoted phrase; None where none has to be held."""
    phrases = asked.asked.phrases if every else ()
    if not phrases:
        return Success(None)
    rows: list[int] = found["row_id"][found["quoted"]].tolist()
    return claims.texts(rows)(deps).map(
        lambda texts: frozenset(
            row
            for row, text in texts.items()
            if all(holds_phrase(text, phrase) for phrase in phrases)
        )
    )


@reader
def semantic(
    deps: CoreDeps, text: str, visible: Visibility, policy: Policy, *, top_k: int
) -> Result[LaneHits, LaneFault]:
    """Return claims by the cosine of their vectors to a text's."""
    return Result.do(
        hits
        for asked in question(text, policy)(deps)
        for hits in _by_meaning(deps, asked, visible, top_k)
    )


def _by_meaning(
    deps: CoreDeps, asked: Question, visible: Visibility, top_k: int, *, whole: bool = False
) -> Result[LaneHits, StoreError]:
    """Return claims by what they mean, or by what the `whole` observations they are of mean."""
    if asked.vector is None:
        return Success(nothing(NO_VECTOR))
    index = deps.search_index
    nearest = index.nearest_by_source if whole else index.nearest
    found = nearest(asked.vector, visible, limit=top_k + 1)
    return found.map(lambda cosines: _of_mapping(cosines, top_k))


@reader
def graph(
    deps: CoreDeps, text: str, visible: Visibility, policy: Policy, *, top_k: int, hops: int
) -> Result[LaneHits, LaneFault]:
    """Return claims that name entities which the best claims for a text name.

    The seeds are the best by words and by meaning; a hop from claim to claim over an entity keeps
    three quarters of the score. Nothing that is hidden is a step on the way.
    """
    return Result.do(
        _of_walk(seeds, reached, top_k)
        for asked in question(text, policy)(deps)
        for words in _by_words(deps, replace(asked, vector=None), visible, SEEDS, every=False)
        for near in _by_meaning(deps, asked, visible, SEEDS)
        for seeds in Success(_seeds(words, near))
        for reached in _walked(deps, seeds, visible, hops)
    )


def _seeds(*lanes: LaneHits) -> Mapping[int, float]:
    """Return the seeds by reciprocal rank over both lanes, the best with 1."""
    joint = blend([WeighedRun(lane.keys, 1.0) for lane in lanes], DEFAULT_K)
    best = float(joint.rrf.max(initial=0.0)) or 1.0
    return dict(zip(joint.keys.tolist(), (joint.rrf / best).tolist(), strict=True))


def _of_walk(seeds: Mapping[int, float], reached: Mapping[int, float], top_k: int) -> LaneHits:
    if reached:
        return _of_mapping(reached, top_k)
    if not seeds:
        return nothing("no visible claim fits the query by words or by meaning")
    return nothing("no entity is linked to the visible claims that fit the query best")


def _walked(
    deps: CoreDeps, seeds: Mapping[int, float], visible: Visibility, hops: int
) -> Result[Mapping[int, float], StoreError]:
    reached: dict[int, float] = {}
    front = dict(seeds)
    for _ in range(hops):
        found = codes.linked(sorted(front), visible)(deps)
        pairs = found.value_or(None)
        if pairs is None:
            return found.map(lambda _: {})
        ahead: dict[int, float] = {}
        for seed, row in pairs:
            ahead[row] = max(ahead.get(row, 0.0), PER_HOP * front[seed])
        front = {row: score for row, score in ahead.items() if score > reached.get(row, 0.0)}
        reached.update(front)
    return Success(reached)


@reader
def by_codes(
    deps: CoreDeps, profile: Profile, visible: Visibility, *, top_k: int
) -> Result[LaneHits, StoreError]:
    """Return claims by the sum of the weights of their codes."""
    return codes.hits(profile, visible, limit=top_k + 1)(deps).map(
        lambda found: _first(
            found["row_id"].astype(np.int64), found["weight"].astype(np.float64), top_k
        )
    )


@reader
def original_dense(
    deps: CoreDeps, text: str, visible: Visibility, policy: Policy, *, top_k: int
) -> Result[LaneHits, LaneFault]:
    """Return claims by the cosine of a text's vector to what their whole observations mean.

    That is the mean of the vectors of an observation's visible claims: a file keeps no vectors of
    raw texts. Of a claim that several observations tell of, the nearest counts.
    """
    return Result.do(
        hits
        for asked in question(text, policy)(deps)
        for hits in _by_meaning(deps, asked, visible, top_k, whole=True)
    )


def _of_mapping(found: Mapping[int, float], top_k: int) -> LaneHits:
    keys = np.fromiter(found.keys(), np.int64, len(found))
    return _first(keys, np.fromiter(found.values(), np.float64, len(found)), top_k)


def nothing(why: str) -> LaneHits:
    """Return that a lane found nothing, and why."""
    return LaneHits(np.empty(0, np.int64), np.empty(0, np.float64), empty=why)


def of_ids(scores: Sequence[float], keys: Sequence[int], *, more: bool) -> LaneHits:
    """Return hits that another search found, in its order."""
    return LaneHits(np.array(keys, np.int64), np.array(scores, np.float64), more=more)
