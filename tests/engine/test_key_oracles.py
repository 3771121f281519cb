"""Keys that are kept as given but not shown: whoever holds one finds by it, nobody spells it out."""

from collections.abc import Callable
from itertools import permutations
from string import ascii_lowercase, digits
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pce_memory import Memory, MemoryFault
from pce_memory.errors import InvalidParameter
from tests.conftest import wipe

MAIL = "taro.yamada@example.com"
PHONE = "090-1234-5678"
LETTERS = sorted({*ascii_lowercase, *digits, "-", ".", "@", "_"})
LAST = "\U0010ffff"

ASKED: dict[str, Callable[[str], dict[str, Any]]] = {
    "range": lambda low: {"op": "range", "value": {"from": low, "to": LAST}},
    ">=": lambda low: {"op": ">=", "value": low},
    "<=": lambda low: {"op": "<=", "value": low},
    "include_range": lambda low: {"include_range": {"from": low}},
    "exclude_range": lambda low: {"exclude_range": {"to": low}},
}
HIDDEN = [
    ("documents", "pub_id", MAIL),
    ("documents", "ids.of_mine", MAIL),
    ("documents", "fi_norm", PHONE),
    ("documents", "codes.of_mine", PHONE),
    ("documents", "tags", MAIL),
    ("claims", "tag", MAIL),
    ("claims", "codes.tag", MAIL),
]


@pytest.fixture
def shelf(memory: Memory) -> Memory:
    """One document and one claim that say red; their keys are personal, and are not shown."""
    one: dict[str, Any] = {
        "external_ids": {"pub_id": MAIL, "of_mine": MAIL},
        "fields": {"title": "a red lamp"},
        "codes": {"fi_norm": [PHONE], "of_mine": [PHONE], "tag": [MAIL]},
    }
    assert memory.add_documents([one]).created == 1
    claim = memory.observe("The lamp is red.", tags=[MAIL]).claims[0]
    assert MAIL not in repr(memory.publication(MAIL)) + repr(claim)
    return memory


def found(memory: Memory, collection: Any, condition: dict[str, Any]) -> int:
    run = memory.fusion.rrf_search_fulltext_raw(
        "red", collection=collection, filters=[condition], top_k=1
    )
    return run.hit_count


def spelled(memory: Memory, collection: str, field: str, how: str) -> str:
    """Return how much of a key is made out by asking where it stands, letter by letter."""
    known = ""
    for _ in MAIL:
        above = [
            letter
            for letter in LETTERS
            if found(memory, collection, {"field": field, **ASKED[how](known + letter)})
        ]
        if not above:
            break
        known += min(above) if how == "<=" else max(above)
    return known


class TestOrder:
    @pytest.mark.parametrize("how", ASKED)
    @pytest.mark.parametrize(("collection", "field"), [one[:2] for one in HIDDEN])
    def test_a_key_is_not_spelled_out(self, shelf: Memory, collection: str, field: str, how: str):
        with pytest.raises(MemoryFault, match="has no range") as fault:
            _ = spelled(shelf, collection, field, how)
        assert isinstance(fault.value.error, InvalidParameter)
        assert fault.value.error.name == "filters.0"

    @pytest.mark.parametrize("how", ["range", ">=", "include_range"])
    def test_an_attribute_has_an_order_and_says_what_is_shown(self, memory: Memory, how: str):
        one = {"pub_id": "a", "title": "a red lamp", "attributes": {"by": f"it-{MAIL}"}}
        assert memory.add_documents([one]).created == 1
        known = spelled(memory, "documents", "attributes.by", how)
        assert known
        assert MAIL[:2] not in known

    def test_a_refusal_says_nothing_of_what_was_asked(self, shelf: Memory):
        with pytest.raises(MemoryFault) as fault:
            found(shelf, "documents", {"field": "pub_id", "op": ">=", "value": MAIL})
        assert MAIL not in repr(fault.value) + repr(fault.value.error)

    @pytest.mark.parametrize("order", ["asc", "desc"])
    @pytest.mark.parametrize("field", ["pub_id", "ids.pub_id"])
    def test_ids_that_are_shown_alike_are_equal(self, memory: Memory, order: str, field: str):
        """However they were named, they stand as they came in."""
        for names in permutations(["amy@example.com", "mia@example.com", "zoe@example.com"]):
            wipe(memory)
            items = [
                {"pub_id": name, "app_id": f"{place}", "title": "a red lamp"}
                for place, name in enumerate(names)
            ]
            assert memory.add_documents(items).created == 3
            ids = memory.fusion.search_fulltext(
                "red", collection="documents", sort={"by": field, "order": order}
            )
            assert ids == tuple(memory.publication(f"{n}", id_type="app_id").id for n in range(3))


