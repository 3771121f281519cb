"""A host's tokenizer that misbehaves: every operation says so, and nothing of it is kept."""

from collections.abc import Callable
from typing import Any

import pytest
from returns.result import Success

from pce_memory import Memory
from pce_memory.errors import CoreError, InvalidParameter

TEXT = "Alice drinks oolong."
DOCUMENT = {"app_id": "A1", "title": "A red lamp"}


class Words:
    """Cuts at spaces, and does something else in one method once it is told to."""

    id = "words-v1"

    def __init__(self, method: str = "", instead: Callable[[str], Any] = str) -> None:
        self.method, self.instead = method, instead
        self.is_broken = False

    def _cut(self, method: str, text: str) -> Any:
        if self.is_broken and method == self.method:
            return self.instead(text)
        return text.lower().replace(".", "").split()

    def terms(self, text: str) -> Any:
        return self._cut("terms", text)

    def query_terms(self, text: str) -> Any:
        return self._cut("query_terms", text)

    def needed_terms(self, phrase: str) -> Any:
        return self._cut("needed_terms", phrase)


def raising(fault: BaseException) -> Callable[[str], Any]:
    def instead(_: str) -> Any:
        raise fault

    return instead


def divides(text: str) -> Any:
    return len(text) / 0


WRONG: list[tuple[Callable[[str], Any], str]] = [
    (divides, "raised ZeroDivisionError"),
    (raising(RuntimeError(TEXT)), "raised RuntimeError"),
    (raising(SystemExit(1)), "raised SystemExit"),
    (lambda _: None, "gave a NoneType"),
    (lambda _: [1, 2], "gave a term that is a int"),
    (lambda _: 5, "gave a int"),
    (lambda text: text, "gave a str"),
    (set, "gave a set"),
    (lambda _: ["\ud800"], "gave a term with half a character"),
]
CALLS: dict[str, list[Callable[[Memory], Any]]] = {
    "terms": [
        lambda one: one.results.observe("Bob drinks mate."),
        lambda one: one.results.observe("Bob drinks mate.", idempotency_key="k"),
        lambda one: one.results.add_documents([DOCUMENT]),
        lambda one: one.results.reindex(),
    ],
    "query_terms": [
        lambda one: one.results.search("oolong"),
        lambda one: one.results.activate("oolong"),
        lambda one: one.results.fusion.search_fulltext("oolong"),
        lambda one: one.results.fusion.rrf_search_fulltext_raw("oolong"),
        lambda one: one.results.fusion.search_fulltext("lamp", collection="documents"),
    ],
    "needed_terms": [
        lambda one: one.results.search('"drinks oolong"'),
        lambda one: one.results.activate('"drinks oolong"'),
        lambda one: one.results.fusion.search_fulltext('"drinks oolong"'),
    ],
}


def told(error: CoreError) -> str:
    assert isinstance(error, InvalidParameter)
    assert error.name == "tokenizer"
    assert "oolong" not in error.message
    return error.reason


def counts(memory: Memory) -> list[Any]:
    return [
        memory.deps.db.query(f"select count(*) as n from {table}").unwrap()[0]["n"]
        for table in ("observations", "claims", "documents", "evidence")
    ]


@pytest.mark.parametrize("method", CALLS)
@pytest.mark.parametrize(("instead", "reason"), WRONG)
def test_every_operation_says_what_it_did(memory_at, method, instead, reason):
    own = Words(method, instead)
    memory = memory_at(":memory:", tokenizer=own)
    _ = memory.observe(TEXT)
    before = counts(memory)
    own.is_broken = True
    for call in CALLS[method]:
        assert told(call(memory).failure()).startswith(f"its {method} {reason}")
    assert counts(memory) == before
    own.is_broken = False
    assert memory.observe("Bob drinks mate.", idempotency_key="k").claims
    assert memory.search("oolong")[0].claim.text == TEXT


