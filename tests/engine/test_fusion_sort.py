"""Lanes in another order than that of their scores."""

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pce_memory import Memory, MemoryFault
from pce_memory.domain.fused import RunHandle
from pce_memory.errors import InvalidParameter
from tests.conftest import FakeClock, wipe


def names(memory: Memory, run: RunHandle) -> list[str]:
    page = memory.fusion.peek_snippets(run.run_id, limit=100)
    assert page.meta.peek_cursor is None
    return [one.pub_id for one in page.snippets]


@pytest.fixture
def shelf(memory: Memory) -> Memory:
    """Five documents of one score, but for the last, which says lamp twice."""
    items: list[dict[str, Any]] = [
        {"pub_id": "a", "dates": {"filing": "20200102"}, "attributes": {"pages": 12}},
        {"pub_id": "b", "dates": {"filing": "20190102"}, "attributes": {"pages": [3, 40]}},
        {"pub_id": "c", "attributes": {"pages": "many"}},
        {"pub_id": "d", "dates": {"filing": "20210102"}, "attributes": {"pages": True}},
        {"pub_id": "e", "title": "lamp lamp"},
    ]
    done = memory.add_documents(
        [{"title": "a lamp", "codes": {"ft": ["5L1"]}, **one} for one in items]
    )
    assert done.created == 5
    return memory


def by_words(memory: Memory, sort: Any, **how: Any) -> RunHandle:
    given: Any = {"collection": "documents", "sort": sort, **how}
    return memory.fusion.rrf_search_fulltext_raw("lamp", **given)


class TestDocuments:
    @pytest.mark.parametrize(
        ("by", "falling", "rising"),
        [
            ("dates.filing", "dabec", "badec"),
            ("attributes.pages", "cbade", "dbace"),
            ("attributes.nothing", "eabcd", "eabcd"),
            ("pub_id", "edcba", "abcde"),
            ("score", "eabcd", "abcde"),
            ("created_at", "eabcd", "eabcd"),
        ],
    )
    def test_what_has_no_value_comes_last_and_equals_by_score(
        self, shelf: Memory, by: str, falling: str, rising: str
    ):
        down = by_words(shelf, by)
        up = by_words(shelf, {"by": by, "order": "asc"})
        assert "".join(names(shelf, down)) == falling
        assert "".join(names(shelf, up)) == rising

    def test_it_orders_all_that_matches_before_it_is_cut(self, shelf: Memory):
        run = by_words(shelf, "dates.filing", top_k=2)
        assert (names(shelf, run), run.hit_count) == (["d", "a"], 2)
        assert run.meta["truncated"] is True
        assert run.meta["sort"] == {"by": "dates.filing", "order": "desc"}
        coded = shelf.fusion.rrf_search_code_raw(
            {"ft": {"5L1": 1.0}}, collection="documents", sort="dates.filing", top_k=2
        )
        assert names(shelf, coded) == ["d", "a"]
        assert "sort" not in by_words(shelf, "score").meta

    def test_filters_go_before_it(self, shelf: Memory):
        only = [{"field": "dates.filing", "op": "<=", "value": "20200601"}]
        assert names(shelf, by_words(shelf, "dates.filing", filters=only)) == ["a", "b"]

    def test_of_what_is_near_the_nearest_are_put_in_order(self, shelf: Memory):
        nearest: Any = {"collection": "documents", "top_k": 1}
        run = shelf.fusion.rrf_search_semantic_raw("lamp lamp", sort="dates.filing", **nearest)
        assert names(shelf, run) == ["e"]

    def test_ids_are_found_in_the_order_and_a_rank_counts_by_it(self, shelf: Memory):
        run = by_words(shelf, "dates.filing")
        result = shelf.fusion.rrf_blend_frontier([run], beta_fuse=0)
        assert [doc.pub_id for doc in result.ranked_docs] == list("dabec")
        found = shelf.fusion.search_fulltext(
            "lamp", collection="documents", sort="pub_id", top_k=1
        )
        assert found == (shelf.publication("e").id,)

    def test_a_text_that_is_not_shown_is_no_order(self, memory: Memory):
        told = [("x", "zoe@example.com"), ("y", "amy@example.com")]
        _ = memory.add_documents(
            [{"pub_id": one, "title": "lamp", "attributes": {"by": mail}} for one, mail in told]
        )
        memory.deps.db.execute(
            "update document_values set text = case doc_key % 2 when 0 then 'zoe@example.com' "
            "else 'amy@example.com' end where name = 'by'"
        ).unwrap()
        assert names(memory, by_words(memory, "attributes.by")) == ["x", "y"]
        assert names(memory, by_words(memory, {"by": "attributes.by", "order": "asc"})) == [
            "x",
            "y",
        ]


