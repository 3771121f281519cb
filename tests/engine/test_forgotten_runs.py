"""A forgotten word stands in no run: not in its filters, nor in what an earlier text brought."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from pce_memory import Memory, MemoryFault
from pce_memory.domain.fused import RunHandle
from tests.conftest import FakeClock
from tests.engine.raw_search import files_with, places
from tests.engine.test_documents import CARDS
from tests.engine.test_forgotten_places import WAYS, way_of

WORD: Final = "zanzibarine"
LAMP: Final[dict[str, Any]] = {"pub_id": "LAMP", "title": "A lamp"}
DOCUMENTS: Final[Mapping[str, Callable[[str], dict[str, Any]]]] = {
    "a title": lambda word: {"title": f"Of {word} and others"},
    "the name of a field": lambda word: {"fields": {word: "A yard"}},
    "a pub_id": lambda word: {"pub_id": f"{word}-7", "title": "A yard"},
    "another id": lambda word: {
        "external_ids": {"pub_id": "D1", "case": word},
        "title": "A yard",
    },
    "the type of an id": lambda word: {
        "external_ids": {"pub_id": "D1", word: "7"},
        "title": "A yard",
    },
    "a code": lambda word: {"codes": {"fi": [word]}, "title": "A yard"},
    "a taxonomy": lambda word: {"codes": {word: ["7"]}, "title": "A yard"},
    "an attribute": lambda word: {"attributes": {"by": word}, "title": "A yard"},
    "one of the values of an attribute": lambda word: {
        "attributes": {"by": ["Bob", f"Dr. {word}"]},
        "title": "A yard",
    },
    "the name of an attribute": lambda word: {"attributes": {word: 7}, "title": "A yard"},
    "the name of a date": lambda word: {"dates": {word: "20200102"}, "title": "A yard"},
}


def lane(memory: Memory, *conditions: Mapping[str, Any], **how: Any) -> RunHandle:
    return memory.fusion.rrf_search_fulltext_raw(
        **{"query": "lamp", "filters": list(conditions), **how}
    )


def blend(memory: Memory, **how: Any) -> str:
    return memory.fusion.rrf_blend_frontier([lane(memory).weighed()], **how).run_id


def over(memory: Memory, *conditions: Mapping[str, Any]) -> RunHandle:
    return lane(memory, *conditions, collection="documents")


def among(field: str, *values: str) -> Mapping[str, Any]:
    return {"field": field, "op": "in", "value": list(values)}


RUNS: Final[Mapping[str, Callable[[Memory, str], object]]] = {
    "a tag": lambda memory, word: lane(memory, among("tag", word)),
    "one of several tags": lambda memory, word: lane(memory, among("tags", "server", word)),
    "a tag that is left out": lambda memory, word: lane(
        memory, {"field": "tag", "exclude_values": [word]}
    ),
    "a tag that is no other": lambda memory, word: lane(
        memory, {"lop": "not", "field": "tag", "op": "eq", "value": f"case={word}"}
    ),
    "an entity": lambda memory, word: lane(memory, among("entity", word)),
    "an id": lambda memory, word: over(memory, among("pub_id", f"{word}-7")),
    "another id": lambda memory, word: over(memory, among("ids.case", word)),
    "the type of an id": lambda memory, word: over(memory, among(f"ids.{word}", "7")),
    "a code": lambda memory, word: over(memory, {"field": "fi_norm", "include_codes": [word]}),
    "a taxonomy": lambda memory, word: over(memory, among(f"codes.{word}", "7")),
    "an attribute": lambda memory, word: over(memory, among("attributes.by", word)),
    "the name of an attribute": lambda memory, word: over(
        memory, {"field": f"attributes.{word}", "op": ">=", "value": 1}
    ),
    "a range of an attribute": lambda memory, word: over(
        memory, {"field": "attributes.by", "op": "range", "value": {"from": "a", "to": word}}
    ),
    "the name of a date": lambda memory, word: over(
        memory, {"field": f"dates.{word}", "op": ">=", "value": "20190101"}
    ),
    "an order": lambda memory, word: lane(
        memory, collection="documents", sort={"by": f"attributes.{word}"}
    ),
    "what is boosted": lambda memory, word: lane(
        memory, collection="documents", field_boosts={word: 2.0}
    ),
    "a word behind a sign of JSON": lambda memory, word: blend(
        memory, facet_terms={"A": [f'"old\n{word}\t"']}
    ),
    "a code that is searched": lambda memory, word: memory.fusion.rrf_search_code_raw(
        {"fi": {word: 1.0}}, collection="documents"
    ),
}


@pytest.fixture
def memory(clock: FakeClock) -> Memory:
    memory = Memory.open(embedder="hashing", clock=clock)
    _ = memory.observe("The lamp is red.", actor="ken", tags=["server"])
    _ = memory.add_documents([LAMP])
    return memory


def document(memory: Memory, fields: Mapping[str, Any]) -> str:
    done = memory.add_documents([fields], boundary=CARDS)
    assert done.created + done.updated == 1
    sql = "select id from documents order by doc_key desc limit 1"
    return str(memory.deps.db.query(sql).unwrap()[0]["id"])


NAMES: Final = [place for place in DOCUMENTS if "name of" in place or place.startswith("the type")]
"""What its parts are called is no word of a document: it is not found by it."""
PAIRS: Final = [
    *((place, "a tag", "document_id") for place in DOCUMENTS),
    *((place, "a tag", "query") for place in DOCUMENTS if place not in (*NAMES, "a taxonomy")),
    *(("an attribute", run, "document_id") for run in RUNS),
]


@pytest.mark.parametrize(("place", "run", "way"), PAIRS)
def test_a_run_by_a_word_of_a_document_goes_with_it(
    memory: Memory, place: str, run: str, way: str
) -> None:
    doc_id = document(memory, DOCUMENTS[place](WORD))
    _ = RUNS[run](memory, WORD)
    stays = lane(memory, among("tag", "server")).run_id
    assert "runs" in places(memory, WORD)
    wanted: dict[str, Any] = {way: WORD if way == "query" else doc_id}
    assert memory.forget(**wanted).documents == (doc_id,)
    assert places(memory, WORD) == []
    assert memory.fusion.get_provenance(stays).run_id == stays


TAGGED: Final = [
    *((run, WORD, "claim_id") for run in RUNS),
    *(("a tag", word, way) for word in (WORD, "健康診断") for way in WAYS),
]


@pytest.mark.parametrize(("run", "word", "way"), TAGGED)
def test_a_run_by_a_word_of_a_claim_goes_with_it(
    memory: Memory, run: str, word: str, way: str
) -> None:
    seen = memory.observe("It was restarted.", actor="bob", tags=[f"case={word}"])
    _ = RUNS[run](memory, word)
    assert "runs" in places(memory, word)
    _ = memory.forget(**way_of(way, word, seen))
    assert places(memory, word) == []


HOLDING: Final[Mapping[str, Callable[[Memory], object]]] = {
    "a tag": lambda memory: memory.observe("The yard is wide.", tags=[WORD]),
    "a source": lambda memory: memory.observe("The yard is wide.", source_id=f"rooms/{WORD}"),
    "an observation": lambda memory: memory.observe("ok", tags=[WORD]),
    "a code": lambda memory: document(memory, {"title": "A yard", "codes": {"fi": [WORD]}}),
    "an attribute": lambda memory: document(memory, {"title": "A", "attributes": {"by": WORD}}),
}


@pytest.mark.parametrize("holder", HOLDING)
@pytest.mark.parametrize("way", ["claim_id", "document_id"])
def test_a_word_that_anything_holds_is_not_forgotten(
    memory: Memory, holder: str, way: str
) -> None:
    """Only what is indexed was asked, so a run went for a word that stood in a tag."""
    _ = HOLDING[holder](memory)
    run = lane(memory, among("tag", WORD)).run_id
    wanted = {
        "claim_id": lambda: memory.observe(f"The {WORD} spins.").claims[0].id,
        "document_id": lambda: document(memory, {"title": f"The {WORD} spins"}),
    }
    known: dict[str, Any] = {way: wanted[way]()}
    _ = memory.forget(**known)
    assert memory.fusion.get_provenance(run).run_id == run
    _ = memory.forget(query=WORD)
    assert places(memory, WORD) == []


OVERWRITTEN: Final[Mapping[str, Callable[[Memory], object]]] = {
    "a query": lambda memory: lane(memory, query=WORD, collection="documents"),
    "a facet": lambda memory: blend(memory, facet_terms={"A": [WORD]}),
    "a filter": lambda memory: over(memory, among("attributes.by", WORD)),
}


@pytest.mark.parametrize("run", OVERWRITTEN)
@pytest.mark.parametrize("way", ["document_id", "query"])
def test_a_run_over_an_earlier_text_of_a_document_goes_with_it(
    memory: Memory, clock: FakeClock, run: str, way: str
) -> None:
    doc_id = document(memory, {"pub_id": "D1", "title": f"Of {WORD}", "attributes": {"by": WORD}})
    clock.now += 1
    _ = OVERWRITTEN[run](memory)
    clock.now += 1
    gone = lane(memory, query="yard", collection="documents").run_id
    assert document(memory, {"pub_id": "D1", "title": "Of a marquee"}) == doc_id
    assert places(memory, WORD) == ["runs"]
    wanted: dict[str, Any] = {way: "marquee" if way == "query" else doc_id}
    assert memory.forget(**wanted).documents == (doc_id,)
    assert places(memory, WORD) == []
    with pytest.raises(MemoryFault):  # nothing holds its word, and the document may have had it
        _ = memory.fusion.get_provenance(gone)


def test_a_document_that_never_changed_takes_no_run_of_other_words(
    memory: Memory, clock: FakeClock
) -> None:
    run = lane(memory, query=WORD, collection="documents").run_id
    clock.now += 1
    doc_id = document(memory, {"pub_id": "D1", "title": "Of a marquee"})
    clock.now += 1
    _ = memory.add_documents([{"pub_id": "D1", "title": "Of a marquee"}], boundary=CARDS)
    _ = memory.forget(document_id=doc_id)
    assert memory.fusion.get_provenance(run).run_id == run


def test_no_byte_of_a_word_is_left_in_the_file(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory.duckdb", embedder="hashing") as memory:
        doc_id = document(memory, {"pub_id": f"{WORD}-7", "title": f"Of {WORD}"})
        claim = memory.observe("It was restarted.", tags=[WORD]).claims[0].id
        for run in RUNS.values():
            _ = run(memory, WORD)
        _ = memory.forget(claim_id=claim, compact=False)
        assert memory.forget(document_id=doc_id).compacted
        assert places(memory, WORD) == []
    assert files_with(tmp_path, WORD) == []
