"""What it costs to take things in: a chat turn among many claims, and a large Markdown file.

    python -m benchmarks.ingest [--claims 2k] [--turns 100] [--mb 0.25] [--embedder hashing]

CPU is of the whole process, all its threads; with the hashing embedder a model has next to no
share in it. Each file has a process of its own, so that peak memory is its own.
Needs the development data (see `benchmarks.corpus`). Prints Markdown.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice, pairwise
from pathlib import Path
from typing import Any

from benchmarks.corpus import DATA, sentences
from benchmarks.scale import ROOT, number
from benchmarks.timing import spread, timed
from pce_memory import Memory
from pce_memory.surface.ingest import Report, ingest
from pce_memory.surface.reading import Limits, opened

LIMITS = Limits(max_bytes=1 << 20, max_claims=20_000)
SECTION = 12
"""So many sentences are a section."""


def turns() -> Iterator[dict[str, Any]]:
    """Yield the turns of the conversations, with who said them and where."""
    for one in json.loads((DATA / "locomo-dev" / "locomo-dev.json").read_text("utf-8")):
        for name, session in one["conversation"].items():
            said = session if isinstance(session, list) else []
            for place, turn in enumerate(said):
                if turn["text"].strip():
                    yield {
                        "content": turn["text"],
                        "actor": turn["speaker"],
                        "source_id": f"{name}/{place}",
                    }


def filled(memory: Memory, claims: int) -> None:
    """Fill a memory with claims of papers and articles: a turn is said for the first time."""
    given, said = sentences(), {turn["content"].strip() for turn in turns()}
    kept = [text for text in (*given.english, *given.japanese) if text not in said]
    texts = islice(cycle(kept), claims)
    _ = memory.observe_many(f"{text[:-1]} ({n})" for n, text in enumerate(texts))


def observed(claims: int, count: int, embedder: str) -> str:
    """Return what a turn costs that is observed by itself."""
    with tempfile.TemporaryDirectory() as folder:
        with Memory.open(Path(folder) / "m.duckdb", embedder=embedder) as memory:
            filled(memory, claims)
        with Memory.open(Path(folder) / "m.duckdb", embedder=embedder) as memory:
            _ = memory.search("lamp")
            _ = memory.deps.search_index.wait()  # type: ignore[attr-defined]
            said = islice(turns(), count + 10)
            works = [partial(memory.observe, **turn) for turn in said]
            taken = [timed(work) for work in works][10:]
    cpu, cpu95, wall, wall95 = spread(taken)
    return f"{cpu:.1f} | {cpu95:.1f} | {wall:.1f} | {wall95:.1f}"


def prose(megabytes: float) -> Iterator[str]:
    """Yield a Markdown file of so many megabytes; no sentence comes twice."""
    length = 0
    for place, text in enumerate(cycle(sentences().english)):
        head = f"\n\n## Section {place}\n\n" if place % SECTION == 0 else ""
        piece = f"{head}{text[:-1]} ({place}). "
        yield piece
        length += len(piece.encode())
        if length >= megabytes * 1e6:
            return


def file(megabytes: float, embedder: str) -> dict[str, float]:
    """Return what it costs to ingest a file: CPU a MB, when the first batch stood, memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prose.md"
        with path.open("w", encoding="utf-8") as made:
            made.writelines(prose(megabytes))
        report, stood = Report(), list[float]()
        with Memory.open(Path(folder) / "m.duckdb", embedder=embedder) as memory:
            source = opened(str(path)).unwrap()
            began = time.process_time()
            clock = lambda _: stood.append(time.process_time() - began)  # noqa: E731
            ingest(memory, source, LIMITS, report, clock)
            source.close()
            cpu = time.process_time() - began
    return {
        "claims": report.created,
        "cpu": cpu / megabytes,
        "first": stood[0],
        "batch": statistics.median([b - a for a, b in pairwise(stood)] or stood),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    _ = parser.add_argument("--claims", default="2k")
    _ = parser.add_argument("--turns", type=int, default=100)
    _ = parser.add_argument("--mb", default="0.25", help="sizes of files, by commas")
    _ = parser.add_argument("--embedder", default="hashing")
    _ = parser.add_argument("--one-file", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one_file is not None:
        print(json.dumps(file(given.one_file, given.embedder)))
        return
    if given.turns:
        print(f"\n| observe a turn among {given.claims} | CPU ms | p95 | wall ms | p95 |")
        print("|---|--:|--:|--:|--:|")
        print(
            f"| {given.embedder} | {observed(number(given.claims), given.turns, given.embedder)} |"
        )
    print("\n| file, MB | claims | CPU s a MB | first batch, CPU s | a batch | peak MB |")
    print("|--:|--:|--:|--:|--:|--:|")
    for megabytes in filter(None, given.mb.split(",")):
        command = [sys.executable, "-m", "benchmarks.ingest", "--one-file", megabytes]
        command += ["--embedder", given.embedder]
        run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        one = json.loads(run.stdout.splitlines()[-1])
        print(
            f"| {megabytes} | {one['claims']:,} | {one['cpu']:.1f} | {one['first']:.2f} "
            f"| {one['batch']:.2f} | {one['peak']:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
