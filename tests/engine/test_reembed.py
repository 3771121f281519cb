"""Changing the embedding model: refused, then done in batches that can be taken up again."""

from collections.abc import Callable, Sequence
from functools import partial

import pytest
from returns.result import Failure, Success

from pce_memory import Memory, MemoryFault
from pce_memory.adapters.embedders import HashingEmbedder, from_callable
from pce_memory.engine import reembed as reembed_module
from pce_memory.errors import EmbedderMismatch
from tests.conftest import rows, tables

TEXTS = [f"Shelf {number} holds the parcels of street {number * 3}." for number in range(10)]


def other_model(dimension: int = 128, *, fail_after: int | None = None):
    """Return an embedder of another model; it fails after so many batches, if told to."""
    inner = HashingEmbedder(dimension=dimension)
    calls = 0

    def embed(texts: Sequence[str]) -> list[list[float]]:
        nonlocal calls
        calls += 1
        if fail_after is not None and calls > fail_after:
            raise RuntimeError("out of tokens")
        return [list(inner.embed(text).unwrap()) for text in texts]

    return from_callable(embed, model_id="other", version="1", dimension=dimension)


def _always(vector: list[float], texts: Sequence[str]) -> list[list[float]]:
    return [vector for _ in texts]


def filled(memory_at: Callable[..., Memory]) -> None:
    memory = memory_at("m.duckdb")
    _ = memory.observe_many(TEXTS)
    memory.close()


def test_health_tells_that_it_is_needed(memory_at: Callable[..., Memory]) -> None:
    filled(memory_at)
    memory = memory_at("m.duckdb", embedder=other_model(), allow_reembed=True)
    told = memory.health()
    assert (told.index, told.vectors, told.without_vector) == ("ok", "reembed needed", 10)
    assert told.reasons == ("vectors are of another embedder",)
    _ = memory.reembed()
    told = memory.health()
    assert (told.vectors, told.without_vector, told.reasons) == ("ok", 0, ())


def test_another_model_is_refused_by_name(memory_at: Callable[..., Memory]) -> None:
    filled(memory_at)
    with pytest.raises(MemoryFault) as raised:
        _ = memory_at("m.duckdb", embedder=other_model())
    assert raised.value.error == EmbedderMismatch(
        "hashing-ngram 1 (384 dimensions)", "other 1 (128 dimensions)"
    )
    assert "reembed" in raised.value.error.remedy
    assert memory_at("m.duckdb").activate("shelf 3").items


def test_another_dimension_is_another_model(memory_at: Callable[..., Memory]) -> None:
    filled(memory_at)
    with pytest.raises(MemoryFault) as raised:
        _ = memory_at("m.duckdb", embedder=HashingEmbedder(dimension=64))
    assert raised.value.error.code == "EMBEDDER_MISMATCH"


def test_reembedding_changes_the_model_and_loses_nothing(
    memory_at: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reembed_module, "BATCH", 4)
    filled(memory_at)
    memory = memory_at("m.duckdb", embedder=other_model(), allow_reembed=True)
    before = memory.activate("shelf 4", include_meta=True)
    assert before.scoring_params.alpha == 0  # until it is done the words decide alone
    assert before.items[0].claim.text == TEXTS[4]
    steps: list[tuple[int, int]] = []
    assert memory.reembed(progress=lambda done, total: steps.append((done, total))) == 10
    assert steps == [(4, 10), (8, 10), (10, 10)]
    after = memory.activate("shelf 4", include_meta=True)
    assert after.scoring_params.alpha == 0.65
    assert after.items[0].scores is not None
    assert after.items[0].scores.cosine is not None
    assert memory.reembed() == 0
    memory.close()
    again = memory_at("m.duckdb", embedder=other_model())
    assert rows(again, "claims") == 10
    assert "vectors_1" not in tables(again)  # what the old model computed is gone with it


def test_a_run_that_broke_off_is_taken_up(
    memory_at: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reembed_module, "BATCH", 4)
    filled(memory_at)
    failing = other_model(fail_after=2)
    memory = memory_at("m.duckdb", embedder=failing, allow_reembed=True)
    with pytest.raises(MemoryFault) as raised:
        _ = memory.reembed()
    assert raised.value.error.code == "EMBEDDING_FAILED"
    assert "street" not in repr(raised.value)
    memory.close()
    assert memory_at("m.duckdb").activate("shelf 3").items  # the old space is still whole
    old = memory_at
    old("x.duckdb").close()


def test_it_goes_on_where_it_stopped(
    memory_at: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reembed_module, "BATCH", 4)
    filled(memory_at)
    memory = memory_at("m.duckdb", embedder=other_model(fail_after=2), allow_reembed=True)
    assert isinstance(memory.results.activate("shelf"), Success)
    with pytest.raises(MemoryFault):
        _ = memory.reembed()
    left = rows(memory, "vectors_2")
    assert 0 < left < 10
    memory.close()
    again = memory_at("m.duckdb", embedder=other_model(), allow_reembed=True)
    assert again.reembed() == 10 - left


def test_what_is_observed_meanwhile_is_not_lost(memory_at: Callable[..., Memory]) -> None:
    filled(memory_at)
    memory = memory_at("m.duckdb", embedder=other_model(), allow_reembed=True)
    late = memory.observe("The cellar key hangs behind the door.").claims[0]
    assert memory.activate("cellar key").items[0].claim.id == late.id
    assert memory.reembed() == 10
    hit = memory.activate("cellar key", include_meta=True).items[0]
    assert hit.scores is not None
    assert hit.scores.cosine is not None


def test_a_failing_embedder_loses_no_claim_and_no_answer(
    memory_at: Callable[..., Memory],
) -> None:
    broken = other_model(fail_after=0)
    memory = memory_at("b.duckdb", embedder=broken)
    seen = memory.observe("The cellar key hangs behind the door.")
    assert len(seen.claims) == 1
    found = memory.activate("cellar key", include_meta=True)
    assert found.scoring_params.alpha == 0
    assert [item.claim.id for item in found.items] == [seen.claims[0].id]
    topics = memory.deps.db.query(
        "select topic, count(*) as n from events group by topic"
    ).unwrap()
    assert {row["topic"]: row["n"] for row in topics}["search_fallback"] == 2
    memory.close()
    mended = memory_at("b.duckdb", embedder=other_model())
    assert mended.reindex() == 1
    again = mended.activate("cellar key", include_meta=True)
    assert again.scoring_params.alpha == 0.65
    assert again.items[0].claim.id == seen.claims[0].id


def test_vectors_that_cannot_be_are_no_vectors(memory_at: Callable[..., Memory]) -> None:
    for number, bad in enumerate(([float("nan")] * 4, [0.0] * 4, [1.0] * 3)):
        same = partial(_always, bad)
        given = from_callable(same, model_id="bad", version="1", dimension=4)
        memory = memory_at(f"bad{number}.duckdb", embedder=given)
        assert memory.observe("Something to remember.").claims
        assert isinstance(memory.deps.embedding.embed("x"), Failure)
        assert memory.activate("remember").items
