"""What tests of documents share: how they are searched, and what a memory holds of them."""

from collections.abc import Mapping
from typing import Any

from pce_memory import Boundary, Memory
from pce_memory.deps import Visibility
from pce_memory.domain.document import Hits, Style
from pce_memory.domain.filters import Condition
from pce_memory.store import documents
from pce_memory.store.filters import compile_filters
from pce_memory.store.visibility import filtered, view
from pce_memory.text.asked import read_query


def seen_by(
    memory: Memory, boundary: Boundary | None = None, filters: Mapping[str, str] | None = None
) -> Visibility:
    """Return the mask of a boundary, with a filter for each field that is to have a value."""
    limits = boundary or memory.results.boundary
    visible = view(limits, memory.policy())(memory.deps).unwrap().visible
    if not filters:
        return visible
    conditions = [Condition(field=name, op="eq", value=value) for name, value in filters.items()]
    return filtered(visible, compile_filters(conditions, "documents").unwrap())


def hits(
    memory: Memory,
    query: str,
    visible: Visibility | None = None,
    style: Style = "recall",
    boosts: Mapping[str, float] | None = None,
) -> Hits:
    """Return what a fulltext lane finds."""
    words = documents.Words(read_query(query), 1000, style, boosts)
    return documents.fulltext(words, visible or seen_by(memory), memory.policy())(
        memory.deps
    ).unwrap()


def by_name(memory: Memory, found: Hits, boundary: Boundary | None = None) -> list[str]:
    """Return the pub_ids of what was found, in order."""
    ids = [hit.doc_id for hit in found.items]
    stored = documents.fetch(ids, seen_by(memory, boundary))(memory.deps).unwrap()
    return [one.document.external_ids.get("pub_id", one.given) for one in stored]


def scores(memory: Memory, found: Hits, boundary: Boundary | None = None) -> list[Any]:
    """Return the pub_ids of what was found with their scores, in order, and how many there are."""
    names = by_name(memory, found, boundary)
    return [*zip(names, (hit.score for hit in found.items), strict=True), found.total]
