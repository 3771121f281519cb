"""Claims by the million that read like real ones, with vectors that lie like real ones.

Texts: two halves of different real sentences, joined; three of four are English (SciFact,
LoCoMo), the fourth is Japanese (JSQuAD). One in four gets a rare name of its own, so that words
of every frequency are there.

Vectors: `SEEDS` real sentences are embedded once. The vector of a claim is that of one of them
plus noise: a draw from the normal distribution with the covariance of the real vectors, `NOISE`
times as long, the sum normalised. So clouds lie where real texts lie, and lean the way they lean.
"""

import hashlib
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from pce_memory.deps import EmbeddingProvider
from pce_memory.domain.claim import Claim
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.vocabulary import CLAIM_KINDS, SCOPES

Floats = npt.NDArray[np.float32]

DATA: Final = Path(__file__).resolve().parents[2] / "shared" / "data"
SEEDS: Final = 24_000
NOISE: Final = 0.6
CHUNK: Final = 10_000
JAPANESE: Final = 0.25
NAMED: Final = 0.25
SHORTEST, LONGEST = 20, 220
# The abstracts have no space between sentences.
_END: Final = re.compile(r"(?<=[a-z)\]%][.!?])\s*(?=[A-Z])")
_SYLLABLES: Final = ("ka", "ri", "no", "ve", "to", "mu", "sel", "dar", "qui", "bex", "lor", "zan")


@dataclass(frozen=True, slots=True)
class Sentences:
    """Real sentences by language."""

    english: tuple[str, ...]
    japanese: tuple[str, ...]

    def seeds(self, count: int) -> list[str]:
        """Return the sentences whose vectors are taken: three of four English, shuffled."""
        chance = random.Random(5)
        english = chance.sample(self.english, min(len(self.english), count * 3 // 4))
        japanese = chance.sample(self.japanese, min(len(self.japanese), count // 4))
        return english + japanese


def sentences(data: Path = DATA) -> Sentences:
    """Return the sentences of the development data, each once, in one order."""
    english = [*_abstracts(data), *_turns(data)]
    return Sentences(tuple(dict.fromkeys(english)), tuple(dict.fromkeys(_paragraphs(data))))


def _fits(text: str) -> bool:
    return SHORTEST <= len(text) <= LONGEST


def _abstracts(data: Path) -> Iterator[str]:
    with (data / "scifact-dev" / "corpus.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield from filter(_fits, _END.split(json.loads(line)["text"]))


def _turns(data: Path) -> Iterator[str]:
    for one in json.loads((data / "locomo-dev" / "locomo-dev.json").read_text("utf-8")):
        for session in one["conversation"].values():
            if isinstance(session, list):
                yield from filter(_fits, (turn["text"].strip() for turn in session))


def _paragraphs(data: Path) -> Iterator[str]:
    with (data / "jsquad-dev" / "corpus.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            for part in json.loads(line)["text"].split("。"):
                if 12 <= len(part) <= LONGEST:
                    yield part.strip() + "。"


class Corpus:
    """`size` claims with their vectors, the same at every run."""

    def __init__(self, size: int, seeds: Floats, given: Sentences, *, now: float) -> None:
        self.size = size
        self.seeds = seeds
        self._given = given
        self._now = now
        spread = np.cov(seeds, rowvar=False) + 1e-6 * np.eye(seeds.shape[1])
        self._shape = np.linalg.cholesky(spread).astype(np.float32)

    def chunks(self) -> Iterator[tuple[list[Claim], Floats]]:
        """Yield claims and their vectors, at most `CHUNK` at once."""
        for start in range(0, self.size, CHUNK):
            count = min(CHUNK, self.size - start)
            chance = random.Random(start + 1)
            claims = [self._claim(start + one, chance) for one in range(count)]
            yield claims, self.vectors(start, count)

    def vectors(self, start: int, count: int) -> Floats:
        """Return unit vectors near real ones; `start` seeds the draw."""
        chance = np.random.default_rng(start + 1)
        near = self.seeds[chance.integers(0, len(self.seeds), count)]
        noise = chance.standard_normal(near.shape, np.float32) @ self._shape.T
        made = near + NOISE * noise
        return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)

    def _claim(self, number: int, chance: random.Random) -> Claim:
        age = chance.random() * 5 * 86_400.0
        return Claim(
            id=ClaimId(f"clm_{number:08d}"),
            text=f"{self._text(chance)} #{number}",
            kind=chance.choice(CLAIM_KINDS),
            # One in twenty each of a scope and of a class: what the narrow filters let through.
            scope="session" if chance.random() < 0.05 else chance.choice(SCOPES[1:]),
            boundary_class="public" if chance.random() < 0.05 else "internal",
            confidence=round(chance.uniform(0.4, 1.0), 3),
            origin_observation_id=ObservationId(f"obs_{number:08d}"),
            created_at=self._now - age,
            updated_at=self._now - age,
        )

    def _text(self, chance: random.Random) -> str:
        if chance.random() < JAPANESE:
            one, other = chance.choices(self._given.japanese, k=2)
            text = one[: len(one) // 2] + other[len(other) // 2 :]
        else:
            one, other = chance.choices(self._given.english, k=2)
            text = " ".join([*_half(one, first=True), *_half(other, first=False)])
        return f"{text} {rare_name(chance)}" if chance.random() < NAMED else text


def _half(text: str, *, first: bool) -> Sequence[str]:
    words = text.split()
    middle = (len(words) + 1) // 2
    return words[:middle] if first else words[middle:]


def rare_name(chance: random.Random) -> str:
    """Return a name that few claims have."""
    return "".join(chance.choices(_SYLLABLES, k=4)).capitalize()


def asked(given: Sentences, count: int) -> list[str]:
    """Return queries of 1 to 12 words, one of four Japanese, made of real sentences."""
    chance = random.Random(3)
    return [_query(given, chance, 1 + number % 12) for number in range(count)]


def _query(given: Sentences, chance: random.Random, words: int) -> str:
    if chance.random() < JAPANESE:
        text = chance.choice(given.japanese).rstrip("。")
        start = chance.randrange(max(1, len(text) - 2 * words))
        return text[start : start + max(2, 2 * words)]
    found = chance.choice(given.english).split()
    start = chance.randrange(max(1, len(found) - words))
    return " ".join(found[start : start + words])


def embedded(texts: Sequence[str], provider: EmbeddingProvider, cache: Path) -> Floats:
    """Return the vectors of texts; they are kept in the folder `cache`."""
    named = hashlib.blake2b("\0".join([provider.model_id, *texts]).encode(), digest_size=8)
    place = cache / f"{named.hexdigest()}.npy"
    if not place.exists():
        cache.mkdir(parents=True, exist_ok=True)
        np.save(place, np.asarray(provider.embed_batch(texts).unwrap(), np.float32))
    return np.asarray(np.load(place), np.float32)
