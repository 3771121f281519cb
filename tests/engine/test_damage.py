"""A file that turns out to be damaged is not written again; a log that is gone is told."""

import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

import duckdb
import pytest
from returns.result import Failure, Success

from pce_memory import Memory
from pce_memory.adapters.commits import SUFFIX, Head, Missing, missing, read_head
from pce_memory.errors import EmbedderMismatch, FileDamaged
from pce_memory.errors.warned import CommitsMissing
from pce_memory.store import events

FILE: Final = "memory.duckdb"
BLOCK: Final = 256 * 1024
HEADERS: Final = 3 * 4096
SAID: Final = 6

Open = Callable[..., Memory]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of some MB that holds claims and documents."""
    path = tmp_path_factory.mktemp("sound") / FILE
    with Memory.open(path, embedder="hashing") as memory:
        memory.observe_many(
            f"Item {n}: lamp{n % 90} stands at place {n * 7}." for n in range(1200)
        )
        memory.add_documents([{"pub_id": f"JP{n}", "title": f"A lamp of {n}"} for n in range(100)])
        memory.maintain()
        memory.compact()
    return path


def zeroed(sound: Path, path: Path, *blocks: int) -> bool:
    """Write a copy of a file with zeros in the place of some blocks; False where all are zeros."""
    shutil.copy(sound, path)
    with path.open("r+b") as file:
        for block in blocks:
            file.seek(HEADERS + block * BLOCK)
            file.write(bytes(BLOCK))
    return path.read_bytes() != sound.read_bytes()


def state(path: Path) -> dict[str, bytes]:
    """Return what is in a memory's files; a log that DuckDB began and left empty is none."""
    files = (file for file in path.parent.iterdir() if file.name.startswith(path.name))
    contents = {file.name: file.read_bytes() for file in files}
    return {name: held for name, held in contents.items() if held or not name.endswith(".wal")}


def used(memory: Memory) -> tuple[set[str], dict[str, bytes] | None]:
    """Do a bit of everything; return the codes of what fails, and the files after the first."""
    codes: set[str] = set()
    files: dict[str, bytes] | None = None
    for call in (
        memory.results.health,
        lambda: memory.results.search("lamp item"),
        lambda: memory.results.activate("place"),
        lambda: memory.results.observe("Something new is said."),
        lambda: memory.results.health(deep=True),
        memory.results.reindex,
        memory.results.maintain,
        lambda: memory.results.observe("Another thing is said."),
        lambda: memory.results.snapshot(memory.path + ".copy"),
        memory.results.compact,
    ):
        result = call()
        if isinstance(result, Failure):
            codes.add(result.failure().code)
            files = state(Path(memory.path)) if files is None else files
    return codes, files


def tells_of_damage(memory: Memory) -> None:
    """A file known to be damaged is called so by all that tell how it does."""
    fault = Failure(FileDamaged(memory.path))
    assert memory.results.health(deep=True) == fault
    assert memory.results.repair() == fault
    assert memory.results.repair(dry_run=False) == fault
    told = memory.results.health()
    if isinstance(told, Failure):  # what it counts stands in what is damaged
        assert told == fault
        return
    assert (told.unwrap().file, told.unwrap().reasons[0]) == ("damaged", fault.failure().message)


def blocks_of(path: Path, table: str, column: str) -> list[int]:
    """Return the blocks that hold a part of a column and nothing else, but for its last one."""
    held: dict[int, set[tuple[str, str]]] = {}
    with duckdb.connect(str(path), read_only=True) as outside:
        for (name,) in outside.execute("select table_name from duckdb_tables()").fetchall():
            for row in outside.execute(
                "select column_name, block_id, additional_block_ids from pragma_storage_info($table)",
                {"table": name},
            ).fetchall():
                for block in {row[1], *(row[2] or ())}:
                    held.setdefault(block, set()).add((name, row[0]))
    return sorted(block for block, of in held.items() if block >= 0 and of == {(table, column)})


