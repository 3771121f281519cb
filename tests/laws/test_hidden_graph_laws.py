"""What a boundary hides of the graph is not there: entities, mentions and edges of hidden claims.

Two files, one with a graph that the caller cannot see; the same calls go to both, and all answers
and reads are equal.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import pairwise
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from pce_memory import Entity, ExtractionResult, Memory, Mention, Relation
from pce_memory.domain.ids import EntityId, RelationId
from tests.laws.test_hidden_writes_laws import CALLERS, OWNER, Pair, Step, claim

MINE: Final = CALLERS["another scope"]
HOW: Final[dict[str, Any]] = {"boundary": MINE}


def entity(number: int, name: str, **fields: Any) -> Entity:
    fields.setdefault("type", "Actor")
    return Entity(id=EntityId(f"ent_{number}"), name=name, **fields)


def edge(number: int, src: int, dst: int, sort: str = "near") -> Relation:
    return Relation(
        id=RelationId(f"rel_{number}"),
        src_id=EntityId(f"ent_{src}"),
        dst_id=EntityId(f"ent_{dst}"),
        type=sort,
    )


CAROL: Final = entity(1, "Carol", canonical_key="emp-17")
BOB: Final = entity(2, "Bob")
KENJI: Final = entity(3, "健二")
HIDDEN: Final = (
    (),
    (entity(9, "Mallory Secretname"),),
    (entity(9, "Mallory Secretname", canonical_key="emp-17"),),
    (entity(1, "Zork"), entity(2, "Quux")),
    (CAROL, BOB, KENJI),
    (entity(2, "Carol", canonical_key="emp-17", attrs={"room": "Secretname"}), entity(1, "Bob")),
    (entity(8, "Carol"), entity(9, "Bob"), entity(7, "健二", canonical_key="Bob")),
)


def hide(pair: Pair, entities: Sequence[Entity]) -> None:
    """Write an observation about these, with edges between them, where the caller sees none."""
    pairs = pairwise(entities)
    edges = [
        Relation(id=RelationId(f"rel_{n}"), src_id=a.id, dst_id=b.id, type="near")
        for n, (a, b) in enumerate(pairs, start=1)
    ]

    def work(memory: Memory) -> None:
        memory.observe(
            "Something hidden is here.", entities=entities, relations=edges, boundary=OWNER
        )
        memory.observe("[[Gateway]] is known to @sato.", boundary=OWNER)

    pair.hide(work)


def extraction(number: int, text: str, **parts: Any) -> ExtractionResult:
    return ExtractionResult(claims=(claim(number, text, "principle"),), **parts)


def mention(number: int, of: int) -> Mention:
    return Mention(claim_id=claim(number, "x", "principle").id, entity_id=EntityId(f"ent_{of}"))


STEPS: Final[tuple[Step, ...]] = (
    lambda m: m.results.observe("She drinks tea at noon.", entities=[CAROL], **HOW),
    lambda m: m.results.observe(
        "He walks home.", entities=[BOB], relations=[edge(1, 2, 9)], **HOW
    ),
    lambda m: m.results.observe(
        "They met at noon.", entities=[CAROL, BOB, KENJI], relations=[edge(1, 1, 2)], **HOW
    ),
    lambda m: m.results.observe(
        "健二さんはお茶を飲む。", entities=[KENJI], idempotency_key="k", **HOW
    ),
    lambda m: m.results.observe("[[Gateway]] knows @sato and #12.", **HOW),
    lambda m: m.results.observe_many(
        [
            {"content": "Carol drinks tea at night.", "entities": [CAROL]},
            {"content": "Bob walks at night.", "entities": [entity(1, "Bob")]},
            {"content": "Nobody walks.", "entities": [entity(1, "Bob"), entity(1, "Carol")]},
        ],
        **HOW,
    ),
    lambda m: m.results.integrate(
        extraction(1, "Tea is good.", mentions=(mention(1, 9), mention(1, 1))), **HOW
    ),
    lambda m: m.results.integrate(
        extraction(
            2, "Coffee is good.", entities=(BOB,), relations=(edge(2, 2, 1), edge(3, 2, 7))
        ),
        **HOW,
    ),
    lambda m: m.results.integrate(
        extraction(3, "Milk.", entities=(CAROL, entity(1, "Dan")), mentions=(mention(3, 1),)),
        **HOW,
    ),
    lambda m: m.results.forget(query="tea", **HOW),
    lambda m: m.results.forget(claim_id="clm_0001", **HOW),
)

VALUES: Final = ("emp-17", "Carol", "Actor:Carol", "Actor:Bob", "Actor:健二", "Zork", "gateway")
WORDS: Final = ("Carol", "Mallory", "Secretname", "健二", "emp", "Zork", "Gateway")


def frequencies(memory: Memory) -> object:
    run = memory.fusion.rrf_search_fulltext_raw("tea coffee walks お茶 gateway", **HOW)
    return memory.fusion.get_provenance(run.run_id, **HOW).code_freqs


def snippets(memory: Memory, run: Any) -> object:
    """Return what a run found, in its order."""
    shown = memory.fusion.peek_snippets(run.run_id, boundary=MINE).snippets
    return [(one.rank, one.fields["text"]) for one in shown]


def by_graph(memory: Memory, query: str) -> object:
    return snippets(memory, memory.fusion.rrf_search_graph_raw(query, hops=2, boundary=MINE))


def by_code(memory: Memory, value: str) -> object:
    run = memory.fusion.rrf_search_code_raw({"entity": {value: 1.0}}, boundary=MINE)
    return snippets(memory, run)


def by_words(memory: Memory, value: str) -> object:
    asked: list[dict[str, object]] = [{"field": "entity", "op": "eq", "value": value}]
    query = "tea coffee walks noon"
    return memory.results.fusion.search_fulltext(query, filters=asked, **HOW)


def forgotten(memory: Memory, word: str) -> object:
    return memory.results.forget(query=word, dry_run=True, **HOW)


def again(memory: Memory) -> object:
    return memory.results.observe("健二さんはお茶を飲む。", idempotency_key="k", **HOW)


def reads() -> Iterator[Step]:
    yield from (partial(by_words, value=value) for value in VALUES)
    yield from (partial(by_code, value=value) for value in VALUES)
    yield from (partial(forgotten, word=word) for word in WORDS)
    yield from (partial(by_graph, query=query) for query in ("tea noon", "walks", "お茶"))
    yield frequencies
    yield again


@pytest.mark.parametrize("hidden", HIDDEN, ids=range(len(HIDDEN)))
@given(order=st.lists(st.integers(0, len(STEPS) - 1), min_size=1, max_size=6))
def test_a_graph_that_is_hidden_is_not_there(hidden: Sequence[Entity], order: list[int]) -> None:
    with ExitStack() as stack:
        pair = Pair(stack)
        hide(pair, hidden)
        for place in order:
            pair.same(STEPS[place])
        for read in reads():
            pair.same(read)


@pytest.mark.parametrize("hidden", HIDDEN, ids=range(len(HIDDEN)))
def test_each_call_in_turn(hidden: Sequence[Entity]) -> None:
    with ExitStack() as stack:
        pair = Pair(stack)
        hide(pair, hidden)
        for step in (*STEPS, *reads(), *STEPS[:-2], *reads()):
            pair.same(step)


@given(order=st.lists(st.integers(0, len(STEPS) - 1), min_size=1, max_size=8))
def test_nothing_dangles(order: list[int]) -> None:
    with ExitStack() as stack:
        pair = Pair(stack)
        hide(pair, HIDDEN[3])
        for place in order:
            pair.same(STEPS[place])
        for memory, _ in pair.files:
            report = memory.health(deep=True).deep
            assert report is not None
            assert report.defects == ()
