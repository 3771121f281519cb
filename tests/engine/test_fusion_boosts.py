"""What lifts a document in a blend: codes in two stages, and facets over documents."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from pce_memory import Memory, MemoryFault
from pce_memory.domain.fused import FusionResult


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
