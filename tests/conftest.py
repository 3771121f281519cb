"""What tests share: a clock to set, ids that count, memories in RAM and in files, real data.

The engine is never mocked: every memory here is a real one over a real DuckDB.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings

from pce_memory import Memory
from tests.policies import LASTING

START: Final = 1_750_000_000.0
"""Where the fake clock stands at first: 2025-06-15, 15:06:40 UTC."""
DAY: Final = 86_400.0
DATA: Final = Path(__file__).parents[2] / "shared" / "data"
"""Real data sets, kept beside the checkout on the machines that have them."""

# Runs are the same every time and everywhere; engine examples differ too much in time for a
# deadline. A function-scoped `memory` in a property test is meant: it calls `wipe` per example.
settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=40,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.register_profile("fast", settings.get_profile("ci"), max_examples=5)
settings.register_profile("long", settings.get_profile("ci"), derandomize=False, max_examples=500)
settings.load_profile("ci")  # unless --hypothesis-profile asks for another


class FakeClock:
    """A clock that stands still until it is set."""

    def __init__(self, now: float = START) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float = 0.0, *, days: float = 0.0) -> None:
        self.now += seconds + days * DAY


class CountingIds:
    """Ids in the form of real ones, counted from 1 over all prefixes; threads may share it."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._lock = Lock()

    def __call__(self, prefix: str) -> str:
        with self._lock:
            return f"{prefix}{next(self._numbers):016x}"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def ids() -> CountingIds:
    return CountingIds()


@pytest.fixture
def memory(clock: FakeClock, ids: CountingIds) -> Iterator[Memory]:
    """A memory in RAM under the packaged default policy, with the hashing embedder."""
    with Memory.open(":memory:", embedder="hashing", clock=clock, ids=ids) as opened:
        yield opened


@pytest.fixture
def lasting(clock: FakeClock, ids: CountingIds) -> Iterator[Memory]:
    """A memory in RAM in which nothing expires and nothing waits for a human."""
    how: dict[str, Any] = {"embedder": "hashing", "clock": clock, "ids": ids}
    with Memory.open(":memory:", policy=LASTING, **how) as opened:
        yield opened


@pytest.fixture
def memory_at(
    tmp_path: Path, clock: FakeClock, ids: CountingIds
) -> Iterator[Callable[..., Memory]]:
    """Return `open(name, **how)`: a memory in a file of this test's folder, closed at its end."""
    with ExitStack() as opened:

        def open_at(name: str = "memory.duckdb", **how: Any) -> Memory:
            settled: dict[str, Any] = {"embedder": "hashing", "clock": clock, "ids": ids, **how}
            return opened.enter_context(Memory.open(tmp_path / name, **settled))

        yield open_at


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Return `folder(name)`: a real data set, or a skip where this machine does not have it."""

    def folder(name: str) -> Path:
        if not (DATA / name).exists():
            pytest.skip(f"the data set {name} is not beside this checkout")
        return DATA / name

    return folder


def tables(memory: Memory) -> list[str]:
    """Return the names of the memory's tables, sorted."""
    found = memory.deps.db.query(
        "select table_name as name from duckdb_tables() where not internal "
        "and database_name = current_database() order by name"
    )
    return [str(row["name"]) for row in found.unwrap()]


def rows(memory: Memory, table: str) -> int:
    """Return how many rows a table has."""
    return int(memory.deps.db.query(f'select count(*) as n from "{table}"').unwrap()[0]["n"])


# What a wipe leaves: the schema's record, the file's key, the policy, the shape of the vectors.
_KEPT: Final = frozenset(
    {"meta", "policies", "policy_history", "schema_migrations", "vector_spaces"}
)


def wipe(memory: Memory) -> None:
    """Empty every table that observations, claims and feedback fill: for the next example."""
    for table in tables(memory):
        if table not in _KEPT:
            memory.deps.db.execute(f'truncate "{table}"').unwrap()
