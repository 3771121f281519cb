"""What a user would pick instead, on the same claims and vectors: each in a process of its own.

    python -m benchmarks.peers NAME SIZE QUERIES CACHE

Every peer answers the same queries by words and by meaning where it can do both, wide and with
one scope of twenty, and gives the texts of twelve claims. None checks who may see what, explains
a rank, or keeps what it showed. Prints JSON.
"""

import importlib.util
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import SEEDS, Corpus, asked, embedded, sentences
from benchmarks.peer_stores import NARROW, ChromaFts5, Lance, Numpy, Peer, PlainDuckDB
from benchmarks.timing import spread, timed
from pce_memory.adapters.embedders import resolve_embedder


@dataclass(frozen=True)
class Entry:
    """A peer: what it needs, and up to how many claims it is worth waiting for."""

    make: Callable[[Path], Peer]
    needs: tuple[str, ...]
    most: int


PEERS: Final[dict[str, Entry]] = {
    "numpy brute force": Entry(Numpy, (), 1_000_000),
    "plain DuckDB": Entry(PlainDuckDB, ("duckdb_extension_fts",), 1_000_000),
    "LanceDB hybrid": Entry(Lance, ("lancedb", "pyarrow"), 1_000_000),
    "Chroma + FTS5": Entry(ChromaFts5, ("chromadb",), 100_000),
}


def missing(name: str) -> str | None:
    """Return why a peer cannot be measured here, or None."""
    lacking = [one for one in PEERS[name].needs if importlib.util.find_spec(one) is None]
    return f"{', '.join(lacking)} is not installed" if lacking else None


def measure(name: str, size: int, queries: int, cache: Path) -> dict[str, Any]:
    """Return what one peer does."""
    given = sentences()
    model = resolve_embedder("use-multilingual").unwrap()
    corpus = Corpus(size, embedded(given.seeds(SEEDS), model, cache), given, now=time.time())
    texts = asked(given, queries)
    vectors = embedded(texts, model, cache)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        began = time.perf_counter()
        PEERS[name].make(Path(place)).fill(corpus)
        told: dict[str, Any] = {"build": time.perf_counter() - began}
        files = [one for one in Path(place).rglob("*") if one.is_file()]
        told["file"] = sum(one.stat().st_size for one in files) / 1e6
        peer = PEERS[name].make(Path(place))
        began = time.perf_counter()
        peer.open()
        _ = peer.ask(texts[0], vectors[0], None)
        told["open"] = time.perf_counter() - began
        pairs = list(zip(texts, vectors, strict=True))
        for row, scope in (("wide", None), ("narrow", NARROW)):
            for text, vector in pairs[:8]:
                _ = peer.ask(text, vector, scope)
            told[row] = spread([timed(partial(peer.ask, t, v, scope)) for t, v in pairs])
        told["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return told


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))))
