"""One size of `benchmarks.scale`, in a process of its own: prints what it finds as JSON.

python -m benchmarks.scale_one SIZE QUERIES CACHE
"""

import json
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from returns.result import Result, Success

from benchmarks.corpus import SEEDS, Corpus, Floats, asked, embedded, sentences
from benchmarks.stages import watched
from benchmarks.timing import spread, timed
from pce_memory import Boundary, Memory
from pce_memory.adapters.embedders import resolve_embedder
from pce_memory.deps import CoreDeps, Vector
from pce_memory.domain.policy import Policy
from pce_memory.domain.query import Query
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.errors import EmbeddingFailed
from pce_memory.retriever.activate import activate
from pce_memory.retriever.select import Selection, select
from pce_memory.store import postings

WIDE: Final = Boundary(
    scope=SCOPES, allow=("answer:task",), boundary_classes=("public", "internal")
)
FILTERS: Final = {
    "wide": WIDE,
    "narrow": WIDE.model_copy(update={"scope": ("session",)}),
    "one class": WIDE.model_copy(update={"boundary_classes": ("public",)}),
}
SINGLES: Final = 60


class Table:
    """An embedder that has the vectors of the queries, and a random one for every other text."""

    model_id = "use-multilingual-table"
    version = "1"

    def __init__(self, vectors: dict[str, Vector], dimension: int) -> None:
        self._vectors = vectors
        self.dimension = dimension

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text."""
        if text in self._vectors:
            return Success(self._vectors[text])
        drawn = np.random.default_rng(len(text)).standard_normal(self.dimension)
        return Success((drawn / np.linalg.norm(drawn)).astype(np.float32).tolist())

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts, in order."""
        return Success([self.embed(text).unwrap() for text in texts])


class Bench:
    """The claims, the queries, and a file to measure on."""

    def __init__(self, size: int, queries: int, cache: Path) -> None:
        given = sentences()
        model = resolve_embedder("use-multilingual").unwrap()
        seeds = embedded(given.seeds(SEEDS), model, cache)
        self.corpus = Corpus(size, seeds, given, now=time.time())
        self.queries = asked(given, queries)
        self.vectors = embedded(self.queries, model, cache)
        table: dict[str, Vector] = dict(zip(self.queries, self.vectors.tolist(), strict=True))
        self.embedder = Table(table, seeds.shape[1])
        self.size = size

    def open(self, path: Path) -> Memory:
        """Open the file."""
        return Memory.open(path, embedder=self.embedder, mirror_memory="4GB", memory_limit="4GB")

    def fill(self, memory: Memory) -> dict[str, Any]:
        """Write all claims."""
        chunks = self.corpus.chunks()
        cpu = wall = 0.0
        failed = 0
        for claims, vectors in chunks:
            began = time.process_time(), time.perf_counter()
            done = memory.integrate_many(claims, vectors=vectors)
            cpu += time.process_time() - began[0]
            wall += time.perf_counter() - began[1]
            failed += len(done.failed)
        rate = self.size / wall
        told = f"{rate:.0f} claims/s, {1e3 * cpu / self.size:.3f} ms CPU a claim, {failed} refused"
        return {"rate": rate, "write": told}


def found(deps: CoreDeps, query: str, boundary: Boundary, policy: Policy) -> Selection:
    """Return what a query finds; nothing is kept."""
    return select(Query(q=query), boundary, policy)(deps).unwrap()


def reads(memory: Memory, bench: Bench) -> dict[str, Any]:
    """Return the times of `activate`, with and without keeping what it found, and its stages."""
    policy, deps = memory.policy(), memory.deps
    rows: dict[str, list[float]] = {}
    stages: dict[str, dict[str, float]] = {}
    for name, boundary in FILTERS.items():
        work = [partial(found, deps, query, boundary, policy) for query in bench.queries]
        for one in work:  # what is remembered of a text is remembered from now on, as in use
            _ = one()
        rows[name] = spread([timed(one) for one in work])
        with watched() as watches:
            began = time.process_time()
            for one in work:
                _ = one()
            watches.taken["rest"] = time.process_time() - began - sum(watches.taken.values())
        stages[name] = {key: 1e3 * value / len(work) for key, value in watches.taken.items()}
    rows["saved"] = spread(
        [timed(partial(activate(Query(q=q), WIDE, policy), deps)) for q in bench.queries]
    )
    return {"activate": rows, "stages": stages}


