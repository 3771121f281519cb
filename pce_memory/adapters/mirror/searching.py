"""The search index over the mirror; where the mirror is not ready, over what SQL gives at once."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from returns.result import Result, Success

from pce_memory.adapters.duck import DuckDatabase
from pce_memory.adapters.mirror import loading
from pce_memory.adapters.mirror.columns import ClaimColumns
from pce_memory.adapters.mirror.found import (
    BESIDE,
    Floats,
    Looking,
    Places,
    columns_of,
    heaviest,
    left_out,
    looking,
    quoted,
    utilities_of,
)
from pce_memory.adapters.mirror.index import Mirror, MirrorView, seen_in
from pce_memory.adapters.mirror.masks import Seen
from pce_memory.adapters.mirror.passages import PassageLinks
from pce_memory.adapters.mirror.ranks import best
from pce_memory.adapters.vector_rank import Nearness, nearness
from pce_memory.adapters.vector_sources import near_by_source
from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import Found, Matrix, Sought, Standing, Vector, Visibility, Weighing
from pce_memory.errors import StoreError

SPARE: Final = 32
NOTHING: Final = np.empty(0, np.int64)


class MirrorSearch:
    """Finds candidates in memory, under the mask of a caller."""

    def __init__(self, db: DuckDatabase, mirror: Mirror, vectors: SqlVectorIndex) -> None:
        self._db = db
        self.mirror = mirror
        self._vectors = vectors

    def follow(self) -> Result[None, StoreError]:
        """Take in what was committed; call it before a snapshot begins."""
        return self.mirror.view().map(lambda _: None)

    def search(self, sought: Sought, visible: Visibility) -> Result[Found, StoreError]:
        """Return the best candidates of both lanes, each with everything it matches by."""
        return Result.do(
            found
            for view in self._view(sought.terms, groups=sought.groups)
            for seen in seen_in(self._db, view, visible)
            for found in self._found(view, seen, sought, visible)
        )

    def everything(
        self, visible: Visibility, weighing: Weighing, limit: int
    ) -> Result[Found, StoreError]:
        """Return the `limit` visible claims that weigh most, and those that weigh the same."""
        return Result.do(
            heaviest(view.columns, seen, visible, weighing, limit)
            for view in self._view(())
            for seen in seen_in(self._db, view, visible)
        )

    def nearest(
        self, vector: Vector, visible: Visibility, *, limit: int
    ) -> Result[Mapping[int, float], StoreError]:
        """Return the cosines of the `limit` visible claims nearest to a vector."""
        # Where cosines are rough at first, a few more are looked at exactly.
        sought = Sought(terms=(), vector=vector, k_txt=0, k_vec=SPARE + 2 * limit)
        return Result.do(
            {int(view.columns.row_id[places[one]]): float(cosines[one]) for one in kept}
            for view in self._view(())
            for seen in seen_in(self._db, view, visible)
            for places in self._nearest(view, seen, sought, visible, out=NOTHING)
            for cosines in self._cosines(view, sought, places)
            for kept in Success(best(cosines, limit))
        )

    def nearest_by_source(
        self, vector: Vector, visible: Visibility, *, limit: int
    ) -> Result[Mapping[int, float], StoreError]:
        """Return the `limit` visible claims whose best observation is nearest to a vector."""
        return near_by_source(self._db, self._vectors, vector, visible, limit=limit)

    def standing(
        self, sought: Sought, visible: Visibility, row_id: int
    ) -> Result[Standing, StoreError]:
        """Return how a visible claim stands in both lanes, however far down."""
        return Result.do(
            _standing(look, left_out(view.postings, sought), row_id, near)
            for view in self._view(sought.terms, groups=sought.groups)
            for seen in seen_in(self._db, view, visible)
            for look in Success(
                looking(view.columns, view.passages, view.postings, seen, sought, now=visible.now)
            )
            for near in nearness(self._db, self._vectors, sought.vector, visible, row_id)
        )

    def likeness(self, row_ids: Sequence[int]) -> Result[Matrix, StoreError]:
        """Return the cosine of each of these claims to each; NaN where one has no vector."""
        return self._vectors.matrix(row_ids).map(lambda rows: rows @ rows.T)

    def _view(
        self, terms: Sequence[int], *, groups: Sequence[Sequence[int]] = ()
    ) -> Result[MirrorView, StoreError]:
        """Return what the mirror holds; without it, what this one search needs, read now."""
        held = self.mirror.current()
        if held is not None:
            return Success(held)
        wanted = sorted({*terms, *(term for one in groups for term in one)})
        return Result.do(
            MirrorView(columns, PassageLinks(columns).view(), postings, None)
            for arrays in loading.load_columns(self._db)
            for columns in Success(ClaimColumns(arrays).columns)
            for postings in loading.load_postings_of(self._db, columns, wanted)
        )

    def _found(
        self, view: MirrorView, seen: Seen, sought: Sought, visible: Visibility
    ) -> Result[Found, StoreError]:
        look = looking(view.columns, view.passages, view.postings, seen, sought, now=visible.now)
        out = left_out(view.postings, sought)
        said = quoted(view.postings, sought, seen)
        scores, whole, lexical = look.lexical(out)
        said = said[best(scores[said], sought.k_txt)]
        return Result.do(
            Found(
                columns_of(
                    view.columns,
                    places,
                    visible,
                    {
                        **_matched(look, places, cosines),
                        **_by_words(scores[places], whole[places]),
                        "quoted": np.isin(places, said),
                        "by_words": np.isin(places, lexical),
                        "by_meaning": np.isin(places, near),
                    },
                ),
                utilities_of(view.columns, seen, visible),
                seen.count,
            )
            for near in self._nearest(view, seen, sought, visible, out=out)
            for places in Success(_places(look, np.union1d(lexical, said), near, out))
            for cosines in self._cosines(view, sought, places)
        )

    def _nearest(
        self, view: MirrorView, seen: Seen, sought: Sought, visible: Visibility, *, out: Places
    ) -> Result[Places, StoreError]:
        if sought.vector is None:
            return Success(NOTHING)
        # What is left out must not take the place of what is found instead.
        limit = sought.k_vec
        if view.vectors is not None:
            query = np.asarray(sought.vector, np.float32)
            among = np.setdiff1d(seen.places, out, assume_unique=True) if len(out) else seen.places
            return Success(view.vectors.nearest(query, among, limit)[0])
        more = int(np.count_nonzero(seen.mask[out]))
        near = self._vectors.nearest(sought.vector, visible, limit=limit + more)
        return near.map(lambda found: _without(_at(view, found), out)[:limit])

    def _cosines(
        self, view: MirrorView, sought: Sought, places: Places
    ) -> Result[Floats, StoreError]:
        """Return the cosines of these places, NaN where a claim has no vector."""
        if sought.vector is None or not len(places):
            return Success(np.full(len(places), np.nan))
        if view.vectors is not None and view.vectors.is_exact:
            query = np.asarray(sought.vector, np.float32)
            cosines = view.vectors.exact.cosines(query, places)
            return Success(np.where(view.vectors.has[places], cosines, np.nan))
        rows = view.columns.row_id[places].tolist()
        return self._vectors.cosines(sought.vector, rows).map(
            lambda found: np.array([found.get(row, np.nan) for row in rows])
        )


def _standing(look: Looking, out: Places, row_id: int, near: Nearness) -> Standing:
    scores, _, _ = look.lexical(NOTHING)
    places, there = look.columns.places_of(np.array([row_id], np.int64))
    place = int(places[0])
    own = float(scores[place]) if there[0] else 0.0
    others = scores.copy()
    others[out] = 0.0
    ahead = (others > own).sum() + (others[:place] == own).sum()
    return Standing(
        bm25=own if own > 0 else None,
        by_words=1 + int(ahead) if own > 0 else None,
        sharing=int(np.count_nonzero(scores)),
        cosine=near.cosine,
        by_meaning=near.rank,
        embedded=near.embedded,
        is_left_out=place in out,
    )


def _at(view: MirrorView, found: Mapping[int, float]) -> Places:
    rows = np.array(list(found), np.int64)
    places, there = view.columns.places_of(rows)
    return places[there]


def _places(look: Looking, lexical: Places, near: Places, out: Places) -> Places:
    """Return the candidates: both lanes, and the claims beside their best, in order."""
    first = np.concatenate([lexical[:BESIDE], near[:BESIDE]])
    every = np.unique(np.concatenate([lexical, near, look.around(first)]))
    return _without(every, out)


def _without(places: Places, out: Places) -> Places:
    return places[~np.isin(places, out)] if len(out) else places


def _by_words(bm25: Floats, whole: Floats) -> dict[str, Any]:
    shares = bm25 > 0
    return {
        "bm25": np.where(shares, bm25, np.nan),
        "bm25_whole": np.where(shares, whole, np.nan),
    }


def _matched(look: Looking, places: Places, cosines: Floats) -> dict[str, Any]:
    windows, wholes, answers = look.windows(places)
    return {
        "cosine": cosines,
        "window": windows,
        "whole": wholes,
        "period": look.periods(places),
        "answers": answers,
    }
