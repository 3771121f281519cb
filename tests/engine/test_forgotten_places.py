"""What is forgotten leaves no word anywhere: every place for free text, by every way to forget."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from pce_memory import Memory, ObserveResult
from pce_memory.domain.extraction import ExtractionResult
from pce_memory.domain.graph import Entity, Relation
from pce_memory.domain.ids import EntityId, EvidenceId, RelationId
from pce_memory.domain.provenance import Evidence, GitSource, Provenance
from tests.conftest import FakeClock
from tests.engine.raw_search import files_with, places
from tests.engine.test_forgotten_words import blend
from tests.engine.test_reviews import CONTACTS, claim

WORD: Final = "zanzibarine"
AT: Final = "2025-06-15T15:00:00Z"
ATLAS: Final = Entity(id=EntityId("ent_atlas"), type="Concept", name="Atlas")
GATE: Final = Entity(id=EntityId("ent_gate"), type="Concept", name="Gate")
EDGE: Final = Relation(id=RelationId("rel_1"), src_id=ATLAS.id, dst_id=GATE.id, type="depends_on")


def by(**fields: Any) -> Provenance:
    return Provenance(at=AT, **{"actor": "bob", **fields})


def entity(**fields: Any) -> dict[str, Any]:
    return {"entities": [ATLAS.model_copy(update=fields)]}


def edge(**fields: Any) -> dict[str, Any]:
    return {"entities": [ATLAS, GATE], "relations": [EDGE.model_copy(update=fields)]}


PLACES: Final[Mapping[str, Callable[[str], dict[str, Any]]]] = {
    "a text": lambda word: {"content": f"The {word} is green."},
    "a tag": lambda word: {"tags": ["server", word]},
    "the value of a tag": lambda word: {"tags": [f"case={word}"]},
    "a source": lambda word: {"source_id": f"rooms/{word}/7"},
    "a note": lambda word: {"provenance": by(note=f"heard by {word}")},
    "the address of a page": lambda word: {"provenance": by(url=f"https://e.org/{word}")},
    "a repository": lambda word: {"provenance": by(git=GitSource(commit="abcdef0", repo=word))},
    "a file of a commit": lambda word: {
        "provenance": by(git=GitSource(commit="abcdef0", repo="r", files=(f"src/{word}",)))
    },
    "the name of an entity": lambda word: entity(name=word),
    "the key of an entity": lambda word: entity(canonical_key=word),
    "an attribute of an entity": lambda word: entity(attrs={"with": ["x", {"by": word}]}),
    "the name of an attribute": lambda word: entity(attrs={word: 3}),
    "the kind of an edge": lambda word: edge(type=word),
    "the id of an entity": lambda word: entity(id=f"ent_{word}"),
    "the id of an edge": lambda word: edge(id=f"rel_{word}"),
    "what is said of an edge": lambda word: edge(props={"why": f'"the\n{word}"'}),
}
WAYS: Final = ("query", "claim_id", "observation_id", "actor")
STAYS: Final = "The door is red."


def planted(memory: Memory, fields: Mapping[str, Any]) -> ObserveResult:
    """Let bob say something with a word in some place, after alice said something else."""
    _ = memory.observe(STAYS, actor="alice", tags=["server"], source_id="rooms/1", entities=[GATE])
    given = {"content": "It was restarted on Monday.", **fields}
    seen = memory.observe(given.pop("content"), actor="bob", idempotency_key="once", **given)
    claim = seen.claims[0].id
    _ = memory.activate("restarted"), memory.feedback(claim, "helpful")
    _ = memory.judge(claim, score=80)
    return seen


def way_of(way: str, word: str, seen: ObserveResult) -> Mapping[str, Any]:
    known = {
        "query": word,
        "claim_id": seen.claims[0].id,
        "observation_id": seen.observation.id,
        "actor": "bob",
    }
    return {way: known[way]}


IDS: Final = ("the id of an entity", "the id of an edge")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("word", [WORD, "健康診断"])
def test_a_word_goes_from_every_place(memory: Memory, place: str, way: str, word: str) -> None:
    if place in IDS and not word.isascii():
        return  # an id is ASCII
    seen = planted(memory, PLACES[place](word))
    assert places(memory, word)
    planned = memory.forget(**way_of(way, word, seen), dry_run=True)
    done = memory.forget(**way_of(way, word, seen))
    assert (planned.claims, planned.observations) == (done.claims, done.observations)
    assert places(memory, word) == []
    door = next(one for one in memory.search("door") if one.claim.text == STAYS)
    assert door.claim.tags == ("server",)
    assert memory.evidence(door.claim.id)[0].source_id == "rooms/1"


def numbered(fields: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return what is said of an observation with entities and an edge of its own."""

    def own(one: Entity) -> Entity:
        mine = one.id not in {ATLAS.id, GATE.id}
        update: dict[str, object] = {"id": one.id if mine else f"{one.id}{number}"}
        if one.name in {ATLAS.name, GATE.name}:
            update["name"] = f"{one.name}{number}"
        return one.model_copy(update=update)

    def edge_of(one: Relation) -> Relation:
        update = {"src_id": f"{one.src_id}{number}", "dst_id": f"{one.dst_id}{number}"}
        if one.id == EDGE.id:
            update["id"] = f"{one.id}{number}"
        return one.model_copy(update=update)

    return {
        **fields,
        "entities": [own(one) for one in fields.get("entities", ())],
        "relations": [edge_of(one) for one in fields.get("relations", ())],
    }


