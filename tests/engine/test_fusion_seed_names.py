"""What seed 004 and its page name is taken as they name it, beside our own names for it."""

from collections.abc import Callable
from typing import Any

import pytest

from pce_memory import Memory, MemoryFault
from pce_memory.errors import CoreError
from tests.conftest import FakeClock


def documents(memory: Memory) -> None:
    _ = memory.add_documents(
        [
            {
                "external_ids": {"pub_id": f"P{n}"},
                "fields": {
                    "title": f"Lamp {n}",
                    "abst": "A hall with a lamp",
                    "claim": "灯りを持つ装置",
                },
                "codes": {"fi": ["H01"]},
            }
            for n in (1, 2, 3)
        ]
    )


def refused(work: Callable[[], Any]) -> CoreError:
    with pytest.raises(MemoryFault) as fault:
        work()
    return fault.value.error


class TestRepresentatives:
    def test_pub_ids(self, memory: Memory):
        documents(memory)
        named = memory.fusion.register_representatives(pub_ids=["P1", "P2"], category="A")
        plain = memory.fusion.register_representatives(["P1", "P2"], "A")
        assert (named.category, named.count) == (plain.category, plain.count) == ("A", 2)

    def test_both_words_at_once_are_refused(self, memory: Memory):
        documents(memory)
        error = refused(
            lambda: memory.fusion.register_representatives(["P1"], "A", pub_ids=["P2"])
        )
        assert error.message == ("Invalid pub_ids: it is another word for ids; give one of them")

    @pytest.mark.parametrize(
        ("given", "name"), [({"category": "A"}, "ids"), ({"pub_ids": ["P1"]}, "category")]
    )
    def test_what_is_left_out_is_named(self, memory: Memory, given: dict[str, Any], name: str):
        documents(memory)
        error = refused(lambda: memory.fusion.register_representatives(**given))
        assert error.message.startswith(f"Invalid {name}: ")


class TestSemanticStyle:
    def test_original_dense_is_that_lane(self, memory: Memory):
        _ = memory.observe("The lamp is in the hall. It is broken.")
        fusion = memory.fusion
        styled = fusion.rrf_search_semantic_raw("lamp", semantic_style="original_dense")
        plain = fusion.rrf_search_original_dense_raw("lamp")
        assert (styled.lane, styled.lane_name) == ("original_dense", "original_dense")
        blends = [
            [(one.doc_id, one.score) for one in fusion.rrf_blend_frontier([run]).ranked_docs]
            for run in (styled, plain)
        ]
        assert blends[0] == blends[1]

    def test_default_is_the_semantic_lane(self, memory: Memory):
        run = memory.fusion.rrf_search_semantic_raw("lamp", semantic_style="default")
        assert run.lane == "semantic"

    def test_in_a_search_over_many(self, memory: Memory):
        lane = {
            "lane_name": "dense",
            "tool": "rrf_search_semantic_raw",
            "lane": "semantic",
            "params": {"text": "lamp", "semantic_style": "original_dense"},
        }
        (outcome,) = memory.fusion.run_multilane_search([lane]).lanes
        assert outcome.handle is not None
        assert outcome.handle.lane == "original_dense"

    def test_another_lane_has_no_styles(self, memory: Memory):
        error = refused(
            lambda: memory.fusion.rrf_search_fulltext_raw("x", semantic_style="original_dense")
        )
        assert error.message == (
            "Invalid semantic_style: the lane fulltext has no styles; leave it out"
        )


class TestTimes:
    def test_what_took_how_long_is_by_the_clock_of_the_memory(
        self, memory: Memory, clock: FakeClock
    ):
        run = memory.fusion.rrf_search_fulltext_raw("lamp")
        assert (run.meta["took_ms"], run.meta["count_returned"]) == (0.0, 0)
        assert memory.fusion.peek_snippets(run.run_id).meta.took_ms == 0.0

        class Walking:
            """A clock that goes on by a quarter of a second whenever it is asked."""

            def __call__(self) -> float:
                clock.advance(0.25)
                return clock.now

        with Memory.open(":memory:", embedder="hashing", clock=Walking()) as slow:
            documents(slow)
            run = slow.fusion.rrf_search_fulltext_raw("lamp", collection="documents")
            page = slow.fusion.peek_snippets(run.run_id)
        took = run.meta["took_ms"]
        assert isinstance(took, float)
        assert took >= 250
        assert run.meta["count_returned"] == 3
        assert page.meta.took_ms >= 250


