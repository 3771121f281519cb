"""What was written is found, and what was taken away is not, by the very next search of anybody."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest
from returns.result import Failure, Result, Success

from pce_memory import Boundary, Memory
from pce_memory.errors import CoreError, MemoryClosed
from tests.conftest import DAY, FakeClock
from tests.policies import LASTING
from tests.strategies import claim_id

WIDE: Final = Boundary(
    scope=("session", "project", "principle"),
    allow=("answer:task", "tool:contact-lookup"),
    boundary_classes=("public", "internal", "pii"),
)
NEW: Final = "The zeppelin hangs over the pier."

Look = Callable[[str], list[str]]


@pytest.fixture(params=["1GB", 0])
def known(memory_at: Callable[..., Memory], request: pytest.FixtureRequest) -> Memory:
    """Return a memory that has been searched, with a mirror and without."""
    memory = memory_at(policy=LASTING, mirror_memory=request.param)
    _ = memory.observe_many([f"Boat {n} lies at the quay of harbour {n}." for n in range(9)])
    assert memory.search("boat")
    return memory


@pytest.fixture(params=["the same thread", "another thread"])
def look(known: Memory, request: pytest.FixtureRequest) -> Iterator[Look]:
    def texts(query: str) -> list[str]:
        return [item.claim.text for item in known.search(query, k=100)]

    if request.param == "the same thread":
        yield texts
        return
    with ThreadPoolExecutor(1) as pool:
        yield lambda query: pool.submit(texts, query).result()


def test_what_is_observed(known: Memory, look: Look) -> None:
    for n in range(5):
        assert f"Zeppelin {n} hangs over pier {n}." not in look(f"zeppelin {n}")
        _ = known.observe(f"Zeppelin {n} hangs over pier {n}.")
        assert look(f"zeppelin {n}")[0] == f"Zeppelin {n} hangs over pier {n}."


def test_what_is_forgotten(known: Memory, look: Look) -> None:
    claim = known.observe(NEW).claims[0]
    assert look("zeppelin")[0] == NEW
    _ = known.forget(claim_id=claim.id)
    assert NEW not in look("zeppelin")
    _ = known.observe(NEW)
    assert look("zeppelin")[0] == NEW


def test_what_comes_under_a_stricter_class(known: Memory, look: Look) -> None:
    claim = known.observe(NEW).claims[0]
    assert look("zeppelin")[0] == NEW
    fields = claim.model_dump(exclude_none=True) | {"id": claim_id(7), "boundary_class": "pii"}
    _ = known.integrate([type(claim).model_validate(fields)], boundary=WIDE)
    assert NEW not in look("zeppelin")
    assert NEW in [item.claim.text for item in known.activate("zeppelin", boundary=WIDE).items]


def test_what_is_a_duplicate(known: Memory, look: Look) -> None:
    kept = known.observe("A zeppelin is over the pier.").claims[0]
    claim = known.observe(NEW).claims[0]
    assert set(look("zeppelin")[:2]) == {NEW, kept.text}
    _ = known.feedback(claim.id, "duplicate", duplicate_of=kept.id)
    assert NEW not in look("zeppelin")


def test_what_another_policy_hides(known: Memory, look: Look, clock: FakeClock) -> None:
    assert len(look("boat")) == 9
    clock.advance(days=8)
    _ = known.observe(NEW)
    assert len(look("boat")) == 10
    later = LASTING.replace('"1.0.1"', '"1.0.2"')
    _ = known.apply_policy(later.replace("project: {ttl: inf", "project: {ttl: 7d"))
    assert look("boat") == [NEW]
    clock.advance(days=7)
    assert look("boat") == []
    clock.now -= 15 * DAY
    assert len(look("boat")) == 10


def test_what_a_compaction_moves(known: Memory, look: Look) -> None:
    claim = known.observe(NEW).claims[0]
    before = look("zeppelin")
    assert known.compact()
    assert look("zeppelin") == before
    _ = known.feedback(claim.id, "helpful")
    _ = known.observe("Another zeppelin hangs over the bay.")
    assert "Another zeppelin hangs over the bay." in look("zeppelin")[:2]
    _ = known.forget(claim_id=claim.id)
    assert NEW not in look("zeppelin")


class TestATransaction:
    def test_sees_what_it_has_written(self, known: Memory, look: Look) -> None:
        claim = known.observe("The barge lies at the pier.").claims[0]
        seen: list[list[str]] = []

        def texts(query: str) -> list[str]:
            return [item.claim.text for item in known.search(query, k=100)]

        def work() -> Result[None, CoreError]:
            seen.append(texts("zeppelin"))
            _ = known.observe(NEW)
            seen.append(texts("zeppelin"))
            _ = known.forget(claim_id=claim.id, compact=False)
            seen.append(texts("barge"))
            return Success(None)

        known.deps.db.transaction(work).unwrap()
        assert NEW not in seen[0]
        assert seen[1][0] == NEW
        assert claim.text not in seen[2]
        assert look("zeppelin")[0] == NEW
        assert claim.text not in look("barge")

    def test_that_is_rolled_back_leaves_nothing(self, known: Memory, look: Look) -> None:
        seen: list[str] = []

        def work() -> Result[None, CoreError]:
            _ = known.observe(NEW)
            seen.extend(item.claim.text for item in known.search("zeppelin"))
            return Failure(MemoryClosed("a failure of one's own"))

        assert isinstance(known.deps.db.transaction(work), Failure)
        assert seen[0] == NEW
        assert NEW not in look("zeppelin")
        _ = known.observe("Another zeppelin hangs over the bay.")
        assert look("zeppelin")[0] == "Another zeppelin hangs over the bay."
        assert NEW not in look("zeppelin")
