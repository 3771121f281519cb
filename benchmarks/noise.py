"""Memories full of what answers nothing: made once, and copied for each store that is asked.

Half are real sentences in English and Japanese, half are turns of the very conversations with the
second half of another turn; each has a number behind it, so that no two are one claim. They are
written by `Memory.integrate_many`, which embeds them by the thousand: about a minute for 50 000.
A copy for each conversation, not one file for all, keeps what is asked the same at every size.
"""

import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpus import sentences
from benchmarks.locomo import conversations
from benchmarks.quality_sets import DATA
from pce_memory import Memory
from pce_memory.deps import EmbeddingProvider
from pce_memory.text.tokens import TOKENIZER_ID

PIECE = 50_000
ROOM = "6GB"


def texts(count: int) -> Iterator[str]:
    """Yield seeded texts: sentences that no conversation has, and turns made of others."""
    chance = random.Random(11)
    turns = _turns()
    # A turn as it was said would be the answer itself, without the source that counts.
    said, known = frozenset(one.strip() for one in turns), sentences(DATA)
    given = [one for one in (*known.english, *known.japanese) if one not in said]
    for number in range(count):
        if number % 2:
            one, other = chance.choice(turns).split(), chance.choice(turns).split()
            text = " ".join([*one[: len(one) // 2], *other[len(other) // 2 :]])
        else:
            text = chance.choice(given)
        yield f"{text} ({number})"


def _turns() -> list[str]:
    every = conversations(DATA / "locomo-dev" / "locomo-dev.json")
    return [turn.text for conversation in every for turn in conversation.turns]


def claims(count: int) -> Iterator[dict[str, object]]:
    """Yield the texts as claims to be written in bulk."""
    now = time.time()
    for number, text in enumerate(texts(count)):
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


def filled(count: int, embedder: EmbeddingProvider, folder: Path, name: str) -> Path:
    """Return a file with so many of them, made at the first time."""
    place = folder / f"noise-{name}-{TOKENIZER_ID}-{count}.duckdb"
    if place.exists():
        return place
    made = place.with_suffix(".making")
    made.unlink(missing_ok=True)
    began = time.perf_counter()
    with Memory.open(made, embedder=embedder, memory_limit=ROOM) as memory:
        done = memory.integrate_many(claims(count), progress=lambda at: _tell(at, count, began))
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
