"""What an id of an entity or an edge means: what its call says it is, or what the caller is shown."""

from typing import Any, Final

import pytest

from pce_memory import Boundary, Entity, ExtractionResult, Memory, Mention, Relation
from pce_memory.domain.ids import ClaimId, EntityId, RelationId
from tests.engine.test_linked_entities import links
from tests.laws.test_hidden_writes_laws import CALLERS, OWNER, claim

MINE: Final = CALLERS["another scope"]


@pytest.fixture
def memory() -> Memory:
    return Memory.open(embedder="hashing")


def entity(number: int, name: str, **fields: Any) -> Entity:
    fields.setdefault("type", "Actor")
    return Entity(id=EntityId(f"ent_{number}"), name=name, **fields)


def edge(number: int, src: int, dst: int) -> Relation:
    return Relation(
        id=RelationId(f"rel_{number}"),
        src_id=EntityId(f"ent_{src}"),
        dst_id=EntityId(f"ent_{dst}"),
        type="near",
    )


def edges(memory: Memory) -> list[str]:
    rows = memory.deps.db.query("select src_id, dst_id from relations order by all").unwrap()
    return [f"{row['src_id']} {row['dst_id']}" for row in rows]


def mentioning(number: int, text: str, of: int) -> ExtractionResult:
    one = claim(number, text, "principle")
    return ExtractionResult(
        claims=(one,), mentions=(Mention(claim_id=one.id, entity_id=EntityId(f"ent_{of}")),)
    )


@pytest.mark.parametrize("hidden", [True, False])
def test_what_is_hidden_is_linked_to_nothing(memory: Memory, hidden: bool) -> None:
    if hidden:
        mallory = entity(9, "Mallory Secretname")
        memory.observe("Something hidden.", entities=[mallory], boundary=OWNER)
    done = memory.integrate(mentioning(1, "Tea is good.", 9), boundary=MINE)
    assert [text.split()[0] for text in done.warnings] == ["ent_9"]
    seen = memory.observe(
        "牛乳も。", entities=[entity(1, "牛乳")], relations=[edge(2, 1, 9)], boundary=MINE
    )
    assert [text.split()[0] for text in seen.warnings] == ["ent_9"]
    assert "Tea is good." not in dict(links(memory))
    assert edges(memory) == []
    assert memory.forget(query="Secretname", dry_run=True, boundary=MINE).claims == ()


def test_what_is_shown_is_linked(memory: Memory) -> None:
    memory.observe("Atlas runs.", entities=[entity(1, "Atlas")])
    done = memory.integrate(mentioning(1, "It was restarted.", 1))
    assert done.warnings == ()
    seen = memory.observe("The gate.", entities=[entity(2, "gate")], relations=[edge(1, 2, 1)])
    assert seen.warnings == ()
    assert links(memory) == [
        ("Atlas runs.", "Atlas"),
        ("It was restarted.", "Atlas"),
        ("The gate.", "gate"),
    ]
    assert edges(memory) == ["ent_2 ent_1"]


def test_an_id_of_several_entities_means_none_of_them(memory: Memory) -> None:
    memory.observe("Atlas runs.", entities=[entity(1, "Atlas")])
    memory.observe("Bob walks.", entities=[entity(1, "Bob")])
    done = memory.integrate(mentioning(1, "It was restarted.", 1))
    assert len(done.warnings) == 1
    assert "It was restarted." not in dict(links(memory))


@pytest.mark.parametrize("first", [True, False])
def test_the_ids_of_an_item_are_its_own(memory: Memory, first: bool) -> None:
    if first:
        memory.observe("Carol is here today.", entities=[entity(1, "Carol")])
    told: list[Any] = []
    done = memory.observe_many(
        [
            {"content": "Carol drinks tea at noon.", "entities": [entity(1, "Carol")]},
            {"content": "健二は夜に歩く。", "entities": [entity(1, "健二")]},
            {"content": "Who is it?", "entities": [entity(1, "A"), entity(1, "B")]},
            {
                "content": "The hall.",
                "entities": [entity(2, "hall")],
                "relations": [edge(1, 2, 7)],
            },
        ],
        each=lambda _, one: told.append(one),
    )
    assert [(one.index, one.code) for one in done.failed] == [(2, "INVALID_PARAMETER")]
    assert "ent_1" in done.failed[0].message
    assert [name for text, name in links(memory) if "today" not in text] == [
        "Carol",
        "hall",
        "健二",
    ]
    assert [len(one.unwrap().warnings) for one in (told[0], told[1], told[3])] == [0, 0, 1]


