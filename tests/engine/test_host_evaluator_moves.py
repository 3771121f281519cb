"""What an evaluator of the host's forbids is not moved: not by feedback, scores, merges, reviews."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import pytest
from returns.result import Result

from pce_memory import Boundary, CoreDeps, Memory, create_core_module, or_raise
from pce_memory.critic import process_feedback, process_score
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import IntegrationOptions
from pce_memory.domain.feedback import Feedback
from pce_memory.domain.judged import GivenScore
from pce_memory.engine.results import Results
from pce_memory.errors import BoundaryDenied, PortFailed
from pce_memory.integrator import integrate_with_options
from tests.conftest import tables
from tests.engine.test_host_evaluator import (
    BOUNDARY,
    TRUE,
    Overriding,
    SeedEvaluator,
    about,
    claim,
    judged_by,
)
from tests.engine.test_reviews import CONTACTS, claim as waiting

TEA: Final = "Ann drinks green tea."
COFFEE: Final = "Bob drinks coffee at noon."
Moves = Callable[[CoreDeps, Memory], Result[Any, Any]]


def contents(memory: Memory) -> Mapping[str, Sequence[Any]]:
    """Return all that the file holds, but for what the audit was told."""
    return {
        name: memory.deps.db.query(f'select * from "{name}" order by all').unwrap()
        for name in tables(memory)
        if name != "audit"
    }


def stored(memory: Memory) -> Mapping[str, str]:
    """Store a claim that will be forbidden and one that will not; return their ids by text."""
    given = [claim(1, TEA, memory), claim(2, COFFEE, memory)]
    _ = memory.integrate(given, boundary=BOUNDARY)
    return {one.text: one.id for one in given}


def given(memory: Memory, signal: str, claim_id: str = "clm_1", **fields: Any) -> Feedback:
    known = {"id": "fb_1", "claim_id": claim_id, "signal": signal, "ts": memory.deps.clock()}
    return Feedback.model_validate({**known, **fields})


def fed(signal: str, claim_id: str = "clm_1", **fields: Any) -> Moves:
    """Return feedback without a boundary, as the design's critic gives it."""
    return lambda deps, memory: create_core_module(deps).critic(
        given(memory, signal, claim_id, **fields), memory.policy()
    )


def scored(score: float) -> Moves:
    """Return a score without a boundary: the second of two, so that it moves the claim."""

    def moves(deps: CoreDeps, memory: Memory) -> Result[Any, Any]:
        first = GivenScore.model_validate({"id": "jdg_1", "claim_id": "clm_1", "score": score})
        return process_score(first, memory.policy())(deps)

    return moves


MOVES: Final[Mapping[str, Moves]] = {
    "a helpful one": fed("helpful"),
    "a harmful one": fed("harmful"),
    "an outdated one": fed("outdated"),
    "a duplicate of what is near": fed("duplicate"),
    "a duplicate of another": fed("duplicate", duplicate_of="clm_2"),
    "another that is a duplicate of it": fed("duplicate", "clm_2", duplicate_of="clm_1"),
    "a score": scored(80.0),
    "no score": lambda deps, memory: process_score(
        GivenScore.model_validate({"id": "jdg_1", "claim_id": "clm_1"}), memory.policy()
    )(deps),
}


@pytest.mark.parametrize("evaluator", [SeedEvaluator(about("tea")), Overriding()])
@pytest.mark.parametrize("move", MOVES)
def test_a_no_refuses_every_move(memory: Memory, move: str, evaluator: object) -> None:
    _ = stored(memory)
    before = contents(memory)
    refused = MOVES[move](judged_by(memory, evaluator), memory).failure()
    assert isinstance(refused, BoundaryDenied)
    assert refused.reason == "I(B) violation (clm_1)"
    assert contents(memory) == before


@pytest.mark.parametrize("move", MOVES)
def test_what_raises_refuses_every_move(memory: Memory, move: str) -> None:
    def raises(_: Sequence[AnyClaim]) -> bool:
        raise ValueError("zanzibar")

    _ = stored(memory)
    before = contents(memory)
    refused = MOVES[move](judged_by(memory, SeedEvaluator(raises)), memory).failure()
    assert refused == PortFailed("invariant_evaluator", "it raised ValueError")
    assert contents(memory) == before


@pytest.mark.parametrize("move", MOVES)
def test_a_yes_lets_every_move_through(memory: Memory, move: str) -> None:
    _ = stored(memory)
    before = contents(memory)
    _ = or_raise(MOVES[move](judged_by(memory, SeedEvaluator(lambda _: False)), memory))
    assert contents(memory) != before


