"""Claims in bulk are what the same claims are one by one, whatever the batches."""

from collections.abc import Mapping, Sequence
from unittest.mock import patch

from hypothesis import given, strategies as st

from pce_memory import Claim, Memory
from pce_memory.engine import bulk
from pce_memory.errors import MemoryFault
from tests.conftest import rows, tables, wipe
from tests.strategies import claim_lists

CLAIMS = """
select id, text, kind, scope, boundary_class, quality, confidence, utility, content_hash, near_key,
    origin_observation_id, derived_from, tags, status, superseded_by, contains_pii,
    contains_secret, breaking_change, text_length, token_count, validated_under, created_at,
    updated_at, recency_anchor, decayed_at, stream, said_by, said_at, embedded, marks
from claims order by row_id
"""
POSTINGS = """
select id, term_hash, tf, dl from postings_of(0) join claims using (row_id) order by all
"""
EVIDENCE = """
select claim_id, observation_id, method, epoch(created_at) as at from evidence order by all
"""
ALIASES = "select id, claim_id from claim_aliases order by all"
VECTORS = "select id, embedding from vectors_1 join claims using (row_id) order by id"
SAYINGS = """
select id, saying - (select min(row_id) from claims) as first from claims order by id
"""


def kept(memory: Memory, *more: str) -> Mapping[str, Sequence[object]]:
    """Return everything that is kept of claims, but for keys and the times of writing."""
    wanted = [CLAIMS, POSTINGS, EVIDENCE, ALIASES, *more]
    if "vectors_1" in tables(memory):
        wanted.append(VECTORS)
    return {sql: [dict(row) for row in memory.deps.db.query(sql).unwrap()] for sql in wanted}


def one_by_one(memory: Memory, claims: Sequence[Claim]) -> list[int]:
    """Integrate claims one after the other; return the places of those that were refused."""
    refused: list[int] = []
    for place, claim in enumerate(claims):
        try:
            _ = memory.integrate([claim])
        except MemoryFault:
            refused.append(place)
    return refused


@given(claims=claim_lists(), size=st.integers(1, 4))
def test_in_bulk_as_one_by_one(memory: Memory, claims: Sequence[Claim], size: int) -> None:
    wipe(memory)
    refused = one_by_one(memory, claims)
    wanted = kept(memory)
    wipe(memory)
    with patch.object(bulk, "BATCH", size):
        done = memory.integrate_many(claims)
    assert [one.index for one in done.failed] == refused
    assert kept(memory) == wanted


@given(claims=claim_lists())
def test_one_batch_is_one_call(memory: Memory, claims: Sequence[Claim]) -> None:
    wipe(memory)
    try:
        told = memory.integrate(claims)
    except MemoryFault:
        return
    wanted = kept(memory, SAYINGS)
    wipe(memory)
    done = memory.integrate_many(claims)
    assert kept(memory, SAYINGS) == wanted
    assert (done.created, done.merged, done.unchanged, done.queued) == (
        len(told.created),
        len(told.merged),
        len(told.unchanged),
        len(told.queued),
    )


@given(claims=claim_lists(), size=st.integers(1, 3))
def test_a_run_that_is_repeated_makes_nothing(
    memory: Memory, claims: Sequence[Claim], size: int
) -> None:
    wipe(memory)
    with patch.object(bulk, "BATCH", size):
        _ = memory.integrate_many(claims)
        before = rows(memory, "claims"), rows(memory, "evidence")
        again = memory.integrate_many(claims)
    assert again.created == 0
    assert (rows(memory, "claims"), rows(memory, "evidence")) == before


@given(claims=claim_lists())
def test_mappings_are_claims_as_well(memory: Memory, claims: Sequence[Claim]) -> None:
    wipe(memory)
    _ = memory.integrate_many(claims)
    wanted = kept(memory)
    wipe(memory)
    _ = memory.integrate_many(one.model_dump() for one in claims)
    assert kept(memory) == wanted
