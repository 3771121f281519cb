"""What a run keeps of what was asked for: neither secrets nor personal data, in any part of it."""

from typing import Any, Final

import pytest

from pce_memory import Memory
from pce_memory.deps.backend import BackendHit

MAIL: Final = "aiko@example.com"
PHONE: Final = "090-1234-5678"
SECRET: Final = "AKIA" + "Q7RZ" * 4
PAPERS: Final[dict[str, Any]] = {"collection": "documents"}


def holding(memory: Memory, *words: str) -> list[str]:
    """Return which words stand in any row of the memory, but for its policies."""
    told = "\n".join(
        str(memory.deps.db.query(f"select * from {table}").unwrap())
        for table in ("runs", "run_docs", "run_foreign", "events", "audit")
    )
    return [word for word in words if word in told]


@pytest.fixture
def shelf(memory: Memory) -> Memory:
    _ = memory.observe("The lamp hangs in the hall.")
    _ = memory.add_documents(
        [{"pub_id": "P", "title": "lamp", "ft": "5L1", "attributes": {"by": "Aiko"}}]
    )
    return memory


@pytest.mark.parametrize(
    "how",
    [
        {"filters": [{"field": "attributes.by", "op": "eq", "value": MAIL}], **PAPERS},
        {"filters": [{"field": "attributes.by", "op": "in", "value": ["x", PHONE]}], **PAPERS},
        {"filters": [{"field": f"attributes.{MAIL}", "op": "eq", "value": 3}], **PAPERS},
        {"filters": [{"field": "pub_id", "include_values": [MAIL]}], **PAPERS},
        {"field_boosts": {"title": 1.0, MAIL: 2.0}, **PAPERS},
        {"sort": f"attributes.{MAIL}", **PAPERS},
        {},
    ],
)
def test_a_lane_keeps_neither(shelf: Memory, how: dict[str, Any]) -> None:
    query = f"lamp of {MAIL} or {PHONE} with {SECRET}"
    run = shelf.fusion.rrf_search_fulltext_raw(query, **how)
    assert run.meta["query"] == "lamp of [email] or [phone] with [secret]"
    known = shelf.fusion.get_provenance(run.run_id).config_snapshot
    assert known["query"] == run.meta["query"]
    assert MAIL not in str(known) + str(run)
    assert holding(shelf, MAIL, PHONE, SECRET) == []


def test_the_codes_of_a_lane_are_kept_without(shelf: Memory) -> None:
    run = shelf.fusion.rrf_search_code_raw({"entity": {MAIL: 1.0}, "ft": {"5L1": 1.0}}, **PAPERS)
    assert run.hit_count == 1
    assert run.meta["codes"] == {"codes": {"entity": {"[email]": 1.0}, "ft": {"5L1": 1.0}}}
    assert holding(shelf, MAIL) == []


def test_a_backend_is_asked_as_it_was_said_and_the_run_keeps_it_without(memory: Memory) -> None:
    asked: list[str] = []

    class Shelf:
        def fulltext_search(self, query: str, _filters: Any, _top_k: int) -> object:
            asked.append(query)
            return [BackendHit("x", 1.0)]

        def semantic_search(self, text: str, _scope: str, _top_k: int) -> object:
            return self.fulltext_search(text, (), 1)

        def get_document(self, _doc_id: str, _fields: Any) -> object:
            return None

    fusion = memory.fusion.over("shelf", Shelf())
    _ = fusion.rrf_search_fulltext_raw(f"lamp {MAIL}"), fusion.rrf_search_semantic_raw(MAIL)
    assert asked == [f"lamp {MAIL}", MAIL]
    assert holding(memory, MAIL) == []


def test_what_it_found_and_what_is_made_of_it_are_as_before(shelf: Memory) -> None:
    """A filter finds by what was said, and a blend of the run is weighed anew."""
    how: dict[str, Any] = {"filters": [{"field": "pub_id", "op": "eq", "value": "P"}], **PAPERS}
    run = shelf.fusion.rrf_search_fulltext_raw(f"lamp {MAIL}", **how)
    filters: Any = run.meta["filters"]
    assert filters[0]["value"] == "P"
    facets = {"A": ["lamp", MAIL]}
    blend = shelf.fusion.rrf_blend_frontier([run], facet_terms=facets, beta_fuse=100)
    again = shelf.fusion.rrf_mutate_run(blend.run_id, {"rrf_k": 10})
    assert [one.pub_id for one in again.ranked_docs] == ["P"]
    # A facet weighs by its terms each time: they are kept, in the recipe alone.
    assert again.params.facet_terms == {"A": ("lamp", MAIL)}
    assert shelf.fusion.get_provenance(again.run_id).config_snapshot["delta"] == {"rrf_k": 10.0}