@pytest.mark.parametrize("way", WAYS)
def test_no_byte_of_it_is_left_in_the_file(tmp_path: Path, way: str) -> None:
    words = {place: f"zanzi{number:02}bar" for number, place in enumerate(PLACES)}
    with Memory.open(tmp_path / "memory.duckdb", embedder="hashing") as memory:
        for number, (place, word) in enumerate(words.items()):
            given = {"content": f"Server {number} was restarted.", **PLACES[place](word)}
            content = given.pop("content")
            seen = memory.observe(content, actor="bob", **numbered(given, number))
            assert places(memory, word)
            last = number == len(words) - 1
            assert memory.forget(**way_of(way, word, seen), compact=last).compacted == last
        assert places(memory, "zanzi") == []
    assert files_with(tmp_path, "zanzi") == []


@pytest.mark.parametrize("way", ["query", "claim_id"])
@pytest.mark.parametrize("part", ["note", "snippet", "source_id", "provenance"])
def test_a_word_goes_from_evidence_that_was_given(memory: Memory, part: str, way: str) -> None:
    value = by(note=WORD) if part == "provenance" else f"a {WORD} spins"
    given = claim(text="Something spins in the yard.", boundary_class="internal")
    why = Evidence(id=EvidenceId("evd_1"), claim_id=given.id, method="llm")
    told = why.model_copy(update={part: value})
    _ = memory.integrate(ExtractionResult(claims=(given,), evidences=(told,)))
    assert places(memory, WORD) == ["evidence"]
    wanted: dict[str, Any] = {way: WORD if way == "query" else given.id}
    done = memory.forget(**wanted)
    assert done.claims == (given.id,)
    assert places(memory, WORD) == []


def test_words_of_a_query_may_stand_in_several_places(memory: Memory) -> None:
    seen = planted(memory, {"tags": ["zanzibar"], "source_id": "rooms/elm"})
    assert memory.forget(query="zanzibar elm oak", dry_run=True).claims == ()
    assert memory.forget(query="zanzibar elm monday").claims == (seen.claims[0].id,)
    assert places(memory, "zanzibar") == []


def test_what_is_said_of_an_entity_takes_no_claim_with_it(memory: Memory) -> None:
    seen = planted(memory, entity(attrs={"by": WORD}))
    done = memory.forget(query=WORD)
    assert (done.claims, done.others) == ((), 1)
    (row,) = memory.deps.db.query("select attrs from entities where name = 'Atlas'").unwrap()
    assert row["attrs"] is None
    assert memory.claim(seen.claims[0].id).text == seen.claims[0].text


