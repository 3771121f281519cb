"""What a run lists is the same to see, whether its claims lie close together or far apart."""

import numpy as np
import pytest

from pce_memory import Boundary, Memory
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.store import run_listing
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
    seqs = [int(one["seq"]) for one in db.query("select seq from runs").unwrap()]
    monkeypatch.setattr(run_listing, "CLOSE", close)

    def listed(boundary: Boundary) -> dict[str, list[int]]:
        seen = view(boundary, memory.policy())(memory.deps).unwrap().visible
        found = run_listing.listed(seqs, seen)(memory.deps).unwrap()
        return {name: column.tolist() for name, column in found.items()}

    every, some = listed(memory.results.boundary), listed(NARROW)
    assert (claims.hit_count, documents.hit_count, blend.total_docs) == (9, 9, 18)
    assert (len(every["key"]), len(some["key"])) == (36, 24)
    assert set(some["key"]) < set(every["key"])
    for found in (every, some):
        ranks = np.array([found["run_seq"], found["place"]]).T.tolist()
        assert ranks == sorted(ranks)
