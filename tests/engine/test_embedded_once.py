"""A text is embedded once: who asks again gets the vector of the claim that has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.embedders import Outage, bits
from tests.policies import LASTING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from returns.result import Result

    from pce_memory import Memory
    from pce_memory.deps import Vector
    from pce_memory.errors import EmbeddingFailed

LAMP: Final = "The lamp is green."
MANY: Final = [f"Shelf {number} holds {number * 7} boxes, 棚{number}。" for number in range(30)]


class Asked(Outage):
    """Remembers what it was asked for."""

    def __init__(self, model_id: str = "outage") -> None:
        super().__init__()
        self.model_id = model_id
        self.texts: list[str] = []

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts, in order."""
        self.texts.extend(texts)
        return super().embed_batch(texts)

    def told(self) -> list[str]:
        """Return what it was asked for since the last time."""
        texts, self.texts = self.texts, []
        return texts


def test_what_is_said_again_is_not_embedded_again(memory_at: Callable[..., Memory]) -> None:
    embedder = Asked()
    memory = memory_at(policy=LASTING, embedder=embedder)
    _ = memory.observe(LAMP)
    assert embedder.told() == [LAMP]
    _ = memory.observe(LAMP)
    assert embedder.told() == []
    _ = memory.observe_many(MANY)
    assert embedder.told() == MANY
    _ = memory.observe_many([*MANY, LAMP, "The door is red."])
    assert embedder.told() == ["The door is red."]
    found = memory.deps.vector_index.of_texts([*MANY, "!"]).unwrap()
    assert sorted(found) == sorted(MANY)
    assert bits([found[text] for text in MANY]) == bits(Outage().embed_batch(MANY).unwrap())


def test_it_is_where_the_claim_is_gone_or_has_no_vector(memory_at: Callable[..., Memory]) -> None:
    embedder = Asked()
    memory = memory_at(policy=LASTING, embedder=embedder)
    claim = memory.observe(LAMP).claims[0]
    _ = memory.forget(claim_id=claim.id)
    _ = embedder.told()
    _ = memory.observe(LAMP)
    assert embedder.told() == [LAMP]
    embedder.down = True
    _ = memory.observe(MANY[0])
    embedder.down = False
    _ = embedder.told()
    _ = memory.observe(MANY[0])
    assert embedder.told() == [MANY[0]]


def test_a_vector_of_another_model_is_none(memory_at: Callable[..., Memory]) -> None:
    with memory_at("m.duckdb", policy=LASTING, embedder=Asked()) as first:
        _ = first.observe_many(MANY)
    other = Asked("other")
    memory = memory_at("m.duckdb", embedder=other, allow_reembed=True)
    assert memory.deps.vector_index.of_texts(MANY).unwrap() == {}
    assert memory.reembed() == len(MANY)
    assert sorted(other.told()) == sorted(MANY)


def test_what_an_earlier_version_kept_twice_goes(memory: Memory) -> None:
    db = memory.deps.db
    copy = "insert into embedding_cache values ('m', '1', 'k', [0.5, 0.5], now()::timestamp)"
    db.execute(copy).unwrap()
    _ = memory.observe(LAMP)
    rows = "select text_key from embedding_cache"
    assert [row["text_key"] for row in db.query(rows).unwrap()] == ["k"]  # nothing is added
    _ = memory.maintain()
    assert db.query(rows).unwrap() == []
