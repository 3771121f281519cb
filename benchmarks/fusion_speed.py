"""What a blend and a mutation cost, by stage, beside `ranx` fusing the same runs."""

import importlib
import itertools
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np

from benchmarks.fusion_runs import TAGS, Keys, fill, orders, saved
from benchmarks.stages import Watches
from benchmarks.timing import spread, timed
from pce_memory import Memory
from pce_memory.domain.fused import RunHandle
from pce_memory.engine.fusion import blending, fused
from pce_memory.scoring import blend as scoring
from pce_memory.store import run_listing, runs

CODES: Final = 15
TURNS: Final = itertools.count()
DELTA: Final[Mapping[str, object]] = {"weights": {"semantic": 0.5}}
RANX: Final = ("ranx.fuse", "ranx.fuse, min-max")
BASE: Final = RANX[0]
STAGES: Final[Mapping[str, Sequence[tuple[Any, str, bool]]]] = {
    "runs by id": [(runs, "find", True)],
    "reading runs and masks": [(run_listing, "listed", True)],
    "blend": [(scoring, "blend", False)],
    "π of codes": [(blending, "pi_code", True)],
    "order and metrics": [(blending, "_order", False), (blending, "_fused", False)],
    "codes of the first": [(blending, "coded_of", True)],
    "telling the first": [(fused, "told", True)],
    "saving": [(fused, "_save", False)],
    "frontier": [(blending.Fused, "points", False)],
}
"""Functions of each stage, and whether they return a reader; the rest is glue and the commit."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is, and how often it is measured."""

    claims: int
    lanes: int
    documents: int
    rounds: int


def aimed() -> Mapping[str, Mapping[str, float]]:
    """Return 15 codes, others each time: who carries the last ones is held in memory."""
    first = next(TURNS)
    return {"tag": {f"t{(first + at) % TAGS}": 1 / (1 + at) for at in range(CODES)}}


def report(path: Path, size: Size, seed: int) -> None:
    """Write claims and runs, and print what fusing them costs."""
    lists = orders(size.claims, size.lanes, size.documents, seed)
    with Memory.open(path, embedder="hashing") as memory:
        fill(memory, size.claims)
        handles = saved(memory, lists)
        union = len(scoring.distinct(np.concatenate(lists))[0])
        print(
            f"{size.lanes} lanes of {size.documents} among {size.claims} claims, "
            f"{union} documents in all; {size.rounds} rounds, turn about\n"
        )
        works = {**_own(memory, handles, lists), **_peer(lists)}
        _times(works, size.rounds)
        _stages(memory, handles, size.rounds)
        _memory(works)


def _own(
    memory: Memory, handles: Sequence[RunHandle], lists: Sequence[Keys]
) -> dict[str, Callable[[], object]]:
    """Return what is timed of this package."""
    fusion = memory.fusion
    weighed = [scoring.WeighedRun(keys, 1.0) for keys in lists]
    plain = fusion.rrf_blend_frontier(handles)
    target = fusion.rrf_blend_frontier(handles, target_profile=aimed())

    def pure() -> object:
        blended = scoring.blend(weighed, 60)
        return scoring.ranked(blended.rrf, blended.keys)

    return {
        "scoring.blend, ordered": pure,
        "rrf_blend_frontier": lambda: fusion.rrf_blend_frontier(handles),
        "rrf_blend_frontier, 15 codes": lambda: fusion.rrf_blend_frontier(
            handles, target_profile=aimed()
        ),
        "rrf_mutate_run": lambda: fusion.rrf_mutate_run(plain.run_id, DELTA),
        "rrf_mutate_run, 15 codes": lambda: fusion.rrf_mutate_run(target.run_id, DELTA),
    }


def _peer(lists: Sequence[Keys]) -> dict[str, Callable[[], object]]:
    """Return `ranx` over the same runs, compiled; nothing where it is not installed."""
    try:
        ranx: Any = importlib.import_module("ranx")
    except ImportError:
        print("ranx is not installed: `pip install ranx` to compare with it\n")
        return {}
    given = [
        ranx.Run({"q": {f"clm_{key}": 1 - at / len(keys) for at, key in enumerate(keys.tolist())}})
        for keys in lists
    ]
    works: dict[str, Callable[[], object]] = {
        RANX[0]: lambda: ranx.fuse(given, norm=None, method="rrf", params={"k": 60}),
        RANX[1]: lambda: ranx.fuse(given, method="rrf", params={"k": 60}),
    }
    for name, work in works.items():
        began = time.perf_counter()
        _ = work()
        print(f"{name}: the first call, which compiles, took {time.perf_counter() - began:.1f} s")
    print()
    return works


def _times(works: Mapping[str, Callable[[], object]], rounds: int) -> None:
    """Time everything turn about, and print medians and what they are to ranx."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            taken[name].append(timed(work))
    base = spread(taken[BASE])[0] if BASE in taken else None
    print("| what | CPU ms | p95 | wall ms | p95 | CPU of ranx.fuse / this |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, times in taken.items():
        figures = spread(times)
        ratio = "" if base is None else f"{base / figures[0]:.2f}×"
        print(f"| {name} | " + " | ".join(f"{one:.1f}" for one in figures) + f" | {ratio} |")


def _stages(memory: Memory, handles: Sequence[RunHandle], rounds: int) -> None:
    """Print where the CPU time of a blend with a profile goes."""
    watches = Watches()
    whole = 0.0
    with ExitStack() as stack:
        for stage, places in STAGES.items():
            for owner, name, reader in places:
                made = watches.around(stage, getattr(owner, name), reader=reader)
                stack.enter_context(patch.object(owner, name, made))
        for _ in range(rounds):
            whole += timed(
                lambda: memory.fusion.rrf_blend_frontier(handles, target_profile=aimed())
            )[0]
    rest = whole / 1e3 - sum(watches.taken.values())
    print("\n| stage of a blend with 15 codes | CPU ms | share |")
    print("|---|--:|--:|")
    for stage, seconds in [*watches.taken.items(), ("the rest, with the commit", rest)]:
        print(f"| {stage} | {1e3 * seconds / rounds:.1f} | {1e5 * seconds / whole:.0f} % |")


def _memory(works: Mapping[str, Callable[[], object]]) -> None:
    """Print the peak of what Python and numpy hold meanwhile; not what DuckDB or numba do."""
    print("\n| what | peak of Python's memory, MB |")
    print("|---|--:|")
    for name, work in works.items():
        if name in RANX:
            continue
        tracemalloc.start()
        _ = work()
        print(f"| {name} | {tracemalloc.get_traced_memory()[1] / 1e6:.1f} |")
        tracemalloc.stop()
