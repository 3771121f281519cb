"""What a run lists is the same to see, whether its claims lie close together or far apart."""

import pytest
from returns.result import Failure, Result

from pce_memory import Boundary, Memory
from pce_memory.deps.held import Held
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.errors import RunNotFound
from pce_memory.store import run_listing, runs
from pce_memory.store.visibility import view

NARROW = Boundary(scope=SCOPES, allow=("answer:task",), boundary_classes=("public",))


@pytest.mark.parametrize("close", [0, 1 << 40])
def test_what_is_hidden_is_not_listed_however_it_is_looked_for(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, close: int
):
    for number in range(9):
        said = "public" if number % 3 else "internal"
        memory.observe(f"Lamp {number} hangs there.")
        memory.add_documents([{"fields": {"title": f"lamp {number}"}, "boundary_class": said}])
    db = memory.deps.db
    db.execute("update claims set boundary_class = 'public' where row_id % 3 > 0").unwrap()
    claims = memory.fusion.rrf_search_fulltext_raw("lamp")
    documents = memory.fusion.rrf_search_fulltext_raw("lamp", collection="documents")
    blend = memory.fusion.rrf_blend_frontier([claims, documents])
    ids = [claims.run_id, documents.run_id, blend.run_id]
    monkeypatch.setattr(run_listing, "CLOSE", close)

    def listed(boundary: Boundary) -> list[dict[str, list[float]]]:
        seen = view(boundary, memory.policy())(memory.deps).unwrap()
        version = memory.policy().version
        found = runs.find(ids, memory.results.boundary, version)(memory.deps).unwrap()
        columns = run_listing.listed(found, seen.visible)(memory.deps).unwrap()
        return [{name: column.tolist() for name, column in one.items()} for one in columns]

    every, some, again = (listed(one) for one in (memory.results.boundary, NARROW, NARROW))
    assert (claims.hit_count, documents.hit_count, blend.total_docs) == (9, 9, 18)
    assert [len(one["key"]) for one in every] == [9, 9, 18]
    assert [len(one["key"]) for one in some] == [6, 6, 12]
    assert again == some
    for whole, part in zip(every, some, strict=True):
        assert set(part["key"]) < set(whole["key"])
        for found in (whole, part):
            assert found["place"] == sorted(found["place"])
            assert found["score"] == sorted(found["score"], reverse=True)


def lit(memory: Memory) -> tuple[str, str]:
    """Return a lane run and a blend of it; both were read, so both are held."""
    _ = memory.observe("The lamp hangs there.")
    lane = memory.fusion.rrf_search_fulltext_raw("lamp")
    blend = memory.fusion.rrf_blend_frontier([lane])
    for run_id in (lane.run_id, blend.run_id):
        assert memory.fusion.peek_snippets(run_id).meta.total_docs == 1
    return lane.run_id, blend.run_id


def test_what_is_held_of_a_run_ends_with_it(memory: Memory):
    for run_id in lit(memory):
        db = memory.deps.db
        db.execute(f"delete from runs where run_id = '{run_id}'").unwrap()
        refused = memory.results.fusion.peek_snippets(run_id)
        assert refused.failure() == RunNotFound(run_id)


def test_what_is_held_of_a_run_is_masked_each_time(memory: Memory):
    for run_id in lit(memory):
        memory.deps.db.execute("update claims set status = 'tombstone'").unwrap()
        assert memory.fusion.peek_snippets(run_id).meta.total_docs == 0
        memory.deps.db.execute("update claims set status = 'active'").unwrap()
        assert memory.fusion.peek_snippets(run_id).meta.total_docs == 1


def test_nothing_is_held_of_what_is_forgotten(memory: Memory):
    run_id, _ = lit(memory)
    held = memory.deps.held
    assert held.rows.get(run_id) is not None
    _ = memory.forget(query="lamp")
    assert held.rows.get(run_id) is None
    assert memory.results.fusion.peek_snippets(run_id).failure() == RunNotFound(run_id)


def test_nothing_is_held_of_what_was_never_committed(memory: Memory):
    def work() -> Result[None, str]:
        run_id, _ = lit(memory)
        assert memory.deps.held.rows.get(run_id) is None
        return Failure("back")

    assert memory.deps.db.transaction(work).failure() == "back"


def test_what_was_used_longest_ago_is_let_go_of_first():
    held: Held[int] = Held(3)
    for number in range(3):
        held.put(str(number), number)
    assert held.get("0") == 0
    held.put("large", 9, 2)
    assert [held.get(name) for name in ("0", "1", "2", "large")] == [0, None, None, 9]
    held.put("too large", 9, 4)
    assert held.get("too large") is None


def test_who_carries_a_tag_is_read_again_where_a_claim_changed(memory: Memory):
    _ = memory.observe("The lamp hangs there.", tags=("light",))
    _ = memory.observe("A lamp stands here.")
    lane = memory.fusion.rrf_search_fulltext_raw("lamp")
    aim = {"tag": {"light": 0.5, "home": 0.5}, "kind": {"fact": 0.0}}

    def lifts() -> list[float]:
        only = {"code": 1.0, "facet": 0.0, "lane": 0.0}
        made = memory.fusion.rrf_blend_frontier(
            [lane], target_profile=aim, beta_fuse=1.0, pi_weights=only
        )
        worth = (one.score / sum(one.lane_scores.values()) - 1 for one in made.ranked_docs)
        return sorted(round(one, 9) for one in worth)

    assert lifts() == lifts() == [0.0, 0.5]
    db = memory.deps.db
    db.execute("update claims set tags = '[\"home\", \"light\"]' where tags = '[]'").unwrap()
    assert lifts() == [0.5, 1.0]
