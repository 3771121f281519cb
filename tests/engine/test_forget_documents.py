"""What is about somebody is found to be forgotten wherever it stands in a document."""

from typing import Any, Final

import pytest

from pce_memory import Memory
from tests.conftest import rows
from tests.engine.test_documents import CARDS
from tests.engine.test_forget import dump

MAIL: Final = "aiko@example.com"
OTHER: Final[dict[str, Any]] = {
    "pub_id": "OTHER",
    "title": "A door",
    "ft": "5L096",
    "attributes": {"by": "bob"},
}
PARTS: Final[list[tuple[dict[str, Any], str]]] = [
    ({"attributes": {"by": "Zebulon Quagmire"}}, "zebulon quagmire"),
    ({"attributes": {"by": ["Bob", "Zebulon"]}}, "Zebulon"),
    ({"attributes": {"by": "Zebulon"}}, "zebulon lamp"),  # some words here, some in a text
    ({"attributes": {"発明者": "鬼頭莉子"}}, "鬼頭莉子"),
    ({"external_ids": {"pub_id": "P", "case": "zebulon-7"}}, "zebulon"),
    ({"codes": {"entity": ["Zebulon", "Bob"]}}, "Zebulon"),
    ({"attributes": {"by": MAIL}, "boundary_class": "pii"}, MAIL),
    ({"external_ids": {"pub_id": MAIL}}, MAIL),
    ({"attributes": {MAIL: 3}}, MAIL),
    ({"fields": {"title": "lamp", MAIL: "hall"}}, MAIL),
    ({"codes": {MAIL: ["5L1"]}}, MAIL),
    ({"dates": {MAIL: "20200102"}}, MAIL),
]


@pytest.mark.parametrize(("part", "query"), PARTS)
def test_the_owner_forgets_by_what_stands_anywhere(
    lasting: Memory, part: dict[str, Any], query: str
) -> None:
    """Only the words of the fields were looked at: a name in an attribute stayed."""
    title: dict[str, Any] = {} if "fields" in part else {"title": "A lamp of glass"}
    done = lasting.add_documents([{**title, **part}, OTHER], boundary=CARDS)
    assert done.created == 2
    assert len(lasting.forget(query=query, dry_run=True).documents) == 1
    assert len(lasting.forget(query=query).documents) == 1
    assert rows(lasting, "documents") == 1
    for word in ("zebulon", "Zebulon", MAIL, "鬼頭"):
        assert word not in dump(lasting)
    assert lasting.publication("OTHER").fields == {"title": "A door"}


@pytest.mark.parametrize("query", ["title", "attributes", "by", "pub_id", "door nothing", "lamp"])
def test_what_parts_are_called_is_no_word_of_a_document(lasting: Memory, query: str) -> None:
    _ = lasting.add_documents([OTHER])
    assert lasting.forget(query=query, dry_run=True).documents == ()


@pytest.mark.parametrize(("part", "query"), PARTS)
def test_a_boundary_forgets_by_what_it_is_shown(
    lasting: Memory, part: dict[str, Any], query: str
) -> None:
    title: dict[str, Any] = {} if "fields" in part else {"title": "A lamp of glass"}
    _ = lasting.add_documents([{**title, **part}], boundary=CARDS)
    narrow = lasting.results.boundary
    for boundary in (narrow, CARDS):
        found = lasting.forget(query=query, boundary=boundary, dry_run=True).documents
        assert len(found) == (query != MAIL)  # an address is shown to neither
    assert lasting.forget(query="lamp", boundary=CARDS, dry_run=True).documents


def test_a_boundary_forgets_nothing_that_it_hides(lasting: Memory) -> None:
    hidden = {"title": "lamp", "attributes": {"by": "Zebulon"}, "boundary_class": "pii"}
    _ = lasting.add_documents([hidden], boundary=CARDS)
    narrow = lasting.results.boundary
    assert lasting.forget(query="zebulon", boundary=narrow).documents == ()
    assert len(lasting.forget(query="zebulon", boundary=CARDS).documents) == 1
