"""Ctrl-C in the middle of a statement is Ctrl-C, and the memory works on."""

import os
import signal
import threading
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
