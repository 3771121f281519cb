"""Seed 6.2: what the integrator promises for any claims under any boundary."""

from collections.abc import Sequence

from hypothesis import assume, given, strategies as st
from returns.result import Failure, Success

from pce_memory import (
    Boundary,
    BoundaryClass,
    Claim,
    IntegrationOptions,
    InvariantDefinition,
    Memory,
    Scope,
    or_raise,
)
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES, slower, stricter
from pce_memory.engine.ready import default_boundary
from pce_memory.integrator import integrate
from pce_memory.integrator.merge import merge_claims
from pce_memory.policy.invariants import RuleEvaluator
from pce_memory.policy.judging import invariants_of
from pce_memory.store import claim_keys, claims as claim_rows
from tests.conftest import rows, tables, wipe
from tests.strategies import boundaries, claim_lists, claims, kinds, sentences

RULES = st.sampled_from(
    [
        "api.breaking_change == false",
        "claim.confidence >= 0.25",
        'claim.kind != "task"',
        "claim.text_length < 60 && !prompt.contains_pii",
        'claim.scope in ["project", "principle"] || claim.quality > 0.5',
    ]
)
INVARIANTS = st.builds(
    InvariantDefinition,
    name=st.just("a_rule"),
    applies_to=st.sampled_from([("*",), ("principle",), ("session", "project")]),
    rule=RULES,
)


def stored(memory: Memory) -> list[dict[str, object]]:
    found = memory.deps.db.query(
        "select id, text, kind, scope, boundary_class, confidence, content_hash, status, "
        "derived_from, tags, epoch(recency_anchor) as anchor from claims order by content_hash"
    )
    return [dict(row) for row in found.unwrap()]


def counts(memory: Memory) -> dict[str, int]:
    return {table: rows(memory, table) for table in tables(memory)}


@given(given=claim_lists(), invariant=INVARIANTS)
def test_what_is_integrated_satisfies_the_invariants(
    memory: Memory, given: Sequence[Claim], invariant: InvariantDefinition
) -> None:  # 001 §6.2 P1
    wipe(memory)
    boundary = default_boundary().model_copy(update={"invariants": (invariant,)})
    policy = memory.policy()
    result = integrate(given, boundary, policy)(memory.deps)
    if isinstance(result, Success):
        judged = invariants_of(RuleEvaluator(), [invariant]).unwrap()
        assert judged.violations(given).unwrap() == ()
        keys = claim_keys.candidates([one.id for one in given])(memory.deps).unwrap()
        standing = claim_rows.fetch(
            [key.row_id for some in keys.values() for key in some], policy, now=memory.deps.clock()
        )(memory.deps).unwrap()
        after = [one.claim for one in standing.values()]
        assert judged.violations(after).unwrap() == ()
    else:
        assert rows(memory, "claims") == 0


@given(
    text=sentences, one=claims(), other=claims(), strategy=st.sampled_from(["merge", "replace"])
)
def test_equal_content_is_one_claim(
    memory: Memory, text: str, one: Claim, other: Claim, strategy: str
) -> None:  # 001 §6.2 P2
    assume(one.id != other.id)
    wipe(memory)
    first = one.model_copy(update={"text": text, "content_hash": None})
    second = other.model_copy(update={"text": f"  {text}\n", "content_hash": None})
    done = memory.integrate(
        [first, second],
        options=IntegrationOptions.model_validate({"merge_strategy": strategy}),
    )
    assert len(done.created) == 1
    assert rows(memory, "claims") == 1
    assert memory.claim(second.id).id == memory.claim(first.id).id == first.id


