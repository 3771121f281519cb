"""The postings are sorted while others read and write: nothing is lost, nobody waits for it."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

import pytest
from returns.result import Failure, Success

from pce_memory import Memory
from pce_memory.adapters import sorting
from pce_memory.engine import bulk
from pce_memory.errors import DatabaseFailed, MemoryClosed, ReadOnly
from pce_memory.store import meta, postings
from pce_memory.store.postings import Counts
from tests.conftest import tables
from tests.engine.test_integrate_many import claim
from tests.index import assert_exact

Open = Callable[..., Memory]
LONG: Final = "select count(*) as n from range(100000000) a, range(1000) b"


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the background sort after a few postings."""
    monkeypatch.setattr(sorting, "STEP", 20)
    monkeypatch.setattr(postings, "FEWEST", 40)


def counts(memory: Memory) -> Counts:
    return postings.counts(memory.deps.db).unwrap()


def busy(*acts: Callable[[int], object]) -> Callable[[], list[str]]:
    """Run each act again and again in a thread; what is returned stops them: their faults."""
    stop, faults = threading.Event(), list[str]()

    def work(act: Callable[[int], object]) -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            try:
                _ = act(turn)
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is a fault
                faults.append(repr(error))
                return

    threads = [threading.Thread(target=work, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()

    def ended() -> list[str]:
        stop.set()
        for thread in threads:
            thread.join()
        return faults

    return ended


class TestSort:
    def test_it_takes_in_what_was_written(self, memory: Memory):
        memory.observe("The lamp is green.")
        before = counts(memory)
        assert before == Counts(0, 4)
        assert postings.sort(memory.deps.db) == Success(4)
        assert counts(memory) == Counts(4, 0)
        assert postings.sort(memory.deps.db) == Success(0)
        assert_exact(memory)

    def test_its_order_is_that_of_the_terms(self, memory: Memory):
        for number in range(40):
            memory.observe(f"Parcel {number} waits on shelf {number * 7}.")
        _ = postings.sort(memory.deps.db)
        rows = memory.deps.db.query("select corpus, term_hash, row_id from postings").unwrap()
        keys = [tuple(row.values()) for row in rows]
        assert keys == sorted(keys)
        assert len(keys) > 100

    def test_what_comes_between_its_steps_is_kept(self, memory: Memory):
        db = memory.deps.db
        old = memory.observe("The lamp is green.").claims[0]
        memory.observe("The door is red.")
        built = db.aside(lambda: postings._build(db)).unwrap()
        memory.observe("The key is blue.")
        memory.forget(claim_id=old.id)
        again = memory.observe("The lamp is green.").claims[0]
        assert postings._take_over(db, built, tries=1) == Success(8)
        assert_exact(memory)
        assert memory.search("lamp")[0].claim.id == again.id

    def test_one_that_others_were_faster_than_gives_up(self, memory: Memory):
        db = memory.deps.db
        memory.observe("The lamp is green.")
        late = db.aside(lambda: postings._build(db)).unwrap()
        memory.observe("The door is red.")
        assert postings.sort(db) == Success(8)
        assert postings._take_over(db, late, tries=1) == Success(0)
        assert_exact(memory)

    def test_maintenance_sorts_when_there_is_enough(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch
    ):
        memory.observe("The lamp is green.")
        assert memory.maintain().postings_sorted == 0
        monkeypatch.setattr(postings, "FEWEST", 3)
        assert memory.maintain().postings_sorted == 4
        assert counts(memory) == Counts(4, 0)

    def test_what_was_left_is_dropped_at_opening(self, memory_at: Open):
        memory = memory_at()
        db = memory.deps.db
        memory.observe("The lamp is green.")
        before = tables(memory)
        _ = db.aside(lambda: postings._build(db)).unwrap()
        assert tables(memory) != before
        memory.close()
        again = memory_at()
        assert tables(again) == before
        assert meta.get(again.deps.db, postings._BUILT) == Success(None)
        assert postings.sort(again.deps.db) == Success(4)


class TestAside:
    def test_a_failure_leaves_nothing(self, memory: Memory):
        db = memory.deps.db

        def work() -> Any:
            db.execute("create table left_over (n integer)").unwrap()
            return Failure(ReadOnly("given up"))

        assert db.aside(work) == Failure(ReadOnly("given up"))
        assert "left_over" not in tables(memory)

    def test_the_writer_goes_on_meanwhile(self, memory: Memory):
        db = memory.deps.db
        inside, written = threading.Event(), threading.Event()

        def work() -> Any:
            db.execute("create table beside (n integer)").unwrap()
            inside.set()
            assert written.wait(10)
            return db.query("select count(*) as n from claims")

        seen: list[Any] = []
        thread = threading.Thread(target=lambda: seen.append(db.aside(work)))
        thread.start()
        assert inside.wait(10)
        memory.observe("The lamp is green.")
        written.set()
        thread.join()
        assert seen == [Success([{"n": 0}])]  # it sees the moment it began

    def test_a_reader_has_none(self, memory_at: Open):
        memory_at().close()
        memory = memory_at(read_only=True)
        assert memory.deps.db.aside(lambda: Success(1)) == Failure(ReadOnly("aside"))

    @pytest.mark.parametrize("act", [Memory.compact, Memory.close])
    def test_it_is_ended_for_whoever_needs_the_file(
        self, memory_at: Open, act: Callable[[Memory], object]
    ):
        memory = memory_at()
        memory.observe("The lamp is green.")
        db, began, seen = memory.deps.db, threading.Event(), list[Any]()

        def work() -> Any:
            began.set()
            return db.query(LONG)

        thread = threading.Thread(target=lambda: seen.append(db.aside(work)))
        thread.start()
        assert began.wait(10)
        act(memory)
        thread.join(30)
        assert not thread.is_alive()
        (ended,) = seen
        assert isinstance(ended.failure(), (DatabaseFailed, MemoryClosed))


@pytest.mark.usefixtures("eager")
class TestInTheBackground:
    def until_sorted(self, memory: Memory) -> Iterator[int]:
        for _ in range(200):
            if counts(memory).sorted:
                return
            time.sleep(0.05)
            yield 1

    def test_it_begins_by_itself_and_ends_with_the_memory(self, memory_at: Open):
        memory = memory_at()
        for number in range(20):
            memory.observe(f"Parcel {number} waits on shelf {number * 7}.")
        assert len(list(self.until_sorted(memory))) < 200
        assert_exact(memory)
        memory.close()
        alive = [thread.name for thread in threading.enumerate()]
        assert "pce-memory-sort" not in alive
        assert_exact(memory_at())

    def test_a_failure_is_an_event_and_no_more(
        self, memory_at: Open, monkeypatch: pytest.MonkeyPatch
    ):
        def fails(_db: object) -> Any:
            return Failure(DatabaseFailed("postings.fill_next", "", "OutOfMemoryException"))

        monkeypatch.setattr(postings, "sort_if_many", fails)
        memory = memory_at()
        for number in range(10):
            memory.observe(f"Parcel {number} waits on shelf {number * 7}.")
        query = "select payload ->> 'error' as error from events where topic = 'sort'"
        told: Any = []
        for _ in range(200):
            if told := memory.deps.db.query(query).unwrap():
                break
            time.sleep(0.05)
        assert told[0] == {"error": "DATABASE_ERROR"}
        assert len(memory.search("parcel")) == 10

    @pytest.mark.parametrize("broken_off", [False, True])
    def test_a_bulk_is_sorted_when_it_is_over(
        self, memory_at: Open, monkeypatch: pytest.MonkeyPatch, broken_off: bool
    ):
        class Stop(Exception):
            pass

        memory = memory_at()
        begun = list[str]()
        monkeypatch.setattr(bulk, "BATCH", 4)
        sort_if_many, done = postings.sort_if_many, threading.Event()

        def seen(db: Any) -> Any:
            begun.append("sort")
            sorted_now = sort_if_many(db)
            done.set()
            return sorted_now

        def progress(count: int) -> None:
            assert memory._opened.sorter._thread is None
            begun.append("batch")
            if broken_off and count == 12:
                raise Stop

        monkeypatch.setattr(postings, "sort_if_many", seen)
        claims = [claim(number) for number in range(24)]
        with pytest.raises(Stop) if broken_off else nullcontext():
            _ = memory.integrate_many(claims, progress=progress)
        assert done.wait(30)
        assert begun == [*["batch"] * (3 if broken_off else 6), "sort"]
        assert counts(memory).sorted > 0
        assert_exact(memory)

    @pytest.mark.slow
    def test_writers_readers_and_sorts_at_once(self, memory_at: Open):
        memory = memory_at()
        db = memory.deps.db

        def write_and_find(name: str) -> Callable[[int], object]:
            def act(turn: int) -> None:
                seen = memory.observe(f"Parcel {name}{turn} waits on shelf {turn * 7}.")
                found = memory.search(f"parcel {name}{turn}", k=3)
                assert seen.claims[0].id in [item.claim.id for item in found]
                if turn % 5 == 0:
                    memory.forget(claim_id=seen.claims[0].id, compact=turn % 10 == 0)
                    gone = memory.search(f"parcel {name}{turn}", k=3)
                    assert seen.claims[0].id not in [item.claim.id for item in gone]

            return act

        ended = busy(
            write_and_find("ape"),
            write_and_find("bee"),
            lambda _: memory.search("parcel shelf"),
            lambda _: memory.activate("parcel waits"),
            lambda _: postings.sort(db).unwrap(),
        )
        time.sleep(8)
        assert ended() == []
        assert_exact(memory)
        assert counts(memory).sorted > 100
        memory.close()
        assert_exact(memory_at())


@pytest.mark.slow
def test_a_kill_at_any_moment_leaves_a_whole_index(tmp_path: Path):
    body = (
        "import sys, threading; from pce_memory import Memory\n"
        "from pce_memory.store import postings\n"
        "m = Memory.open(sys.argv[1], embedder='hashing')\n"
        "print('ready', flush=True)\n"
        "def sort():\n"
        "    while True: postings.sort(m.deps.db).unwrap()\n"
        "threading.Thread(target=sort, daemon=True).start()\n"
        "n = 0\n"
        "while True:\n"
        "    n += 1\n"
        "    seen = m.observe(f'Parcel {sys.argv[2]} {n} waits on shelf {n * 7}.')\n"
        "    if n % 4 == 0: m.forget(claim_id=seen.claims[0].id, compact=n % 16 == 0)\n"
        "    else: print(seen.claims[0].id, flush=True)\n"
    )
    path, told = tmp_path / "k.duckdb", set[str]()
    for round_ in range(6):
        made = subprocess.Popen(
            [sys.executable, "-c", body, str(path), str(round_)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert made.stdout is not None
        with made.stdout as said:
            assert said.readline() == "ready\n"
            time.sleep(0.5 + 0.37 * round_)
            os.kill(made.pid, signal.SIGKILL)
            told |= {line.strip() for line in said.read().split("\n")[:-1]}
            _ = made.wait()
        with Memory.open(path, embedder="hashing") as memory:
            assert_exact(memory)
            assert "postings_next" not in tables(memory)
            kept = memory.deps.db.query("select id from claims").unwrap()
            assert told <= {row["id"] for row in kept}
    assert told  # however slow the machine is, something was acknowledged