class TestClaims:
    def test_the_newest_and_the_oldest(self, memory: Memory, clock: FakeClock):
        ids: list[str] = []
        for number in range(3):
            ids += [one.id for one in memory.observe(f"Lamp {number}. ").claims]
            clock.advance(60)
        assert list(memory.fusion.search_fulltext("lamp", sort="created_at")) == ids[::-1]
        rising = {"by": "created_at", "order": "asc"}
        assert list(memory.fusion.search_fulltext("lamp", sort=rising)) == ids
        assert list(memory.fusion.search_semantic("lamp", sort=rising, top_k=3)) == ids

    def test_by_a_measure_as_it_stands_now(self, memory: Memory):
        one, other = (
            memory.observe(text).claims[0].id for text in ("A lamp in the hall.", "A red lamp.")
        )
        memory.feedback(one, "helpful")
        assert memory.fusion.search_fulltext("lamp", sort="utility")[0] == one
        memory.feedback(other, "helpful")
        memory.feedback(other, "helpful")
        assert memory.fusion.search_fulltext("lamp", sort="utility")[0] == other


@pytest.mark.parametrize("moment", ["infinity", "-infinity"])
class TestATimeThatIsNotFinite:
    """As in a file that somebody edited: it is the oldest, and the order of the rest stays.

    A document that does not fit its model has its place in the run, and is not shown.
    """

    def test_of_a_claim(self, memory: Memory, clock: FakeClock, moment: str):
        ids: list[str] = []
        for number in range(3):
            ids += [one.id for one in memory.observe(f"Lamp {number}. ").claims]
            clock.advance(60)
        edited(memory, "claims", "updated_at", moment, ids[1])
        found = memory.fusion.search_fulltext("lamp", sort="updated_at")
        assert list(found) == [ids[2], ids[0], ids[1]]
        rising = {"by": "updated_at", "order": "asc"}
        assert list(memory.fusion.search_semantic("lamp", sort=rising, top_k=3)) == [
            ids[1],
            ids[0],
            ids[2],
        ]

    @pytest.mark.parametrize("column", ["created_at", "updated_at"])
    def test_of_a_document(self, memory: Memory, clock: FakeClock, column: str, moment: str):
        for name in "abc":
            _ = memory.add_documents([{"title": "a lamp", "pub_id": name}])
            clock.advance(60)
        edited(memory, "documents", column, moment, memory.publication("b").id)
        for sort, order in ((column, "ca"), ({"by": column, "order": "asc"}, "ac")):
            page = memory.fusion.peek_snippets(by_words(memory, sort).run_id, limit=100)
            assert "".join(one.pub_id or "" for one in page.snippets) == order
            assert page.meta.total_docs == 3


def edited(memory: Memory, table: str, column: str, moment: str, row_id: str) -> None:
    edit = f"update {table} set {column} = '{moment}'::timestamp where id = $id"
    memory.deps.db.execute(edit, {"id": row_id}).unwrap()


@pytest.mark.parametrize(
    ("collection", "sort", "told"),
    [
        ("claims", "colour", "colour"),
        ("claims", "dates.filing", "no field of claims"),
        ("claims", "tags", "several values"),
        ("documents", "codes.fi", "several values"),
        ("documents", "quality", "no field of documents"),
        ("documents", {"by": "score", "order": "up"}, "'asc' or 'desc'"),
        ("documents", {"colour": 1}, "no"),
        ("documents", 3, "sort"),
        ("documents", "", "sort"),
    ],
)
def test_what_is_no_order_is_refused(memory: Memory, collection: str, sort: Any, told: str):
    with pytest.raises(MemoryFault, match=told) as fault:
        by_words(memory, sort, collection=collection)
    assert isinstance(fault.value.error, InvalidParameter)


def test_a_backend_stands_in_its_own_order(memory: Memory):
    class Empty:
        def fulltext_search(self, *_: Any) -> object:
            return []

        semantic_search = get_document = fulltext_search

    with pytest.raises(MemoryFault, match="its own order"):
        memory.fusion.over("books", Empty()).rrf_search_fulltext_raw("lamp", sort="created_at")


@settings(max_examples=20)
@given(
    pages=st.lists(st.none() | st.integers(-2, 2), min_size=1, max_size=8),
    falls=st.booleans(),
    top_k=st.integers(1, 8),
)
def test_an_order_is_that_of_the_values_and_loses_nothing(
    memory: Memory, pages: list[int | None], falls: bool, top_k: int
) -> None:
    wipe(memory)
    items = [
        {
            "pub_id": f"{number}",
            "title": "lamp",
            **({} if count is None else {"attributes": {"pages": count}}),
        }
        for number, count in enumerate(pages)
    ]
    assert memory.add_documents(items).failed == ()
    sign = -1 if falls else 1
    wanted = sorted(
        range(len(pages)),
        key=lambda place: (pages[place] is None, sign * (pages[place] or 0), str(place)),
    )
    sort = {"by": "attributes.pages", "order": "desc" if falls else "asc"}
    found = names(memory, by_words(memory, sort, top_k=top_k))
    assert found == [str(place) for place in wanted[:top_k]]
