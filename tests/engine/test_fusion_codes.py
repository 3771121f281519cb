"""The lane by codes: which codes hit which, what they count, and taxonomies that nothing has."""

from typing import Any

import pytest

from pce_memory import Boundary, Memory
from tests.policies import LASTING

FULL, OTHER, NORM = "G06V10/82A", "G06V10/82B", "G06V10/82"
PAPERS: list[dict[str, Any]] = [
    {"pub_id": "full", "title": "Lamp", "fi_full": [FULL]},
    {"pub_id": "norm", "title": "Lamp", "fi_norm": [NORM]},
    {"pub_id": "other", "title": "Lamp", "fi_full": [OTHER]},
    {"pub_id": "plain", "title": "Lamp", "codes": {"fi": [FULL]}},
    {"pub_id": "far", "title": "Lamp", "fi_full": ["F21V3/00A"], "ft": ["5L096"]},
]


@pytest.fixture
def papers(memory: Memory) -> Memory:
    assert memory.add_documents(PAPERS).created == len(PAPERS)
    return memory


def found(memory: Memory, codes: Any, **fields: Any) -> dict[str, float]:
    """Return what the lane finds and what it counts, by pub_id."""
    run = memory.fusion.rrf_search_code_raw(codes, collection="documents", **fields)
    shown = memory.fusion.peek_snippets(run.run_id).snippets
    scores = memory.deps.db.query(
        "select score from run_docs join runs on seq = run_seq where run_id = $id order by place",
        {"id": run.run_id},
    )
    values = [row["score"] for row in scores.unwrap()]
    return dict(zip([one.pub_id for one in shown], values, strict=True))


@pytest.mark.parametrize("taxonomy", ["fi", "fi_full", "fi_norm"])
def test_fi_is_one_taxonomy_under_any_of_its_names(papers: Memory, taxonomy: str):
    wanted = dict.fromkeys(["full", "norm", "other", "plain"])
    assert found(papers, {taxonomy: {FULL: 1.0}}).keys() == wanted.keys()
    assert found(papers, {taxonomy: {NORM: 1.0}}).keys() == wanted.keys()
    assert found(papers, {taxonomy: {"F21V3/00": 1.0}}).keys() == {"far"}


def test_what_is_written_alike_comes_first_and_each_target_counts_once(papers: Memory):
    scores = found(papers, {"fi": {FULL: 1.0}})
    assert {name for name, score in scores.items() if score > 1} == {"full", "plain"}
    assert scores["full"] == pytest.approx(1.1)
    assert scores["norm"] == scores["other"] == pytest.approx(1.0)
    assert next(iter(scores)) in {"full", "plain"}

    both = found(papers, {"fi": {FULL: 1.0, OTHER: 0.5}, "ft": {"5L096": 0.2}})
    assert both["full"] == pytest.approx(1.6)
    assert both["other"] == pytest.approx(1.55)
    assert both["far"] == pytest.approx(0.2)


def test_it_goes_under_filters_too(papers: Memory):
    only = [{"field": "fi_full", "op": "eq", "value": OTHER}]
    assert found(papers, {"fi": {FULL: 1.0}}, filters=only).keys() == {"other"}


def test_claims_are_found_by_their_tags(memory: Memory):
    claim = memory.observe("The lamp hangs in the hall.", tags=["hall", "lamp"]).claims[0]
    _ = memory.observe("The door is red.", tags=["hall"])
    run = memory.fusion.rrf_search_code_raw({"tag": {"hall": 0.5, "lamp": 1.0}})
    assert (run.hit_count, "warnings" in run.meta) == (2, False)
    assert memory.fusion.peek_snippets(run.run_id).snippets[0].doc_id == claim.id


def test_a_taxonomy_that_nothing_has_is_told(papers: Memory):
    _ = papers.observe("The lamp hangs in the hall.", tags=["hall"])
    fusion = papers.fusion
    documents = fusion.rrf_search_code_raw(
        {"fii": {FULL: 1.0}, "ipc": {"A": 1.0}, "ft": {"5L096": 1.0}}, collection="documents"
    )
    assert documents.hit_count == 1
    assert documents.meta["warnings"] == [
        "no visible document has codes of fii",
        "no visible document has codes of ipc",
    ]
    claims = fusion.rrf_search_code_raw({"fi": {FULL: 1.0}, "tag": {"hall": 1.0}})
    assert claims.hit_count == 1
    assert claims.meta["warnings"] == [
        "no claim has codes of fi, only of entity, kind, scope, tag"
    ]
    blend = fusion.rrf_blend_frontier([claims], target_profile={"fii": {"x": 1.0}, "tag": {}})
    assert blend.warnings == ("no visible document has codes of fii",)
    assert fusion.rrf_blend_frontier([claims], target_profile={"fi": {"x": 1.0}}).warnings == ()


def test_hidden_documents_do_not_tell_that_there_is_a_taxonomy(memory: Memory):
    _ = memory.apply_policy(LASTING)
    everything = Boundary(
        scope=("session", "project", "principle"),
        allow=("answer:task", "tool:contact-lookup"),
        boundary_classes=("public", "internal", "pii"),
    )
    hidden = {"title": "Lamp", "codes": {"uspc": ["1"]}, "boundary_class": "pii"}
    done = memory.add_documents([hidden], boundary=everything)
    assert done.created == 1
    asked = {"uspc": {"1": 1.0}}
    run = memory.fusion.rrf_search_code_raw(asked, collection="documents")
    assert run.meta["warnings"] == ["no visible document has codes of uspc"]
    seen = memory.fusion.rrf_search_code_raw(asked, collection="documents", boundary=everything)
    assert (seen.hit_count, "warnings" in seen.meta) == (1, False)
