"""What a backend tells of a document belongs to the run it told it in: nobody else's run reads it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from pce_memory import Boundary, Memory, MemoryFault
from pce_memory.deps.backend import BackendHit
from tests.conftest import FakeClock, rows
from tests.older_files import downgrade

Open = Callable[..., Memory]
SECRETIVE: Final = "Zebulon"


class Teller:
    """A backend that tells of its documents what it was made with."""

    def __init__(self, **told: Mapping[str, object]) -> None:
        self._told = told

    def fulltext_search(self, _query: str, _filters: Any, _top_k: int) -> object:
        return [BackendHit(name, 1.0, some) for name, some in self._told.items()]

    def semantic_search(self, _text: str, _scope: str, _top_k: int) -> object:
        return self.fulltext_search("", (), 1)

    def get_document(self, _doc_id: str, _fields: Any) -> object:
        return None


def caller(name: str, *classes: str) -> Boundary:
    return Boundary.model_validate(
        {
            "scope": ["session", "project", "principle"],
            "boundary_classes": ["public", *classes],
            "allow": ["answer:task"],
            "actor": name,
        }
    )


ALICE, BOB = caller("alice", "internal"), caller("bob")
FULL: Final = {
    "pub_id": "P-alice",
    "app_id": "A-alice",
    "codes": {"fi": ["H01"]},
    "title": f"what {SECRETIVE} said",
}


@pytest.fixture
def over(memory: Memory) -> Callable[..., Any]:
    return lambda told=None: memory.fusion.over("shelf", Teller(x=told or {}))


class TestAnotherCaller:
    """Of what the first run of all was told, every later run of the same document told too."""

    def test_a_blend_tells_what_its_own_runs_were_told(self, over: Callable[..., Any]):
        _ = over(FULL).rrf_search_fulltext_raw("lamp", boundary=ALICE)
        shelf = over()
        run = shelf.rrf_search_fulltext_raw("lamp", boundary=BOB)
        blend = shelf.rrf_blend_frontier([run], boundary=BOB)
        (one,) = blend.ranked_docs
        assert (one.doc_id, one.pub_id, one.app_id, one.metadata) == ("x", "x", None, {})
        for run_id in (run.run_id, blend.run_id):
            (shown,) = shelf.peek_snippets(run_id, boundary=BOB).snippets
            assert (shown.doc_id, shown.pub_id) == ("x", "x")
            assert shelf.get_provenance(run_id, boundary=BOB).code_freqs == {}

    def test_codes_and_facets_are_those_of_its_own_runs(self, over: Callable[..., Any]):
        _ = over(FULL).rrf_search_fulltext_raw("lamp", boundary=ALICE)
        shelf = over()
        run = shelf.rrf_search_fulltext_raw("lamp", boundary=BOB)
        plain = shelf.rrf_blend_frontier([run], beta_fuse=100, boundary=BOB).ranked_docs[0].score
        for aimed in (
            {"target_profile": {"fi": {"H01": 1.0}}},
            {"facet_terms": {"A": [SECRETIVE]}},
        ):
            lifted = shelf.rrf_blend_frontier([run], **aimed, beta_fuse=100, boundary=BOB)
            assert lifted.ranked_docs[0].score == plain

    def test_what_only_others_were_told_of_is_no_representative(self, over: Callable[..., Any]):
        shelf = over(FULL)
        _ = shelf.rrf_search_fulltext_raw("lamp", boundary=ALICE)
        for boundary in (BOB, caller("carol", "internal")):
            with pytest.raises(MemoryFault) as fault:
                shelf.register_representatives(["x"], "A", boundary=boundary)
            assert fault.value.error.message.startswith("Invalid ids: 1 of them")
        assert shelf.register_representatives(["x"], "A", boundary=ALICE).count == 1

    def test_a_representative_has_the_codes_its_maker_was_told(self, over: Callable[..., Any]):
        _ = over({"codes": {"fi": ["G06"]}}).rrf_search_fulltext_raw("lamp", boundary=ALICE)
        shelf = over({"codes": {"fi": ["H01"]}})
        run = shelf.rrf_search_fulltext_raw("lamp", boundary=BOB)
        typical = shelf.register_representatives(["x"], "A", boundary=BOB)
        codes = shelf.get_provenance(typical.run_id, boundary=BOB).code_freqs
        assert codes == {"fi": {"H01": 1}}
        blend = shelf.rrf_blend_frontier([run], representatives=[typical], boundary=BOB)
        assert blend.ranked_docs[0].metadata == {"fi": ["H01"]}

    def test_the_id_of_a_run_in_a_recipe_opens_none(self, over: Callable[..., Any]):
        """A term of a facet, and the name of a lane, may be any text: the id of a run as well."""
        theirs = over(FULL).rrf_search_fulltext_raw("lamp", boundary=ALICE)
        shelf = over()
        run = shelf.rrf_search_fulltext_raw("lamp", lane_name=theirs.run_id, boundary=BOB)
        blend = shelf.rrf_blend_frontier(
            [run], facet_terms={"A": [theirs.run_id]}, facet_weights={"A": 2.0}, boundary=BOB
        )
        (shown,) = shelf.peek_snippets(blend.run_id, boundary=BOB).snippets
        assert shown.pub_id == "x"


class TestOneBlend:
    @pytest.mark.parametrize("swapped", [False, True])
    def test_a_document_of_two_lanes_is_one_as_the_first_told_it(
        self, over: Callable[..., Any], swapped: bool
    ):
        first = over(FULL).rrf_search_fulltext_raw("lamp")
        second = over({"pub_id": "P2"}).rrf_search_semantic_raw("lamp")
        fusion = over()
        given = [second, first] if swapped else [first, second]
        blend = fusion.rrf_blend_frontier(given)
        (one,) = blend.ranked_docs
        assert (one.pub_id, one.app_id, len(one.run_scores)) == ("P-alice", "A-alice", 2)
        again = fusion.rrf_mutate_run(blend.run_id, {"rrf_k": 10})
        assert fusion.peek_snippets(again.run_id).snippets[0].pub_id == "P-alice"
        assert fusion.get_provenance(again.run_id).code_freqs == {"fi": {"H01": 1}}
        assert set(fusion.get_provenance(again.run_id).lane_contributions.per_doc) == {"x"}


class TestItGoes:
    def test_with_its_run_when_its_time_is_over(
        self, memory: Memory, clock: FakeClock, over: Callable[..., Any]
    ):
        _ = over(FULL).rrf_search_fulltext_raw("lamp")
        clock.advance(days=0.3)
        later = over({"pub_id": "P2"}).rrf_search_fulltext_raw("lamp")
        clock.advance(days=0.3)
        memory.maintain()
        kept = memory.deps.db.query("select metadata from run_foreign").unwrap()
        assert [json.loads(row["metadata"]) for row in kept] == [{"pub_id": "P2"}]
        clock.advance(days=1)
        memory.maintain()
        assert rows(memory, "run_foreign") == rows(memory, "runs") == 0
        assert memory.results.fusion.peek_snippets(later.run_id).failure().code == "RUN_NOT_FOUND"

    @pytest.mark.parametrize(
        ("told", "query"),
        [
            ({"title": f"what\n{SECRETIVE} said"}, SECRETIVE),
            ({"fields": {"abst": f'"{SECRETIVE}"\tsaid'}}, f"{SECRETIVE} said"),
            ({"inventor": {"name": ["山田太郎"]}}, "山田太郎"),
            ({"phone": 9012345678}, "9012345678"),
        ],
    )
    def test_with_what_is_forgotten_by_its_words(
        self, memory: Memory, over: Callable[..., Any], told: Mapping[str, object], query: str
    ):
        run = over(told).rrf_search_fulltext_raw("lamp")
        kept = over({"title": "another"}).rrf_search_fulltext_raw("lamp")
        blend = memory.fusion.rrf_blend_frontier([run, kept])
        memory.forget(query=query)
        fusion = memory.results.fusion
        for gone in (run, blend):
            assert fusion.peek_snippets(gone.run_id).failure().code == "RUN_NOT_FOUND"
        assert len(memory.fusion.peek_snippets(kept.run_id).snippets) == 1
        assert rows(memory, "run_foreign") == 1

    def test_with_who_made_the_run(self, memory: Memory, over: Callable[..., Any]):
        _ = over(FULL).rrf_search_fulltext_raw("lamp", boundary=ALICE)
        _ = over({"pub_id": "P2"}).rrf_search_fulltext_raw("lamp", boundary=BOB)
        memory.forget(actor="alice")
        kept = memory.deps.db.query("select metadata from run_foreign").unwrap()
        assert [json.loads(row["metadata"]) for row in kept] == [{"pub_id": "P2"}]

    def test_its_bytes_too(self, memory_at: Open):
        memory = memory_at("m.duckdb")
        _ = memory.fusion.over("shelf", Teller(x=FULL)).rrf_search_fulltext_raw("lamp")
        memory.forget(query=SECRETIVE)
        memory.close()
        assert SECRETIVE.encode() not in Path(memory.path).read_bytes()


def older(memory: Memory) -> dict[str, str]:
    """Make the file one of before 0007, with runs of all kinds; return some of their ids."""
    _ = memory.observe("The lamp hangs in the hall.")
    _ = memory.add_documents([{"pub_id": "P", "title": "door"}])
    shelf = memory.fusion.over("shelf", Teller(x=FULL))
    theirs = shelf.rrf_search_fulltext_raw("lamp")
    typical = shelf.register_representatives(["x"], "A")
    own = memory.fusion.rrf_search_fulltext_raw("lamp")
    found = {
        "theirs": theirs.run_id,
        "typical": typical.run_id,
        "own": own.run_id,
        "mixed": memory.fusion.rrf_blend_frontier([theirs, own]).run_id,
        "aimed": memory.fusion.rrf_blend_frontier([own], representatives=[typical]).run_id,
        "plain": memory.fusion.rrf_blend_frontier([own]).run_id,
    }
    memory.close()
    downgrade(memory.path, 6)
    return found


def assert_moved(memory: Memory, found: Mapping[str, str]) -> None:
    fusion = memory.results.fusion
    left = {
        name
        for name, run_id in found.items()
        if fusion.peek_snippets(run_id).value_or(None) is not None
    }
    assert left == {"own", "plain"}
    assert (rows(memory, "runs"), rows(memory, "run_foreign")) == (2, 0)
    listing = memory.deps.db.query("select count(distinct run_seq) as n from run_docs").unwrap()
    assert listing == [{"n": 2}]
    shelf = memory.fusion.over("shelf", Teller(x=FULL))
    assert shelf.peek_snippets(shelf.rrf_search_fulltext_raw("lamp").run_id).snippets


def test_of_an_older_file_the_runs_of_backends_go_and_the_rest_stays(memory_at: Open):
    memory = memory_at("m.duckdb")
    found = older(memory)
    assert_moved(memory_at("m.duckdb"), found)


def test_a_process_that_dies_after_the_migration_leaves_a_file_that_opens(memory_at: Open):
    memory = memory_at("m.duckdb")
    found = older(memory)
    body = (
        "import os, sys; from pce_memory import Memory\n"
        "m = Memory.open(sys.argv[1], embedder='hashing'); print('open', flush=True); os._exit(9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", body, memory.path],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )
    assert (done.returncode, done.stdout) == (9, "open\n"), done.stderr
    assert Path(memory.path + ".wal").stat().st_size  # it is read again, then
    assert_moved(memory_at("m.duckdb"), found)
