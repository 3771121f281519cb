"""Entities that are given with an observation are linked to its claims, and the result tells it."""

from typing import Any, Final

import pytest

from pce_memory import Memory
from pce_memory.domain.graph import Entity, Relation
from pce_memory.domain.ids import ClaimId, EntityId, RelationId

ATLAS: Final = Entity(id=EntityId("ent_atlas"), type="Concept", name="Atlas")
GATEWAY: Final = Entity(id=EntityId("ent_gateway"), type="Concept", name="Gateway Seven")


@pytest.fixture
def memory() -> Memory:
    return Memory.open(embedder="hashing")


def links(memory: Memory) -> list[tuple[str, str]]:
    """Return which texts name which entities, as it is stored."""
    rows = memory.deps.db.query(
        "select claims.text, entities.name from claim_entities "
        "join claims on claims.id = claim_id join entities on entities.id = entity_id order by all"
    ).unwrap()
    return [(row["text"], row["name"]) for row in rows]


def test_what_no_claim_names_is_linked_to_all(memory: Memory) -> None:
    seen = memory.observe("It was restarted on Monday.", entities=[ATLAS])
    assert links(memory) == [("It was restarted on Monday.", "Atlas")]
    assert seen.linked == {ATLAS.id: (seen.claims[0].id,)}


def test_what_some_claims_name_is_linked_to_those(memory: Memory) -> None:
    text = "Atlas was restarted on Monday. The office was closed then."
    seen = memory.observe(text, entities=[ATLAS, GATEWAY])
    assert len(seen.claims) == 2
    both = tuple(one.id for one in seen.claims)
    assert seen.linked == {ATLAS.id: both[:1], GATEWAY.id: both}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("前夜に再起動した。事務所は閉まっていた。", "アトラス"),
        ("They also said that all is fine.", "Al"),
        ("It was restarted on Monday.", "Atlas"),
    ],
)
def test_a_part_of_a_word_is_no_name(memory: Memory, text: str, name: str) -> None:
    entity = ATLAS.model_copy(update={"name": name})
    seen = memory.observe(text, entities=[entity])
    assert seen.linked == {entity.id: tuple(one.id for one in seen.claims)}
    assert len(links(memory)) == len(seen.claims) > 0


def test_of_many_each_is_linked_to_its_own(memory: Memory) -> None:
    told: list[Any] = []
    items: list[dict[str, object]] = [
        {"content": "It was restarted on Monday.", "entities": [ATLAS]},
        {"content": "夜の間に直した。", "entities": [GATEWAY]},
        {"content": "Nothing is given here."},
    ]
    done = memory.observe_many(items, each=lambda _, one: told.append(one.unwrap()))
    assert done.failed == ()
    assert links(memory) == [
        ("It was restarted on Monday.", "Atlas"),
        ("夜の間に直した。", "Gateway Seven"),
    ]
    assert [len(one.linked) for one in told] == [1, 1, 0]


def test_a_merge_is_linked_to_the_claim_that_stands(memory: Memory) -> None:
    first = memory.observe("It was restarted on Monday.")
    seen = memory.observe("It was restarted on Monday.", entities=[ATLAS])
    assert seen.linked == {ATLAS.id: (first.claims[0].id,)}
    assert links(memory) == [("It was restarted on Monday.", "Atlas")]


def test_a_repeated_call_tells_the_same(memory: Memory) -> None:
    def call() -> Any:
        return memory.observe("It was restarted.", entities=[ATLAS], idempotency_key="k1")

    first, again = call(), call()
    assert again.replayed
    assert again.linked == first.linked != {}
    _ = memory.forget(claim_id=first.claims[0].id)
    assert call().linked == {}


def test_where_nothing_is_kept_no_entity_is(memory: Memory) -> None:
    seen = memory.observe("ok", entities=[ATLAS])
    assert (seen.claims, seen.linked) == ((), {ATLAS.id: ()})
    assert memory.deps.db.query("select * from entities").unwrap() == []


def test_what_only_a_refused_claim_names_is_linked_to_the_rest() -> None:
    policy = (
        'version: "1.0.0"\nextends: default\n'
        "invariants: [{name: short, applies_to: ['*'], rule: claim.text_length < 40}]\n"
    )
    with Memory.open(embedder="hashing", policy=policy) as memory:
        text = "The old Atlas of the third floor was restarted on Monday. It is well."
        seen = memory.observe(text, entities=[ATLAS])
        assert [one.text for one in seen.claims] == ["It is well."]
        assert links(memory) == [("It is well.", "Atlas")]
        alone = memory.observe(
            "The old Gateway Seven of the third floor is out.", entities=[GATEWAY]
        )
        assert alone.claims == ()
        assert [name for _, name in links(memory)] == ["Atlas"]


def test_a_relation_rests_on_the_claim_that_names_its_ends(memory: Memory) -> None:
    edge = Relation(id=RelationId("rel_1"), src_id=ATLAS.id, dst_id=GATEWAY.id, type="depends_on")
    text = "The weather was fine. Atlas depends on Gateway Seven."
    seen = memory.observe(text, entities=[ATLAS, GATEWAY], relations=[edge])
    [row] = memory.deps.db.query("select evidence_claim_id as id from relations").unwrap()
    assert row["id"] == seen.claims[1].id
    _ = memory.forget(claim_id=ClaimId(row["id"]))
    assert memory.deps.db.query("select * from relations").unwrap() == []
