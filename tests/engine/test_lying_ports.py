"""Ports of the host's that raise or lie: an error with a name, as a value, and nothing written."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

import pytest
from returns.result import Failure, Result, Success

from pce_memory import CoreDeps, Memory, Query, create_core_module
from pce_memory.domain.feedback import Feedback
from pce_memory.domain.ids import ClaimId, FeedbackId
from pce_memory.domain.observation import Observation
from pce_memory.engine.ready import default_boundary
from pce_memory.engine.results import Results
from tests.conftest import tables
from tests.engine.test_reviews import claim

BOUNDARY = default_boundary()

pytestmark = pytest.mark.slow


def raises(fault: BaseException) -> Callable[..., Any]:
    def work(*_: object, **__: object) -> Any:
        raise fault

    return work


def gives(value: object) -> Callable[..., Any]:
    return lambda *_, **__: value


RAISED: Final = {
    "an exception": raises(ValueError("zanzibar")),
    "an exit": raises(SystemExit(3)),
    "None": gives(None),
}
CLOCKS: Final = {
    **RAISED,
    "not a number": gives(math.nan),
    "infinity": gives(math.inf),
    "a time before all": gives(-1.0),
    "a huge time": gives(10**400),
    "a text": gives("zanzibar"),
    "a truth": gives(True),
}
IDS: Final = {
    **RAISED,
    "no text": gives(7),
    "an empty text": gives(""),
    "another prefix": gives("zanzibar"),
    "a long id": lambda prefix: f"{prefix}{'a' * 9_999}",
    "signs": lambda prefix: f"{prefix}'; drop table claims",
    "the same id": lambda prefix: f"{prefix}1",
}
DIGESTS: Final = {**RAISED, "no text": gives(7), "nothing": gives(""), "much": gives("a" * 9_999)}


class Embedder:
    """An embedder of the host's, of which one thing is wrong."""

    def __init__(self, provider: Any, **wrong: object) -> None:
        self._wrong = wrong
        self.model_id: Any = wrong.get("model_id", provider.model_id)
        self.version: Any = provider.version
        self.dimension: Any = wrong.get("dimension", provider.dimension)

    def embed(self, text: str) -> Any:
        batch = self.embed_batch([text])
        return batch.map(lambda rows: rows[0]) if isinstance(batch, Result) else batch

    def embed_batch(self, texts: Sequence[str]) -> Any:
        row = self._wrong.get("row")
        if callable(row):
            return row()
        return Success([row for _ in texts])


WRONG: Final[Mapping[str, Mapping[str, object]]] = {
    "an exception": {"row": raises(ValueError("zanzibar"))},
    "an exit": {"row": raises(SystemExit(3))},
    "None": {"row": gives(None)},
    "a Failure of its own": {"row": gives(Failure("zanzibar"))},
    "too few": {"row": gives(Success([]))},
    "a text": {"row": "zanzibar"},
    "no vector": {"row": None},
    "another dimension": {"row": [1.0]},
    "no number": {"row": [math.nan] * 4096},
    "zeros": {"row": gives(Success([[0.0] * 256]))},
    "no dimension": {"dimension": "zanzibar"},
    "a negative dimension": {"dimension": -3},
    "no name": {"model_id": 7},
}


class Store:
    """A store of policies of the host's, whole but for what it gives."""

    def __init__(self, give: Callable[..., Any]) -> None:
        self.get_current = self.get_version = self.apply = self.history = give


STORES: Final = {
    "an exception": raises(ValueError("zanzibar")),
    "an exit": raises(SystemExit(3)),
    "a text": gives("zanzibar"),
    "a Failure of its own": gives(Failure("zanzibar")),
    "a Success of nothing known": gives(Success(7)),
}

PORTS: Final[Mapping[str, tuple[Mapping[str, Any], set[str]]]] = {
    "clock": (CLOCKS, {"CLOCK_FAILED"}),
    "ids": (IDS, {"INVALID_ID", "DATABASE_ERROR"}),
    "digest": (DIGESTS, {"PORT_FAILED"}),
    "embedding": (WRONG, {"EMBEDDING_FAILED", "DIMENSION_MISMATCH"}),
    "policy_store": (STORES, {"PORT_FAILED"}),
}
CASES: Final = [(port, how) for port, (how_by_name, _) in PORTS.items() for how in how_by_name]


def lying(memory: Memory, port: str, how: str) -> CoreDeps:
    wrong = PORTS[port][0][how]
    if port == "embedding":
        wrong = Embedder(memory.deps.embedding, **wrong)
    if port == "policy_store":
        wrong = Store(wrong)
    return replace(memory.deps, **{port: cast("Any", wrong)})


def operations(deps: CoreDeps, memory: Memory, known: ClaimId) -> Mapping[str, Callable[[], Any]]:
    results, module, policy = Results(deps, BOUNDARY), create_core_module(deps), memory.policy()
    new = [claim(text="A door is blue.", boundary_class="internal")]
    spoken = Observation.model_validate(
        {"id": "obs_9", "content": "A door is blue.", "source_type": "chat", "created_at": 1e9}
    )
    signal = Feedback(
        id=FeedbackId("fb_9"), ts=memory.deps.clock(), claim_id=known, signal="helpful"
    )
    return {
        "observe": lambda: results.observe("The gate is green.", idempotency_key="k"),
        "observe many": lambda: results.observe_many([{"content": "The gate is green."}]),
        "documents": lambda: results.add_documents([{"pub_id": "P", "title": "A gate"}]),
        "integrate": lambda: results.integrate(new),
        "search": lambda: results.search("lamp"),
        "activate": lambda: results.activate("lamp"),
        "feedback": lambda: results.feedback(known, "helpful"),
        "judge": lambda: results.judge(known, score=50),
        "a lane": lambda: results.fusion.rrf_search_fulltext_raw("lamp"),
        "the extractor": lambda: module.extractor(spoken, BOUNDARY),
        "the integrator": lambda: module.integrator(new, BOUNDARY, policy),
        "the retriever": lambda: module.retriever(Query(q="lamp"), BOUNDARY, policy),
        "the critic": lambda: module.critic(signal, policy),
        "the validator": lambda: module.boundary.validate("lamp", BOUNDARY, policy),
        "forget": lambda: results.forget(claim_id=known),
        "forget words": lambda: results.forget(query="lamp"),
    }


@pytest.mark.parametrize(("port", "how"), CASES)
def test_what_a_port_does_wrong_is_a_value_and_nothing_is_written(
    memory: Memory, port: str, how: str
) -> None:
    known = memory.observe("The lamp is red.").claims[0].id
    before = contents(memory)
    failed: list[str] = []
    for name, operation in operations(lying(memory, port, how), memory, known).items():
        done = operation()
        if isinstance(done, Failure):
            assert cast("Any", done.failure()).code in PORTS[port][1], (name, done)
            assert "zanzibar" not in str(done.failure())
            assert contents(memory) == before, name
            failed.append(name)
        else:
            before = contents(memory)
    tolerated = {"embedding": {"search", "observe"}, "policy_store": set(), "ids": set()}
    assert failed or port in tolerated


def contents(memory: Memory) -> str:
    """Return all that tables hold, save what is told of operations."""
    return str(
        {
            table: memory.deps.db.query(f'select * from "{table}"').unwrap()
            for table in tables(memory)
            if table not in {"audit", "events"}
        }
    )
