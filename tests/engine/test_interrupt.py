"""Ctrl-C in the middle of a statement is Ctrl-C, and the memory works on."""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from returns.result import Failure, Success

from pce_memory import Memory
from tests.conftest import rows

pytestmark = pytest.mark.slow

LONG = "select count(*) from range(100_000_000_000)"


def test_an_interrupt_is_raised_as_itself(memory: Memory) -> None:
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        _ = memory.deps.db.query(LONG)
    timer.join()
    assert memory.observe("It works on.").claims


def test_an_interrupt_in_a_transaction_leaves_nothing(memory: Memory) -> None:
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))

    def work() -> Success[None]:
        _ = memory.observe("This must not stay.")
        timer.start()
        _ = memory.deps.db.query(LONG)
        return Success(None)

    with pytest.raises(KeyboardInterrupt):
        _ = memory.deps.db.transaction(work)
    timer.join()
    assert rows(memory, "claims") == 0
    assert memory.observe("This may stay.").claims


def test_a_write_that_was_done_when_it_was_interrupted_is_noted(
    memory: Memory,
) -> None:
    """Ctrl-C came between a statement and the note that the file has changed."""
    db: Any = memory.deps.db
    _ = memory.observe("The lamp is red.")
    assert memory.activate("lamp").items
    before = db.version
    sql = "update claims set utility = 0.25"

    def run(on: Any) -> None:
        on.execute(sql)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        db._write(sql, run)
    assert db.version != before
    assert db.query("select utility from claims").unwrap() == [{"utility": 0.25}]


def test_an_interrupt_waits_for_a_commit_to_be_known(memory: Memory) -> None:
    def work() -> Success[None]:
        _ = memory.observe("This is kept.")
        return Success(None)

    class Interrupting:
        """Sends Ctrl-C with the commit."""

        def __init__(self, connection: Any) -> None:
            self._connection = connection

        def __getattr__(self, name: str) -> Any:
            if name == "commit":
                os.kill(os.getpid(), signal.SIGINT)
            return getattr(self._connection, name)

    db: Any = memory.deps.db
    writer = db._writer
    _ = memory.activate("anything")
    db._writer = Interrupting(writer)
    try:
        with pytest.raises(KeyboardInterrupt):
            _ = db.transaction(work)
    finally:
        db._writer = writer
    kept = rows(memory, "claims")
    assert len(memory.activate("kept").items) == kept
    assert memory.observe("It works on.").claims


def test_a_handler_of_the_host_is_left_alone(memory: Memory) -> None:
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        os.kill(os.getpid(), signal.SIGINT)
        assert memory.observe("It is the host's.").claims
    finally:
        assert signal.signal(signal.SIGINT, before) is not signal.default_int_handler
    assert came == [signal.SIGINT]


def test_the_usual_handler_is_there_again(memory: Memory) -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert memory.observe("Once more.").claims
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("when", ["begin", "commit", "rollback"])
def test_no_transaction_is_left_begun(memory: Memory, when: str) -> None:
    """Ctrl-C came between the statement that begins a transaction and the work in it."""
    db: Any = memory.deps.db

    class Interrupting:
        def __init__(self, connection: Any) -> None:
            self._connection = connection

        def __getattr__(self, name: str) -> Any:
            if name == when:
                os.kill(os.getpid(), signal.SIGINT)
            return getattr(self._connection, name)

    def fails() -> Failure[str]:
        return Failure("not today")

    writer = db._writer
    db._writer = Interrupting(writer)
    try:
        with pytest.raises(KeyboardInterrupt):
            db.transaction(fails if when == "rollback" else lambda: Success(None))
    finally:
        db._writer = writer
    assert memory.observe("It works on.").claims


class _Raised(Exception):
    pass


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGALRM])
def test_what_a_handler_of_the_host_raises_arrives_as_it_is(
    memory: Memory, number: signal.Signals
) -> None:
    """sys.exit in a handler of SIGTERM became INVALID_ID, or RuntimeError('Query interrupted')."""

    def handler(*_: object) -> None:
        raise _Raised

    db: Any = memory.deps.db

    def run(on: Any) -> None:
        os.kill(os.getpid(), number)
        on.execute("select 1")

    before = signal.signal(number, handler)
    try:
        with pytest.raises(_Raised):
            db._write("select 1", run)
        assert signal.getsignal(number) is handler
    finally:
        signal.signal(number, before)
    assert memory.observe("It works on.").claims


@pytest.mark.parametrize("source", ["clock", "ids"])
def test_an_exit_in_a_source_of_ours_is_a_signals(source: str) -> None:
    from pce_memory.deps import guarding
    from pce_memory.memory import new_id

    given: Any = time.time if source == "clock" else new_id
    assert SystemExit not in guarding.raised_by(given)
    assert SystemExit in guarding.raised_by(lambda: 0.0)


def test_an_interrupt_while_a_file_is_swapped_leaves_it_open(tmp_path: Path) -> None:
    """Ctrl-C in `compact` or `forget` closed the memory for good, the erased bytes in the file."""
    memory = Memory.open(tmp_path / "m.duckdb", embedder="hashing")
    db: Any = memory.deps.db
    _ = memory.observe("The quokka lives here.")
    let_go = db._let_go

    def interrupted() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        let_go()

    db._let_go = interrupted
    with pytest.raises(KeyboardInterrupt):
        _ = memory.forget(query="quokka")
    del db._let_go
    assert memory.observe("It works on.").claims
    assert all("quokka" not in one.claim.text for one in memory.activate("quokka").items)
    memory.close()
    assert b"quokka" not in (tmp_path / "m.duckdb").read_bytes()


def test_an_interrupt_as_closing_begins_still_closes(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "m.duckdb", embedder="hashing")
    _ = memory.observe("The lamp is red.")
    db: Any = memory.deps.db
    close = db.close

    def interrupted() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        close()

    # What the finalizer calls is looked up on the database it was given.
    type(db).close, before = lambda _self: interrupted(), type(db).close
    try:
        with pytest.raises(KeyboardInterrupt):
            memory.close()
    finally:
        type(db).close = before
    assert not (tmp_path / "m.duckdb.wal").exists()
    Memory.open(tmp_path / "m.duckdb", embedder="hashing").close()


def test_an_interrupted_snapshot_leaves_nothing_begun(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "m.duckdb", embedder="hashing")
    _ = memory.observe("The lamp is red.")
    db: Any = memory.deps.db
    execute = db.execute

    def interrupted(sql: str, params: Any = None) -> Any:
        if "copy from database" in sql:
            db._writer.begin()  # what an interrupted copy leaves
            raise KeyboardInterrupt
        return execute(sql, params)

    db.execute = interrupted
    with pytest.raises(KeyboardInterrupt):
        _ = memory.snapshot(tmp_path / "copy.duckdb")
    del db.execute
    assert memory.observe("It works on.").claims
    assert memory.snapshot(tmp_path / "copy.duckdb").exists()
    memory.close()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["copy.duckdb", "m.duckdb"]