@given(names=st.lists(st.sampled_from(ascii_lowercase), min_size=4, max_size=4, unique=True))
def test_what_a_hidden_id_is_changes_no_order(lasting: Memory, names: list[str]):
    """Between shown ids, hidden ones stand together, the best of them first, then as they came."""
    orders = []
    for hidden in (names, sorted(names), sorted(names, reverse=True)):
        wipe(lasting)
        items = [
            {
                "pub_id": f"{one}x@example.com",
                "app_id": f"{place}",
                "title": "red " * (1 + place % 2),
            }
            for place, one in enumerate(hidden)
        ]
        shown = [{"pub_id": one, "app_id": one, "title": "red"} for one in ("A", "z")]
        assert lasting.add_documents([*items, *shown]).created == 6
        places: dict[str, str] = {
            str(lasting.publication(one, id_type="app_id").id): one for one in ("A", "z", *"0123")
        }
        orders.append(
            [
                [
                    places[one]
                    for one in lasting.fusion.search_fulltext(
                        "red", collection="documents", sort={"by": "pub_id", "order": order}
                    )
                ]
                for order in ("asc", "desc")
            ]
        )
    assert orders[0] == orders[1] == orders[2]


def test_a_reindex_names_anew_what_was_named_by_a_hidden_id(memory: Memory):
    """Files of before kept the id itself as the name that orders equal scores."""
    names = ["zoe@example.com", "amy@example.com"]
    _ = memory.add_documents([{"pub_id": one, "title": "a red lamp"} for one in names])
    ids = tuple(memory.publication(one).id for one in names)
    memory.deps.db.execute(
        "update documents set name = value from document_ids as ids "
        "where ids.doc_key = documents.doc_key"
    ).unwrap()
    assert memory.fusion.search_fulltext("red", collection="documents") == ids[::-1]
    _ = memory.reindex()
    assert memory.fusion.search_fulltext("red", collection="documents") == ids


class TestWhoeverHoldsAKey:
    @pytest.mark.parametrize(("collection", "field", "key"), HIDDEN)
    def test_finds_by_it(self, shelf: Memory, collection: str, field: str, key: str):
        def hits(**condition: Any) -> int:
            return found(shelf, collection, {"field": field, **condition})

        assert hits(op="eq", value=key) == hits(op="in", value=[key, "x"]) == 1
        assert hits(include_values=[key]) == hits(exclude_values=["x"]) == 1
        assert hits(op="neq", value=key) == hits(exclude_values=[key]) == 0

    @pytest.mark.parametrize(("collection", "field", "key"), HIDDEN)
    def test_finds_nothing_by_its_beginning(
        self, shelf: Memory, collection: str, field: str, key: str
    ):
        parts = [key[:size] for size in range(1, len(key))]
        assert found(shelf, collection, {"field": field, "op": "in", "value": parts}) == 0

    def test_finds_the_publication_and_its_codes(self, shelf: Memory):
        assert shelf.publication(MAIL).external_ids["pub_id"] == "[email]"
        given: Any = {"collection": "documents"}
        for key, count in ((PHONE, 1), (PHONE[:-1], 0)):
            run = shelf.fusion.rrf_search_code_raw({"fi_norm": {key: 1.0}}, **given)
            assert run.hit_count == count


NAMING = """version: "9.0.0"
extends: default
redact_policies:
  project: {rules: [{name: project, find: "zebra[a-z0-9]+", replace: "[p]", example: zebra9}]}
boundary_classes: {internal: {redact: [project]}}
"""


def test_what_a_policy_names_later_is_compared_by_no_filter(memory: Memory):
    """Until a reindex a range over an attribute spelled what was not shown any more."""
    row = {"pub_id": "1", "title": "lamp", "attributes": {"k": "zebraqx7", "n": 3}}
    _ = memory.add_documents([row])

    def found(*given: dict[str, Any]) -> int:
        run = memory.fusion.rrf_search_fulltext_raw(
            "lamp", collection="documents", filters=list(given)
        )
        return run.hit_count

    is_it = {"field": "attributes.k", "op": "eq", "value": "zebraqx7"}
    near = {"field": "attributes.k", "op": "range", "value": {"from": "zebraq", "to": "zebraq~"}}
    assert (found(is_it), found(near)) == (1, 1)
    _ = memory.apply_policy(NAMING)
    assert memory.publication("1").attributes == {"k": "[p]", "n": 3}
    assert (found(is_it), found(near)) == (0, 0)
    assert found({"field": "attributes.n", "op": "eq", "value": 3}) == 1
    _ = memory.apply_policy(
        NAMING.replace("9.0.0", "9.0.1").replace("internal: {redact: [project]}", "internal: {}")
    )
    assert found(is_it) == 1
