"""From a view of the file to candidates: the lanes, and what is around each hit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from pce_memory.adapters.mirror.columns import Columns
from pce_memory.adapters.mirror.context import (
    Documents,
    passages_around,
    whole_cover,
    window_cover,
)
from pce_memory.adapters.mirror.masks import Mask, Seen
from pce_memory.adapters.mirror.passages import NONE, Passages
from pce_memory.adapters.mirror.postings import Postings
from pce_memory.adapters.mirror.ranks import best
from pce_memory.adapters.mirror.wider import WiderHits, raised, widened_cover, wider_hits
from pce_memory.adapters.mirror.words import (
    TermHits,
    bm25,
    bm25_idf,
    bm25_terms,
    frequencies,
    hits_of,
)
from pce_memory.deps import Arrays, Found, Sought, Visibility, Weighing
from pce_memory.domain.model import DAY
from pce_memory.scoring.columnwise import (
    decayed_all,
    half_lives_of,
    population_of,
    recency_all,
    rerank_all,
)
from pce_memory.scoring.rerank import Population
from pce_memory.text.marks import Marks

Places: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]

BESIDE: Final = 24
"""So many of the best of each lane bring the claims around them as candidates."""
EARLY_DAYS: Final = 2.0
LATE_DAYS: Final = 10.0
"""How fast agreement with a named time falls before and after it: what happened is told later."""


@dataclass(frozen=True, slots=True)
class Looking:
    """One search over one view: what is visible, and the visible postings of what is asked."""

    columns: Columns
    passages: Passages
    seen: Seen
    sought: Sought
    hits: list[TermHits]
    weight: float
    wider: list[WiderHits]
    now: float

    def lexical(self, left_out: Places) -> tuple[Floats, Floats, Places]:
        """Return the BM25 of every claim, weighed and whole, and the places of the best."""
        scores = whole = bm25(self.hits, self.columns, self.seen)
        if self.wider:
            scores, whole = raised(scores, self.wider)
        shown = scores.copy() if len(left_out) else scores
        shown[left_out] = 0.0
        touched = np.flatnonzero(shown)
        return scores, whole, touched[best(shown[touched], self.sought.k_txt)]

    def around(self, places: Places) -> Places:
        """Return the places of the visible claims of these passages and of those beside them."""
        heads = np.unique(self.passages.head[places]).astype(np.int64)
        wide = [heads]
        for forward in (False, True):
            near = self.passages.neighbours(heads, self.columns, self.seen.heads, forward=forward)
            wide.append(near)
        wanted = np.unique(np.concatenate(wide))
        wanted = wanted[wanted != NONE]
        return self._claims_of(wanted)

    def _claims_of(self, heads: Places) -> Places:
        if not len(heads):
            return heads
        ends = np.searchsorted(self.passages.head, heads, side="right")
        sizes = ends - heads
        starts = np.repeat(heads - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
        claims: Places = starts + np.arange(int(sizes.sum()))
        return claims[self.seen.mask[claims]]

    def windows(self, places: Places) -> tuple[Floats, Floats, Mask]:
        """Return window and whole cover of candidates, and whether what came before them asks."""
        heads = self.passages.head[places].astype(np.int64)
        unique, back = np.unique(heads, return_inverse=True)
        around = passages_around(unique, self.passages, self.columns, self.seen.heads)[back]
        head = self.passages.head
        cover = window_cover(places, self.hits, self.weight, around, head)
        if self.wider:
            cover = widened_cover(cover, places, self.wider, self.weight, around, head)
        before = around[:, 1]
        whole = whole_cover(cover, around, self._documents(unique))
        return cover, whole, (before != NONE) & self.seen.asking[before]

    def _documents(self, heads: Places) -> Documents:
        """Return how well each of these passages fits as a whole: BM25 over passages."""
        claims = self._claims_of(heads)
        owner = np.searchsorted(heads, self.passages.head[claims])
        passages = max(1, int(np.count_nonzero(self.seen.heads)))
        mean_length = self.seen.mean_length * self.seen.count / passages
        lengths = np.bincount(owner, self.columns.dl[claims], len(heads))
        scores = np.zeros(len(heads))
        for hit in self.hits:
            counts = np.bincount(owner, frequencies(hit, claims), len(heads))
            tf = counts.astype(np.float64)  # of nothing bincount counts whole numbers
            holding = len(np.unique(self.passages.head[hit.places]))
            scores += bm25_terms(bm25_idf(passages, holding), tf, lengths / mean_length)
        return Documents(heads, scores, np.bincount(owner, minlength=len(heads)))

    def periods(self, places: Places) -> Floats:
        """Return how well the time a candidate was said at agrees with a time that is named."""
        agree = np.zeros(len(places))
        said = self.columns.said_at[places]
        # What is named relative to now, and what an archive names relative to its own end.
        named = {*self.sought.periods(self.now), *self.sought.periods(self.seen.latest)}
        for start, end in named:
            early = np.maximum(0.0, start - said) / DAY
            late = np.maximum(0.0, said - end) / DAY
            fall = np.exp(-early / EARLY_DAYS - late / LATE_DAYS)
            agree = np.maximum(agree, fall)
        return agree


def looking(
    columns: Columns,
    passages: Passages,
    postings: Postings,
    seen: Seen,
    sought: Sought,
    *,
    now: float,
) -> Looking:
    """Return a search, its terms looked up."""
    hits = hits_of(postings, sought.terms, seen)
    absent = len(set(sought.terms)) - len(hits)
    weight = sum(hit.idf**2 for hit in hits) + absent * bm25_idf(seen.count, 0) ** 2
    wider = wider_hits(postings, sought.wider, columns, seen)
    return Looking(columns, passages, seen, sought, hits, weight, wider, now)


def left_out(postings: Postings, sought: Sought) -> Places:
    """Return the places of the claims that hold all terms of one of what is excluded."""
    return _holding_any(postings, sought.excluded)


def quoted(postings: Postings, sought: Sought, seen: Seen) -> Places:
    """Return the places of the visible claims that hold all terms of a quoted phrase."""
    places = _holding_any(postings, sought.phrases)
    return places[seen.mask[places]]


def _holding_any(postings: Postings, groups: Sequence[tuple[int, ...]]) -> Places:
    found = [_holding(postings, terms) for terms in groups if terms]
    return np.unique(np.concatenate(found)).astype(np.int64) if found else np.empty(0, np.int64)


def _holding(postings: Postings, terms: tuple[int, ...]) -> npt.NDArray[np.int32]:
    places = postings.of(terms[0])[0]
    for term in terms[1:]:
        places = np.intersect1d(places, postings.of(term)[0], assume_unique=True)
    return places


def utilities_of(columns: Columns, seen: Seen, visible: Visibility) -> Population:
    """Return the mean and deviation of the utilities of the visible claims, as of now."""
    used = seen.places[columns.utility[seen.places] != 0]
    now = decayed_all(
        columns.utility[used], columns.decayed_at[used], visible.now, visible.utility_half_life
    )
    return population_of(now, seen.count - len(used))


def measures_of(columns: Columns, places: Places, visible: Visibility) -> tuple[Floats, Floats]:
    """Return utility and quality as of now."""
    since, now = columns.decayed_at[places], visible.now
    utility = decayed_all(columns.utility[places], since, now, visible.utility_half_life)
    quality = decayed_all(columns.quality[places], since, now, visible.quality_half_life)
    return utility, quality


def columns_of(
    columns: Columns, places: Places, visible: Visibility, matched: Mapping[str, Any]
) -> Arrays:
    """Return claims as candidates; `matched` are further columns by name."""
    utility, quality = measures_of(columns, places, visible)
    unknown = np.full(len(places), np.nan)
    nothing = np.zeros(len(places))
    return {
        "row_id": columns.row_id[places],
        "passage": columns.saying[places],
        "kind": columns.kind[places],
        "scope": columns.scope[places],
        "utility": utility,
        "quality": quality,
        "confidence": columns.confidence[places],
        "created_at": columns.created_at[places],
        "recency_anchor": columns.recency_anchor[places],
        "asks": columns.marks[places] & Marks.ASKS > 0,
        "timed": columns.marks[places] & Marks.TIMED > 0,
        "bm25": unknown,
        "bm25_whole": unknown,
        "cosine": unknown,
        "window": nothing,
        "whole": nothing,
        "period": nothing,
        "answers": nothing > 0,
        "quoted": nothing > 0,
        "by_words": nothing > 0,
        "by_meaning": nothing > 0,
        **matched,
    }


def heaviest(
    columns: Columns, seen: Seen, visible: Visibility, weighing: Weighing, limit: int
) -> Found:
    """Return the visible claims that weigh most, and those that weigh the same as the last."""
    among = utilities_of(columns, seen, visible)
    places = seen.places
    utility, quality = measures_of(columns, places, visible)
    age = (visible.now - columns.recency_anchor[places]) / DAY
    half_lives = half_lives_of(columns.kind[places], columns.scope[places], weighing)
    g = rerank_all(
        (utility - among.mean) / among.std,
        columns.confidence[places],
        recency_all(age, half_lives),
        quality if weighing.use_quality else None,
    )
    kept = places[_first(g, columns.created_at[places], limit)]
    return Found(columns_of(columns, kept, visible, {}), among, seen.count)


MOST_TIED: Final = 1_000


def _first(g: Floats, created_at: Floats, limit: int) -> Places:
    """Return the first by weight, then the newest, with those that tie with the last of them."""
    if limit >= len(g):
        return np.arange(len(g))
    order = np.lexsort((-created_at, -g))
    last = order[limit - 1]
    tied = (g[order] == g[last]) & (created_at[order] == created_at[last])
    return order[: max(limit, min(int(np.flatnonzero(tied)[-1]) + 1, limit + MOST_TIED))]
