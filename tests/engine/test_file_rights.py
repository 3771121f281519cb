"""Whatever a memory writes is for its owner alone; rights that somebody gave are kept."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

import pytest

from pce_memory import Memory
from pce_memory.adapters import safety_copy
from tests.older_files import downgrade

Open = Callable[..., Memory]

FILE: Final = "memory.duckdb"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")


@pytest.fixture(autouse=True)
def _open_to_all() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def rights(folder: Path) -> dict[str, int]:
    """Return the rights of the files in a folder, by name."""
    return {one.name: stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()}


def test_what_is_new_is_for_its_owner(memory_at: Open, tmp_path: Path) -> None:
    memory = memory_at(FILE)
    memory.observe("Alice keeps the only key.")
    own = {FILE: 0o600, f"{FILE}.wal": 0o600, f"{FILE}.commits": 0o600}
    assert rights(tmp_path) == own
    memory.deps.db.execute("checkpoint").unwrap()
    assert rights(tmp_path) == {FILE: 0o600}
    memory.observe("Bob keeps the other key.")  # into a log that is new
    assert rights(tmp_path) == own
    memory.compact()
    memory.observe("Carol keeps none.")
    memory.snapshot(tmp_path / "copy.duckdb")
    assert rights(tmp_path) == {**own, "copy.duckdb": 0o600}
    memory.close()
    assert rights(tmp_path) == {FILE: 0o600, "copy.duckdb": 0o600}
    again = memory_at(FILE)
    assert len(again.search("", k=10)) == 3


def test_a_log_has_its_rights_before_anything_stands_in_it(tmp_path: Path) -> None:
    """The process watches its own folder: at no moment may others read a log of it."""
    body = (
        "import os, sys, threading, pathlib\n"
        "from pce_memory import Memory\n"
        "os.umask(0)\n"
        "memory = Memory.open(sys.argv[1], embedder='hashing')\n"
        "seen, ended = set(), threading.Event()\n"
        "def watch():\n"
        "    while not ended.is_set():\n"
        "        for one in pathlib.Path(sys.argv[1]).parent.iterdir():\n"
        "            try: seen.add(one.stat().st_mode & 0o777)\n"
        "            except OSError: pass\n"
        "watching = threading.Thread(target=watch)\n"
        "watching.start()\n"
        "for n in range(40):\n"
        "    memory.observe(f'Item {n} is on shelf {n}.')\n"
        "    memory.deps.db.execute('checkpoint').unwrap()\n"
        "ended.set()\n"
        "watching.join()\n"
        "memory.close()\n"
        "print(sorted(map(oct, seen)))\n"
    )
    path = str(tmp_path / FILE)
    done = subprocess.run(
        [sys.executable, "-c", body, path], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "['0o600']"


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o660])
def test_rights_that_somebody_gave_are_kept(memory_at: Open, tmp_path: Path, mode: int) -> None:
    memory_at(FILE).close()
    (tmp_path / FILE).chmod(mode)
    memory = memory_at(FILE)
    memory.observe("Alice keeps the only key.")
    assert rights(tmp_path) == dict.fromkeys((FILE, f"{FILE}.wal", f"{FILE}.commits"), mode)
    memory.compact()
    memory.observe("Bob keeps the other key.")
    assert set(rights(tmp_path).values()) == {mode}
    memory.close()
    assert rights(tmp_path) == {FILE: mode}


def test_a_snapshot_over_a_file_keeps_that_files_rights(memory_at: Open, tmp_path: Path) -> None:
    (tmp_path / "copy.duckdb").write_bytes(b"")
    (tmp_path / "copy.duckdb").chmod(0o640)
    memory_at(FILE).snapshot(tmp_path / "copy.duckdb", overwrite=True)
    assert rights(tmp_path)["copy.duckdb"] == 0o640


def test_a_snapshot_of_a_memory_in_ram_is_for_its_owner(memory: Memory, tmp_path: Path) -> None:
    memory.observe("Alice keeps the only key.")
    memory.snapshot(tmp_path / FILE)
    assert rights(tmp_path) == {FILE: 0o600}


def test_the_copy_of_a_migration_has_the_rights_of_its_file(
    memory_at: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_at(FILE).observe("Alice keeps the only key.")
    memory_at(FILE + "x").close()
    path = tmp_path / (FILE + "x")
    downgrade(path, 7)
    path.chmod(0o640)
    begun: list[int] = []
    copied: list[int] = []
    copyfileobj = shutil.copyfileobj

    def copying(source: BinaryIO, target: BinaryIO, length: int) -> None:
        begun.extend(mode for name, mode in rights(tmp_path).items() if name.endswith(".part"))
        copyfileobj(source, target, length)

    def removed(place: str) -> None:
        copied.extend(stat.S_IMODE(one.stat().st_mode) for one in safety_copy.safety_copies(place))

    monkeypatch.setattr("shutil.copyfileobj", copying)
    monkeypatch.setattr("pce_memory.opening.migrating.remove_safety_copies", removed)
    memory_at(FILE + "x").close()
    assert (begun, copied) == ([0o600], [0o640])
    assert rights(tmp_path)[FILE + "x"] == 0o640
