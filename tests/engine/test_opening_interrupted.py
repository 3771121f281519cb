"""Whatever ends an opening lets go of the file; what the file says of itself may be edited."""

from pathlib import Path
from shutil import copy

import pytest
from returns.result import Success

from pce_memory import Memory
from pce_memory.errors.warned import CommitsMissing
from tests.conftest import START


class Interrupting:
    """A clock that is interrupted at one of its calls."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self) -> float:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt
        return START


@pytest.mark.parametrize("at", [2, 3])
def test_a_file_whose_opening_is_interrupted_can_be_opened(tmp_path: Path, at: int) -> None:
    path = tmp_path / "memory.duckdb"
    with pytest.raises(KeyboardInterrupt):
        _ = Memory.open(path, embedder="hashing", clock=Interrupting(at))
    with Memory.open(path, embedder="hashing") as memory:
        assert len(memory.observe("The lamp hangs in the hall.").claims) == 1


def edited(path: Path, statement: str) -> None:
    with Memory.open(path, embedder="hashing") as memory:
        _ = memory.observe("The lamp hangs in the hall.")
        memory.deps.db.execute(statement).unwrap()


@pytest.mark.parametrize("bases", ['"x"', "[1]", '{"a": 1}'])
def test_a_policy_without_what_it_extends_is_missing(tmp_path: Path, bases: str) -> None:
    path = tmp_path / "memory.duckdb"
    edited(path, f"update policies set bases = '{bases}'")
    opened = Memory.try_open(path, embedder="hashing")
    if not isinstance(opened, Success):
        assert opened.failure().code == "POLICY_MISSING"
        opened = Memory.try_open(path, embedder="hashing")
        assert opened.failure().code == "POLICY_MISSING"
    else:
        opened.unwrap().close()


@pytest.mark.parametrize("key", ["index_tokenizers", "index_redactions"])
def test_what_nests_too_deeply_is_as_good_as_not_known(tmp_path: Path, key: str) -> None:
    path = tmp_path / "memory.duckdb"
    edited(path, f"update meta set value = repeat('[', 100000) where key = '{key}'")
    with Memory.open(path, embedder="hashing") as memory:
        assert len(memory.search("lamp")) == 1


@pytest.mark.parametrize("key", ["zz", "ab", ""])
def test_a_key_that_is_none_is_made_anew(tmp_path: Path, key: str) -> None:
    path = tmp_path / "memory.duckdb"
    edited(path, f"update meta set value = '{key}' where key = 'digest_key'")
    with Memory.open(path, embedder="hashing") as memory:
        assert len(memory.search("lamp")) == 1
        assert len(memory.observe("The door is green.").claims) == 1
    with Memory.open(path, embedder="hashing", read_only=True) as memory:
        assert {item.claim.text for item in memory.search("lamp")} >= {
            "The lamp hangs in the hall."
        }


def test_a_file_that_was_not_closed_is_sound(tmp_path: Path) -> None:
    path, left = tmp_path / "memory.duckdb", tmp_path / "left.duckdb"
    with Memory.open(path, embedder="hashing") as memory:
        _ = memory.observe("The lamp hangs in the hall.")
    with Memory.open(path, embedder="hashing") as memory:
        _ = memory.observe("The door is green.")
        for suffix in ("", ".wal"):
            _ = copy(f"{path}{suffix}", f"{left}{suffix}")
    with Memory.open(left, embedder="hashing") as memory:
        assert len(memory.search("green door")) == 2
        deep = memory.health(deep=True).deep
        assert deep is not None
        assert deep.defects == ()


@pytest.mark.parametrize("byte", [2, 4, 7])
def test_a_log_whose_entries_lead_elsewhere_is_damage(tmp_path: Path, byte: int) -> None:
    path, left = tmp_path / "memory.duckdb", tmp_path / "left.duckdb"
    with Memory.open(path, embedder="hashing") as memory:
        _ = memory.observe("The lamp hangs in the hall.")
    with Memory.open(path, embedder="hashing") as memory:
        for number in range(4):
            _ = memory.observe(f"The door {number} is green.")
        for suffix in ("", ".wal", ".commits"):
            _ = copy(f"{path}{suffix}", f"{left}{suffix}")
    log = Path(f"{left}.wal")
    content = bytearray(log.read_bytes())
    entry = content.index(b"\xff\xff", 20) + 2  # the second one, behind the head of the log
    for _ in range(20):
        entry += 16 + int.from_bytes(content[entry : entry + 8], "little")
    content[entry + byte] ^= 1
    log.write_bytes(content)
    opened = Memory.try_open(left, embedder="hashing")
    assert opened.failure().code == "FILE_DAMAGED"
    assert log.read_bytes() == content
    with (
        pytest.warns(CommitsMissing),
        Memory.open(left, embedder="hashing", read_only=True) as memory,
    ):
        assert len(memory.search("lamp")) >= 1
