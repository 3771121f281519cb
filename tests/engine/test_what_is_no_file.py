"""A path that is no regular file is refused at once: nothing waits for a pipe or reads a device."""

import os
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from returns.result import Result

from pce_memory import Memory
from pce_memory.adapters.embedders.model_folder import declared_dimension
from pce_memory.adapters.expansions import load_expansions
from pce_memory.policy.document import MAX_BYTES
from pce_memory.surface.policy_files import checked_files
from pce_memory.surface.reading import Limits, read

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in a folder here")

WAITING: Final = 20.0
"""Seconds after which a call that waits for a writer is given one, and the test fails."""
KINDS: Final = ("pipe", "socket", "directory", "device")


def at_once(path: Path, call: Callable[[], object]) -> str:
    """Return what a call says; a call that waits for somebody to write is a failure."""
    told: list[object] = []
    worker = threading.Thread(target=lambda: told.append(call()), daemon=True)
    worker.start()
    worker.join(WAITING)
    if worker.is_alive():  # it is let go, or the whole run would hang
        number = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        time.sleep(0.1)
        os.close(number)
        pytest.fail("it waits for somebody to write")
    return str(told[0])


@pytest.fixture(params=KINDS)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a path of each kind that is no regular file."""
    place = tmp_path / "mine.yaml"
    if request.param == "pipe":
        os.mkfifo(place)
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(str(place)[-100:] if len(str(place)) < 100 else "\0mine")
        if not place.exists():
            pytest.skip("the path is too long for a socket")
    elif request.param == "directory":
        place.mkdir()
    else:
        place.symlink_to("/dev/zero")
    return place


CALLS: Final[dict[str, Callable[[Memory, Path], object]]] = {
    "apply_policy": lambda memory, path: memory.results.apply_policy(path),
    "preview_policy": lambda memory, path: memory.results.preview_policy(path),
    "open": lambda _, path: Memory.try_open(path, embedder="hashing"),
    "open with a policy": lambda _, path: Memory.try_open(policy=path, embedder="hashing"),
    "open with expansions": lambda _, path: Memory.try_open(expansions=[path], embedder="hashing"),
    "load_expansions": lambda _, path: load_expansions(path),
    "add_documents": lambda memory, path: memory.results.add_documents(path),
    "policy check": lambda _, path: checked_files([str(path)])[0].findings,
    "ingest": lambda _, path: read(str(path), Limits(1_000, 100)).faults,
    "snapshot": lambda memory, path: memory.results.snapshot(path, overwrite=True),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_regular_file_is_refused_at_once(name: str, path: Path) -> None:
    with Memory.open(embedder="hashing") as memory:
        told = at_once(path, lambda: CALLS[name](memory, path))
    assert "Failure" in told or "InvalidParameter" in told or "severity='error'" in told
    assert "a regular file" in told or "it is a directory" in told


def test_a_pipe_in_the_folder_of_a_model_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "modules.json")
    assert at_once(tmp_path / "modules.json", lambda: declared_dimension(tmp_path)) == "None"


PADS: Final = {"comments": "# pad\n", "keys": "a: b\n", "one line": "x", "no text": "\0"}


def cpu_of(call: Callable[[], Result[object, object]]) -> tuple[float, str]:
    """Return the CPU seconds of a call, and what it says."""
    begun = time.process_time()
    told = str(call().failure())
    return time.process_time() - begun, told


@pytest.mark.parametrize("pad", PADS)
def test_a_policy_that_is_too_large_is_refused_before_it_is_read(pad: str) -> None:
    """The same time as one a little too large takes, not that of reading it."""
    with Memory.open(embedder="hashing") as memory:
        sizes = (MAX_BYTES + 1, 50 << 20)
        texts = [PADS[pad] * (size // len(PADS[pad]) + 1) for size in sizes]
        least = [
            min(cpu_of(partial(memory.results.apply_policy, text)) for _ in range(3))
            for text in texts
        ]
    assert all("a policy has at most 128 KiB" in told for _, told in least)
    # The text is 400 times longer; to look at its length and to hash it costs a little.
    assert least[1][0] < 40 * least[0][0] + 0.2


@pytest.mark.parametrize("operation", ["reindex", "reembed"])
@pytest.mark.parametrize("progress", [3, "x", [], object()])
def test_a_progress_that_cannot_be_called_begins_nothing(operation: str, progress: object) -> None:
    with Memory.open(embedder="hashing") as memory:
        _ = memory.observe("The lamp is red.")
        before, events = memory.health(), told_of(memory)
        error = getattr(memory.results, operation)(progress=progress).failure()
        assert told_as(error) == ("INVALID_PARAMETER", "progress")
        assert memory.health() == before
        assert told_of(memory) == events


def test_an_approver_or_a_policy_of_another_type_changes_nothing() -> None:
    with Memory.open(embedder="hashing") as memory:
        before = memory.policy_history()
        wrong: list[Any] = [b"x", 3, ["carol"]]
        for approver in wrong:
            error = memory.results.apply_policy("team", approver=approver).failure()
            assert told_as(error) == ("INVALID_PARAMETER", "approver")
        assert memory.policy_history() == before
        policies: list[Any] = [None, 3, {"version": "9.0.0"}, "team"]
        for policy in policies:
            error = memory.results.preview(policy).failure()
            assert told_as(error) == ("INVALID_PARAMETER", "policy")


def told_as(error: object) -> tuple[object, object]:
    """Return the code of an error, and the argument that it names."""
    return getattr(error, "code", None), getattr(error, "name", None)


def told_of(memory: Memory) -> list[object]:
    """Return what the memory was told to have done."""
    return [row["id"] for row in memory.deps.db.query("select id from events").unwrap()]