@pytest.fixture
def audited(sound: Path, tmp_path: Path) -> Path:
    """Return a file with a table that no search reads, in blocks of its own."""
    path = tmp_path / FILE
    shutil.copy(sound, path)
    with duckdb.connect(str(path)) as outside:
        outside.execute(
            "insert into audit by name select shown.* replace (sha256(n::varchar) as reason) "
            "from (select * from audit limit 1) as shown, range(40000) as numbers(n)"
        )
    return path


class TestBlocks:
    @pytest.mark.parametrize(
        ("table", "column"), [("audit", "reason"), ("vectors_1", "embedding")]
    )
    def test_deep_health_reads_what_nothing_else_has_read(
        self, audited: Path, table: str, column: str
    ):
        blocks = blocks_of(audited, table, column)
        assert blocks
        whole = audited.with_name("whole")
        shutil.copy(audited, whole)
        assert zeroed(whole, audited, blocks[len(blocks) // 2])
        with Memory.open(audited, embedder="hashing", mirror_memory=0) as memory:
            assert memory.health().file == "ok"  # nobody knows yet
            assert memory.results.health(deep=True) == Failure(FileDamaged(str(audited)))
            tells_of_damage(memory)
        how: dict[str, Any] = {"embedder": "hashing", "mirror_memory": 0, "read_only": True}
        with Memory.open(audited, **how) as memory:
            tells_of_damage(memory)

    @pytest.mark.slow
    def test_whichever_is_zeroed_the_file_is_not_written_once_that_is_known(
        self, sound: Path, tmp_path: Path
    ):
        count = (sound.stat().st_size - HEADERS) // BLOCK
        assert count > 8
        cases = [(one,) for one in range(count)] + [
            (one, (one * 3 + 1) % count) for one in range(4)
        ]
        told: list[str] = []
        for number, blocks in enumerate(cases):
            folder = tmp_path / str(number)
            folder.mkdir()
            path = folder / FILE
            if not zeroed(sound, path, *blocks):
                continue
            before = state(path)
            opened = Memory.try_open(path, embedder="hashing")
            if isinstance(opened, Failure):
                assert opened == Failure(FileDamaged(str(path)))
                assert state(path) == before
                told.append("opening")
                continue
            memory = opened.unwrap()
            codes, files = used(memory)
            assert codes <= {"FILE_DAMAGED"}
            if codes:
                tells_of_damage(memory)
            memory.close()
            if codes:
                assert state(path) == files
                told.append("use")
                again = Memory.try_open(path, embedder="hashing")
                assert again == Failure(FileDamaged(str(path)))
                assert state(path) == files
                shutil.copy(sound, path)  # what is put in its place is another file
                for beside in (".wal", SUFFIX):
                    (folder / (FILE + beside)).unlink(missing_ok=True)
                Memory.open(path, embedder="hashing").close()
            shutil.rmtree(folder)
        assert {"opening", "use"} <= set(told)

    def test_the_fault_says_what_to_do(self):
        fault = FileDamaged("memory.duckdb")
        assert fault.code == "FILE_DAMAGED"
        assert fault.message.startswith("memory.duckdb or its write-ahead log is damaged")
        assert "snapshot or backup" in fault.remedy


SAYS: Final = dedent(
    f"""
    import os, sys
    from pce_memory import Memory
    memory = Memory.open(sys.argv[1], embedder="hashing")
    for number in range({SAID}):
        memory.observe(f"Item {{number}} stands on shelf {{number}}.")
    os._exit(9)
    """
)


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that a process which was killed has left."""
    folder = tmp_path_factory.mktemp("left")
    done = subprocess.run([sys.executable, "-c", SAYS, str(folder / FILE)], check=False)
    assert done.returncode == 9
    assert sorted(one.name for one in folder.iterdir()) == [FILE, FILE + SUFFIX, FILE + ".wal"]
    return folder


@pytest.fixture
def copy(left: Path, tmp_path: Path) -> Path:
    shutil.copytree(left, tmp_path, dirs_exist_ok=True)
    return tmp_path / FILE


def opened(path: Path, **how: Any) -> tuple[Memory, list[str]]:
    """Return a memory, and what is warned of as it is opened."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        memory = Memory.open(path, embedder="hashing", **how)
    return memory, [str(one.message) for one in warned if one.category is CommitsMissing]


CUTS: Final[dict[str, Callable[[bytes], bytes | None]]] = {
    "removed": lambda _: None,
    "empty": lambda _: b"",
    "one byte": lambda log: log[:-1],
    "the last commits": lambda log: log[: len(log) // 2],
    "all but its head": lambda log: log[:58],
    "within its head": lambda log: log[:20],
}
WRITTEN_OVER: Final[dict[str, Callable[[bytes], bytes]]] = {
    "zeros at its end": lambda log: log[:-3000] + bytes(3000),
    "garbage at its end": lambda log: log[:-3000] + b"\xa7" * 3000,
    "garbage within": lambda log: log[:5000] + b"\xa7" * 300 + log[5300:],
    "garbage at its beginning": lambda log: b"\xa7" * 300 + log[300:],
}


class TestTheLog:
    def test_it_is_told_before_anything_else_refuses_the_file(
        self, copy: Path, monkeypatch: pytest.MonkeyPatch
    ):
        copy.with_name(FILE + ".wal").unlink()
        refusal = EmbedderMismatch("other 1 (16 dimensions)", "hashing-ngram 1 (384 dimensions)")
        with warnings.catch_warnings(record=True) as warned, monkeypatch.context() as refusing:
            refusing.setattr("pce_memory.opening._policy", lambda *_: Failure(refusal))
            warnings.simplefilter("always")
            assert Memory.try_open(copy, embedder="hashing") == Failure(refusal)
        assert [one.category for one in warned] == [CommitsMissing]

    @pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS.keys())
    def test_what_is_gone_is_told_at_opening_and_by_health(
        self, copy: Path, cut: Callable[[bytes], bytes | None]
    ):
        log = copy.with_name(FILE + ".wal")
        rest = cut(log.read_bytes())
        log.unlink()
        if rest is not None:
            log.write_bytes(rest)
        memory, told = opened(copy)
        health = memory.health()
        assert len(told) == 1
        assert told[0] in health.reasons
        assert health.commits_missing >= (SAID if not rest else 1)
        event = events.newest(topic="opening")(memory.deps).unwrap()[0]
        assert event.payload["commits_missing"] == health.commits_missing
        assert sum(memory.health().claims.values()) < SAID
        memory.observe("It goes on from here.")
        memory.close()
        again, told = opened(copy)  # what there is now is what was acknowledged since
        assert (told, again.health().commits_missing) == ([], 0)
        again.close()

    @pytest.mark.parametrize("over", WRITTEN_OVER.values(), ids=WRITTEN_OVER.keys())
    def test_what_is_written_over_is_refused_and_left_as_it_is(
        self, copy: Path, over: Callable[[bytes], bytes]
    ):
        log = copy.with_name(FILE + ".wal")
        log.write_bytes(over(log.read_bytes()))
        before = state(copy)
        for _ in range(2):
            refused = Memory.try_open(copy, embedder="hashing")
            assert refused == Failure(FileDamaged(str(copy)))
        assert state(copy) == before

    def test_a_whole_log_is_read_and_nothing_is_said(self, copy: Path):
        memory, told = opened(copy)
        assert (told, memory.health().claims, memory.health().commits_missing) == (
            [],
            {"active": SAID},
            0,
        )
        memory.close()
        assert sorted(one.name for one in copy.parent.iterdir()) == [FILE]

    def test_read_only_warns_and_writes_nothing(self, copy: Path):
        copy.with_name(FILE + ".wal").unlink()
        copy.with_name(FILE + SUFFIX).unlink()
        Memory.open(copy, embedder="hashing").close()  # brought up: it can be only read
        shutil.copy(copy, copy.with_name("before"))
        memory = Memory.open(copy, embedder="hashing")
        memory.observe("It is said.")
        noted, log = (copy.with_name(FILE + one).read_bytes() for one in (SUFFIX, ".wal"))
        memory.close()
        shutil.copy(copy.with_name("before"), copy)
        copy.with_name(FILE + SUFFIX).write_bytes(noted)
        before = state(copy)
        memory, told = opened(copy, read_only=True)
        assert (len(told), len(log) > 0) == (1, True)
        assert memory.health().commits_missing == int(noted.split()[6])
        memory.close()
        assert state(copy) == before

    @pytest.mark.parametrize("note", [None, b"", b"junk", b"pce-memory commits 1 x", b"\0" * 161])
    def test_without_a_note_nothing_is_known_and_nothing_said(
        self, copy: Path, note: bytes | None
    ):
        copy.with_name(FILE + ".wal").unlink()
        beside = copy.with_name(FILE + SUFFIX)
        beside.unlink()
        if note is not None:
            beside.write_bytes(note)
        memory, told = opened(copy)
        assert (told, memory.health().commits_missing) == ([], 0)
        memory.observe("It goes on.")
        memory.close()
        if note is not None:  # it may be somebody's: it is left as it is
            assert beside.read_bytes() == note

    def test_a_note_of_another_file_says_nothing(self, copy: Path):
        copy.with_name(FILE + ".wal").unlink()
        copy.unlink()
        memory, told = opened(copy)  # a new file under the old name
        memory.observe("It is new.")
        assert told == []
        memory.close()
        assert missing(str(copy)) is None

    @pytest.mark.usefixtures("copy")
    def test_it_may_be_moved_with_what_is_beside_it(self, tmp_path: Path):
        (tmp_path / "away").mkdir()
        for one in (FILE, FILE + ".wal", FILE + SUFFIX):
            (tmp_path / one).rename(tmp_path / "away" / one.replace(FILE, "other.duckdb"))
        place = tmp_path / "away" / "other.duckdb"
        assert missing(str(place)) is None
        place.with_name("other.duckdb.wal").unlink()
        gone = missing(str(place))
        assert gone is not None
        assert gone == Missing(gone.commits, whole=True)
        assert gone.commits >= SAID

    def test_a_snapshot_a_compaction_and_ram_need_none(self, memory_at: Open, tmp_path: Path):
        memory = memory_at(FILE)
        for n in range(3):
            memory.observe(f"Item {n} is on shelf {n}.")
        memory.compact()
        memory.observe("Another one is here.")
        memory.snapshot(tmp_path / "copy.duckdb")
        memory.close()
        for name in (FILE, "copy.duckdb"):
            again, told = opened(tmp_path / name)
            assert (told, again.health().claims) == ([], {"active": 4})
            again.close()
        assert sorted(one.name for one in tmp_path.iterdir()) == ["copy.duckdb", FILE]
        assert memory_at(":memory:").observe("It is in RAM.").claims

    def test_a_folder_that_takes_no_note_takes_commits(self, memory_at: Open, tmp_path: Path):
        (tmp_path / (FILE + SUFFIX)).mkdir()
        memory = memory_at(FILE)
        assert isinstance(memory.results.observe("It is here."), Success)

    @pytest.mark.parametrize("log", [b"", b"\0" * 60, bytes.fromhex("640062650002660010")])
    def test_a_head_of_another_form_is_not_read(self, log: bytes):
        assert read_head(log) is None

    def test_a_head_names_the_file_and_its_checkpoint(self):
        numbers = b"".join(bytes([n]) for n in range(15)) + b"\xd8\x01"
        log = bytes.fromhex("640062650002660010") + numbers + b"\x67\x00\x85\x01"
        assert read_head(log) == Head(bytes([*range(15), 0xD8]), 133)


def open_files() -> int:
    folder = Path("/proc/self/fd")
    return len([*folder.iterdir()]) if folder.exists() else 0


def test_the_number_of_open_files_does_not_grow(memory_at: Open):
    before = open_files()
    for n in range(5):
        memory = memory_at(f"{n}.duckdb")
        memory.observe("It is here.")
        memory.close()
    after = open_files()
    assert after <= before + 2
