"""Documents out of the tables of pandas and pyarrow: as others hand them over."""

import importlib
from datetime import UTC, datetime
from typing import Any

import pytest

from pce_memory import Memory

pytestmark = pytest.mark.extras

COLUMNS: dict[str, list[Any]] = {
    "pub_id": ["P1", "P2", None],
    "title": ["a lamp", "ランプ", "a door"],
    "ft": [["5L1", "5L2"], ["5L1"], None],
    "dates.filing": [datetime(2020, 1, 2, tzinfo=UTC), None, datetime(1960, 1, 1, tzinfo=UTC)],
    "attributes.pages": [3, 4, None],
    "attributes.weight": [1.5, None, float("nan")],
    "attributes.granted": [True, False, None],
}


def expected(memory: Memory) -> None:
    first, second = memory.publication("P1"), memory.publication("P2")
    assert first.codes == {"ft": ("5L1", "5L2")}
    assert first.dates == {"filing": 1577923200.0}
    assert (first.attributes["pages"], first.attributes["weight"]) == (3, 1.5)
    assert first.attributes["granted"] is True
    assert (second.dates, second.fields) == ({}, {"title": "ランプ"})


def test_pyarrow(memory: Memory) -> None:
    pytest.importorskip("pyarrow")
    arrow: Any = importlib.import_module("pyarrow")
    done = memory.add_documents(arrow.table(COLUMNS))
    assert (done.created, done.failed) == (3, ())
    expected(memory)


def test_pandas(memory: Memory) -> None:
    pytest.importorskip("pandas")
    pandas: Any = importlib.import_module("pandas")
    done = memory.add_documents(pandas.DataFrame(COLUMNS))
    assert (done.created, done.failed) == (3, ())
    expected(memory)
    assert memory.add_documents(pandas.DataFrame(COLUMNS)).unchanged == 3
