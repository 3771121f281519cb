"""What lifts a document in a blend: codes in two stages, and facets over documents."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest

from pce_memory import Boundary, Memory, MemoryFault
from pce_memory.domain.fused import FusionResult
from pce_memory.domain.representatives import Representatives
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.errors import InvalidParameter, RunNotFound
from tests.conftest import FakeClock


def lifts(result: FusionResult, *, beta: float = 1.0) -> dict[str, float]:
    """Return π(d) of every document, by pub_id: the score is RRF · (1 + β π)."""
    return {
        doc.pub_id: round((doc.score / sum(doc.lane_scores.values()) - 1) / beta, 9)
        for doc in result.ranked_docs
    }


ONLY_CODES: Final = {"code": 1.0, "facet": 0.0, "lane": 0.0}
ONLY_FACETS: Final = {"code": 0.0, "facet": 1.0, "lane": 0.0}


def papers(memory: Memory, *items: dict[str, Any]) -> Memory:
    done = memory.add_documents(
        [{"pub_id": f"P{number}", "title": "lamp", **one} for number, one in enumerate(items)]
    )
    assert done.failed == ()
    return memory


def blend(memory: Memory, collection: Any = "documents", **how: Any) -> FusionResult:
    run = memory.fusion.rrf_search_fulltext_raw("lamp", collection=collection)
    return memory.fusion.rrf_blend_frontier([run], beta_fuse=1.0, **how)


class TestTwoStages:
    def test_a_full_code_counts_a_tenth_more_than_its_norm(self, memory: Memory):
        papers(
            memory,
            {"codes": {"fi_full": ["F21V3/00A"]}},
            {"codes": {"fi_full": ["F21V3/00B"]}},
            {"codes": {"fi_norm": ["F21V3/00"]}},
            {"codes": {"fi": ["F21V3/00A"]}},
            {"codes": {"fi_full": ["G06V1/00A"]}},
        )
        aim = {"fi": {"F21V3/00A": 1.0, "H05B1/00": 1.0}}
        found = lifts(blend(memory, target_profile=aim, pi_weights=ONLY_CODES))
        assert found == {"P0": 0.55, "P1": 0.5, "P2": 0.5, "P3": 0.55, "P4": 0.0}

    def test_a_norm_says_no_more_than_itself(self, memory: Memory):
        papers(memory, {"codes": {"fi_full": ["F21V3/00"]}}, {"codes": {"fi_full": ["F21V3/00A"]}})
        aim = {"fi_norm": {"F21V3/00": 1.0}, "ft": {"5L096": 1.0}}
        found = lifts(blend(memory, target_profile=aim, pi_weights=ONLY_CODES))
        assert found == {"P0": 0.5, "P1": 0.5}

    def test_what_has_no_normalizer_is_compared_as_it_is_written(self, memory: Memory):
        papers(memory, {"codes": {"ft": ["5L096A"]}}, {"codes": {"ft": ["5L096"]}})
        aim = {"ft": {"5L096A": 1.0}, "ipc": {"F21V": 3.0}}
        found = lifts(blend(memory, target_profile=aim, pi_weights=ONLY_CODES))
        assert found == {"P0": 0.25, "P1": 0.0}

    def test_a_code_counts_once_however_often_it_is_carried(self, memory: Memory):
        codes = {"fi": ["F21V3/00A"], "fi_full": ["F21V3/00A", "F21V3/00B"]}
        papers(memory, {"codes": codes})
        aim = {"fi": {"F21V3/00A": 1.0}, "ft": {"5L096": 1.0}}
        found = lifts(blend(memory, target_profile=aim, pi_weights=ONLY_CODES))
        assert found == {"P0": 0.55}

    def test_claims_are_compared_as_the_host_says(self, memory_at: Callable[..., Memory]):
        memory = memory_at(code_normalizers={"tag": lambda code: code.split("@")[0]})
        for tag in ("db@1", "db@2", "ops@1"):
            memory.observe(f"A lamp of {tag[:2]} {tag[-1]}.", tags=[tag])
        aim = {"tag": {"db@1": 1.0, "hall": 1.0}}
        result = blend(memory, "claims", target_profile=aim, pi_weights=ONLY_CODES)
        tags = {doc.pub_id: doc.metadata["tag"] for doc in result.ranked_docs}
        found = {str(tags[name]): lift for name, lift in lifts(result).items()}
        assert found == {"['db@1']": 0.55, "['db@2']": 0.5, "['ops@1']": 0.0}

    def test_a_normalizer_that_fails_is_a_failure(self, memory_at: Callable[..., Memory]):
        memory = memory_at(code_normalizers={"tag": lambda code: 1 / len(code[:0])})
        memory.observe("A lamp.", tags=["db"])
        with pytest.raises(MemoryFault, match="code_normalizers"):
            blend(memory, "claims", target_profile={"tag": {"db": 1.0}})


class TestFacets:
    def test_terms_are_looked_for_in_title_abst_and_claim(self, memory: Memory):
        papers(
            memory,
            {"abst": "of red glass", "claim": "a body"},
            {"desc": "of red glass and a body"},
            {"title": "lamp", "claim": "green glass"},
        )
        facets = {"A": ["red glass", "body"]}
        found = lifts(blend(memory, facet_terms=facets, pi_weights=ONLY_FACETS))
        assert found == {"P0": 1.0, "P1": 0.0, "P2": 0.0}

    def test_where_there_is_none_of_these_in_all_fields(self, memory: Memory):
        _ = memory.add_documents(
            [
                {"pub_id": "P0", "fields": {"body": "a lamp of 硝子", "title": "  "}},
                {"pub_id": "P1", "fields": {"body": "硝子", "title": "lamp"}},
            ]
        )
        found = lifts(blend(memory, facet_terms={"A": ["硝子"]}, pi_weights=ONLY_FACETS))
        assert found == {"P0": 1.0, "P1": 0.0}

    def test_facets_count_by_their_weights(self, memory: Memory):
        papers(memory, {"abst": "red"}, {"abst": "red glass"})
        facets = {"A": ["red"], "B": ["glass", "stone"]}
        weights = {"A": 3.0, "B": 1.0}
        found = lifts(
            blend(memory, facet_terms=facets, facet_weights=weights, pi_weights=ONLY_FACETS)
        )
        assert found == {"P0": 0.75, "P1": 0.875}

    def test_what_a_backend_told_of_its_texts_is_looked_through(self, memory: Memory):
        books = memory.fusion.over("books", Shelf())
        run = books.rrf_search_fulltext_raw("lamp")
        result = books.rrf_blend_frontier(
            [run],
            beta_fuse=1.0,
            facet_terms={"A": ["灯り", "hall"]},
            target_profile={"fi": {"H05B1/00A": 1.0}},
            pi_weights={"code": 0.1, "facet": 0.8, "lane": 0.0},
        )
        assert lifts(result) == {"b1": 0.9, "b2": 0.5, "b3": 0.0}


class Shelf:
    """A search of the host's: what it tells of its books differs."""

    told: Final[dict[str, Any]] = {
        "b1": {"fields": {"title": "The 灯り of the hall"}, "codes": {"fi": ["H05B1/00A"]}},
        "b2": {"abst": "灯り", "codes": {"fi_full": ["H05B1/00B"]}},
        "b3": {"abst": 7, "desc": "灯り hall", "codes": "H05B1/00A"},
    }

    def fulltext_search(self, _query: str, _filters: Any, _top_k: int) -> object:
        return [{"doc_id": one, "score": 1.0, "metadata": self.told[one]} for one in self.told]

    def semantic_search(self, _text: str, _feature_scope: str, _top_k: int) -> object:
        return []

    def get_document(self, _doc_id: str, _fields: Any) -> object:
        return None