def recall(memory: Memory, bench: Bench) -> str:
    """Return how much of the exactly nearest the mirror finds, over all claims and over few."""
    told: list[str] = []
    exact = np.concatenate([made for _, made in bench.corpus.chunks()])
    for depth in (10, 100):
        found = [_share(memory, exact, query, depth) for query in bench.vectors]
        told.append(f"@{depth} {statistics.mean(found):.4f} (worst {min(found):.2f})")
    return ", ".join(told)


def _share(memory: Memory, exact: Floats, query: Floats, depth: int) -> float:
    from pce_memory.store.visibility import view

    seen = view(WIDE, memory.policy())(memory.deps).unwrap().visible
    got = memory.deps.search_index.nearest(query.tolist(), seen, limit=depth).unwrap()
    cosines = exact @ query
    least = np.partition(cosines, len(cosines) - depth)[len(cosines) - depth]
    # A tie with the last is as good.
    return float(sum(cosine >= least - 1e-6 for cosine in got.values()) / depth)


def opening(bench: Bench, path: Path) -> tuple[Memory, str]:
    """Return the memory opened anew, and how long that and its first answers took."""
    began = time.perf_counter()
    memory = bench.open(path)
    opened = time.perf_counter() - began
    first = timed(lambda: memory.search(bench.queries[3]))
    _ = memory.deps.search_index.wait()  # type: ignore[attr-defined]
    ready = time.perf_counter() - began
    then = timed(lambda: memory.search(bench.queries[3]))
    told = (
        f"open {opened:.2f} s, first answer {first[1]:.0f} ms, in memory after {ready:.1f} s, "
        f"first answer from memory {then[1]:.1f} ms"
    )
    return memory, told


def singles(memory: Memory) -> str:
    """Return how long one claim takes that is written by itself, as observed and as a claim."""
    seen = [timed(partial(memory.observe, f"Lamp {n} is broken, {n}.")) for n in range(SINGLES)]
    cpu, cpu95, wall, wall95 = spread(seen)
    return f"observe {cpu:.1f}/{cpu95:.1f} ms CPU, {wall:.1f}/{wall95:.1f} ms wall (median/p95)"


def storm(memory: Memory, bench: Bench) -> str:
    """Return the worst read while others write, sort the postings and write a checkpoint.

    A read is `select`: `search` and `activate` write what they showed, and take their turn.
    """
    stop = threading.Event()
    policy, deps = memory.policy(), memory.deps

    def write() -> None:
        number = 0
        while not stop.is_set():
            texts = [f"Storm {number} piece {one} of the lamp." for one in range(20)]
            _ = memory.observe_many(texts)
            number += 1
            if number % 10 == 0:
                _ = postings.sort(deps.db)
                _ = deps.db.execute("-- checkpoint\ncheckpoint")

    def read(number: int) -> float:
        query = Query(q=bench.queries[number % len(bench.queries)])
        return timed(lambda: select(query, WIDE, policy)(deps).unwrap())[1]

    before = [read(number) for number in range(len(bench.queries))]
    writer = threading.Thread(target=write)
    writer.start()
    during: list[float] = []
    until = time.perf_counter() + 8.0
    while time.perf_counter() < until:
        during.append(read(len(during)))
    stop.set()
    writer.join()
    return (
        f"quiet median {statistics.median(before):.1f}, worst {max(before):.1f} ms; while written "
        f"median {statistics.median(during):.1f}, p99 {np.percentile(during, 99):.1f}, worst "
        f"{max(during):.1f} ms of {len(during)} reads (wall)"
    )


def main() -> None:
    """Measure one size."""
    size, queries, cache = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    bench = Bench(size, queries, cache)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.duckdb"
        with bench.open(path) as memory:
            told = bench.fill(memory)
            _ = memory.maintain()
        filled = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        memory, told["open"] = opening(bench, path)
        with memory:
            told |= reads(memory, bench)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            told["memory"] = f"peak {filled:.0f} MB after writing, {peak:.0f} MB after reading"
            told["file"] = f"{path.stat().st_size / 1e6:.0f} MB"
            told["recall"] = recall(memory, bench)
            if "reads" not in sys.argv:
                told["single"] = singles(memory)
                told["storm"] = storm(memory, bench)
    print(json.dumps({"size": size, **told}))


if __name__ == "__main__":
    main()
