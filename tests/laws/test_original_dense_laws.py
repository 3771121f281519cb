"""The lane original_dense: an observation means the mean of the vectors of its visible claims."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from pce_memory import Boundary, Memory
from pce_memory.adapters import vector_sources
from pce_memory.domain.fused import RunHandle
from pce_memory.domain.vocabulary import SCOPES
from tests.conftest import wipe

PUBLIC: Final = Boundary(scope=SCOPES, allow=("answer:task",), boundary_classes=("public",))
SENTENCES: Final = (
    "The lamp is red.",
    "A pump is loud in the cellar.",
    "Aiko paints the hall.",
    "玄関の灯りは夜だけつける。",
    "The lamp hangs in the hall.",
    "No door is open at night.",
)
sayings = st.lists(
    st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4, unique=True).map(" ".join),
    min_size=1,
    max_size=6,
)
QUERY: Final = "a red lamp in the hall"


def scores(memory: Memory, run: RunHandle) -> dict[str, float]:
    found = memory.deps.db.query(
        "select claims.id, score from run_docs join runs on runs.seq = run_docs.run_seq "
        "join claims on claims.row_id = run_docs.key where run_id = $run_id",
        {"run_id": run.run_id},
    )
    return {row["id"]: row["score"] for row in found.unwrap()}


def by_hand(memory: Memory, shown: Sequence[str]) -> Mapping[str, float]:
    """Return the best cosine of the mean of each observation, from what the tables hold."""
    found = memory.deps.db.query(
        "select claims.id, evidence.observation_id as source, embedding from claims "
        "join evidence on evidence.claim_id = claims.id "
        "join vectors_1 using (row_id) where list_contains($ids::varchar[], claims.id)",
        {"ids": list(shown)},
    ).unwrap()
    asked = np.array(memory.deps.embedding.embed(QUERY).unwrap())
    told: dict[str, dict[str, Any]] = {}
    for row in found:
        told.setdefault(row["source"], {})[row["id"]] = np.array(row["embedding"], np.float64)
    best: dict[str, float] = {}
    for group in told.values():
        mean = np.mean(list(group.values()), axis=0)
        length = float(np.linalg.norm(mean))
        cosine = float(asked @ mean) / length if length else 0.0
        best.update({one: max(cosine, best.get(one, -1.0)) for one in group})
    return best


@settings(max_examples=25)
@given(said=sayings, at_once=st.sampled_from((1, 2, 3, 4_096)))
@example(said=["The lamp is red. Aiko paints the hall.", "The lamp is red."], at_once=1)
@example(said=[f"{SENTENCES[0]} {SENTENCES[1]}", f"{SENTENCES[0]} {SENTENCES[2]}"], at_once=4)
def test_it_is_the_cosine_to_the_mean(
    memory: Memory, said: Sequence[str], at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    wipe(memory)
    for text in said:
        memory.observe(text)
    with monkeypatch.context() as patch:
        patch.setattr(vector_sources, "AT_ONCE", at_once)
        run = memory.fusion.rrf_search_original_dense_raw(QUERY)
    found = scores(memory, run)
    ids = [row["id"] for row in memory.deps.db.query("select id from claims").unwrap()]
    assert found == pytest.approx(by_hand(memory, ids), abs=1e-6)


@settings(max_examples=15)
@given(said=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6, unique=True))
def test_with_one_claim_an_observation_it_is_the_lane_semantic(
    memory: Memory, said: Sequence[str]
) -> None:
    wipe(memory)
    for text in said:
        assert len(memory.observe(text).claims) == 1
    dense, semantic = (
        scores(memory, run)
        for run in (
            memory.fusion.rrf_search_original_dense_raw(QUERY),
            memory.fusion.rrf_search_semantic_raw(QUERY),
        )
    )
    assert dense == pytest.approx(semantic, abs=1e-6)


@settings(max_examples=15)
@given(said=sayings, data=st.data())
def test_hidden_claims_never_contribute(
    memory: Memory, said: Sequence[str], data: st.DataObject
) -> None:
    wipe(memory)
    for text in said:
        memory.observe(text)
    ids = sorted(row["id"] for row in memory.deps.db.query("select id from claims").unwrap())
    shown = data.draw(st.lists(st.sampled_from(ids), unique=True))
    memory.deps.db.execute(
        "update claims set boundary_class = 'public', changed = nextval('changes') "
        "where list_contains($ids::varchar[], id)",
        {"ids": shown},
    ).unwrap()
    memory.deps.db.execute(
        "update claims set boundary_class = 'internal', changed = nextval('changes') "
        "where not list_contains($ids::varchar[], id)",
        {"ids": shown},
    ).unwrap()
    run = memory.fusion.rrf_search_original_dense_raw(QUERY, boundary=PUBLIC)
    assert scores(memory, run) == pytest.approx(by_hand(memory, shown), abs=1e-6)


def test_documents_are_found_as_by_meaning(memory: Memory):
    _ = memory.add_documents([{"pub_id": str(n), "title": one} for n, one in enumerate(SENTENCES)])
    dense, semantic = (
        [doc.pub_id for doc in memory.fusion.rrf_blend_frontier([run]).ranked_docs]
        for run in (
            memory.fusion.rrf_search_original_dense_raw(QUERY, collection="documents"),
            memory.fusion.rrf_search_semantic_raw(QUERY, collection="documents"),
        )
    )
    assert dense == semantic
    assert len(dense) == len(SENTENCES)
