"""A corpus with planted relevance, from a seed, and an embedder that knows its synonyms.

What is relevant is drawn first: a document has one topic, or none. Its words and codes are drawn
from that, each with its own chance and errors; no score, no lane and no metric has a say in it.

- A topic has concepts, and a concept three words for one thing: who writes picks any of them.
- Topics of a family share further concepts and codes, so that siblings look alike.
- A document of a topic says some of its concepts; siblings say one or two of them by the way.
- Codes are given by hand, as it were: some are forgotten, some are wrong.
- The embedder puts words of one concept near each other, and errs by a noise of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from returns.result import Result, Success

from pce_memory.deps import Vector
from pce_memory.errors import EmbeddingFailed

Chance: TypeAlias = np.random.Generator
Floats: TypeAlias = npt.NDArray[np.float64]

CONSONANTS: Final = "bdfgklmnprtvz"
VOWELS: Final = "aeiou"
SYNONYMS: Final = 3
COMMON: Final = 3_000
"""Words that say nothing, few of them frequent and most rare."""
OF_TOPIC: Final = 8
OF_FAMILY: Final = 6
"""How many concepts a topic and a family have."""
NOTHING: Final = -1
"""The topic of a document that has none."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How much of what a corpus has."""

    documents: int = 20_000
    families: int = 10
    topics: int = 60
    relevant: int = 40
    """Documents of each topic, on average."""
    siblings: int = 400
    """Documents of each family that are of none of its topics."""
    forgotten: float = 0.3
    """How often a code of a topic is not given."""
    wrong: float = 0.8
    """How many codes of nothing a document has, on average."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What is asked about: concepts of its own, a family, codes."""

    family: int
    concepts: tuple[int, ...]
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Planted:
    """One document, and the topic it is of."""

    name: str
    topic: int
    title: str
    abst: str
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Topics and documents."""

    topics: tuple[Topic, ...]
    documents: tuple[Planted, ...]

    def relevant(self, topic: int) -> frozenset[str]:
        """Return the names of the documents of a topic."""
        return frozenset(one.name for one in self.documents if one.topic == topic)


@cache
def word(number: int) -> str:
    """Return a word of made up syllables: another number is another word.

    >>> word(0), word(1), word(70)
    ('bababak', 'babadak', 'badalak')
    """
    syllables: list[str] = []
    for _ in range(3):
        number, rest = divmod(number, len(CONSONANTS) * len(VOWELS))
        vowel, consonant = divmod(rest, len(CONSONANTS))
        syllables.append(CONSONANTS[consonant] + VOWELS[vowel])
    return "".join(reversed(syllables)) + "k"


def said(concept: int, synonym: int) -> str:
    """Return one of the words for a concept."""
    return word(COMMON + concept * SYNONYMS + synonym)


def planted(shape: Shape, seed: int) -> Corpus:
    """Return a corpus: the same for the same shape and seed."""
    chance = np.random.default_rng(seed)
    topics = tuple(_topic(number, shape) for number in range(shape.topics))
    owners = _owners(shape, chance)
    return Corpus(
        topics,
        tuple(
            _document(f"D{at}", topic, family, topics, shape, chance)
            for at, (topic, family) in enumerate(owners)
        ),
    )


def _topic(number: int, shape: Shape) -> Topic:
    first = shape.families * OF_FAMILY + number * OF_TOPIC
    return Topic(
        number % shape.families,
        tuple(range(first, first + OF_TOPIC)),
        tuple(f"T{number}-{at}" for at in range(3)),
    )


def _owners(shape: Shape, chance: Chance) -> list[tuple[int, int]]:
    """Return topic and family of every document, in no order."""
    owners: list[tuple[int, int]] = []
    for number in range(shape.topics):
        owners += [(number, number % shape.families)] * int(chance.poisson(shape.relevant))
    for family in range(shape.families):
        owners += [(NOTHING, family)] * shape.siblings
    owners += [(NOTHING, NOTHING)] * max(0, shape.documents - len(owners))
    order = chance.permutation(len(owners))
    return [owners[at] for at in order.tolist()][: shape.documents]


def _document(
    name: str, topic: int, family: int, topics: Sequence[Topic], shape: Shape, chance: Chance
) -> Planted:
    concepts = _concepts(topic, family, topics, chance)
    told = [said(one, int(chance.integers(SYNONYMS))) for one in concepts]
    common = (chance.pareto(0.7, 40) * 3).astype(np.int64) % COMMON
    words = [*told, *(word(one) for one in common.tolist())]
    order = [words[at] for at in chance.permutation(len(words)).tolist()]
    own = () if topic == NOTHING else topics[topic].codes
    kept = [code for code in own if chance.random() > shape.forgotten]
    shared = [] if family == NOTHING else [f"F{family}-{chance.integers(4)}"]
    wrong = [f"X{chance.integers(300)}" for _ in range(int(chance.poisson(shape.wrong)))]
    codes = tuple(dict.fromkeys([*kept, *shared, *wrong]))
    return Planted(name, topic, " ".join(order[:8]), " ".join(order[8:]), codes)


def _concepts(topic: int, family: int, topics: Sequence[Topic], chance: Chance) -> list[int]:
    """Return what a document speaks of, as often as it does."""
    found: list[int] = []
    if family != NOTHING:
        base = family * OF_FAMILY
        found += (base + chance.integers(OF_FAMILY, size=int(chance.integers(1, 5)))).tolist()
        near = [one for one in topics if one.family == family]
        by_the_way = near[int(chance.integers(len(near)))]
        found += chance.choice(by_the_way.concepts, int(chance.integers(0, 3))).tolist()
    if topic != NOTHING:
        some = chance.choice(topics[topic].concepts, int(chance.integers(2, 6)), replace=False)
        found += np.repeat(some, chance.integers(1, 3, len(some))).tolist()
    if chance.random() < STRAY:
        stray = topics[int(chance.integers(len(topics)))]
        found += chance.choice(stray.concepts, int(chance.integers(1, 3))).tolist()
    return found


STRAY: Final = 0.3
"""How often a document of anything has a concept of some topic."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked about a topic: words for recall, for precision, a text for the meaning."""

    wide: str
    exact: str
    text: str