def test_the_policys_own_rules_refuse_a_move_too(memory: Memory) -> None:
    _ = stored(memory)
    _ = memory.apply_policy(
        'version: "9.0.0"\nextends: default\ninvariants:\n'
        "  - {name: short, applies_to: ['*'], rule: claim.text_length < 25}\n"
    )
    policy = memory.policy()
    refused = process_feedback(given(memory, "helpful", "clm_2"), policy)(memory.deps)
    assert refused.failure().message == "Boundary denied: I(B) violation: short (clm_2)"
    helped = or_raise(process_feedback(given(memory, "helpful"), policy)(memory.deps))
    assert helped.updated.confidence > helped.previous.confidence


def test_a_signal_may_move_a_claim_out_of_sight(memory: Memory) -> None:
    _ = stored(memory)
    deps = judged_by(memory, SeedEvaluator(lambda claims: claims[0].confidence < 0.5))
    assert or_raise(fed("outdated")(deps, memory)).updated.confidence < 0.5
    refused = fed("harmful", id="fb_2")(deps, memory).failure()
    assert refused.message == "Boundary denied: I(B) violation (clm_1)"


def test_a_claim_is_no_duplicate_where_that_may_not_be(memory: Memory) -> None:
    _ = stored(memory)
    deps = judged_by(memory, SeedEvaluator(lambda claims: claims[0].status == "tombstone"))
    before = contents(memory)
    refused = fed("duplicate", duplicate_of="clm_2")(deps, memory).failure()
    assert refused.message == "Boundary denied: I(B) violation (clm_1)"
    assert contents(memory) == before


def test_what_waits_is_let_in_only_if_the_evaluator_permits_it(memory: Memory) -> None:
    _ = memory.integrate([waiting()], boundary=CONTACTS)
    (review,) = memory.reviews.list()
    deps = judged_by(memory, SeedEvaluator(lambda claims: claims[0].status == "active"))
    before = contents(memory)
    reviews = Results(deps, BOUNDARY).reviews
    refused = reviews.approve(review.id, reviewer="kim").failure()
    assert refused.message == "Boundary denied: I(B) violation (clm_1)"
    assert contents(memory) == before
    assert or_raise(reviews.reject(review.id, reviewer="kim")).status == "rejected"


def test_what_waits_is_judged_by_the_rules_of_now(memory: Memory) -> None:
    _ = memory.integrate([waiting()], boundary=CONTACTS)
    (review,) = memory.reviews.list()
    _ = memory.apply_policy(
        'version: "9.0.0"\nextends: default\ninvariants:\n'
        "  - {name: short, applies_to: ['*'], rule: claim.text_length < 25}\n"
    )
    refused = memory.results.reviews.approve(review.id, reviewer="kim").failure()
    assert refused.message == "Boundary denied: I(B) violation: short (clm_1)"
    assert memory.reviews.list()[0].status == "pending"


def test_a_merge_of_what_was_valid_before_is_judged_where_it_moves(memory: Memory) -> None:
    _ = stored(memory)
    slower = claim(1, TEA, memory).model_copy(update={"scope": "principle"})
    deps = judged_by(memory, SeedEvaluator(lambda claims: claims[0].scope == "principle"))
    unchecked, before = IntegrationOptions(validate_invariants=False), contents(memory)

    def integrated(one: AnyClaim) -> Result[Any, Any]:
        return integrate_with_options([one], BOUNDARY, memory.policy(), unchecked)(deps)

    refused = integrated(slower).failure()
    assert refused.message == "Boundary denied: I(B) violation: anything (clm_1)"
    assert contents(memory) == before
    assert or_raise(integrated(claim(1, TEA, memory))).unchanged == ("clm_1",)


def test_a_boundary_that_names_a_rule_is_judged_by_it(memory: Memory) -> None:
    _ = stored(memory)
    strict = Boundary.model_validate(
        {**BOUNDARY.model_dump(), "invariants": [TRUE.model_copy(update={"name": "mine"})]}
    )
    deps = judged_by(memory, SeedEvaluator(lambda claims: claims[0].confidence > 0.5))
    assert or_raise(Results(deps, strict).feedback("clm_1", "helpful")).updated.confidence > 0.5
    assert Results(deps, strict).feedback("clm_1", "helpful").failure().code == "UNKNOWN_CLAIM"
