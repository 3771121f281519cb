"""Ctrl-C in the middle of a statement is Ctrl-C, and the memory works on."""

import os
import signal
import threading

import pytest
from returns.result import Success

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