class TestMutation:
    def test_facet_terms_are_overwritten_facet_by_facet(self, memory: Memory):
        documents(memory)
        fusion = memory.fusion
        run = fusion.rrf_search_fulltext_raw("lamp", collection="documents")
        base = fusion.rrf_blend_frontier(
            [run], facet_terms={"A": ["lamp"], "B": ["hall"]}, pi_weights={"code": 0, "lane": 0}
        )
        made = fusion.rrf_mutate_run(
            base.run_id, mutate_delta={"facet_terms": {"B": ["zanzibar"], "C": ["灯り"]}}
        )
        terms = {"A": ("lamp",), "B": ("zanzibar",), "C": ("灯り",)}
        assert made.params.facet_terms == terms
        again = fusion.rrf_blend_frontier(
            [run], facet_terms=terms, pi_weights={"code": 0, "lane": 0}
        )
        assert [one.score for one in made.ranked_docs] == [one.score for one in again.ranked_docs]
        assert made.ranked_docs[0].score != base.ranked_docs[0].score
        assert base.params.facet_terms == {"A": ("lamp",), "B": ("hall",)}

    def test_facet_weights(self, memory: Memory):
        documents(memory)
        fusion = memory.fusion
        run = fusion.rrf_search_fulltext_raw("lamp", collection="documents")
        base = fusion.rrf_blend_frontier([run], facet_terms={"A": ["lamp"]})
        made = fusion.rrf_mutate_run(base.run_id, {"facet_weights": {"A": 3.0}})
        assert made.params.facet_weights == {"A": 3.0}
        error = refused(lambda: fusion.rrf_mutate_run(base.run_id, {"facet_weights": {"X": 1}}))
        assert error.code == "INVALID_PARAMETER"

    def test_a_secret_in_a_facet_is_refused(self, memory: Memory):
        documents(memory)
        fusion = memory.fusion
        run = fusion.rrf_search_fulltext_raw("lamp", collection="documents")
        base = fusion.rrf_blend_frontier([run])
        key = "sk-proj-" + "FAKEtest0000" * 3
        error = refused(lambda: fusion.rrf_mutate_run(base.run_id, {"facet_terms": {"A": [key]}}))
        assert error.message.startswith("Invalid facets: ")
        assert key not in error.message

    def test_the_words_of_a_delta_are_kept_once(self, memory: Memory):
        documents(memory)
        fusion = memory.fusion
        run = fusion.rrf_search_fulltext_raw("lamp", collection="documents")
        base = fusion.rrf_blend_frontier([run])
        made = fusion.rrf_mutate_run(base.run_id, {"facet_terms": {"A": ["nebuchadnezzar"]}})
        rows = memory.deps.db.query(
            "select recipe::varchar as recipe from runs where run_id = $run", {"run": made.run_id}
        ).unwrap()
        assert str(rows[0]["recipe"]).count("nebuchadnezzar") == 1


class TestResults:
    def test_lane_scores_are_by_lane_name(self, memory: Memory):
        documents(memory)
        fusion = memory.fusion
        runs = [
            fusion.rrf_search_fulltext_raw("lamp", collection="documents"),
            fusion.rrf_search_fulltext_raw("hall", collection="documents"),
            fusion.rrf_search_fulltext_raw("lamp", collection="documents", lane_name="precision"),
            fusion.rrf_search_semantic_raw("lamp", collection="documents"),
        ]
        best = fusion.rrf_blend_frontier(runs, beta_fuse=0).ranked_docs[0]
        assert set(best.lane_scores) == {"recall", "precision", "semantic"}
        assert set(best.run_scores) == {one.run_id for one in runs}
        assert sum(best.lane_scores.values()) == pytest.approx(best.score)
        recall = sum(best.run_scores[one.run_id] for one in runs[:2])
        assert best.lane_scores["recall"] == pytest.approx(recall)

    def test_snippets_have_their_fields_by_name(self, memory: Memory):
        documents(memory)
        run = memory.fusion.rrf_search_fulltext_raw("lamp", collection="documents")
        first = memory.fusion.peek_snippets(run.run_id, count=2).snippets[0]
        assert (first.title, first.abst, first.claim, first.desc) == (
            f"Lamp {first.pub_id[1:]}",
            "A hall with a lamp",
            "灯りを持つ装置",
            None,
        )

    def test_count_is_another_word_for_limit(self, memory: Memory):
        documents(memory)
        fusion = memory.fusion
        run = fusion.rrf_search_fulltext_raw("lamp", collection="documents")
        pages = [
            fusion.peek_snippets(run.run_id, count=2),
            fusion.peek_snippets(run.run_id, limit=2),
        ]
        assert pages[0] == pages[1]
        assert len(pages[0].snippets) == 2
        both = refused(lambda: fusion.peek_snippets(run.run_id, count=2, limit=2))
        assert both.message.startswith("Invalid count: ")
        wrong = refused(lambda: fusion.peek_snippets(run.run_id, count=1_000))
        assert wrong.message.startswith("Invalid limit: ")