@given(before=claims(), after=claims(), text=sentences)
def test_a_class_is_never_relaxed(
    memory: Memory, before: Claim, after: Claim, text: str
) -> None:  # 001 §6.2 P3
    assume(before.id != after.id)
    wipe(memory)
    for claim in (before, after):
        same = claim.model_copy(update={"text": text, "content_hash": None})
        _ = memory.integrate([same])
        found = memory.claim(claim.id)
        assert BOUNDARY_CLASSES.index(found.boundary_class) >= BOUNDARY_CLASSES.index(
            claim.boundary_class
        )
        assert SCOPES.index(found.scope) >= SCOPES.index(claim.scope)


@given(given=claim_lists())
def test_integrating_twice_is_integrating_once(memory: Memory, given: Sequence[Claim]) -> None:
    """G1: integrate(integrate(x)) = integrate(x)."""
    wipe(memory)
    first = memory.integrate(given)
    once = stored(memory), rows(memory, "evidence")
    again = memory.integrate(given)
    assert (stored(memory), rows(memory, "evidence")) == once
    assert (again.created, again.merged) == ((), ())
    assert set(again.unchanged) == set(first.created) | set(first.merged)


@given(given=claim_lists(max_size=5), boundary=boundaries, bad=st.integers(0, 4))
def test_a_failure_leaves_no_trace(
    memory: Memory, given: Sequence[Claim], boundary: Boundary, bad: int
) -> None:
    """G1: a rollback leaves the counts of every table."""
    wipe(memory)
    spoilt = list(given)
    place = bad % len(spoilt)
    spoilt[place] = spoilt[place].model_copy(update={"boundary_class": "secret"})
    before = counts(memory)
    result = integrate(spoilt, boundary, memory.policy())(memory.deps)
    assert isinstance(result, Failure)
    assert counts(memory) == before


def test_every_offender_is_named(memory: Memory) -> None:
    """Decision 3: a violation names every offending claim and why."""
    base = {
        "kind": "fact",
        "scope": "project",
        "origin_observation_id": "obs_1",
        "created_at": 1,
        "updated_at": 1,
    }
    given = [
        Claim.model_validate({**base, "id": "clm_a", "text": "one", "boundary_class": "secret"}),
        Claim.model_validate({**base, "id": "clm_b", "text": "two", "boundary_class": "pii"}),
        Claim.model_validate({**base, "id": "clm_c", "text": "three", "boundary_class": "public"}),
    ]
    failed = memory.results.integrate(given).failure()
    assert failed.message == (
        "Boundary denied: class secret is never kept (clm_a); "
        "class pii is outside the boundary (clm_b)"
    )
    assert rows(memory, "claims") == 0


CLASSES = st.sampled_from(BOUNDARY_CLASSES)


@given(a=CLASSES, b=CLASSES, c=CLASSES)
def test_the_stricter_class_is_a_maximum(
    a: BoundaryClass, b: BoundaryClass, c: BoundaryClass
) -> None:  # G1: commutative, associative, idempotent
    assert stricter(a, b) == stricter(b, a)
    assert stricter(a, stricter(b, c)) == stricter(stricter(a, b), c)
    assert stricter(a, a) == a


@given(a=st.sampled_from(SCOPES), b=st.sampled_from(SCOPES), c=st.sampled_from(SCOPES))
def test_the_slower_scope_is_a_maximum(a: Scope, b: Scope, c: Scope) -> None:
    assert slower(a, b) == slower(b, a)
    assert slower(a, slower(b, c)) == slower(slower(a, b), c)
    assert slower(a, a) == a


@given(one=claims(), other=claims(), kind=kinds)
def test_merging_keeps_the_id_text_and_utility_of_the_stored_claim(
    one: Claim, other: Claim, kind: str
) -> None:  # decision 4: merging never adds utilities
    merged = merge_claims(one, other, strategy="merge")
    assert (merged.id, merged.text, merged.utility) == (one.id, one.text, one.utility)
    assert merged.confidence == max(one.confidence, other.confidence)
    assert merge_claims(merged, other, strategy="merge") == merged


def test_or_raise_is_what_memory_uses(memory: Memory) -> None:
    assert or_raise(memory.results.integrate([])) == memory.integrate([])
