"""Numbers in attributes: kept exactly or refused by name, and compared as numbers are."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pce_memory import Memory
from pce_memory.domain.filters import Condition
from pce_memory.store.filter_values import holds_for

EXACT = 2**53
SECRET = "hunter2 is the password"
BEYOND = "a whole number beyond 2**53 cannot be compared exactly; give it as a text"
NESTED = "give a text, a number or a truth value, or a list of these; nothing is nested"


def refused(memory: Memory, attributes: Any) -> str:
    done = memory.add_documents([{"pub_id": "A", "title": "Lamp", "attributes": attributes}])
    assert done.failed[0].code == "INVALID_PARAMETER"
    return done.failed[0].message


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (EXACT + 1, BEYOND),
        (-EXACT - 1, BEYOND),
        (10**400, BEYOND),
        (10**17, BEYOND),
        ([1, EXACT + 1], f"value 1 of it: {BEYOND}"),
        (math.nan, "a number has to be finite"),
        ([math.inf], "value 0 of it: a number has to be finite"),
        ({SECRET: 1}, NESTED),
        ([["a"]], f"value 0 of it: {NESTED}"),
        ([None], f"value 0 of it: {NESTED}"),
        ("x" * 5_000, "a text has at most 4096 characters"),
    ],
)
def test_what_is_not_kept_exactly_is_refused_by_its_place(
    memory: Memory, value: Any, reason: str
) -> None:
    assert refused(memory, {"size": value}) == f"Invalid attributes.size: {reason}"
    assert memory.results.publication("A").failure().code == "UNKNOWN_DOCUMENT"


def test_a_name_that_may_be_anything_is_not_told(memory: Memory) -> None:
    assert SECRET not in refused(memory, {SECRET: [[1]]})


def test_whole_numbers_come_back_as_they_went_in(memory: Memory, tmp_path: Path) -> None:
    values = [EXACT, -EXACT, EXACT - 1, 0, 1.5, True, "9007199254740993", [EXACT, EXACT - 1]]
    lines = [
        json.dumps({"pub_id": f"P{n}", "title": "Lamp", "attributes": {"size": one}})
        for n, one in enumerate(values)
    ]
    path = tmp_path / "some.jsonl"
    path.write_text("\n".join(lines))
    assert memory.add_documents(path).created == len(values)
    for n, one in enumerate(values):
        found = memory.publication(f"P{n}").attributes["size"]
        wanted = tuple(one) if isinstance(one, list) else one
        assert (found, type(found)) == (wanted, type(wanted))


def test_a_line_with_a_number_beyond_is_refused(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text('{"title": "Lamp", "attributes": {"size": 9007199254740993}}\n')
    assert memory.add_documents(path).failed[0].message == f"Invalid attributes.size: {BEYOND}"


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ({"op": "eq", "value": EXACT}, ["most"]),
        ({"op": "eq", "value": EXACT + 1}, []),
        ({"op": "in", "value": [EXACT + 1, EXACT - 1]}, ["less"]),
        ({"op": "neq", "value": EXACT + 1}, ["less", "most"]),
        ({"op": ">=", "value": EXACT + 1}, []),
        ({"op": ">=", "value": EXACT}, ["most"]),
        ({"op": "<=", "value": EXACT + 1}, ["less", "most"]),
        ({"op": "<=", "value": EXACT - 1}, ["less"]),
        ({"op": ">=", "value": -EXACT - 1}, ["less", "most"]),
        ({"op": "<=", "value": -EXACT - 1}, []),
        ({"op": "range", "value": {"from": 1, "to": 2**63 - 1}}, ["less", "most"]),
    ],
)
def test_a_number_that_no_float_is_equals_none(
    memory: Memory, condition: dict[str, Any], wanted: list[str]
) -> None:
    papers = [("most", EXACT), ("less", EXACT - 1)]
    _ = memory.add_documents(
        [{"pub_id": name, "title": "Lamp", "attributes": {"size": n}} for name, n in papers]
    )
    run = memory.fusion.rrf_search_fulltext_raw(
        "lamp", collection="documents", filters=[{"field": "attributes.size", **condition}]
    )
    page = memory.fusion.peek_snippets(run.run_id)
    assert sorted(one.pub_id for one in page.snippets) == wanted


NUMBERS = st.integers(-(2**60), 2**60) | st.sampled_from([EXACT + 1, -EXACT - 1, EXACT])


@given(stored=st.integers(-EXACT, EXACT), near=st.integers(-2, 2), value=NUMBERS)
def test_filters_compare_as_whole_numbers_do(stored: int, near: int, value: int) -> None:
    row = {("attributes", "size"): [float(stored)]}
    for asked in (value, stored + near):
        answers = {"eq": stored == asked, ">=": stored >= asked, "<=": stored <= asked}
        for op, wanted in answers.items():
            given_ = {"field": "attributes.size", "op": op, "value": asked}
            condition = Condition.model_validate(given_)
            assert holds_for([condition], row, "documents").unwrap() is wanted


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (math.nan, "a number has to be finite"),
        ([1, math.inf], "a number has to be finite"),
        ({"from": math.nan}, "a number has to be finite"),
        ({SECRET: 1}, "a list of these, or a range of from and to"),
        ([[1]], "a list of these, or a range of from and to"),
    ],
)
def test_a_filter_that_compares_with_nothing_says_what_it_takes(
    memory: Memory, value: Any, reason: str
) -> None:
    condition = {"field": "attributes.size", "op": "in", "value": value}
    error = memory.results.fusion.search_fulltext("lamp", filters=[condition]).failure()
    assert error.code == "INVALID_PARAMETER"
    assert error.message.startswith("Invalid filters.0.value: ")
    assert error.message.endswith(reason)
