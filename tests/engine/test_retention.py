"""Records of what happened do not grow without end, also where nobody ever calls `maintain`."""

from collections.abc import Callable
from typing import Final

import pytest

from pce_memory import Memory
from pce_memory.store import events
from tests.conftest import START, rows

FILE: Final = "memory.duckdb"
DAY: Final = 86_400.0
Open = Callable[..., Memory]

SHORT: Final = """
version: "1.0.1"
extends: default
relax:
  retention.audit: a test keeps it for a day
  retention.erasures: a test keeps them for a day
retention: {audit: 1d, erasures: 1d, events: 1d, most_events: 100}
"""


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


def said(memory: Memory, count: int, *, name: str) -> None:
    for number in range(count):
        memory.observe(f"Item {number} of {name} is on shelf {number}.")


class TestEvents:
    def test_the_newest_are_kept_and_swept_as_others_are_written(self, memory_at: Open):
        memory = memory_at(FILE, policy=SHORT, clock=Clock())
        most = 0
        for number in range(30):
            said(memory, 10, name=str(number))
            most = max(most, rows(memory, "events"))
        assert 100 <= most <= 100 + events.EACH + 10
        newest = events.newest(limit=1)(memory.deps).unwrap()[0]
        assert {"policy_version", "request_id", "trace_id"} <= newest.payload.keys()
        assert newest.payload["request_id"] == newest.request_id

    def test_those_older_than_the_policy_keeps_them_go(self, memory_at: Open):
        clock = Clock()
        memory = memory_at(FILE, policy=SHORT, clock=clock)
        said(memory, 5, name="before")
        memory.forget(actor="nobody", compact=False)
        clock.now += 2 * DAY
        memory.maintain()
        assert {one.topic for one in events.newest()(memory.deps).unwrap()} == {"gc"}

    def test_a_policy_may_keep_more(self, memory_at: Open):
        memory = memory_at(FILE, clock=Clock())
        said(memory, 60, name="all")
        memory.maintain()
        assert rows(memory, "events") > 100


class TestErasuresAndTheAudit:
    @pytest.mark.parametrize("table", ["erasures", "audit"])
    def test_they_are_swept_as_events_are_written(self, memory_at: Open, table: str):
        clock = Clock()
        memory = memory_at(FILE, policy=SHORT, clock=clock)
        claims = [memory.observe(f"Item {n} is on shelf {n}.").claims[0].id for n in range(8)]
        for claim in claims:
            memory.forget(claim_id=claim, compact=False)
        before = rows(memory, table)
        assert before >= len(claims)
        clock.now += 2 * DAY
        said(memory, events.EACH, name="later")
        old = f"select count(*) as n from {table} where {'erased_at' if table == 'erasures' else 'ts'} < utc($t)"
        left = memory.deps.db.query(old, {"t": clock.now - DAY}).unwrap()[0]["n"]
        assert left == 0

    def test_by_default_they_are_kept_for_a_year(self, memory_at: Open):
        clock = Clock()
        memory = memory_at(FILE, clock=clock)
        claim = memory.observe("Item 1 is on shelf 2.").claims[0].id
        memory.forget(claim_id=claim, compact=False)
        for days, left in ((364, True), (2, False)):
            clock.now += days * DAY
            memory.maintain()
            assert (rows(memory, "erasures") > 0) is left


class TestTheLog:
    def test_it_is_no_longer_than_the_file_or_four_megabytes(self, memory_at: Open):
        memory = memory_at(FILE)
        found = memory.deps.db.query("select current_setting('checkpoint_threshold') as it")
        assert found.unwrap()[0]["it"] == "3.8 MiB"
