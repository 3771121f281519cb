"""How near observations are to a query: by the mean of the vectors of their visible claims."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt
from returns.result import Failure, Result, Success

from pce_memory.adapters.spaces import Space, in_space
from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import Arrays, Database, Vector, Visibility
from pce_memory.errors import StoreError
from pce_memory.store.embeddings import vector_text
from pce_memory.store.statements import masked, statements

SQL: Final = statements("vectors")
AT_ONCE: Final = 4_096
"""The vectors of so many claims are in memory at a time."""

Keys = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def near_by_source(
    db: Database, vectors: SqlVectorIndex, query: Vector, visible: Visibility, *, limit: int
) -> Result[Mapping[int, float], StoreError]:
    """Return the `limit` visible claims whose best observation is nearest to a query.

    The cosine of a query to a mean of unit vectors is the sum of their cosines by the length of
    their sum. A claim that no observation tells of stands for itself. It is an exact scan.
    """

    def asked(space: Space | None) -> Result[Mapping[int, float], StoreError]:
        if space is None:
            return Success({})
        sql, mask = masked(in_space(space, SQL["near_sources"]), visible)
        return Result.do(
            best
            for found in db.arrays(sql, {**mask, "query": vector_text(query)})
            for best in _best(vectors, found, limit)
        )

    return Result.do(found for space in vectors.active() for found in asked(space))


def _best(
    vectors: SqlVectorIndex, found: Arrays, limit: int
) -> Result[Mapping[int, float], StoreError]:
    rows, cosines = found["row_id"].astype(np.int64), found["cosine"].astype(np.float64)
    sources = found["source"].astype(np.int64)
    counts = np.bincount(sources, minlength=1)
    told = np.flatnonzero((sources > 0) & (counts[sources] > 1))

    def scored(lengths: Floats) -> Mapping[int, float]:
        sums = np.bincount(sources[told], cosines[told], len(counts))
        means = np.divide(sums, lengths, out=np.zeros(len(counts)), where=lengths > 0)
        scores = cosines.copy()
        scores[told] = np.clip(means[sources[told]], -1.0, 1.0)
        return _first(rows, scores, limit)

    return _lengths(vectors, rows[told], sources[told], len(counts)).map(scored)


def _first(rows: Keys, scores: Floats, limit: int) -> Mapping[int, float]:
    """Return the best of the rows, each with the best of its scores."""
    order = np.lexsort((rows, -scores))
    _, firsts = np.unique(rows[order], return_index=True)
    kept = order[np.sort(firsts)[:limit]]
    return dict(zip(rows[kept].tolist(), scores[kept].tolist(), strict=True))


def _lengths(
    vectors: SqlVectorIndex, rows: Keys, sources: Keys, count: int
) -> Result[Floats, StoreError]:
    """Return how long the sum of the vectors of each source is; the sources ascend."""
    lengths = np.zeros(count)
    last, begun = -1, np.zeros(1)
    for start in range(0, len(rows), AT_ONCE):
        some, of = rows[start : start + AT_ONCE], sources[start : start + AT_ONCE]
        # A claim that several observations tell of is read once.
        once, places = np.unique(some, return_inverse=True)
        read = vectors.matrix(once.tolist())
        if isinstance(read, Failure):
            return read
        matrix: Floats = read.unwrap()[places]
        starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]])
        sums = np.add.reduceat(matrix, starts, axis=0)
        if of[0] == last:  # what the claims before began goes on
            sums[0] += begun
        lengths[of[starts]] = np.sqrt(np.einsum("ij,ij->i", sums, sums))
        last, begun = int(of[-1]), sums[-1]
    return Success(lengths)
