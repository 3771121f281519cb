"""How fast, how large, how exact: claims by the thousand up to the million, beside the peers.

    python -m benchmarks.scale [--sizes 1k,10k,100k] [--queries 48] [--cache FOLDER] [--no-peers]

What is measured of `activate` begins when the query is embedded. Every size, and every peer at
every size, has a process of its own, so that peak memory is its own. Times are medians over
queries of 1 to 12 words in English and Japanese; CPU is of the whole process, all its threads.
Needs the development data (see `benchmarks.corpus`). Prints Markdown.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import peers

ROOT = Path(__file__).resolve().parents[1]
STAGED = (
    "reading", "follow", "mask", "words", "vectors", "cosines", "window", "columns", "rank",
    "fetch", "evidence", "show", "rest",
)  # fmt: skip


def main() -> None:
    """Measure every size in processes of their own, and print what they found."""
    parser = argparse.ArgumentParser(description=__doc__)
    _ = parser.add_argument("--sizes", default="1k,10k,100k")
    _ = parser.add_argument("--queries", type=int, default=48)
    _ = parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "scale")
    _ = parser.add_argument("--no-peers", action="store_true")
    given = parser.parse_args()
    found: list[dict[str, Any]] = []
    for size in map(number, given.sizes.split(",")):
        ours = measured("benchmarks.scale_one", size, given.queries, given.cache)
        theirs = {} if given.no_peers else dict(beside(size, given.queries, given.cache))
        found.append({**ours, "peers": theirs})
        print("\n".join(lines(found[-1])), flush=True)
    print("\n".join(summary(found)))


def number(text: str) -> int:
    """Return a size: 100k is a hundred thousand, 1M a million."""
    factor = {"k": 1_000, "M": 1_000_000}.get(text[-1], 1)
    return int(text.rstrip("kM")) * factor


def measured(module: str, *arguments: object) -> dict[str, Any]:
    """Return what a process of its own measures."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    told: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return told


def beside(size: int, queries: int, cache: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what each peer that is installed does with the same data."""
    for name in peers.PEERS:
        if (why := peers.missing(name)) is not None:
            print(f"{name}: skipped, {why}")
            continue
        if size > peers.PEERS[name].most:
            print(f"{name}: skipped at {size}, it would take too long")
            continue
        yield name, measured("benchmarks.peers", name, size, queries, cache)


def lines(one: dict[str, Any]) -> Iterator[str]:
    """Yield the report of one size."""
    yield f"\n## {one['size']:,} claims\n"
    for name in ("write", "open", "file", "memory", "recall", "single", "storm"):
        if name in one:
            yield f"- **{name}**: {one[name]}"
    yield "\n| activate, ms | CPU median | CPU p95 | wall median | wall p95 |"
    yield "|---|--:|--:|--:|--:|"
    for name, row in one["activate"].items():
        cells = " | ".join(f"{value:.2f}" for value in row)
        yield f"| {name} | {cells} |"
    yield "\n| stage, mean CPU ms | " + " | ".join(STAGED) + " |"
    yield "|---|" + "--:|" * len(STAGED)
    for name, stages in one["stages"].items():
        cells = " | ".join(f"{stages.get(stage, 0.0):.2f}" for stage in STAGED)
        yield f"| {name} | {cells} |"
    yield from versus(one)


def versus(one: dict[str, Any]) -> Iterator[str]:
    """Yield how the peers compare."""
    if not one["peers"]:
        return
    ours = one["activate"]["wide"]
    yield "\n| beside | CPU ms | wall ms | x CPU | x wall | build s | file MB | peak MB | open s |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name, row in one["peers"].items():
        cpu, wall = row["wide"][0], row["wide"][2]
        yield (
            f"| {name} | {cpu:.1f} | {wall:.1f} | {cpu / ours[0]:.1f} | {wall / ours[2]:.1f} "
            f"| {row['build']:.1f} | {row['file']:.0f} | {row['peak']:.0f} | {row['open']:.2f} |"
        )


def summary(found: list[dict[str, Any]]) -> Iterator[str]:
    """Yield one table over all sizes."""
    yield "\n## All sizes\n\n| claims | wide CPU ms | narrow CPU ms | save ms | write claims/s |"
    yield "|--:|--:|--:|--:|--:|"
    for one in found:
        rows = one["activate"]
        yield (
            f"| {one['size']:,} | {rows['wide'][0]:.2f} | {rows['narrow'][0]:.2f} "
            f"| {rows['saved'][0] - rows['wide'][0]:.2f} | {one['rate']:.0f} |"
        )


if __name__ == "__main__":
    main()