def test_lanes_that_fail_beside_lanes_that_do_not(memory_at):
    own = Words("query_terms", lambda text: None if "oolong" in text else text.split())
    memory = memory_at(tokenizer=own)
    _ = memory.observe(TEXT)
    own.is_broken = True
    lanes: Any = [
        {
            "lane_name": query,
            "tool": "rrf_search_fulltext_raw",
            "lane": "fulltext",
            "params": {"query": query},
        }
        for query in ("oolong", "alice")
    ]
    bad, good = memory.results.fusion.run_multilane_search(lanes).unwrap().lanes
    assert (bad.status, bad.error_code) == ("error", "INVALID_PARAMETER")
    assert (good.status, good.error_message) == ("success", None)


@pytest.mark.parametrize("key", [None, "k"])
def test_one_of_many_that_it_cannot_take_stops_no_other(memory_at, key):
    own = Words("terms", lambda text: None if "oolong" in text else text.split())
    own.is_broken = True
    memory = memory_at(tokenizer=own)
    items: Any = ["Bob drinks mate.", {"content": TEXT, "idempotency_key": key}, "Cy has a dog."]
    done = memory.results.observe_many(items).unwrap()
    assert [(one.index, one.code) for one in done.failed] == [(1, "INVALID_PARAMETER")]
    assert "its terms gave a NoneType" in done.failed[0].message
    assert "oolong" not in done.failed[0].message
    assert done.claims_created == len(done.observation_ids) == 2
    assert counts(memory)[:2] == [2, 2]


def test_one_claim_of_a_bulk_that_it_cannot_take_stops_no_other(memory_at):
    source = memory_at("source.duckdb")
    claims = [source.observe(text).claims[0] for text in ("Bob has tea.", TEXT, "Cy has a dog.")]
    own = Words("terms", lambda text: text.split() if "oolong" not in text else [None])
    own.is_broken = True
    memory = memory_at(tokenizer=own)
    done = memory.results.integrate_many(claims).unwrap()
    assert [one.index for one in done.failed] == [1]
    assert done.created == counts(memory)[1] == 2


def called(name: Any) -> Any:
    return type("Called", (Words,), {"id": name})()


def unnamed(_: object) -> str:
    raise ValueError(TEXT)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (object(), "object has no terms; a tokenizer has id, terms, query_terms, needed_terms"),
        (None, "NoneType has no terms"),
        (Words, "Words is a class; give an object of it"),
        (called(property(unnamed)), "its id raised ValueError"),
        *(
            (called(name), "its id is not 1 to 200 printable characters")
            for name in (None, "", "\ud800", 5, "x" * 201)
        ),
    ],
)
def test_what_is_no_tokenizer_is_refused_and_makes_no_file(tmp_path, given, reason):
    path = tmp_path / "memory.duckdb"
    failure = Memory.try_open(path, embedder="hashing", tokenizer=given).failure()
    assert told(failure).startswith(reason)
    assert not path.exists()


def test_an_id_that_changes_was_read_once(memory_at):
    own = Words()
    with memory_at(tokenizer=own) as memory:
        own.id = None  # type: ignore[assignment]
        _ = memory.observe(TEXT)
        assert memory.health().tokenizer_in_use == "words-v1"
    assert memory_at(tokenizer=Words()).search("oolong")


class Half:
    """An embedder whose `embed` gives plain lists, and whose batches are Results."""

    model_id, version, dimension = "half", "1", 3

    def __init__(self, rows: Callable[[list[str]], Any]) -> None:
        self.embed_batch = rows

    def embed(self, _: str) -> list[float]:
        return [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "rows",
    [
        lambda texts: Success([[1.0, 0, 0] for _ in texts]),
        lambda texts: [Success([1.0, 0, 0]) for _ in texts],
    ],
)
def test_an_embedder_of_plain_vectors_and_results_leaves_no_claim_without_one(memory_at, rows):
    memory = memory_at(embedder=Half(rows))
    _ = memory.observe(TEXT)
    assert memory.health().without_vector == 0
