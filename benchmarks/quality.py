"""How well a search finds what answers a question: no LLM, four sets, any embedder, any policy.

    python -m benchmarks.quality [--sets locomo,jsquad,scifact,mini] [--embedder NAME ...]
        [--variants default,first-stage,...|all] [--limit N] [--stores NAME,...] [--distractors N]
        [--cache DIR]

Everything goes in through `observe_many`, an observation for each turn, paragraph, abstract or
fact, and is asked for as `activate` asks, without keeping what was found; items are mapped back to
what they were drawn from by the source ids of their evidence. Prints Markdown: beside each
variant, how far it is from the default on the same questions, and between which bounds 95 of 100
draws of the questions would put that.

locomo   macro recall of the turns that answer a question, categories 1 to 4, all conversations
         each in a file of its own: of the distinct turns in their order (r@k), and of the turns
         behind the first k items (items@k)
jsquad   recall of the paragraph that answers; in jsquad-titled the title of its article stands
         before the first sentence of each
scifact  nDCG of the abstracts that bear on a claim
mini     recall of the one fact: English, Japanese, across, and in a store of both

With `--cache DIR` vectors are kept in DIR, and so are files of distractors: see `noise`.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.asking import VARIANTS, Asking
from benchmarks.kept_vectors import KeptVectors
from benchmarks.noise import ROOM, Noise, copied
from benchmarks.quality_sets import DATA, SETS, Measure, Store
from benchmarks.quality_tables import Table, joined, show
from pce_memory import Memory
from pce_memory.adapters.embedders import resolve_embedder
from pce_memory.deps import EmbeddingProvider


@dataclass(frozen=True, slots=True)
class Given:
    """What every store of a run is measured with."""

    embedder: EmbeddingProvider
    variants: Sequence[str]
    noise: Noise
    stores: Sequence[str]


def measure(store: Store, table: Table, how: Measure, given: Given) -> None:
    """Tell a store to a file of its own, and ask it under each variant."""
    with tempfile.TemporaryDirectory() as folder:
        path = copied(given.noise.of(store.name), Path(folder) / "memory.duckdb")
        with Memory.open(path, embedder=given.embedder, mirror_memory=ROOM) as memory:
            began = time.process_time()
            done = memory.observe_many(store.told)
            table.seconds += time.process_time() - began
            table.claims += done.claims_created
            asking = Asking(memory, {name: VARIANTS[name] for name in given.variants})
            for asked in store.asked:
                for name, items in asking.ask(asked.text):
                    table.add(name, how(items, asked))


def tables_of(name: str, limit: int | None, given: Given) -> dict[str, Table]:
    """Return the tables of a set: one, but for the short facts one for each pair of languages."""
    stores, how = SETS[name]
    tables: dict[str, Table] = {}
    for store in stores(limit):
        if given.stores and store.name not in given.stores:
            continue
        title = store.name if name == "mini" else name
        measure(store, tables.setdefault(title, Table()), how, given)
    return tables if name != "mini" else {**tables, "mini, all": joined(list(tables.values()))}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    _ = parser.add_argument("--sets", default="locomo,jsquad,scifact,mini")
    _ = parser.add_argument("--embedder", nargs="+", default=["use-multilingual"])
    _ = parser.add_argument("--variants", default="default,first-stage,words,meaning")
    _ = parser.add_argument("--limit", type=int, default=None, help="at most N questions a store")
    _ = parser.add_argument(
        "--stores", default="", help="these alone, with one file of distractors"
    )
    _ = parser.add_argument("--distractors", type=int, default=0)
    _ = parser.add_argument("--cache", type=Path, help="a folder that outlives the run")
    return parser.parse_args()


def run(options: argparse.Namespace, cache: Path | None, folder: Path) -> None:
    """Measure every set with every embedder."""
    variants = list(VARIANTS) if options.variants == "all" else options.variants.split(",")
    chosen = [name for name in options.stores.split(",") if name]
    for name in options.embedder:
        plain = resolve_embedder(name).unwrap()
        embedder = plain if cache is None else KeptVectors(name, plain, cache)
        # What is drawn is in its own file from then on: its vectors are not kept twice.
        noise = Noise(options.distractors, plain, cache or folder, name, chosen)
        for one in options.sets.split(","):
            tables = tables_of(one, options.limit, Given(embedder, variants, noise, chosen))
            for title, table in tables.items():
                show(title, name, table)


def main() -> None:
    options = arguments()
    if not DATA.is_dir():
        print("skipped: there is no shared/data beside this checkout")
        return
    with tempfile.TemporaryDirectory() as folder:
        run(options, options.cache, Path(folder))


if __name__ == "__main__":
    main()
