"""What a host hands over to be called: of a wrong shape it is refused at once, and nothing begins.

What it raises passes to the host; what was written before stays, and the file is whole.
"""

from collections.abc import Callable
from typing import Any

import pytest

from pce_memory import Memory, MemoryFault
from pce_memory.adapters.embedders import HashingEmbedder, from_callable as embedder_of
from pce_memory.adapters.rerankers import from_callable as reranker_of
from pce_memory.engine import bulk, documents as adding, many, reembed as filling, reindex
from pce_memory.errors import InvalidParameter
from pce_memory.text.tokenizer import NgramTokenizer
from tests.conftest import START, rows
from tests.engine.test_integrate_many import claim

Call = Callable[[Memory, dict[str, Any]], object]
Open = Callable[..., Memory]

TEXTS = [f"The lamp number {n} stands in room {n * 7}." for n in range(6)]


def without_vectors(memory: Memory) -> Memory:
    memory.deps.db.execute("delete from vectors_1").unwrap()
    return memory


TELLING: dict[str, tuple[Call, str, int]] = {
    "observe_many": (lambda m, how: m.observe_many(TEXTS, **how), "progress", 1),
    "observe_many each": (lambda m, how: m.observe_many(TEXTS, **how), "each", 2),
    "add_documents": (
        lambda m, how: m.add_documents([{"title": one} for one in TEXTS], **how),
        "progress",
        1,
    ),
    "integrate_many": (
        lambda m, how: m.integrate_many([claim(n) for n in range(6)], **how),
        "progress",
        1,
    ),
    "reembed": (lambda m, how: without_vectors(m).reembed(**how), "progress", 2),
    "reindex": (lambda m, how: m.reindex(**how), "progress", 2),
}
WRONG: dict[str, dict[int, Callable[..., object]]] = {
    "takes nothing": {1: lambda: 0, 2: lambda: 0},
    "takes another number": {1: lambda _a, _b: 0, 2: lambda _a: 0},
    "takes more": {1: lambda _a, _b, _c: 0, 2: lambda _a, _b, _c: 0},
    "takes names alone": {1: lambda *, done: done, 2: lambda *, done, total: (done, total)},
    "a method": {1: "a".isdigit, 2: [].append},
}


def told_of(memory: Memory) -> list[tuple[str, int]]:
    names = ("observations", "claims", "documents", "events")
    return [(name, rows(memory, name)) for name in names]


@pytest.mark.parametrize("operation", TELLING)
@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_called_as_it_will_be_begins_nothing(
    memory: Memory, operation: str, wrong: str
) -> None:
    call, name, count = TELLING[operation]
    _ = memory.observe("The door is green.")
    before = told_of(memory)
    with pytest.raises(MemoryFault) as raised:
        _ = call(memory, {name: WRONG[wrong][count]})
    arguments = {("progress", 1): "done", ("progress", 2): "done, total"}
    told = arguments.get((name, count), "place, outcome")
    reason = f"it is called as {name}({told}), and takes other arguments"
    assert raised.value.error == InvalidParameter(name, reason)
    assert told_of(memory) == before


@pytest.mark.parametrize("operation", TELLING)
def test_of_any_shape_that_fits(memory: Memory, operation: str) -> None:
    """Defaults and stars are a fit, and what tells no signature is tried."""
    call, name, count = TELLING[operation]
    told: list[tuple[object, ...]] = []
    _ = memory.observe("The door is green.")
    for fits in (
        lambda *given: told.append(given),
        lambda *given, _flag=1, **_: told.append(given),
    ):
        _ = call(memory, {name: fits})
    assert told
    assert {len(given) for given in told} == {count}
    _ = call(memory, {name: None})


class HostError(Exception):
    """The host's own."""


def raises(*_: object) -> None:
    raise HostError


