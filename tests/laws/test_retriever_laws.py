"""Seed 6.3: what the retriever promises for any query under any boundary."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given, strategies as st
from returns.result import Failure, Success

from pce_memory import Boundary, Claim, Memory, Query
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.engine.ready import default_boundary
from pce_memory.retriever import activate
from tests.conftest import wipe
from tests.strategies import boundaries, claim_lists, claims, sentences

QUERIES = st.one_of(
    sentences,
    st.sampled_from(["", "dark mode", "デプロイ", "'; drop table claims; --", "\0\ud800"]),
)
SCOPE_SETS = st.none() | st.sets(st.sampled_from(SCOPES), min_size=1).map(tuple)
WIDE = default_boundary().model_copy(
    update={
        "boundary_classes": ("public", "internal", "pii"),
        "allow": ("answer:task", "tool:contact-lookup"),
    }
)
ANY_CLASS = st.sampled_from(["public", "internal", "pii"])


def fill(memory: Memory, given: Sequence[Claim]) -> None:
    wipe(memory)
    _ = memory.integrate(given, boundary=WIDE)


@given(
    given=claim_lists(boundary_class=ANY_CLASS),
    query=QUERIES,
    boundary=boundaries,
    scope=SCOPE_SETS,
)
def test_items_are_within_the_boundary(
    memory: Memory,
    given: Sequence[Claim],
    query: str,
    boundary: Boundary,
    scope: tuple[str, ...] | None,
) -> None:  # 001 §6.3 P1, with ∩ where the seed writes ∪
    fill(memory, given)
    asked = Query.model_validate({"q": query, "scope": scope, "top_k": 100})
    result = activate(asked, boundary, memory.policy())(memory.deps)
    if isinstance(result, Success):
        for item in result.unwrap().items:
            assert item.claim.scope in set(boundary.scope) & set(scope or SCOPES)
            assert item.claim.boundary_class in boundary.boundary_classes
            assert item.claim.boundary_class != "secret"


@given(given=claim_lists(max_size=12), query=QUERIES)
def test_scores_never_rise_down_the_list(
    memory: Memory, given: Sequence[Claim], query: str
) -> None:  # 001 §6.3 P2
    fill(memory, given)
    items = memory.activate(query, top_k=100).items
    assert all(one.score >= other.score for one, other in pairwise(items))
    assert [item.rank for item in items] == list(range(1, len(items) + 1))


@given(given=claim_lists(max_size=12), query=QUERIES)
def test_every_score_reaches_the_threshold(
    memory: Memory, given: Sequence[Claim], query: str
) -> None:  # 001 §6.3 P3
    fill(memory, given)
    found = memory.activate(query, top_k=100, include_meta=True)
    assert all(item.score >= 0.15 for item in found.items)
    for item in found.items:
        assert item.scores is not None
        assert 0 <= item.scores.combined <= 1
        assert 0.09 <= item.scores.g <= 1
        first = item.scores.combined * item.scores.g
        fitting = item.scores.relevance
        assert first >= 0.15
        wanted = first if fitting is None else 0.15 + 0.85 * fitting * item.scores.g
        assert abs(item.score - wanted) < 1e-12


@given(
    shown=claim_lists(max_size=6),
    hidden=claim_lists(max_size=6, boundary_class=st.just("pii")),
    query=QUERIES,
)
def test_invisible_claims_change_nothing(
    memory: Memory, shown: Sequence[Claim], hidden: Sequence[Claim], query: str
) -> None:  # G1 and decision G: budget, statistics and the population of the z-score
    texts = {one.content_hash for one in shown}
    others = [one for one in hidden if one.content_hash not in texts]
    ids = {one.id for one in shown}
    fill(memory, shown)
    before = [(i.claim.id, i.score) for i in memory.activate(query, top_k=100).items]
    _ = memory.integrate([one for one in others if one.id not in ids], boundary=WIDE)
    after = [(i.claim.id, i.score) for i in memory.activate(query, top_k=100).items]
    assert after == before


@given(given=claim_lists(max_size=8), query=QUERIES, data=st.data())
def test_the_order_of_insertion_has_no_say(
    memory: Memory, given: Sequence[Claim], query: str, data: st.DataObject
) -> None:  # G1: deterministic under row order
    once = {one.content_hash: one for one in given}
    distinct = list(once.values())
    fill(memory, distinct)
    before = [(i.claim.id, i.score) for i in memory.activate(query, top_k=100).items]
    fill(memory, data.draw(st.permutations(distinct)))
    after = [(i.claim.id, i.score) for i in memory.activate(query, top_k=100).items]
    assert after == before


@given(claim=claims(), tag=st.sampled_from(["*", "tool:*", "answer:*", "tool:contact*"]))
def test_a_callers_wildcard_opens_nothing(memory: Memory, claim: Claim, tag: str) -> None:
    hidden = claim.model_copy(update={"boundary_class": "pii"})
    fill(memory, [hidden])
    narrow = WIDE.model_copy(update={"allow": (tag,)})
    result = activate(Query(q="", allow=(tag,)), narrow, memory.policy())(memory.deps)
    assert isinstance(result, Failure) or result.unwrap().items == ()
