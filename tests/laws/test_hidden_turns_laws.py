"""What a caller may not see moves no score, not even by standing beside what he sees."""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings, strategies as st

from pce_memory import Boundary, Memory
from tests.conftest import START, CountingIds, FakeClock
from tests.embedders import Outage
from tests.model import SCOPES, Rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FEW: Final = max(5, settings().max_examples // 2)
"""Fewer examples: each one opens two memories."""
HOUR: Final = 3_600.0
LAW: Final = Rulebook(
    allow={"public": ("*",), "internal": ("answer:task",), "pii": ("ops",), "secret": ()},
    escalation={"public": None, "internal": None, "pii": None, "secret": "deny"},
    days={"session": math.inf, "project": math.inf, "principle": math.inf},
    redacts_mail=False,
)
WRITER: Final = Boundary(
    scope=SCOPES, allow=("answer:task", "ops"), boundary_classes=("public", "internal", "pii")
)
READER: Final = Boundary(
    scope=("session", "project"), allow=("answer:task",), boundary_classes=("public", "internal")
)
ELSEWHERE: Final = WRITER.model_copy(update={"scope": ("principle",)})
THINGS: Final = ("boat", "violin", "lantern", "gray kettle", "船", "バイオリン")
SAYINGS: Final = (
    "Where did you leave the {}?",
    "I left the {} in Berlin last week.",
    "The {} is in the cellar, as ever.\nNobody uses it.",
    "健二さんは{}を先週売った。",
    "{}はどこですか？",
    "On Friday we saw the {}.",
)
QUERIES: Final = (
    "Where is the boat?",
    "When did Kenji leave the violin in May 2025?",
    '"gray kettle"',
    "lantern -boat",
    "船はどこですか",
    "先週のバイオリン",
    "",
)


@dataclass(frozen=True)
class Turn:
    """What was said, by whom, how long after what went before, and how it is hidden."""

    text: str
    actor: str
    pause: float
    room: str
    hidden: str | None
    helpful: bool


turns: Final = st.builds(
    Turn,
    text=st.builds(str.format, st.sampled_from(SAYINGS), st.sampled_from(THINGS)),
    actor=st.sampled_from(["alice", "健二"]),
    pause=st.sampled_from([60.0, 60.0, 60.0, 4 * HOUR, 30 * HOUR, 20 * 24 * HOUR]),
    room=st.sampled_from(["r/D1", "r/D1", "r/D2"]),
    hidden=st.sampled_from([None, None, "pii", "scope"]),
    helpful=st.booleans(),
)


def worded(turn: Turn, place: int) -> str:
    """Return what is said, told apart from all else: the same said twice would merge."""
    mail = ", to kenji@example.org" if turn.hidden == "pii" else ""
    lines = turn.text.split("\n")
    return "\n".join(f"{line[:-1]}, {place}{mail}{line[-1]}" for line in lines)


@contextmanager
def filled(said: Sequence[Turn], *, all_of: bool) -> Iterator[Memory]:
    clock, ids = FakeClock(), CountingIds()
    how: dict[str, Any] = {"embedder": Outage(), "clock": clock, "ids": ids}
    with Memory.open(":memory:", policy=yaml.safe_dump(LAW.document()), **how) as memory:
        _ = memory.activate("x", boundary=READER)  # what follows is followed, not read at once
        at = START - 90 * 86_400.0
        for place, turn in enumerate(said):
            at += turn.pause
            clock.advance(60.0)
            if turn.hidden is not None and not all_of:
                continue
            seen = memory.observe(
                worded(turn, place),
                actor=turn.actor,
                source_id=f"{turn.room}:{place}",
                observed_at=at,
                boundary=ELSEWHERE if turn.hidden == "scope" else WRITER,
            )
            if turn.helpful:
                _ = memory.feedback(seen.claims[0].id, "helpful", boundary=WRITER)
        clock.now = START + 86_400.0
        yield memory


def shown(memory: Memory, query: str) -> list[tuple[str, float]]:
    items = memory.activate(query, top_k=100, boundary=READER).items
    return [(item.claim.text, item.score) for item in items]


def question(text: str, *, hidden: str | None = None, pause: float = 60.0) -> Turn:
    return Turn(text, "alice", pause, "r/D1", hidden, helpful=False)


@settings(max_examples=FEW, suppress_health_check=list(HealthCheck))
@example(
    said=[question("Where is the boat?"), question("Well?", hidden="pii"), question("In Berlin.")],
    query="Where is the boat?",
)  # the answer stands beside the question, whatever was said between
@example(
    said=[
        question("Where is the boat?"),
        question("Well?", hidden="scope", pause=4 * HOUR),
        question("In Berlin.", pause=4 * HOUR),
    ],
    query="Where is the boat?",
)  # and a pause is one, whatever was said in it
@given(said=st.lists(turns, min_size=2, max_size=12), query=st.sampled_from(QUERIES))
def test_hidden_turns_change_nothing(said: list[Turn], query: str) -> None:  # decision G
    with filled(said, all_of=False) as memory:
        without = shown(memory, query)
    with filled(said, all_of=True) as memory:
        assert shown(memory, query) == without


@pytest.mark.parametrize("between", [1, 63, 64, 65, 130])
def test_an_answer_is_beside_its_question_over_many_hidden_turns(between: int) -> None:
    asked, answered = question("Where is the boat?"), question("In Berlin.")
    hidden = [question(f"It is note {n}.", hidden="scope", pause=1.0) for n in range(between)]
    with filled([asked, answered], all_of=True) as memory:
        beside = memory.activate("boat", top_k=100, boundary=READER, include_meta=True)
    with filled([asked, *hidden, answered], all_of=True) as memory:
        apart = memory.activate("boat", top_k=100, boundary=READER, include_meta=True)
    known = [(item.score, item.scores) for item in beside.items]
    assert len(known) == 2
    assert known[1][1] is not None
    assert known[1][1].window == 0.8
    assert [item.scores.window for item in apart.items if item.scores] == [1.0, 0.8]


def test_what_is_hidden_is_hidden() -> None:
    said = [question("Where is the boat?", hidden=how) for how in ("pii", "scope", None)]
    with filled(said, all_of=True) as memory:
        assert [text for text, _ in shown(memory, "boat")] == ["Where is the boat, 2?"]
        everything = memory.activate("boat", top_k=100, boundary=WRITER).items
        assert {(one.claim.scope, one.claim.boundary_class) for one in everything} == {
            ("project", "pii"),
            ("principle", "internal"),
            ("project", "internal"),
        }