@pytest.mark.parametrize("operation", TELLING)
def test_what_it_raises_passes_and_the_file_is_whole(
    memory_at: Open, operation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (many, bulk, adding, filling, reindex):
        monkeypatch.setattr(module, "BATCH", 2)
    call, name, _ = TELLING[operation]
    with memory_at() as memory:
        _ = memory.observe_many(["The door is green.", "The roof is red.", "The key is here."])
        with pytest.raises(HostError):
            _ = call(memory, {name: raises})
        _ = memory.observe("The window is open.")
        _ = call(memory, {})
    with memory_at() as again:
        deep = again.health(deep=True).deep
        assert deep is not None
        assert deep.defects == ()
        everything = [one.claim.text for one in again.search("window", k=5)]
        assert everything[0] == "The window is open."
        if operation.startswith("observe_many"):
            assert rows(again, "claims") == 4 + len(TEXTS)


class Host:
    """An object of the host's whose methods take what a test says."""

    id = "mine"
    model_id = "mine"
    version = "1"
    dimension = 4

    def __init__(self, **methods: object) -> None:
        for name, method in methods.items():
            setattr(self, name, method)


def short() -> int:
    return 0


EMBED: dict[str, Any] = {"embed": lambda _: [1.0], "embed_batch": lambda _: [[1.0]]}
TERMS: dict[str, Any] = dict.fromkeys(("terms", "query_terms", "needed_terms"), lambda _: ["a"])
OPENING: dict[str, tuple[str, object]] = {
    "clock": ("clock", lambda _zone: 0.0),
    "ids": ("ids", lambda: "clm_1"),
    "judge": ("judge", short),
    "judge with a method": ("judge", Host(judge=short)),
    "reranker": ("reranker", lambda _query: [0.0]),
    "reranker with a method": ("reranker", Host(score=lambda _query: [0.0])),
    "embed": ("embedder", Host(**{**EMBED, "embed": short})),
    "embed_batch": ("embedder", Host(**{**EMBED, "embed_batch": short})),
    "embed_query": ("embedder", Host(**EMBED, embed_query=short)),
    "terms": ("tokenizer", Host(**{**TERMS, "terms": short})),
    "query_terms": ("tokenizer", Host(**{**TERMS, "query_terms": short})),
    "needed_terms": ("tokenizer", Host(**{**TERMS, "needed_terms": short})),
    "find": ("dictionaries", {"person": Host(find=short)}),
    "normalizer": ("code_normalizers", {"ipc": short}),
}


@pytest.mark.parametrize("case", OPENING)
def test_an_option_that_cannot_be_called_as_it_will_be_opens_nothing(
    tmp_path: Any, case: str
) -> None:
    name, given = OPENING[case]
    how: dict[str, Any] = {"embedder": "hashing", name: given}
    error = Memory.try_open(tmp_path / "memory.duckdb", **how).failure()
    assert (type(error), getattr(error, "name", "")) == (InvalidParameter, name)
    assert list(tmp_path.iterdir()) == []


def test_options_of_the_right_shape_open(tmp_path: Any) -> None:
    how: dict[str, Any] = {
        "embedder": HashingEmbedder(),
        "tokenizer": NgramTokenizer(),
        "reranker": lambda _query, texts: [0.0] * len(texts),
        "judge": lambda _claim, best=50.0: best,
        "code_normalizers": {"ipc": str},
        "clock": lambda: START,
    }
    with Memory.open(tmp_path / "memory.duckdb", **how) as memory:
        _ = memory.observe("The door is green.")
        assert [one.claim.text for one in memory.search("green door")] == ["The door is green."]


def test_a_function_that_is_to_be_an_embedder_or_a_reranker_is_looked_at() -> None:
    for wrong in (3, short):
        with pytest.raises(MemoryFault) as raised:
            _ = embedder_of(wrong, model_id="m", version="1", dimension=2)  # type: ignore[arg-type]
        assert raised.value.error.code == "INVALID_PARAMETER"
        with pytest.raises(MemoryFault) as raised:
            _ = reranker_of(wrong)  # type: ignore[arg-type]
        assert raised.value.error.code == "INVALID_PARAMETER"
