"""Memories full of what answers nothing: made once, and copied for each store that is asked.

Half are real sentences in English and Japanese, half are turns of the other conversations with the
second half of another turn; each has a number behind it, so that no two are one claim. They are
written by `Memory.integrate_many`, which embeds them by the thousand: about a minute for 50 000.
Each conversation has a file of its own, with none of its own turns among them; where stores are
chosen by name, one file serves them all, with no turn of any of them.
"""

import random
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count as count_from
from pathlib import Path

from benchmarks.corpus import sentences
from benchmarks.locomo import conversations
from benchmarks.quality_sets import DATA
from pce_memory import Memory
from pce_memory.deps import EmbeddingProvider
from pce_memory.text.tokens import TOKENIZER_ID

PIECE = 50_000
ROOM = "6GB"


def texts(count: int, stores: Sequence[str] = ()) -> Iterator[str]:
    """Yield seeded texts: sentences that no conversation has, and turns made of others' turns.

    Whatever the stores, the turns are drawn from one sequence, without those that use theirs.
    """
    chance = random.Random(11)
    turns = _turns()
    # A turn as it was said would be the answer itself, without the source that counts.
    said, known = frozenset(text.strip() for _, text in turns), sentences(DATA)
    given = [one for one in (*known.english, *known.japanese) if one not in said]
    made = _recombined(turns, random.Random(12), stores)
    for number in range(count):
        yield next(made) if number % 2 else f"{chance.choice(given)} ({number})"


def _recombined(
    turns: list[tuple[str, str]], chance: random.Random, stores: Sequence[str]
) -> Iterator[str]:
    for number in count_from(1):
        (whose, one), (others, other) = chance.choice(turns), chance.choice(turns)
        if whose not in stores and others not in stores:
            first, second = one.split(), other.split()
            halves = [*first[: len(first) // 2], *second[len(second) // 2 :]]
            yield f"{' '.join(halves)} (t{number})"


def _turns() -> list[tuple[str, str]]:
    every = conversations(DATA / "locomo-dev" / "locomo-dev.json")
    return [(one.name, turn.text) for one in every for turn in one.turns]


def claims(count: int, stores: Sequence[str] = ()) -> Iterator[dict[str, object]]:
    """Yield the texts as claims to be written in bulk."""
    now = time.time()
    for number, text in enumerate(texts(count, stores)):
        yield {
            "id": f"clm_noise{number:08d}",
            "text": text,
            "kind": "fact",
            "scope": "project",
            "boundary_class": "internal",
            "origin_observation_id": f"obs_noise{number:08d}",
            "created_at": now,
            "updated_at": now,
        }


@dataclass(frozen=True, slots=True)
class Noise:
    """So many distractors for every store; 0 is none. `name` is that of the embedder.

    `stores` are those that share one file; none: each has its own.
    """

    count: int
    embedder: EmbeddingProvider
    folder: Path
    name: str
    stores: Sequence[str] = ()

    def of(self, store: str) -> Path | None:
        """Return a file of those of a store, made at the first time; None where there are none."""
        return filled(self, self.stores or (store,)) if self.count else None


def filled(noise: Noise, stores: Sequence[str]) -> Path:
    """Return a file with so many of them for these stores, made at the first time."""
    count, embedder = noise.count, noise.embedder
    key = "".join(letter if letter.isalnum() else "-" for letter in "-".join(stores))
    place = noise.folder / f"noise-{noise.name}-{TOKENIZER_ID}-{count}-{key}.duckdb"
    if place.exists():
        return place
    made = place.with_suffix(".making")
    made.unlink(missing_ok=True)
    began = time.perf_counter()
    with Memory.open(made, embedder=embedder, memory_limit=ROOM) as memory:
        done = memory.integrate_many(
            claims(count, stores), progress=lambda at: _tell(at, count, began)
        )
        print(f"{done.created} distractors, {len(done.failed)} refused", flush=True)
    _ = made.rename(place)
    return place


def _tell(at: int, count: int, began: float) -> None:
    if at % PIECE < 4_000 and at >= PIECE:
        print(f"  {at} of {count}: {time.perf_counter() - began:.0f} s", flush=True)


def copied(place: Path | None, to: Path) -> Path:
    """Return where a store may be made: a copy of what is there, or nothing yet."""
    if place is not None:
        _ = shutil.copyfile(place, to)
    return to