def test_one_id_for_two_nodes_of_one_call_is_refused(memory: Memory) -> None:
    two = [entity(1, "Carol"), entity(1, "Bob")]
    for refused in (
        memory.results.observe("Carol met Bob.", entities=two),
        memory.results.integrate(ExtractionResult(claims=(), entities=tuple(two))),
        memory.results.observe(
            "x y z", entities=two[:1], relations=[edge(1, 1, 1), edge(1, 1, 2)]
        ),
    ):
        assert refused.failure().code == "INVALID_PARAMETER"


def test_an_id_of_an_edge_that_another_used_is_free(memory: Memory) -> None:
    zork = [entity(8, "Zork"), entity(9, "Quux")]
    memory.observe("Zork is near Quux.", entities=zork, relations=[edge(1, 8, 9)])
    lamp = [entity(1, "Lamp"), entity(2, "Hall")]
    for _ in range(2):
        memory.observe("The Lamp is in the Hall.", entities=lamp, relations=[edge(1, 1, 2)])
    assert edges(memory) == ["ent_1 ent_2", "ent_8 ent_9"]


@pytest.mark.parametrize("way", ["actor", "claim_id", "observation_id", "query"])
def test_a_name_goes_with_what_brought_it(memory: Memory, way: str) -> None:
    mallory = entity(9, "Mallory Secretname", canonical_key="emp-17")
    carol = entity(1, "Carol", canonical_key="emp-17")
    his = memory.observe("He knows the boss well.", actor="bob", entities=[mallory])
    hers = memory.observe("She drinks tea at noon.", actor="alice", entities=[carol])
    asked = {
        "actor": "bob",
        "claim_id": his.claims[0].id,
        "observation_id": his.observation.id,
        "query": "Secretname",
    }
    done = memory.forget(**{way: asked[way]})  # type: ignore[arg-type]
    assert done.claims == (his.claims[0].id,)
    assert links(memory) == [(hers.claims[0].text, "Carol")]
    assert memory.deps.db.query("select name from entities").unwrap() == [{"name": "Carol"}]


def test_a_key_that_only_a_reason_brought_goes_with_it(memory: Memory) -> None:
    text = "Carol drinks tea at noon."
    keyed = entity(1, "Carol", canonical_key="emp-17")
    first = memory.observe(text, source_id="a", entities=[keyed])
    again = memory.observe(text, source_id="b", entities=[entity(1, "Carol")])
    assert again.claims[0].id == first.claims[0].id
    memory.forget(observation_id=first.observation.id)
    rows = memory.deps.db.query("select canonical_key as key from entities").unwrap()
    assert [row["key"] for row in rows] == ["Carol"]


def test_all_names_of_one_key_are_one_entity(memory: Memory) -> None:
    memory.observe("The pump is loud.", entities=[entity(1, "Carol", canonical_key="k1")])
    memory.observe("Quite another matter.", entities=[entity(2, "キャロル", canonical_key="k1")])
    run = memory.fusion.rrf_search_graph_raw("pump loud", hops=1)
    assert run.hit_count == 2
    asked = [{"field": "entity", "op": "eq", "value": "k1"}]
    assert len(memory.fusion.search_fulltext("pump matter", filters=asked)) == 2


def test_no_number_of_a_row_leaves(memory: Memory) -> None:
    from pce_memory.store.graph import entities_of

    boundary: Boundary = memory.results.boundary
    memory.observe("Atlas runs.", entities=[entity(1, "Atlas")])
    seen = memory.observe("Bob walks.", entities=[entity(1, "Bob")], boundary=boundary)
    assert seen.linked == {"ent_1": (seen.claims[0].id,)}
    (named,) = entities_of(ClaimId(seen.claims[0].id))(memory.deps).unwrap()
    assert (named.id, named.name) == ("ent_1", "Bob")