def test_a_boundary_forgets_by_what_it_is_shown(memory: Memory) -> None:
    mail = "zoe@example.com"
    seen = planted(memory, {"tags": [WORD], "source_id": f"mail/{mail}"})
    own = memory.results.boundary
    assert memory.forget(query=mail, boundary=own, dry_run=True).claims == ()
    hidden = own.model_copy(update={"boundary_classes": ("public",)})
    assert memory.forget(query=WORD, boundary=hidden, dry_run=True).claims == ()
    assert memory.forget(query=WORD, boundary=own).claims == (seen.claims[0].id,)
    assert places(memory, WORD) == []


def test_a_run_filtered_by_a_forgotten_tag_goes_and_by_one_that_stays_does_not(
    memory: Memory,
) -> None:
    seen = planted(memory, {"tags": ["server", WORD]})
    kept = blend(memory, facet_terms={"A": ["server"]})
    _ = blend(memory, facet_terms={"A": [WORD]})
    _ = memory.forget(claim_id=seen.claims[0].id)
    assert places(memory, WORD) == []
    assert memory.fusion.get_provenance(kept).run_id == kept


def test_who_decided_stays_by_name(memory: Memory) -> None:
    _ = memory.integrate([claim()], boundary=CONTACTS)
    (review,) = memory.reviews.list()
    _ = memory.reviews.approve(review.id, reviewer=WORD)
    text = 'version: "9.0.0"\nextends: default\n'
    _ = memory.apply_policy(text, approver=WORD)
    _ = memory.forget(query=WORD)
    assert places(memory, WORD) == ["audit", "policies", "policy_history", "reviews"]
    _ = memory.forget(actor=WORD)
    assert places(memory, WORD) == ["policies", "policy_history"]


def test_an_observation_of_which_no_claim_came(memory: Memory) -> None:
    seen = memory.observe("ok", tags=[WORD], actor="bob")
    assert seen.claims == ()
    assert memory.forget(query=WORD).observations == (seen.observation.id,)
    assert places(memory, WORD) == []


SHARED: Final[Mapping[str, Callable[[str], dict[str, Any]]]] = {
    "an attribute": lambda word: entity(attrs={"by": word}),
    "an edge": lambda word: edge(props={"why": word}),
}


@pytest.mark.parametrize("way", ["claim_id", "observation_id", "actor"])
@pytest.mark.parametrize("part", SHARED)
def test_what_the_forgotten_brought_to_a_shared_entity_goes(
    memory: Memory, clock: FakeClock, part: str, way: str
) -> None:
    seen = memory.observe("It was restarted on Monday.", actor="bob", **SHARED[part](WORD))
    clock.now += 60
    later = memory.observe("It is fine again today.", actor="alice", **entity())
    _ = memory.forget(**way_of(way, WORD, seen))
    assert places(memory, WORD) == []
    assert later.linked == {ATLAS.id: (later.claims[0].id,)}
    (row,) = memory.deps.db.query("select name from entities where name = 'Atlas'").unwrap()
    assert row["name"] == "Atlas"


@pytest.mark.parametrize("part", SHARED)
def test_what_a_reason_brought_goes_with_it_from_a_claim_that_stays(
    memory: Memory, clock: FakeClock, part: str
) -> None:
    text = "Atlas was restarted before Gate."
    seen = memory.observe(text, actor="bob", **SHARED[part](WORD))
    clock.now += 60
    again = memory.observe(text, actor="bob", source_id="again")
    assert again.claims[0].id == seen.claims[0].id
    _ = memory.forget(observation_id=seen.observation.id)
    assert places(memory, WORD) == []
    assert memory.claim(again.claims[0].id).text == text


def test_what_others_brought_stays(memory: Memory, clock: FakeClock) -> None:
    first = memory.observe("It is fine again today.", actor="alice", **entity())
    clock.now += 60
    _ = memory.observe("It was restarted on Monday.", actor="bob", **edge(props={"why": WORD}))
    clock.now += 60
    third = memory.observe("It runs well in the hall.", actor="carl", **entity())
    assert places(memory, WORD)
    for claim_id in (first.claims[0].id, third.claims[0].id):
        _ = memory.forget(claim_id=claim_id)
    assert places(memory, WORD) == ["relations"]
