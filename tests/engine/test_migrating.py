"""A file of before is brought up to date: with a copy beside it, and whole whatever happens."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from returns.result import Failure, Result

from pce_memory import Memory
from pce_memory.adapters.duck import DuckDatabase
from pce_memory.adapters.safety_copy import safety_copies
from pce_memory.errors import DatabaseFailed, DiskFull, PathUnusable, SchemaDrift
from pce_memory.store import migrations
from pce_memory.store.migrations import Migration, known_migrations
from tests.conftest import rows
from tests.older_files import downgrade

Open = Callable[..., Memory]

FILE: Final = "memory.duckdb"
SAID: Final = "Alice keeps the only key to the archive."


def of_before(open_at: Open) -> Path:
    """Make a file as the version before wrote it: with claims, feedback and a judgement."""
    with open_at(FILE) as memory:
        seen = memory.observe(SAID, actor="alice", tags=("kept",)).claims[0]
        memory.feedback(seen.id, "helpful", feedback_id="fb_1")
        memory.judge(seen.id, score=80.0, judgement_id="jdg_1")
    downgrade(memory.path, 7)
    return Path(memory.path)


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_it_keeps_all_it_holds(memory_at: Open, tmp_path: Path) -> None:
    path = of_before(memory_at)
    memory = memory_at(FILE)
    assert [name for name in names(tmp_path) if not name.endswith((".wal", ".commits"))] == [FILE]
    (hit,) = memory.search("archive")
    assert (hit.claim.text, hit.claim.tags) == (SAID, ("kept",))
    one = hit.claim.id
    # The very same again is a replay; another under the same id was never given.
    before = memory.claim(one).utility
    assert memory.feedback(one, "helpful", feedback_id="fb_1").claim_id == one
    assert memory.judge(one, score=80.0, judgement_id="jdg_1").claim_id == one
    assert memory.claim(one).utility == before
    assert memory.feedback(one, "harmful", feedback_id="fb_1").claim_id == one
    assert memory.observe(SAID, actor="alice").integration.merged == (one,)
    assert path.exists()


def test_while_it_is_rebuilt_a_copy_stands_beside(
    memory_at: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = of_before(memory_at)
    whole = path.read_bytes()
    seen: list[bytes] = []
    apply = migrations._apply

    def applied(db: DuckDatabase, migration: Migration, now: float) -> Result[Any, Any]:
        if db.path == ":memory:":  # what the file is compared with
            return apply(db, migration, now)
        seen.extend(copy.read_bytes() for copy in safety_copies(str(path)))
        return Failure(DatabaseFailed("migration", "Broken"))

    monkeypatch.setattr("pce_memory.store.migrations._apply", applied)
    opened = Memory.try_open(path, embedder="hashing")
    assert opened == Failure(DatabaseFailed("migration", "Broken"))
    assert seen == [whole]
    monkeypatch.undo()
    with Memory.open(path, embedder="hashing") as memory:
        assert rows(memory, "claims") == 1
    assert names(tmp_path) == [FILE]


def test_without_room_for_the_copy_nothing_is_changed(
    memory_at: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = of_before(memory_at)
    whole = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    assert Memory.try_open(path, embedder="hashing") == Failure(DiskFull("safety copy"))
    assert (path.read_bytes(), names(tmp_path)) == (whole, [FILE])


def test_a_reader_refuses_it_as_it_is(memory_at: Open, tmp_path: Path) -> None:
    path = of_before(memory_at)
    whole = path.read_bytes()
    drift = SchemaDrift(8, "it is not applied yet; open it once for writing")
    assert Memory.try_open(path, embedder="hashing", read_only=True) == Failure(drift)
    assert (path.read_bytes(), names(tmp_path)) == (whole, [FILE])


@pytest.mark.parametrize(
    "at", ["claims_rebuilt", "rename to claims;", "record_migration", "checkpoint"]
)
def test_a_kill_leaves_a_file_that_opens(memory_at: Open, tmp_path: Path, at: str) -> None:
    """The process is killed as one statement of the migration is to run, or just after all did."""
    path = of_before(memory_at)
    body = (
        "import os, sys\n"
        "from pce_memory import Memory\n"
        "from pce_memory.adapters.duck import DuckDatabase\n"
        "run = DuckDatabase.execute\n"
        "def execute(self, sql, params=None):\n"
        "    if sys.argv[2] in sql and (params or {}).get('version', 8) == 8:\n"
        "        if 'migration' in sql.split(chr(10))[0] and 'record' not in sql:\n"
        "            run(self, sql, params)\n"
        "        os.kill(os.getpid(), 9)\n"
        "    return run(self, sql, params)\n"
        "DuckDatabase.execute = execute\n"
        "Memory.open(sys.argv[1], embedder='hashing')\n"
    )
    killed = subprocess.run([sys.executable, "-c", body, str(path), at], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len([*safety_copies(str(path))]) == 1
    memory = memory_at(FILE)
    assert [hit.claim.text for hit in memory.search("archive")] == [SAID]
    assert memory.observe(SAID, actor="alice").integration.created == ()
    assert [one for one in names(tmp_path) if not one.endswith(".wal")] == [FILE]
    last = memory.deps.db.query("select max(version) as v from schema_migrations").unwrap()
    assert last == [{"v": known_migrations()[-1].version}]


def test_what_was_replayed_is_found_by_every_index(tmp_path: Path) -> None:
    """DuckDB loses the entries of an index if a checkpoint comes before its first lookup."""
    path = tmp_path / FILE
    body = (
        "import os, sys\n"
        "from pce_memory import Memory\n"
        "memory = Memory.open(sys.argv[1], embedder='hashing')\n"
        "memory.observe('The lamp number 0 is green.')\n"
        "memory.deps.db.execute('checkpoint').unwrap()\n"
        "for n in range(1, 9): memory.observe(f'The lamp number {n} is green.')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    killed = subprocess.run([sys.executable, "-c", body, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    Memory.open(path, embedder="hashing").close()
    with Memory.open(path, embedder="hashing") as memory:
        for number in range(9):
            text = f"The lamp number {number} is green."
            assert memory.observe(text).integration.created == ()
            (hit, *_) = memory.search(text)
            assert len(memory.evidence(hit.claim.id)) == 2
        assert rows(memory, "claims") == 9
    assert names(tmp_path) == [FILE]


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_what_somebody_else_has_beside_it_is_left_alone(
    memory_at: Open, tmp_path: Path, kind: str
) -> None:
    path = of_before(memory_at)
    theirs = [
        Path(f"{path}.before-migration"),
        Path(f"{path}.before-migration-mine"),
        Path(f"{path}.before-migration-{'0' * 16}.old"),
    ]
    (tmp_path / "elsewhere").write_text("theirs")
    for one in theirs:
        if kind == "file":
            one.write_text("theirs")
        elif kind == "folder":
            one.mkdir()
        else:
            one.symlink_to(tmp_path / "elsewhere")
    before = names(tmp_path)
    memory = memory_at(FILE)
    assert [hit.claim.text for hit in memory.search("archive")] == [SAID]
    memory.close()
    assert names(tmp_path) == before
    assert all(kind == "folder" or one.read_text() == "theirs" for one in theirs)


def test_copies_that_were_left_go_when_the_file_is_up_to_date(
    memory_at: Open, tmp_path: Path
) -> None:
    path = of_before(memory_at)
    left = Path(f"{path}.before-migration-{'a' * 16}")
    left.write_bytes(path.read_bytes())
    Path(f"{left}.part").write_bytes(b"begun")
    memory_at(FILE).close()
    assert names(tmp_path) == [FILE]


def test_a_folder_that_takes_no_copy_is_said_to_be_one(
    memory_at: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = of_before(memory_at)
    whole = path.read_bytes()

    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pce_memory.adapters.safety_copy.copy_of", denied)
    refused = Memory.try_open(path, embedder="hashing").failure()
    assert isinstance(refused, PathUnusable)
    assert refused.message.endswith("before it is brought up to date (Permission denied)")
    assert (path.read_bytes(), names(tmp_path)) == (whole, [FILE])


def test_the_copy_of_a_file_with_the_longest_name(memory_at: Open, tmp_path: Path) -> None:
    path = of_before(memory_at)
    longest = path.rename(tmp_path / ("記" * 82))
    Memory.open(longest, embedder="hashing").close()
    assert names(tmp_path) == [longest.name]