def asked(topic: Topic, seed: int) -> Asked:
    """Return the words of somebody who knows five of the concepts, each by one of its words."""
    chance = np.random.default_rng(seed)
    some = chance.choice(topic.concepts, 5, replace=False).tolist()
    words = [said(one, int(chance.integers(SYNONYMS))) for one in some]
    return Asked(" ".join(words[:4]), " ".join(words[:2]), " ".join(words))


class SynonymEmbedder:
    """The mean of the directions of words and of their concepts, and an error of each text."""

    model_id = "planted-synonyms"
    version = "1"

    def __init__(self, dimension: int = 128, error: float = 0.6) -> None:
        self.dimension = dimension
        self._error = error
        self._concepts = {
            said(one, synonym): f"concept {one}"
            for one in range(4_000)
            for synonym in range(SYNONYMS)
        }
        self._known: dict[str, Floats] = {}

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text."""
        return Success(self._vector(text))

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of texts."""
        return Success([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vector:
        whole = np.zeros(self.dimension)
        for one in text.split():
            concept = self._concepts.get(one)
            # What names nothing tells little, as models that were trained on texts know.
            whole += 0.1 * self._way(one) if concept is None else self._way(concept)
        whole /= max(float(np.linalg.norm(whole)), 1e-9)
        whole += self._error * _direction(f"error of {text}", self.dimension)
        whole /= float(np.linalg.norm(whole))
        return tuple(whole.tolist())

    def _way(self, name: str) -> Floats:
        if name not in self._known:
            self._known[name] = _direction(name, self.dimension)
        return self._known[name]


def _direction(name: str, dimension: int) -> Floats:
    seed = int.from_bytes(blake2b(name.encode(), digest_size=8).digest())
    found = np.random.default_rng(seed).standard_normal(dimension)
    return found / np.linalg.norm(found)
