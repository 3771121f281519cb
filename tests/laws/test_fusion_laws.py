"""Laws of runs: what is hidden moves nothing, budgets hold, cursors visit everything once."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from pce_memory import Boundary, Memory, MemoryFault
from pce_memory.domain.snippets import SnippetPage
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.engine.fusion.boosts import Carried, summed
from pce_memory.engine.fusion.representatives import typical_codes
from pce_memory.scoring.suggesting import target_profile_of
from pce_memory.text.codes import DEFAULTS, Hit
from pce_memory.text.snippets import cut, fitting, limits, size_of
from tests.conftest import wipe

PUBLIC = Boundary(scope=SCOPES, allow=("answer:task",), boundary_classes=("public",))
WORDS = ("lamp", "hall", "灯り", "玄関", "🦊", "pump", "夜", "👩‍👩‍👧")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=40).map(" ".join)
items = st.lists(
    st.fixed_dictionaries({"fields": st.dictionaries(st.sampled_from(WORDS), st.text())}),
    max_size=6,
)


def fields_of(page: SnippetPage) -> list[dict[str, Any]]:
    return [one.model_dump(mode="json") for one in page.snippets]


@given(text=st.text(), limit=st.integers(0, 40))
@example(text="あ" * 9, limit=5)
def test_what_is_cut_is_no_longer_than_its_limit(text: str, limit: int):
    assert len(cut(text, limit)) <= limit or cut(text, limit) == text
    assert (cut(text, limit) == text) == (len(text) <= limit)


@given(some=items, budget=st.integers(0, 400))
def test_what_fits_fits_and_one_more_does_not(some: list[dict[str, object]], budget: int):
    count = fitting(some, budget)
    if count:
        assert size_of(some[:count]) <= budget
    if count < len(some):
        assert size_of(some[: count + 1]) > budget


@given(
    names=st.lists(st.sampled_from(("title", "abst", "claim", "desc", "other")), unique=True),
    budget=st.integers(1, 12_288),
    asked=st.dictionaries(st.sampled_from(("title", "abst", "other")), st.integers(1, 9_999)),
)
def test_limits_stay_between_the_shortest_and_the_longest(
    names: list[str], budget: int, asked: dict[str, int]
):
    least = {"title": 80, "abst": 240, "claim": 160, "desc": 200, "other": 240}
    most = {"title": 160, "abst": 480, "claim": 320, "desc": 400, "other": 480}
    for name, limit in limits(names, budget, asked).items():
        assert least[name] <= limit <= most[name]


@given(counts=st.dictionaries(st.sampled_from(WORDS), st.integers(0, 9)))
def test_a_profile_is_in_zero_to_one_and_its_best_is_one(counts: dict[str, int]):
    codes = target_profile_of({"tag": counts}).codes
    if any(counts.values()):
        assert max(codes["tag"].values()) == 1.0
        assert all(0 <= weight <= 1 for weight in codes["tag"].values())
    else:
        assert codes == {}


@settings(max_examples=15)
@given(
    said=st.lists(texts, min_size=1, max_size=7, unique=True),
    limit=st.integers(1, 4),
    budget=st.integers(120, 900),
)
def test_cursors_visit_every_document_once_within_the_budget(
    memory: Memory, said: list[str], limit: int, budget: int
):
    wipe(memory)
    memory.observe_many([{"content": text} for text in said])
    run = memory.fusion.rrf_search_semantic_raw("lamp")
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = memory.fusion.peek_snippets(
            run.run_id, cursor=cursor, limit=limit, budget_bytes=budget
        )
        told = json.dumps(fields_of(page), ensure_ascii=False, separators=(",", ":"))
        assert page.meta.used_bytes == len(told.encode()) <= budget
        seen += [one.doc_id for one in page.snippets]
        cursor = page.meta.peek_cursor
        assert len(seen) <= run.hit_count
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == run.hit_count == page.meta.total_docs


def test_a_budget_that_holds_nothing_is_refused(memory: Memory):
    memory.observe("灯りは玄関にある。")
    run = memory.fusion.rrf_search_fulltext_raw("灯り")
    with pytest.raises(MemoryFault, match="no snippet fits into 40 bytes"):
        memory.fusion.peek_snippets(run.run_id, budget_bytes=40)


@settings(max_examples=10)
@given(
    said=st.lists(texts, min_size=1, max_size=6, unique=True), hidden=st.lists(texts, max_size=4)
)
def test_what_is_hidden_moves_no_run_and_no_blend(
    memory: Memory, said: list[str], hidden: list[str]
):
    def told() -> object:
        fusion = memory.fusion
        runs = [
            fusion.rrf_search_fulltext_raw("lamp 灯り", boundary=PUBLIC),
            fusion.rrf_search_semantic_raw("pump hall", boundary=PUBLIC),
            fusion.rrf_search_graph_raw("lamp", boundary=PUBLIC),
            fusion.rrf_search_code_raw({"tag": {"x": 1.0}}, boundary=PUBLIC),
        ]
        result = fusion.rrf_blend_frontier(
            runs, boundary=PUBLIC, target_profile={"tag": {"x": 1}}, facet_terms={"A": ["lamp"]}
        )
        names = {run.run_id: place for place, run in enumerate(runs)}
        docs = [
            (doc.doc_id, doc.score, {names[one]: part for one, part in doc.run_scores.items()})
            for doc in result.ranked_docs
        ]
        return docs, result.metrics, result.frontier

    wipe(memory)
    ids = [one.id for text in said for one in memory.observe(text, tags=["x"]).claims]
    _reclass(memory, ids, "public")
    before = told()
    others = {one.id for text in hidden for one in memory.observe(f"{text} .", tags=["x"]).claims}
    _reclass(memory, sorted(others - set(ids)), "internal")
    assert told() == before


def _reclass(memory: Memory, ids: Sequence[str], boundary_class: str) -> None:
    params = {"ids": list(ids), "class": boundary_class}
    memory.deps.db.execute(
        "update claims set boundary_class = $class, changed = nextval('changes') "
        "where list_contains($ids::varchar[], id)",
        params,
    ).unwrap()


CODED = st.lists(
    st.lists(st.sampled_from(("F1A", "F1B", "F2", "G3A")), max_size=3, unique=True),
    min_size=1,
    max_size=5,
)


@settings(max_examples=15)
@given(
    shelf=CODED,
    hidden=CODED,
    weight=st.floats(0, 9),
    full=st.booleans(),
    data=st.data(),
)
def test_representatives_boost_within_bounds_and_hidden_ones_do_nothing(
    memory: Memory,
    shelf: list[list[str]],
    hidden: list[list[str]],
    weight: float,
    full: bool,
    data: st.DataObject,
):
    wipe(memory)
    taxonomy = "fi_full" if full else "fi"
    rows: list[dict[str, Any]] = [
        {"pub_id": f"{kind}{place}", "title": "lamp", "codes": {taxonomy: codes}}
        for kind, some in (("s", shelf), ("h", hidden))
        for place, codes in enumerate(some)
    ]
    assert memory.add_documents(rows).failed == ()
    marked = data.draw(
        st.lists(st.sampled_from([row["pub_id"] for row in rows]), min_size=1, unique=True)
    )
    seen = [one for one in marked if one.startswith("s")]
    fusion = memory.fusion
    whole = fusion.register_representatives(marked, "A")
    memory.deps.db.execute(
        "update documents set boundary_class = 'pii' where name like 'h%'"
    ).unwrap()
    alone = [fusion.register_representatives(seen, "A")] if seen else []
    run = fusion.rrf_search_fulltext_raw("lamp", collection="documents")

    def ranked(representatives: Sequence[Any]) -> dict[str, float]:
        how: Any = {"beta_fuse": 1.0, "pi_weights": {"code": 1.0, "facet": 0.0, "lane": 0.0}}
        result = fusion.rrf_blend_frontier(
            [run],
            representatives=representatives,
            category_weights={"A": weight} if representatives else {},
            target_profile={"fi": {"F1A": 1.0, "F2": 0.5}},
            **how,
        )
        again = fusion.rrf_mutate_run(result.run_id)
        assert again.ranked_docs == result.ranked_docs
        return {
            doc.pub_id: doc.score / sum(doc.lane_scores.values()) - 1 for doc in result.ranked_docs
        }

    found = ranked([whole])
    assert found == ranked(alone)
    assert all(-1e-12 <= lift <= 1 + 1e-12 for lift in found.values())
    share = weight / (weight + 1.5)
    assert all(found[one] >= share - 1e-9 for one in seen)


@given(some=CODED)
def test_what_is_typical_weighs_one_in_all(some: list[list[str]]):
    profile = typical_codes([{"fi": codes, "kind": ["fact"]} for codes in some], DEFAULTS)
    assert set(profile) <= {"fi"}
    if any(some):
        assert sum(profile["fi"].values()) == pytest.approx(1)
        assert all(0 < weight <= 1 for weight in profile["fi"].values())


HITS = (
    Hit(0, "fi_norm", "H05B1/00", 0.1, is_full=False),
    Hit(0, "fi_full", "H05B1/00A", 0.1, is_full=True),
    Hit(1, "fi_full", "H05B1/00A", 0.7, is_full=False),
    Hit(2, "tag", "灯り", 0.2, is_full=False),
)


@given(
    keys=st.sets(st.integers(1, 20), min_size=1),
    found=st.lists(st.tuples(st.integers(1, 25), st.sampled_from(range(len(HITS))))),
    chance=st.randoms(use_true_random=False),
)
def test_what_codes_count_is_each_target_once_in_any_order(
    keys: set[int], found: list[tuple[int, int]], chance: Random
):
    def counted(rows: list[tuple[int, int]]) -> Carried:
        columns = np.array(rows, np.int64).reshape(-1, 2)
        return summed(known, {"key": columns[:, 0], "place": columns[:, 1]}, HITS)

    known = np.array(sorted(keys), np.int64)
    made, again = counted(found), counted(chance.sample(found, len(found)))
    assert made.hit.tolist() == again.hit.tolist()
    assert made.full.tolist() == again.full.tolist()
    for row, key in enumerate(known.tolist()):
        own = [HITS[place] for carrier, place in found if carrier == key]
        hit = {one.target: one.weight for one in own}
        full = {one.target: one.weight for one in own if one.is_full}
        assert made.hit[row] == pytest.approx(sum(hit.values()))
        assert made.full[row] == pytest.approx(sum(full.values()))
