"""The evaluator is the one judge: where it says no to everything, nothing comes in and moves."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import pytest
from hypothesis import given, strategies as st
from returns.result import Failure, Result

from pce_memory import CoreDeps, Memory, Query, create_core_module, or_raise
from pce_memory.critic import process_feedback, process_feedbacks, process_score
from pce_memory.domain.claim import AnyClaim, Claim
from pce_memory.domain.extraction import IntegrationOptions
from pce_memory.domain.feedback import Feedback
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.judged import GivenScore
from pce_memory.domain.provenance import Provenance
from pce_memory.engine.results import Results
from pce_memory.errors import PCEError
from tests.conftest import CountingIds, FakeClock, wipe
from tests.engine.test_host_evaluator import BOUNDARY, Overriding, SeedEvaluator, judged_by
from tests.engine.test_host_evaluator_moves import contents
from tests.engine.test_reviews import CONTACTS, claim

KNOWN: Final = ("Ann drinks green tea.", "Bob drinks coffee at noon.", "健二は緑茶を飲む。")
TEXTS: Final = (*KNOWN, "Zoe eats an apple in the hall.")
PROVENANCE: Final = Provenance(at="2025-06-15T15:00:00Z")
UNCHECKED: Final = IntegrationOptions(validate_invariants=False)
SIGNALS: Final = ("helpful", "harmful", "outdated", "duplicate")

T = TypeVar("T")
Step: TypeAlias = Callable[[CoreDeps, Memory], Any]
Steps: TypeAlias = st.SearchStrategy[Step]


class Refusing(Overriding):
    """The built-in evaluator, its predicate over rows included, but it says no to every claim."""

    def evaluate_all(self, _invariants: Sequence[Any], claims: Sequence[AnyClaim]) -> Any:
        return not claims


EVALUATORS: Final[Mapping[str, Callable[[], object]]] = {
    "of the seed": lambda: SeedEvaluator(bool),
    "the built-in one, overridden": Refusing,
}


@pytest.fixture
def memory(clock: FakeClock, ids: CountingIds) -> Iterator[Memory]:
    """A memory under the packaged policy, in whose queue a claim of personal data waits."""
    with Memory.open(embedder="hashing", clock=clock, ids=ids) as opened:
        yield opened


def made(number: int, text: str) -> Claim:
    return claim(number, text, boundary_class="internal")


def feedback(signal: str, one: int, other: int | None) -> Feedback:
    of = f"clm_{other}" if signal == "duplicate" and other not in {None, one} else None
    ts = claim().created_at
    fields = {"id": "fb_new", "claim_id": f"clm_{one}", "signal": signal, "ts": ts}
    return Feedback.model_validate({**fields, "duplicate_of": of})


def score(one: int, points: float | None) -> GivenScore:
    fields = {"id": "jdg_new", "claim_id": f"clm_{one}", "score": points}
    return GivenScore.model_validate(fields)


def at(deps: CoreDeps) -> Results:
    return Results(deps, BOUNDARY)


numbers = st.integers(1, len(KNOWN))
signals = st.sampled_from(SIGNALS)
texts = st.sampled_from(TEXTS)
points = st.none() | st.floats(0.0, 100.0)


def step(drawn: st.SearchStrategy[T], work: Callable[[T, CoreDeps, Memory], Any]) -> Steps:
    """Return the calls that do some work with what is drawn."""

    def called(value: T) -> Step:
        return lambda deps, memory: work(value, deps, memory)

    return drawn.map(called)


def writes() -> Steps:
    """Return what writes or moves a claim or a document, with a boundary or without."""
    fed = st.builds(feedback, signals, numbers, st.none() | numbers)
    claims = st.builds(made, st.integers(1, 9), texts)
    return st.one_of(
        step(fed, lambda f, d, m: create_core_module(d).critic(f, m.policy())),
        step(fed, lambda f, d, m: process_feedback(f, m.policy(), boundary=BOUNDARY)(d)),
        step(fed, lambda f, d, m: process_feedbacks([f], m.policy())(d)),
        step(fed, lambda f, d, _: at(d).feedback_many([f])),
        step(st.builds(score, numbers, points), lambda g, d, m: process_score(g, m.policy())(d)),
        step(numbers, lambda n, d, _: at(d).judge(f"clm_{n}", score=50.0)),
        step(
            claims,
            lambda c, d, m: create_core_module(d).integrator([c], BOUNDARY, m.policy()),
        ),
        step(claims, lambda c, d, _: at(d).integrate([c])),
        step(claims, lambda c, d, _: at(d).integrate([c], options=UNCHECKED)),
        step(claims, lambda c, d, _: at(d).integrate_many([c])),
        step(texts, lambda t, d, _: at(d).add_documents([{"pub_id": "P1", "title": t}])),
        step(numbers, lambda n, d, _: distilled(f"clm_{n}", d)),
        st.just(approved),
        step(numbers, lambda n, d, _: at(d).forget(claim_id=f"clm_{n}", boundary=BOUNDARY)),
    )


def distilled(claim_id: str, deps: CoreDeps) -> Result[Any, Any]:
    source = ClaimId(claim_id)
    return at(deps).distill("They drink.", claim_ids=[source], provenance=PROVENANCE)


def approved(deps: CoreDeps, memory: Memory) -> Result[Any, Any]:
    (review,) = memory.reviews.list()
    return at(deps).reviews.approve(review.id, reviewer="kim")


LOGS: Final = frozenset(
    {"events", "idempotency", "observations", "active_contexts", "active_context_items", "runs"}
)
"""What is written of a call, be it refused or not: of these no claim comes."""


def kept(deps: CoreDeps, _memory: Memory) -> Result[Any, Any]:
    _ = or_raise(at(deps).decay())
    return at(deps).maintain()


def calls() -> Steps:
    """Return what reads, and what observes: there all that is drawn is refused."""
    return st.one_of(
        step(texts, lambda t, d, _: at(d).observe(t, idempotency_key=t, actor="bob")),
        step(texts, lambda t, d, _: at(d).observe_many([t])),
        step(texts, lambda t, d, _: at(d).activate(t)),
        step(
            texts,
            lambda t, d, m: create_core_module(d).retriever(Query(q=t), BOUNDARY, m.policy()),
        ),
        step(texts, lambda t, d, _: at(d).fusion.rrf_search_fulltext_raw(t)),
        step(texts, lambda t, d, _: at(d).forget(query=t, boundary=BOUNDARY)),
        step(st.just("bob"), lambda who, d, _: at(d).forget(actor=who, boundary=BOUNDARY)),
        st.just(kept),
    )


def planted(memory: Memory) -> None:
    """Store claims with scores, a document, a context, and a claim that waits for a human."""
    wipe(memory)
    _ = memory.integrate([made(place, text) for place, text in enumerate(KNOWN, start=1)])
    _ = memory.integrate([claim(7)], boundary=CONTACTS)
    _ = memory.judge("clm_1", score=80.0), memory.feedback("clm_2", "helpful")
    _ = memory.add_documents([{"pub_id": "P1", "title": KNOWN[0]}])
    _ = memory.activate("tea")


def refused(outcome: Result[Any, PCEError]) -> bool:
    """Return whether a call failed, or names an item that it did not take."""
    return isinstance(outcome, Failure) or bool(outcome.unwrap().failed)


@given(write=writes(), evaluator=st.sampled_from(sorted(EVALUATORS)))
def test_a_no_to_everything_changes_nothing_but_the_audit(
    memory: Memory, write: Step, evaluator: str
) -> None:
    planted(memory)
    before = contents(memory)
    assert refused(write(judged_by(memory, EVALUATORS[evaluator]()), memory))
    assert contents(memory) == before


@given(steps=st.lists(calls(), min_size=1, max_size=4), evaluator=st.sampled_from([*EVALUATORS]))
def test_a_no_to_everything_lets_no_claim_in_and_shows_none(
    memory: Memory, steps: Sequence[Step], evaluator: str
) -> None:
    planted(memory)
    before = contents(memory)
    for call in steps:
        _ = or_raise(call(judged_by(memory, EVALUATORS[evaluator]()), memory))
    after = contents(memory)
    assert {name for name in after if after[name] != before[name]} <= LOGS
    assert after["active_context_items"] == before["active_context_items"]
