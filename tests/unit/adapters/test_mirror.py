"""The mirror at its edges: read in the background, too large, made smaller, closed, in a storm."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest
from returns.result import Failure, Result, Success

from pce_memory.adapters.mirror import index as index_module, loading
from pce_memory.adapters.mirror.vectors import bytes_a_vector
from pce_memory.engine import reembed as reembed_module
from pce_memory.errors import DatabaseFailed
from pce_memory.store import postings
from tests.embedders import Outage
from tests.policies import LASTING
from tests.strategies import claim_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pce_memory import Memory, ScoredClaim

WIDTH: Final = 384
TEXTS: Final = [
    f"Shelf {n} of the {('red', 'blue', 'old')[n % 3]} house holds {n * 7} boxes, 棚{n}。"
    for n in range(90)
]
QUERY: Final = "which shelf of the blue house holds boxes"


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every file count as large."""
    monkeypatch.setattr(index_module, "AT_ONCE", 0)


@pytest.fixture
def filled(memory_at: Callable[..., Memory]) -> Memory:
    """Return a memory that was opened on a file with claims in it."""
    with memory_at(policy=LASTING) as first:
        _ = first.observe_many(TEXTS)
    return memory_at()


@contextmanager
def held_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """Yield two events: the loader has begun, and it may go on."""
    begun, go_on = threading.Event(), threading.Event()
    load = loading.load_postings

    def waiting(*args: Any) -> Any:
        begun.set()
        assert go_on.wait(30)
        return load(*args)

    monkeypatch.setattr(loading, "load_postings", waiting)
    try:
        yield begun, go_on
    finally:
        go_on.set()


def found(memory: Memory, query: str = QUERY) -> dict[str, float]:
    return {item.claim.text: item.score for item in asked(memory, query)}


def asked(memory: Memory, query: str = QUERY) -> tuple[ScoredClaim, ...]:
    return memory.activate(query, top_k=100, include_meta=True).items


def state(memory: Memory) -> str:
    return memory._opened.search.state


def loaders() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name == "pce-mirror"]