def marked(memory: Memory, ids: Sequence[str], category: str = "A") -> Representatives:
    return memory.fusion.register_representatives(ids, category)


class TestRepresentatives:
    @pytest.fixture
    def shelf(self, memory: Memory) -> Memory:
        codes = [["F21V3/00A", "H05B1/00"], ["F21V3/00B"], ["G06V1/00"], []]
        papers(memory, *({"codes": {"fi_full": some}} for some in codes))
        return memory

    def test_what_is_like_them_is_lifted_by_the_share_of_their_codes(self, shelf: Memory):
        typical = marked(shelf, ["P0", "P1"])
        assert (typical.category, typical.count) == ("A", 2)
        one = marked(shelf, ["P0"], "B")
        both = blend(shelf, representatives=[typical], pi_weights=ONLY_CODES)
        alone = blend(shelf, representatives=[one], pi_weights=ONLY_CODES)
        # F21V3/00 is carried by two of the three, H05B1/00 by one; a representative has all.
        assert lifts(both) == {"P0": 1.0, "P1": 1.0, "P2": 0.0, "P3": 0.0}
        assert lifts(alone) == {"P0": 1.0, "P1": 0.5, "P2": 0.0, "P3": 0.0}

    def test_categories_count_by_their_weights_beside_the_profile(self, shelf: Memory):
        how: dict[str, Any] = {
            "representatives": [marked(shelf, ["P0"]), marked(shelf, ["P2"], "B")],
            "category_weights": {"A": 3.0, "B": 1.0},
            "target_profile": {"fi": {"H05B1/00": 4.0}},
            "pi_weights": ONLY_CODES,
        }
        found = lifts(blend(shelf, **how))
        assert found == {"P0": (3 + 4) / 8, "P1": 1.5 / 8, "P2": 1 / 8, "P3": 0.0}

    def test_one_without_a_code_lifts_itself(self, shelf: Memory):
        found = lifts(blend(shelf, representatives=[marked(shelf, ["P3"])], pi_weights=ONLY_CODES))
        assert found == {"P0": 0.0, "P1": 0.0, "P2": 0.0, "P3": 1.0}

    def test_claims_are_typical_by_their_tags_not_by_their_kind(self, memory: Memory):
        ids = [
            memory.observe(f"Lamp {tag} is here.", tags=[tag[:2]]).claims[0].id
            for tag in ("db1", "db2", "ops")
        ]
        typical = marked(memory, ids[:1], "設計")
        found = lifts(blend(memory, "claims", representatives=[typical], pi_weights=ONLY_CODES))
        assert [found[one] for one in ids] == [1.0, 1.0, 0.0]

    def test_documents_of_a_backend_are_marked_where_it_told_of_them(self, memory: Memory):
        books = memory.fusion.over("books", Shelf())
        run = books.rrf_search_fulltext_raw("lamp")
        typical = books.register_representatives(["b1"], "A")
        result = books.rrf_blend_frontier(
            [run], representatives=[typical], beta_fuse=1.0, pi_weights=ONLY_CODES
        )
        assert lifts(result) == {"b1": 1.0, "b2": 1.0, "b3": 0.0}
        with pytest.raises(MemoryFault, match="1 of them"):
            books.register_representatives(["b1", "b9"], "A")

    def test_they_are_recorded_and_weighed_anew(self, shelf: Memory):
        typical = marked(shelf, ["P0"])
        base = blend(shelf, representatives=[{"run_id": typical.run_id}], pi_weights=ONLY_CODES)
        assert base.params.representatives == (typical.given,)
        same = shelf.fusion.rrf_mutate_run(base.run_id)
        assert [(doc.doc_id, doc.score) for doc in same.ranked_docs] == [
            (doc.doc_id, doc.score) for doc in base.ranked_docs
        ]
        aim: Any = {"category_weights": {"A": 0}}
        none = shelf.fusion.rrf_mutate_run(base.run_id, aim)
        assert set(lifts(none).values()) == {0.0}
        assert none.params.category_weights == {"A": 0.0}

    def test_their_run_is_read_as_others_are_but_is_no_lane(self, shelf: Memory):
        typical = marked(shelf, ["P0", "P1"])
        known = shelf.fusion.get_provenance(typical.run_id)
        assert (known.kind, known.code_freqs["fi_norm"]) == (
            "representatives",
            {"F21V3/00": 2, "H05B1/00": 1},
        )
        page = shelf.fusion.peek_snippets(typical.run_id)
        assert [one.pub_id for one in page.snippets] == ["P0", "P1"]
        lane = {"lane": "fulltext", "run_id_lane": typical.run_id}
        with pytest.raises(MemoryFault, match="run"):
            shelf.fusion.rrf_blend_frontier([lane])
        run = shelf.fusion.rrf_search_fulltext_raw("lamp", collection="documents")
        with pytest.raises(MemoryFault, match="run"):
            blend(shelf, representatives=[{"run_id": run.run_id}])

    @pytest.mark.parametrize(
        ("marks", "category"),
        [
            ([], "A"),
            (["P0"], ""),
            (["P9"], "A"),
            (["P0", "clm_none"], "A"),
            ("P0", "A"),
            (None, "A"),
        ],
    )
    def test_what_cannot_be_marked_is_refused(self, shelf: Memory, marks: Any, category: str):
        with pytest.raises(MemoryFault) as fault:
            shelf.fusion.register_representatives(marks, category)
        assert isinstance(fault.value.error, InvalidParameter)

    @pytest.mark.parametrize("given", ["x", [3], [{"run": "x"}]])
    def test_what_is_no_representatives_is_refused(self, shelf: Memory, given: Any):
        with pytest.raises(MemoryFault) as fault:
            blend(shelf, representatives=given)
        assert isinstance(fault.value.error, InvalidParameter)

    def test_the_same_twice_or_another_category_is_refused(self, shelf: Memory):
        typical = marked(shelf, ["P0"])
        for given in ([typical, typical], [{"run_id": typical.run_id, "category": "B"}]):
            with pytest.raises(MemoryFault, match="representatives"):
                blend(shelf, representatives=given)

    def test_one_that_is_hidden_meanwhile_does_nothing(self, shelf: Memory):
        typical = marked(shelf, ["P0", "P2"])
        shelf.deps.db.execute(
            "update documents set boundary_class = 'pii' where name = 'P0'"
        ).unwrap()
        alone = marked(shelf, ["P2"])
        found, wanted = (
            lifts(blend(shelf, representatives=[one], pi_weights=ONLY_CODES))
            for one in (typical, alone)
        )
        assert found == wanted == {"P1": 0.0, "P2": 1.0, "P3": 0.0}
        shelf.deps.db.execute(
            "update documents set boundary_class = 'pii' where name = 'P2'"
        ).unwrap()
        profile: Any = {"fi": {"F21V3/00": 1.0}}
        none, plain = (
            lifts(blend(shelf, pi_weights=ONLY_CODES, target_profile=profile, **how))
            for how in ({"representatives": [typical]}, {})
        )
        assert none == plain

    def test_what_is_hidden_cannot_be_marked(self, shelf: Memory):
        narrow = Boundary(scope=SCOPES, allow=("answer:task",), boundary_classes=("public",))
        hidden, missing = (
            shelf.results.fusion.register_representatives([one], "A", boundary=narrow).failure()
            for one in ("P0", "P9")
        )
        assert hidden == missing
        typical = marked(shelf, ["P0"])
        gone = shelf.results.fusion.get_provenance(typical.run_id, boundary=narrow).failure()
        assert isinstance(gone, RunNotFound)

    def test_they_go_with_what_is_forgotten_and_with_what_was_blended(self, shelf: Memory):
        typical = marked(shelf, ["P0"])
        kept = marked(shelf, ["P1"])
        result = blend(shelf, representatives=[typical])
        shelf.forget(document_id=shelf.publication("P0").id)
        for run_id in (typical.run_id, result.run_id):
            error = shelf.results.fusion.get_provenance(run_id).failure()
            assert error == RunNotFound(run_id)
        assert shelf.fusion.get_provenance(kept.run_id).kind == "representatives"

    def test_they_go_with_who_marked_them_and_with_the_words_of_their_category(
        self, shelf: Memory
    ):
        aiko = shelf.results.boundary.model_copy(update={"actor": "aiko"})
        hers = shelf.fusion.register_representatives(["P0"], "A", boundary=aiko)
        named = marked(shelf, ["P0"], "灯り zeppelin")
        shelf.forget(actor="aiko")
        shelf.forget(query="zeppelin")
        for run_id in (hers.run_id, named.run_id):
            error = shelf.results.fusion.get_provenance(run_id).failure()
            assert error == RunNotFound(run_id)

    def test_they_live_as_a_run_and_what_is_blended_of_them_no_longer(
        self, shelf: Memory, clock: FakeClock
    ):
        typical = marked(shelf, ["P0"])
        clock.advance(3600)
        result = blend(shelf, representatives=[typical])
        assert result.expires_at == typical.expires_at
        clock.advance(11 * 3600)
        error = shelf.results.fusion.get_provenance(typical.run_id).failure()
        assert error == RunNotFound(typical.run_id)

    def test_a_secret_is_no_category_and_no_event_tells_one(self, shelf: Memory):
        with pytest.raises(MemoryFault, match="secret"):
            marked(shelf, ["P0"], "AKIA" + "IOSFODNN7EXAMPLE")
        marked(shelf, ["P0"], "zeppelin")
        for table in ("events", "audit"):
            told = shelf.deps.db.query(f"select * from {table}").unwrap()
            assert "zeppelin" not in str(told)
