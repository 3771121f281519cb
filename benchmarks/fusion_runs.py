"""Claims in a file and runs over them, as lanes leave them, without a search: what is read later.

Each document has a worth, and each lane orders by its own guess of it: the lanes overlap as
lanes do, much at the top and less below.
"""

import random
import time
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from returns.result import Result

from benchmarks.boundary import CHUNK, made, write
from pce_memory import Memory
from pce_memory.domain.claim import Claim
from pce_memory.domain.fused import RunHandle
from pce_memory.domain.fusion import Lane
from pce_memory.errors import CoreError
from pce_memory.policy.boundary import narrowed_to
from pce_memory.store import runs
from pce_memory.store.runs import Run
from pce_memory.store.visibility import view

Keys = npt.NDArray[np.int64]
TAGS: Final = 40
LANES: Final[tuple[tuple[Lane, str], ...]] = (
    ("fulltext", "recall"),
    ("fulltext", "precision"),
    ("semantic", "semantic"),
    ("graph", "graph"),
    ("code", "code"),
)
"""The lanes of a run, in turn, and what they go by."""
GUESS: Final = 0.35
"""How far a lane errs about the worth of a document, whose spread is 1."""


def fill(memory: Memory, count: int) -> None:
    """Write living claims of one class, each with one of the tags."""
    now, chance = time.time(), random.Random(7)
    for start in range(0, count, CHUNK):
        rows: dict[int, Claim] = {
            number + 1: open_to_all(made(number, chance, now), number, now)
            for number in range(start, min(start + CHUNK, count))
        }
        write(memory, rows, now)


def open_to_all(claim: Claim, number: int, now: float) -> Claim:
    """Return a claim that everybody sees, with a tag."""
    return claim.model_copy(
        update={
            "scope": "project",
            "boundary_class": "internal",
            "tags": (f"t{number % TAGS}",),
            "created_at": now,
            "updated_at": now,
            "recency_anchor": now,
        }
    )


def orders(documents: int, lanes: int, size: int, seed: int) -> list[Keys]:
    """Return the keys of each lane, best first."""
    chance = np.random.default_rng(seed)
    worth = chance.standard_normal(documents)
    guesses = [worth + GUESS * chance.standard_normal(documents) for _ in range(lanes)]
    return [np.argsort(-guess)[:size].astype(np.int64) + 1 for guess in guesses]


def saved(memory: Memory, lists: Sequence[Keys]) -> list[RunHandle]:
    """Keep lists as runs of lanes, and return their handles."""
    return [_saved(memory, keys, *LANES[at % len(LANES)]) for at, keys in enumerate(lists)]


def _saved(memory: Memory, keys: Keys, lane: Lane, name: str) -> RunHandle:
    deps, boundary, policy = memory.deps, memory.results.boundary, memory.policy()
    now = deps.clock()
    run = Run(
        run_id=deps.ids(f"{lane}-"),
        kind="lane",
        lane=lane,
        lane_name=name,
        source=runs.CLAIMS,
        params={"top_k": len(keys), "truncated": True},
        policy_version=policy.version,
        created_at=now,
        expires_at=now + 86_400,
        documents=len(keys),
    )
    reach = narrowed_to(boundary, view(boundary, policy)(deps).unwrap().narrowed)
    columns = {"key": keys, "score": np.linspace(1.0, 0.0, len(keys))}

    def work() -> Result[Run, CoreError]:
        return runs.insert(run, reach, columns)(deps).map(lambda some: some)

    kept = deps.db.transaction(work).unwrap()
    return RunHandle(
        run_id=kept.run_id,
        lane=lane,
        run_id_lane=kept.run_id,
        hit_count=len(keys),
        top_k=len(keys),
        meta={"lane_name": name},
    )
