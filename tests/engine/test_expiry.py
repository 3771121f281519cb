"""Claims live as long as their scope says: then they are invisible at once, and swept later."""

import pytest

from pce_memory import Memory
from tests.conftest import DAY, FakeClock, rows

SESSION = {"scope": ("session",), "allow": ("answer:task",), "boundary_classes": ("internal",)}


def found(memory: Memory) -> list[str]:
    return [item.claim.text for item in memory.activate("").items]


def test_a_session_ends_to_the_second(memory: Memory, clock: FakeClock) -> None:
    _ = memory.observe("The lamp is green.", boundary=SESSION)  # type: ignore[arg-type]
    clock.advance(7 * DAY - 1)
    assert found(memory) == ["The lamp is green."]
    clock.advance(1)
    assert found(memory) == []
    assert memory.search("lamp") == ()


def test_what_is_seen_again_or_helps_lives_on(memory: Memory, clock: FakeClock) -> None:
    lamp = memory.observe("The lamp is green.", boundary=SESSION).claims[0]  # type: ignore[arg-type]
    _ = memory.observe("The door is red.", boundary=SESSION)  # type: ignore[arg-type]
    clock.advance(days=5)
    _ = memory.feedback(lamp.id, "helpful")
    clock.advance(days=3)
    assert found(memory) == ["The lamp is green."]


def test_an_expired_claim_is_not_there_by_id_either(memory: Memory, clock: FakeClock) -> None:
    lamp = memory.observe("The lamp is green.", boundary=SESSION).claims[0]  # type: ignore[arg-type]
    clock.advance(days=8)
    for refused in (
        memory.results.claim(lamp.id),
        memory.results.evidence(lamp.id),
        memory.results.feedback(lamp.id, "helpful"),
    ):
        assert refused.failure().code == "UNKNOWN_CLAIM"


def test_a_sweep_erases_what_expired_and_nothing_else(memory: Memory, clock: FakeClock) -> None:
    _ = memory.observe("The lamp is green.", boundary=SESSION)  # type: ignore[arg-type]
    _ = memory.observe("The door is red.")
    clock.advance(days=8)
    swept = memory.maintain()
    assert swept.claims_expired == 1
    assert found(memory) == ["The door is red."]
    assert rows(memory, "claims") == 1
    assert [one.why for one in memory.erasures("The lamp is green.")] == ["expired"]
    assert memory.maintain().claims_expired == 0


def test_seen_again_before_the_sweep_it_is_back(memory: Memory, clock: FakeClock) -> None:
    _ = memory.observe("The lamp is green.", boundary=SESSION)  # type: ignore[arg-type]
    clock.advance(days=8)
    seen = memory.observe("The lamp is green.", boundary=SESSION)  # type: ignore[arg-type]
    assert len(seen.integration.created) == 1
    assert found(memory) == ["The lamp is green."]


@pytest.mark.parametrize(("days", "left"), [(119, 1), (120, 0)])
def test_a_project_has_its_own_time(
    memory: Memory, clock: FakeClock, days: int, left: int
) -> None:
    _ = memory.observe("The door is red.")
    clock.advance(days=days)
    assert len(found(memory)) == left


def test_a_principle_never_ends(memory: Memory, clock: FakeClock) -> None:
    _ = memory.observe("Never deploy on Fridays.")
    clock.advance(days=36_500)
    assert len(memory.search("deploy")) == 1
    assert memory.maintain().claims_expired == 0
