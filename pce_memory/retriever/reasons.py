"""The numbers behind the ranks of what is shown, and why each stands where it does. Pure.

They are read a column at a time: a dozen of candidates is told of at once.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from pce_memory.domain.context import Scores
from pce_memory.domain.model import DAY
from pce_memory.retriever.rank import Floats, Places, Ranking


def scores_of(ranking: Ranking, places: Sequence[int]) -> list[Scores]:
    """Return every number behind the rank of each of some candidates."""
    at = np.asarray(places, np.int64)
    absent = [None] * len(at)
    columns: dict[str, list[float] | list[float | None] | list[None]] = {
        "text": ranking.s_text[at].tolist(),
        "vector": ranking.s_vec[at].tolist(),
        "combined": ranking.combined[at].tolist(),
        "utility_z": ranking.utility_z[at].tolist(),
        "recency": ranking.recency[at].tolist(),
        "g": ranking.g[at].tolist(),
        "relevance": absent,
        "window": absent,
        "reranked": absent if ranking.reranked is None else _known(ranking.reranked, at),
    }
    for name in ("utility", "confidence", "quality"):
        columns[name] = ranking.column(name)[at].tolist()
    for name in ("bm25", "cosine"):
        columns[name] = _known(ranking.column(name), at)
    if ranking.relevance is not None:
        columns["relevance"] = ranking.relevance[at].tolist()
        columns["window"] = ranking.column("window")[at].tolist()
    rows = zip(*columns.values(), strict=True)
    return [Scores.model_validate(dict(zip(columns, row, strict=True))) for row in rows]


def _known(column: Floats, at: Places) -> list[float | None]:
    """Return the numbers there, None where there is none: NaN is not equal to itself."""
    return [value if value == value else None for value in column[at].tolist()]  # noqa: PLR0124


def reasons_of(
    ranking: Ranking, places: Sequence[int], scores: Sequence[Scores], *, now: float
) -> Iterator[str]:
    """Yield why each of some candidates stands where it does, as `key:value` pairs."""
    by_words = _text_ranks(ranking)[places].tolist()
    anchors = ranking.column("recency_anchor")[places].tolist()
    for rank, anchor, one in zip(by_words, anchors, scores, strict=True):
        parts: list[str] = ["query=empty"] if ranking.found.is_empty_query else []
        if rank:
            parts.append(f"FTS=rank:{rank}")
        if one.cosine is not None:
            parts.append(f"cos:{one.cosine:.2f}")
        if one.reranked is not None:
            parts.append(f"reranked:{one.reranked:.2f}")
        parts.append(f"recent:{max(0.0, (now - anchor) / DAY):.0f}d")
        parts.append(f"util:{one.utility:.2f}")
        parts.append(f"conf:{one.confidence:.2f}")
        yield "; ".join(parts)


def _text_ranks(ranking: Ranking) -> Places:
    """Return the rank of every candidate by words alone; 0 where it shares none."""
    bm25, row_id = ranking.column("bm25"), ranking.column("row_id")
    sharing = np.flatnonzero(~np.isnan(bm25))
    order = sharing[np.lexsort((row_id[sharing], -bm25[sharing]))]
    ranks = np.zeros(len(bm25), np.int64)
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks
