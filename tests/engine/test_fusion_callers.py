"""What callers may ask of runs and snippets: budgets hold, wrong types are told, others see less."""

import json
from typing import Any

import pytest

from pce_memory import Boundary, Memory
from tests.conftest import rows

KEY = "sk-proj-" + "Zm9vYmFyYmF6cXV4Q29ycmVjdEhvcnNlQmF0dGVyeVN0YXBsZQ0123456789"
LONG = "照明器具はとても明るい。" * 40


@pytest.fixture
def papers(memory: Memory) -> Memory:
    _ = memory.add_documents(
        {"pub_id": f"P{number:02}", "title": f"lamp {number}", "abst": LONG}
        for number in range(12)
    )
    return memory


def ids_of(memory: Memory) -> list[str]:
    return list(memory.fusion.search_fulltext("lamp", collection="documents"))


@pytest.mark.parametrize("budget", [400, 700, 2_000, 12_288])
def test_snippets_by_id_keep_to_their_budget(papers: Memory, budget: int) -> None:
    ids = ids_of(papers)
    shown: list[str] = []
    while left := [one for one in ids if one not in shown]:
        some = papers.fusion.get_snippets(left, budget_bytes=budget)
        dumped = json.dumps([one.model_dump() for one in some], ensure_ascii=False)
        assert some
        assert len(dumped.encode()) <= budget
        shown += [one.doc_id for one in some]
    assert shown == ids


def test_a_budget_that_holds_nothing_is_told(papers: Memory) -> None:
    failed = papers.results.fusion.get_snippets(ids_of(papers), budget_bytes=1)
    assert "budget_bytes" in failed.failure().message


def test_a_limit_and_repeated_ids(papers: Memory) -> None:
    ids = ids_of(papers)
    assert [one.doc_id for one in papers.fusion.get_snippets(ids * 3, limit=2)] == ids[:2]


@pytest.mark.parametrize("given", [5, None, ["x"], b"x", "\ud800", "a\0b"])
def test_what_is_no_id_of_a_run_is_told(papers: Memory, given: Any) -> None:
    fusion = papers.results.fusion
    for done in (
        fusion.peek_snippets(given),
        fusion.get_provenance(given),
        fusion.rrf_mutate_run(given),
        fusion.tune(given),
    ):
        assert done.failure().message.startswith("Invalid run_id")


@pytest.mark.parametrize("given", [5, None, "x", [5], [None], ["\ud800"]])
def test_what_are_no_ids_is_told(papers: Memory, given: Any) -> None:
    assert papers.results.fusion.get_snippets(given).failure().message.startswith("Invalid ids")


def test_fields_have_whole_characters(papers: Memory) -> None:
    run = papers.fusion.rrf_search_fulltext_raw("lamp", collection="documents")
    fusion = papers.results.fusion
    assert "fields" in fusion.peek_snippets(run.run_id, fields=["\ud800"]).failure().message
    assert "fields" in fusion.get_snippets(["x"], fields=["\ud800"]).failure().message


def test_only_who_made_a_run_weighs_it_anew(papers: Memory) -> None:
    """The parameters of a mutation told another caller which facets and codes were aimed at."""
    alice, bob = (
        Boundary.model_validate(
            {
                "scope": ["session", "project", "principle"],
                "boundary_classes": ["public", "internal"],
                "allow": ["answer:task"],
                "actor": name,
            }
        )
        for name in ("alice", "bob")
    )
    run = papers.fusion.rrf_search_fulltext_raw("lamp", collection="documents", boundary=alice)
    blend = papers.fusion.rrf_blend_frontier(
        [run], facet_terms={"A": ["secretfacet"]}, boundary=alice
    )
    fusion = papers.results.fusion
    before = rows(papers, "runs")
    for done in (
        fusion.rrf_mutate_run(blend.run_id, {"rrf_k": 50}, boundary=bob),
        fusion.rrf_mutate_run(blend.run_id, boundary=bob),
    ):
        assert done.failure().code == "RUN_NOT_FOUND"
    assert rows(papers, "runs") == before
    mine = fusion.rrf_mutate_run(blend.run_id, {"rrf_k": 50}, boundary=alice).unwrap()
    assert mine.params.facet_terms == {"A": ("secretfacet",)}
    seen = fusion.get_provenance(blend.run_id, boundary=bob).unwrap()
    assert "secretfacet" not in seen.model_dump_json()


@pytest.mark.parametrize("name", ["lane_weights", "facet_weights", "category_weights"])
def test_no_secret_is_kept_as_a_name(papers: Memory, name: str) -> None:
    run = papers.fusion.rrf_search_fulltext_raw("lamp", collection="documents")
    fusion: Any = papers.results.fusion
    failed = fusion.rrf_blend_frontier([run], **{name: {KEY: 1.0}}).failure()
    assert "secret" in failed.message
    assert KEY not in failed.message
    blend = papers.fusion.rrf_blend_frontier([run])
    if name != "facet_weights":
        assert (
            "secret" in fusion.rrf_mutate_run(blend.run_id, {name: {KEY: 1.0}}).failure().message
        )