@pytest.mark.usefixtures("large")
class TestALargeFile:
    def test_is_answered_for_by_sql_until_it_is_read(
        self, filled: Memory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert state(filled) == "not loaded"
        with held_up(monkeypatch) as (begun, go_on):
            before = found(filled)
            assert begun.wait(30)
            assert state(filled) == "loading"
            assert found(filled) == before
            go_on.set()
            assert filled._opened.search.wait(30)
        assert state(filled) == "ready"
        assert before
        assert found(filled) == pytest.approx(before, abs=1e-6)

    def test_loses_nothing_that_is_written_meanwhile(
        self, filled: Memory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with held_up(monkeypatch) as (begun, go_on):
            gone = asked(filled, "shelf 17")[0].claim
            assert begun.wait(30)
            new = "The zeppelin hangs over shelf 500."
            _ = filled.observe(new)
            _ = filled.forget(claim_id=gone.id, compact=False)
            _ = filled.feedback(asked(filled, "shelf 18")[0].claim.id, "helpful")
            assert state(filled) == "loading"
            before = found(filled, "zeppelin shelf 17")
            assert new in before
            assert gone.text not in before
            go_on.set()
            assert filled._opened.search.wait(30)
        assert state(filled) == "ready"
        assert found(filled, "zeppelin shelf 17") == pytest.approx(before, abs=1e-6)

    def test_is_closed_while_it_is_read(
        self, filled: Memory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with held_up(monkeypatch) as (begun, go_on):
            assert found(filled)
            assert begun.wait(30)
            assert loaders() == ["pce-mirror"]
            later = threading.Timer(0.1, go_on.set)
            later.start()
            filled.close()
            later.join()
        assert loaders() == []
        assert filled.results.search("shelf").failure().code == "MEMORY_CLOSED"

    def test_is_read_again_when_the_first_try_failed(
        self, filled: Memory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        load, failed = loading.load_postings, threading.Event()

        def once(*args: Any) -> Any:
            if not failed.is_set():
                failed.set()
                return Failure(DatabaseFailed("read", "OutOfMemory"))
            return load(*args)

        monkeypatch.setattr(loading, "load_postings", once)
        before = found(filled)
        assert failed.wait(30)
        for _ in range(3):
            _ = filled._opened.search.wait(30)
        assert state(filled) == "ready"
        assert found(filled) == pytest.approx(before, abs=1e-6)


def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[str]:
    """Return a list that grows whenever a function of `loading` is called."""
    calls, inner = list[str](), getattr(loading, name)

    def counting(*args: Any, **kwargs: Any) -> Any:
        calls.append(name)
        return inner(*args, **kwargs)

    monkeypatch.setattr(loading, name, counting)
    return calls


def test_sorted_postings_and_late_vectors_are_followed(
    memory_at: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = Outage()
    memory = memory_at(policy=LASTING, embedder=embedder)
    _ = memory.observe_many(TEXTS[:40])
    embedder.down = True
    _ = memory.observe_many(TEXTS[40:])
    embedder.down = False
    assert found(memory)
    assert state(memory) == "ready"
    loads = counted(monkeypatch, "load_columns")
    monkeypatch.setattr(reembed_module, "BATCH", 7)
    steps = list[int]()

    def look(done: int, _: int) -> None:
        held = memory._opened.search._index().mirror
        assert found(memory)
        view = held.current()
        assert view is not None
        assert view.vectors is not None
        steps.append(int(view.vectors.has.sum()) - done)

    # Its last step puts the space in use again, which is read anew.
    _ = postings.sort(memory.deps.db).unwrap()
    assert found(memory)
    assert memory.reembed(progress=look) == len(TEXTS) - 40
    assert set(steps) == {40}
    assert loads == []


def room_for(memory: Memory, *, whole: bool, more: int = 0) -> int:
    counts = memory.deps.db.query(
        "select (select count(*) from claims) as claims,"
        " (select count(*) from postings_of(0)) as postings"
    ).unwrap()[0]
    claims = int(counts["claims"])
    each = bytes_a_vector(WIDTH, whole=whole)
    return loading.room(claims, int(counts["postings"])) + (claims + more) * each


def size(count: int) -> str:
    return f"{count / 1_000:.3f}KB"


class TestTheLimit:
    def test_too_small_for_anything(self, memory_at: Callable[..., Memory]) -> None:
        with memory_at(policy=LASTING) as first:
            _ = first.observe_many(TEXTS)
            known = found(first)
        with memory_at(mirror_memory="1KB") as small:
            assert found(small) == pytest.approx(known, abs=1e-6)
            assert state(small) == "too large"
            _ = small.observe("The zeppelin hangs over shelf 500.")
            assert "The zeppelin hangs over shelf 500." in found(small, "zeppelin")

    def test_what_was_too_large_is_held_once_it_is_smaller(
        self, memory_at: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with memory_at("known.duckdb", policy=LASTING) as known:
            _ = known.observe_many(TEXTS[:30])
            limit = room_for(known, whole=True)
        memory = memory_at(policy=LASTING, mirror_memory=size(limit))
        claims = [one.claims[0] for one in map(memory.observe, TEXTS)]
        assert found(memory)
        loads = counted(monkeypatch, "load_columns")
        memory._opened.search._index().mirror._limit = 1_000  # not even columns fit
        _ = memory.observe("The zeppelin hangs over shelf 500.")
        assert "The zeppelin hangs over shelf 500." in found(memory, "zeppelin")
        assert state(memory) == "too large"
        memory._opened.search._index().mirror._limit = limit
        for claim in claims[20:]:
            _ = memory.forget(claim_id=claim.id, compact=False)
        before = len(loads)
        assert found(memory, "shelf 7")
        assert state(memory) == "ready"
        assert len(loads) == before + 1

    def test_none_at_all(self, memory_at: Callable[..., Memory]) -> None:
        with memory_at(policy=LASTING, mirror_memory=0) as small:
            _ = small.observe_many(TEXTS)
            assert found(small)
            assert state(small) == "off"

    def test_too_small_for_whole_vectors(self, memory_at: Callable[..., Memory]) -> None:
        with memory_at(policy=LASTING) as first:
            _ = first.observe_many(TEXTS)
            known, limit = found(first), room_for(first, whole=False, more=10)
        with memory_at(mirror_memory=size(limit)) as small:
            assert found(small) == pytest.approx(known, abs=1e-6)
            assert state(small) == "ready"
            assert is_whole(small) is False
            exact_for_all(small)

    def test_too_small_for_any_vectors(self, memory_at: Callable[..., Memory]) -> None:
        with memory_at(policy=LASTING) as first:
            _ = first.observe_many(TEXTS)
            known, limit = found(first), room_for(first, whole=False) - 1
        with memory_at(mirror_memory=size(limit)) as small:
            assert found(small) == pytest.approx(known, abs=1e-6)
            assert state(small) == "ready"
            assert is_whole(small) is None

    def test_holds_for_what_is_written_later(self, memory_at: Callable[..., Memory]) -> None:
        with memory_at("known.duckdb", policy=LASTING) as known:
            _ = known.observe_many(TEXTS[:20])
            limit = room_for(known, whole=True, more=2)
            with memory_at(policy=LASTING, mirror_memory=size(limit)) as small:
                _ = small.observe_many(TEXTS[:20])
                tiers = [tier_of(small)]
                for start in range(20, 90, 5):
                    _ = small.observe_many(TEXTS[start : start + 5])
                    _ = known.observe_many(TEXTS[start : start + 5])
                    assert found(small) == pytest.approx(found(known), abs=1e-6)
                    tiers.append(tier_of(small))
                    mirror = small._opened.search._index().mirror
                    held = mirror._held
                    assert held is None or loading.bytes_of(held) <= limit
        assert tiers == sorted(tiers, key=["whole", "bytes", "none", "too large"].index)
        assert {"whole", "bytes"} < set(tiers)


def is_whole(memory: Memory) -> bool | None:
    held = memory._opened.search._index().mirror._held
    assert held is not None
    return None if held.vectors is None else held.vectors.whole


def tier_of(memory: Memory) -> str:
    _ = found(memory)
    if state(memory) != "ready":
        return state(memory)
    return {None: "none", True: "whole", False: "bytes"}[is_whole(memory)]


def exact_for_all(memory: Memory) -> None:
    """Check that the cosines of what is shown are those of the file, to the last bit."""
    vector = memory.deps.embedding.embed(QUERY).unwrap()
    items = asked(memory)
    keys = memory.deps.db.query("select id, row_id from claims").unwrap()
    rows = {str(one["id"]): int(one["row_id"]) for one in keys}
    known = memory.deps.vector_index.cosines(vector, list(rows.values())).unwrap()
    assert items
    for item in items:
        assert item.scores is not None
        assert item.scores.cosine == known[rows[item.claim.id]]


class TestAFailedRead:
    @pytest.mark.parametrize("text", ["The zeppelin hangs over shelf 500.", "!!!"])
    def test_leaves_nothing_half_taken_in(
        self, filled: Memory, monkeypatch: pytest.MonkeyPatch, text: str
    ) -> None:
        claim = asked(filled)[0].claim
        new = claim.model_copy(update={"id": claim_id(1), "text": text, "content_hash": None})
        _ = filled.integrate([type(claim).model_validate(new.model_dump(exclude_none=True))])
        extend = loading.extend_vectors
        failing = [True]

        def once(*args: Any) -> Result[None, Any]:
            return Failure(DatabaseFailed("read", "Broken")) if failing else extend(*args)

        monkeypatch.setattr(loading, "extend_vectors", once)
        assert filled.results.search(QUERY).failure().code == "DATABASE_ERROR"
        failing.clear()
        everything = filled.search(text, k=100)
        assert text in [item.claim.text for item in everything]
        assert state(filled) == "ready"


def test_postings_that_are_sorted_before_they_are_followed(filled: Memory) -> None:
    assert found(filled)
    db = filled.deps.db

    def work() -> Result[None, Any]:
        _ = filled.observe("A zeppelin.", source_id="r/D1:1")
        db.execute(
            "insert into postings select corpus, term_hash, row_id, tf, dl from postings_delta"
        ).unwrap()
        db.execute("delete from postings_delta").unwrap()
        later = "The old zeppelin of Kenji hangs beside the bridge and over the pier at noon."
        _ = filled.observe(later, source_id="r/D1:2")
        return Success(None)

    db.transaction(work).unwrap()
    items = asked(filled, "zeppelin")
    assert state(filled) == "ready"
    assert [item.scores.window for item in items if item.scores][:2] == [1.0, 1.0]


def test_vectors_that_are_made_up_for_by_half(
    memory_at: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_off(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    embedder = Outage()
    memory = memory_at(policy=LASTING, embedder=embedder)
    _ = memory.observe(TEXTS[0])
    embedder.down = True
    _ = memory.observe_many(TEXTS[1:5])
    assert {item.scores.cosine for item in asked(memory, "shelf") if item.scores} == {None}
    embedder.down = False
    assert [one for one in cosines(memory) if one is not None] == [cosines(memory)[0]]
    monkeypatch.setattr(reembed_module, "BATCH", 2)
    with pytest.raises(KeyboardInterrupt):
        _ = memory.reembed(progress=broken_off)
    assert [one is None for one in cosines(memory)] == [False, False, False, True, True]
    assert memory.reembed() == 2
    assert None not in cosines(memory)


def cosines(memory: Memory) -> list[float | None]:
    """Return the cosine of every claim to a query, in the order they were written."""
    items = {item.claim.text: item.scores for item in asked(memory)}
    return [None if (one := items.get(text)) is None else one.cosine for text in TEXTS[:5]]


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [0, 5_000])
def test_a_storm(memory_at: Callable[..., Memory], monkeypatch: Any, at_once: int) -> None:
    monkeypatch.setattr(index_module, "AT_ONCE", at_once)
    memory = memory_at(policy=LASTING)
    _ = memory.observe_many(TEXTS)
    done = threading.Event()

    def look(number: int) -> int:
        looks = 0
        while not done.is_set():
            items = memory.activate(f"shelf {number} blue", top_k=20).items
            assert items
            assert len({item.claim.id for item in items}) == len(items)
            looks += 1
        return looks

    def write() -> int:
        writes, ends = 0, time.monotonic() + 5.0
        try:
            while writes < 8 or time.monotonic() < ends:
                text = f"The zeppelin w{writes}x hangs over pier {writes}."
                made = memory.observe(text).claims[0]
                shown = memory.search(f"w{writes}x", k=5)
                assert shown[0].claim.text == text, state(memory)
                writes += 1
                if writes % 4 == 0:
                    _ = memory.forget(claim_id=made.id, compact=writes == 4)
                    assert text not in found(memory, text)
        finally:
            done.set()
        return writes

    with ThreadPoolExecutor(9) as pool:
        looking = [pool.submit(look, number) for number in range(8)]
        writes = pool.submit(write).result()
        assert all(one.result() > 0 for one in looking)
    assert memory._opened.search.wait(30)
    kept = [text for text in found(memory, "zeppelin") if "zeppelin" in text]
    assert len(kept) == min(writes - writes // 4, 100)
