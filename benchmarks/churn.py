"""What a file comes to that is written, read, judged and forgotten in, again and again.

    python -m benchmarks.churn --rounds 400

A round observes five things, activates, gives feedback and forgets a claim that is a few rounds
old, without `maintain` or `compact`. Data is the size of a copy that holds the same rows and
nothing else; file and log are to stay within three times of it.
"""

import argparse
import random
import tempfile
import time
from collections import deque
from pathlib import Path

from pce_memory import Memory

TABLES = ("claims", "observations", "evidence", "events", "audit", "erasures", "feedback")
LIVE = 400
"""A claim is forgotten when so many newer ones are there."""


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    _ = parser.add_argument("--rounds", type=int, default=400)
    rounds: int = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "churn.duckdb"
        with Memory.open(path, embedder="hashing") as memory:
            print("| round | ms CPU a round | MB file and log | MB data | times |")
            print("|--:|--:|--:|--:|--:|")
            _churn(memory, path, rounds)
            counts = {table: _rows(memory, table) for table in TABLES}
        print()
        print(", ".join(f"{table} {count}" for table, count in counts.items()))


def _churn(memory: Memory, path: Path, rounds: int) -> None:
    draw = random.Random(7)
    alive: deque[str] = deque()
    began, largest = time.process_time(), 0.0
    for number in range(1, rounds + 1):
        for _ in range(5):
            place, shelf = draw.randrange(10_000), draw.randrange(10_000)
            seen = memory.observe(f"Item {place} of round {number} is on shelf {shelf}.")
            alive.extend(claim.id for claim in seen.claims)
        found = memory.activate(f"where is item {draw.randrange(10_000)}?", top_k=5)
        for item in found.items[:2]:
            _ = memory.feedback(item.claim.id, draw.choice(("helpful", "outdated")))
        while len(alive) > LIVE:
            _ = memory.results.forget(claim_id=alive.popleft(), compact=False)
        largest = max(largest, _bytes(path))
        if number % max(1, rounds // 8) == 0:
            spent = 1e3 * (time.process_time() - began) / number
            data = _data(memory, path)
            print(
                f"| {number} | {spent:.0f} | {largest / 1e6:.1f} | {data / 1e6:.1f} "
                f"| {largest / data:.1f} |",
                flush=True,
            )


def _bytes(path: Path) -> float:
    log = Path(f"{path}.wal")
    return path.stat().st_size + (log.stat().st_size if log.exists() else 0)


def _data(memory: Memory, path: Path) -> float:
    copy = memory.snapshot(path.with_name("data.duckdb"), overwrite=True)
    return copy.stat().st_size


def _rows(memory: Memory, table: str) -> int:
    return int(memory.deps.db.query(f"select count(*) as n from {table}").unwrap()[0]["n"])


if __name__ == "__main__":
    main()
