"""A model that reads questions and texts differently is asked the right way for each."""

from collections.abc import Sequence

import pytest
from returns.result import Result, Success

from pce_memory import Memory
from pce_memory.deps import Vector
from pce_memory.errors import EmbeddingFailed

TEXTS = ("The lamp is green.", "The kettle is blue.", "The window is yellow.")


class Asymmetric:
    """Gives each text a direction of its own, and a question that of the text it names."""

    model_id = "asymmetric"
    version = "1"
    dimension = 8

    def __init__(self) -> None:
        self.stored: list[str] = []
        self.asked: list[str] = []

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        return self.embed_batch([text]).map(lambda vectors: vectors[0])

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        self.stored += texts
        return Success([[float(place == len(text) % 8) for place in range(8)] for text in texts])

    def embed_query(self, text: str) -> Result[Vector, EmbeddingFailed]:
        self.asked.append(text)
        return Success([float(place == int(text) % 8) for place in range(8)])


@pytest.fixture
def embedder() -> Asymmetric:
    return Asymmetric()


def test_texts_are_stored_as_texts_and_a_query_is_asked_as_a_question(embedder, clock, ids):
    with Memory.open(":memory:", embedder=embedder, clock=clock, ids=ids) as memory:
        for text in TEXTS:
            _ = memory.observe(text)
        assert embedder.stored == [*TEXTS]
        question = str(len("The kettle is blue."))
        found = memory.activate(question)
        assert found.items[0].claim.text == "The kettle is blue."
    assert embedder.asked == [question]
    assert question not in embedder.stored
