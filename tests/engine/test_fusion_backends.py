"""A host's own types and lanes promise nothing: what they get wrong is a value, and stops no other."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from pce_memory import Memory, MemoryFault
from pce_memory.deps.backend import BackendDocument, BackendHit
from pce_memory.errors import BackendFailed, InvalidParameter

SECRET: Final = "AKIA" + "Q7RZ" * 4
HUGE: Final = 10**400
FULLTEXT: Final = {"tool": "rrf_search_fulltext_raw", "lane": "fulltext"}


class Shelf:
    """Gives what it is told to, or what comes of a call of it."""

    def __init__(self, hits: object = (), document: object = None) -> None:
        self._hits, self._document = hits, document

    def fulltext_search(self, _query: str, _filters: Any, _top_k: int) -> object:
        return self._hits

    def semantic_search(self, _text: str, _scope: str, _top_k: int) -> object:
        return [BackendHit("a", 1.0)]

    def get_document(self, _doc_id: str, _fields: Any) -> object:
        return self._document


class Raising(dict[str, object]):
    """A mapping that raises when it is read."""

    def get(self, *_: object) -> Any:
        raise LookupError("what it was given")

    def items(self) -> Any:
        raise LookupError("what it was given")


class Unread(list[object]):
    """A list that raises when it is read."""

    def __iter__(self) -> Any:
        raise LookupError("what it was given")


def hit(*given: Any) -> BackendHit:
    return BackendHit(*given)


def deep() -> dict[str, object]:
    found: dict[str, object] = {}
    for _ in range(100_000):
        found = {"a": found}
    return found


BAD: Final[Mapping[str, Callable[[], object]]] = {
    "id is a number": lambda: hit(5, 1.0),
    "id is bytes": lambda: hit(b"a", 1.0),
    "id is a surrogate": lambda: hit("\ud800", 1.0),
    "id is empty": lambda: hit("", 1.0),
    "score is a text": lambda: hit("a", "9"),
    "score is None": lambda: hit("a", None),
    "score is complex": lambda: hit("a", 1j),
    "score is huge": lambda: hit("a", HUGE),
    "score is true": lambda: hit("a", True),
    "score is infinite": lambda: hit("a", float("inf")),
    "metadata is None": lambda: hit("a", 1.0, None),
    "metadata is a list": lambda: hit("a", 1.0, [("b", 1)]),
    "metadata is no JSON": lambda: hit("a", 1.0, {"x": {1}}),
    "metadata is deep": lambda: hit("a", 1.0, deep()),
    "metadata has a number too long to write": lambda: hit("a", 1.0, {"x": 10**5000}),
    "metadata has a secret": lambda: hit("a", 1.0, {"x": SECRET}),
    "metadata has a surrogate": lambda: hit("a", 1.0, {"x": "\ud800"}),
    "a mapping's score is huge": lambda: {"doc_id": "a", "score": HUGE},
    "a mapping raises": Raising,
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_hit_is_a_failed_lane_and_stops_no_other(memory: Memory, name: str) -> None:
    shelf = memory.fusion.over("shelf", Shelf([BackendHit("good", 1.0), BAD[name]()]))
    done = shelf.run_multilane_search(
        [
            {"lane_name": "bad", **FULLTEXT, "params": {"query": "x"}},
            {
                "lane_name": "good",
                "tool": "rrf_search_semantic_raw",
                "lane": "semantic",
                "params": {"text": "x"},
            },
        ]
    )
    assert [(one.status, one.error_code) for one in done.lanes] == [
        ("error", "BACKEND_ERROR"),
        ("success", None),
    ]
    with pytest.raises(MemoryFault) as fault:
        shelf.rrf_search_fulltext_raw("x")
    assert isinstance(fault.value.error, BackendFailed)
    assert SECRET not in fault.value.error.message


def test_a_list_that_raises_is_a_failure(memory: Memory) -> None:
    with pytest.raises(MemoryFault) as fault:
        memory.fusion.over("shelf", Shelf(Unread([1]))).rrf_search_fulltext_raw("x")
    assert fault.value.error == BackendFailed("shelf", "it raised LookupError")


def test_a_hit_of_plain_values_is_kept(memory: Memory) -> None:
    np = pytest.importorskip("numpy")
    given = [hit("a", np.float32(2.0), {"pub_id": "P", "n": HUGE}), {"doc_id": "b", "score": 1}]
    shelf = memory.fusion.over("shelf", Shelf(given))
    result = shelf.rrf_blend_frontier([shelf.rrf_search_fulltext_raw("x")])
    assert [(one.doc_id, one.pub_id) for one in result.ranked_docs] == [("a", "P"), ("b", "b")]


@pytest.mark.parametrize("codes", [None, 5, ["H"], {"fi": 5}, {"fi": "H"}, {"fi": {"H": 1}}])
def test_codes_that_are_no_lists_are_none(memory: Memory, codes: object) -> None:
    given = [hit("a", 1.0, {"codes": codes}), hit("b", 1.0, {"codes": {"fi": ["H"]}})]
    shelf = memory.fusion.over("shelf", Shelf(given))
    runs = [shelf.rrf_search_fulltext_raw("x")]
    result = shelf.rrf_blend_frontier(runs, target_profile={"fi": {"H": 1.0}}, beta_fuse=100)
    assert [(one.doc_id, one.metadata) for one in result.ranked_docs] == [
        ("b", {"fi": ["H"]}),
        ("a", {}),
    ]


@pytest.mark.parametrize(
    "document",
    [
        BackendDocument("a", {"title": SECRET}),
        BackendDocument("a", {"title": "\ud800"}),
        BackendDocument("a", {SECRET: "x"}),
        BackendDocument("a", None),  # type: ignore[arg-type]
        {"title": SECRET},
        {"title": "a\0b"},
        Raising(),
        "title",
    ],
)
def test_a_bad_document_is_a_failure(memory: Memory, document: object) -> None:
    shelf = memory.fusion.over("shelf", Shelf([BackendHit("a", 1.0)], document))
    run = shelf.rrf_search_fulltext_raw("x")
    with pytest.raises(MemoryFault) as fault:
        shelf.peek_snippets(run.run_id)
    assert isinstance(fault.value.error, BackendFailed)
    assert SECRET not in fault.value.error.message


@pytest.mark.parametrize("kind", [dict, lambda fields: BackendDocument("a", fields)])
def test_fields_that_are_no_texts_are_left_out(
    memory: Memory, kind: Callable[[object], object]
) -> None:
    document = kind({"title": 5, 6: "x", "abst": "kept"})
    shelf = memory.fusion.over("shelf", Shelf([BackendHit("a", 1.0)], document))
    page = shelf.peek_snippets(shelf.rrf_search_fulltext_raw("x").run_id)
    assert page.snippets[0].fields == {"abst": "kept"}


@pytest.mark.parametrize(
    ("bad", "name"),
    [
        ({"lane_name": "a", "tool": "rrf_search_fulltext_raw", "lane": "nothing"}, "a"),
        ({"lane_name": "a", **FULLTEXT, "params": None}, "a"),
        ({"lane_name": "a", **FULLTEXT, "colour": 1}, "a"),
        ({"lane_name": "a"}, "a"),
        ({**FULLTEXT, "params": {"query": "lamp"}}, "lanes.1"),
        ({"lane_name": 5, **FULLTEXT}, "lanes.1"),
        ({"lane_name": "", **FULLTEXT}, "lanes.1"),
        ({"lane_name": "x" * 129, **FULLTEXT}, "lanes.1"),
        ({"lane_name": SECRET, **FULLTEXT, "params": None}, "lanes.1"),
        ({}, "lanes.1"),
        (None, "lanes.1"),
        ("fulltext", "lanes.1"),
    ],
)
def test_a_lane_that_is_none_stops_no_other(memory: Memory, bad: Any, name: str) -> None:
    memory.observe("The lamp hangs in the hall.")
    good = {"lane_name": "good", **FULLTEXT, "params": {"query": "lamp"}}
    done = memory.fusion.run_multilane_search([good, bad, good])
    assert [one.status for one in done.lanes] == ["success", "error", "success"]
    assert (done.lanes[1].lane_name, done.lanes[1].error_code) == (name, "INVALID_PARAMETER")
    assert (done.success_count, done.error_count, len(done.handles)) == (2, 1, 2)


def test_lanes_that_are_no_list_are_refused(memory: Memory) -> None:
    with pytest.raises(MemoryFault) as fault:
        memory.fusion.run_multilane_search("fulltext")  # type: ignore[arg-type]
    assert isinstance(fault.value.error, InvalidParameter)


@pytest.mark.parametrize("huge", [HUGE, -HUGE, 10**5000], ids=["huge", "least", "unwritable"])
@pytest.mark.parametrize("field", ["text_length", "created_at", "attributes.pages"])
@pytest.mark.parametrize(
    "asked",
    [
        lambda huge: {"op": "eq", "value": huge},
        lambda huge: {"op": "<=", "value": huge},
        lambda huge: {"op": "in", "value": [1, huge]},
        lambda huge: {"op": "range", "value": {"from": huge}},
        lambda huge: {"include_values": (1, huge)},
        lambda huge: {"exclude_values": [huge]},
        lambda huge: {"include_range": {"from": 1, "to": huge}},
        lambda huge: {"exclude_range": {"from": huge}},
    ],
)
def test_a_number_beyond_every_float_is_refused(
    memory: Memory, huge: int, field: str, asked: Callable[[int], dict[str, object]]
) -> None:
    over = memory.fusion.over("shelf", Shelf([BackendHit("a", 1.0)]))
    filters: Any = [{"field": field, **asked(huge)}]
    for fusion in (memory.fusion, over):
        with pytest.raises(MemoryFault) as fault:
            fusion.rrf_search_fulltext_raw("lamp", collection="documents", filters=filters)
        error = fault.value.error
        assert isinstance(error, InvalidParameter)
        assert error.reason == "a number is too great to be compared"
