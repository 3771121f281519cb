"""What a turn that is observed costs: statements are counted, not seconds."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import pytest
from returns.result import Result

from pce_memory import Memory
from pce_memory.adapters.duck import DuckDatabase
from pce_memory.deps import Row
from pce_memory.errors import StoreError

Query = Callable[..., Result[Sequence[Row], StoreError]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how often each named statement is asked from now on."""
    names: Counter[str] = Counter()
    plain: Query = DuckDatabase.query

    def counted(
        self: DuckDatabase, sql: str, params: Mapping[str, object] | None = None
    ) -> Result[Sequence[Row], StoreError]:
        names[sql.partition("\n")[0]] += 1
        return plain(self, sql, params)

    monkeypatch.setattr(DuckDatabase, "query", counted)
    return names


@pytest.mark.parametrize("text", ["The lamp is red.", "ランプは赤い。"])
def test_the_spaces_of_vectors_are_asked_for_once_a_turn(text: str, asked: Counter[str]) -> None:
    with Memory.open(embedder="hashing") as memory:
        _ = memory.observe("The door is blue."), memory.search("door")
        asked.clear()
        assert len(memory.observe(text).claims) == 1
        assert asked["-- vectors.active_space"] == 1


def test_duckdb_works_in_one_thread_unless_told_otherwise() -> None:
    threads = "select current_setting('threads') as threads"
    with Memory.open(embedder="hashing") as memory, Memory.open(threads=2) as wider:
        assert memory.deps.db.query(threads).unwrap() == [{"threads": 1}]
        assert wider.deps.db.query(threads).unwrap() == [{"threads": 2}]
