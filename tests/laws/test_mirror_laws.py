"""What is searched in memory is what SQL says, after any history; SQL is asked by statements only."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings, strategies as st
from returns.result import Failure

from pce_memory import Boundary, InvariantDefinition, Memory, Query
from pce_memory.adapters.mirror.found import utilities_of
from pce_memory.adapters.mirror.index import Mirror, MirrorView, seen_in
from pce_memory.adapters.mirror.ranks import best
from pce_memory.adapters.mirror.words import bm25, hits_of
from pce_memory.adapters.on_demand import SearchOnDemand
from pce_memory.deps import Sought, Visibility, Wider
from pce_memory.domain.vocabulary import FEEDBACK_SIGNALS
from pce_memory.retriever.select import select
from pce_memory.scoring.rerank import population
from pce_memory.store import search
from pce_memory.store.visibility import view
from pce_memory.text.tokens import term_hash
from tests.conftest import CountingIds, FakeClock
from tests.embedders import Outage
from tests.model import SCOPES, Rulebook
from tests.strategies import callers, claim_lists, sentences

FEW: Final = max(5, settings().max_examples * 3 // 4)
"""Fewer examples where each one writes a file of its own."""
WIDE: Final = Boundary(
    scope=SCOPES,
    allow=("answer:task", "tool:contact-lookup"),
    boundary_classes=("public", "internal", "pii"),
)
FIRST: Final = Rulebook(
    allow={
        "public": ("*",),
        "internal": ("answer:task", "tool:*"),
        "pii": ("tool:contact-lookup",),
        "secret": (),
    },
    escalation={"public": None, "internal": None, "pii": "human_review", "secret": "deny"},
    days={"session": 9, "project": 40, "principle": math.inf},
    redacts_mail=False,
)
OTHERS: Final = (
    replace(FIRST, days={"session": 2, "project": 9, "principle": 40}),
    replace(FIRST, escalation={**FIRST.escalation, "pii": None}),
    replace(FIRST, rules=((("*",), 'claim.kind != "task"'),)),
)
ON_MEASURES: Final = st.sampled_from(
    [
        "claim.utility >= 0",
        "claim.utility < 0.05",
        "claim.quality >= 0.3",
        "claim.confidence < 0.6",
    ]
).map(
    lambda rule: WIDE.model_copy(
        update={"invariants": (InvariantDefinition(name="own", applies_to=("*",), rule=rule),)}
    )
)
ANYBODY: Final = st.just(WIDE) | callers | ON_MEASURES
QUERIES: Final = st.one_of(
    sentences,
    st.sampled_from(
        ["", "dark mode", "デプロイ 窓側", '"dark mode" Alice', "cat -Alice in March"]
    ),
)
LIKE: Final = ((term_hash("alic"),), tuple(map(term_hash, ("cat", "log"))), (term_hash("窓側"),))
"""Words that stand for whatever is asked, each by its terms."""
which: Final = st.integers(0, 1_000)
"""Which of those that are there, counted around."""
STEPS: Final = st.one_of(
    st.tuples(
        st.just("observe"),
        st.lists(sentences, min_size=1, max_size=3),
        st.sampled_from([None, "alice", "健二"]),
        st.sampled_from([None, "room/D1:1", "room/D1:2", "room/D2:1"]),
        st.sampled_from([0.0, 3_600.0, 90 * 86_400.0]),
    ),
    st.tuples(
        st.just("integrate"),
        claim_lists(max_size=4, boundary_class=st.sampled_from(["public", "internal", "pii"])),
    ),
    st.tuples(st.just("feedback"), which, st.sampled_from(FEEDBACK_SIGNALS)),
    st.tuples(st.just("duplicate"), which, which),
    st.tuples(st.just("forget"), which),
    st.tuples(st.just("decide"), which, st.booleans()),
    st.tuples(st.just("advance"), st.sampled_from([0.1, 3.0, 35.0])),
    st.tuples(st.just("policy"), st.sampled_from((FIRST, *OTHERS))),
    st.tuples(st.just("outage"), st.booleans()),
    st.tuples(
        st.sampled_from(["maintain", "reembed", "sort", "reopen", "compact", "look", "look"])
    ),
)

LOOK: Final = ("look",)
FILLED_LATER: Final = [
    ("observe", ["The cat reads logs."], None, None, 0.0),
    LOOK,
    ("outage", True),
    ("observe", ["Kenji sold the boat."], None, None, 0.0),
    LOOK,
    ("outage", False),
    ("reembed",),
]
"""A vector that is made up for."""


class Story:
    """A memory in a file, and what is done to it."""

    def __init__(self, folder: str) -> None:
        self.path = Path(folder, "m.duckdb")
        self.clock, self.ids = FakeClock(), CountingIds()
        self.embedder = Outage()
        self.versions = count(2)
        self.memory = self.opened(yaml.safe_dump(FIRST.document()))

    def opened(self, policy: str | None = None) -> Memory:
        return Memory.open(
            self.path, embedder=self.embedder, clock=self.clock, ids=self.ids, policy=policy
        )

    def step(self, name: str, *how: Any) -> None:
        getattr(self, name)(*how)

    def one_of(self, place: int) -> str:
        rows = self.memory.deps.db.query("select id from claims order by row_id").unwrap()
        return str(rows[place % len(rows)]["id"]) if rows else "clm_none"

    def observe(self, said: list[str], actor: Any, source: Any, ago: float) -> None:
        at = self.clock.now - ago
        _ = self.memory.results.observe(
            "\n".join(said), actor=actor, source_id=source, observed_at=at, boundary=WIDE
        )

    def integrate(self, claims: Any) -> None:
        _ = self.memory.results.integrate(claims, boundary=WIDE)

    def feedback(self, place: int, signal: Any) -> None:
        _ = self.memory.results.feedback(self.one_of(place), signal, boundary=WIDE)

    def duplicate(self, place: int, other: int) -> None:
        _ = self.memory.results.feedback(
            self.one_of(place), "duplicate", duplicate_of=self.one_of(other), boundary=WIDE
        )

    def forget(self, place: int) -> None:
        _ = self.memory.results.forget(claim_id=self.one_of(place), compact=False)

    def decide(self, place: int, approved: bool) -> None:
        waiting = self.memory.reviews.list()
        if waiting:
            decide = self.memory.reviews.approve if approved else self.memory.reviews.reject
            _ = decide(waiting[place % len(waiting)].id, reviewer="carol")

    def advance(self, days: float) -> None:
        self.clock.advance(days=days)

    def policy(self, rulebook: Rulebook) -> None:
        document = replace(rulebook, version=f"{next(self.versions)}.0.0").document()
        _ = self.memory.apply_policy(yaml.safe_dump(document))

    def outage(self, down: bool) -> None:
        self.embedder.down = down

    def maintain(self) -> None:
        _ = self.memory.maintain()

    def reembed(self) -> None:
        _ = self.memory.results.reembed()

    def sort(self) -> None:
        """Move the postings that were written into those that are sorted, as a compaction does."""
        db = self.memory.deps.db
        db.transaction(
            lambda: db.execute(
                "insert into postings select corpus, term_hash, row_id, tf, dl"
                " from postings_delta order by all"
            ).bind(lambda _: db.execute("delete from postings_delta"))
        ).unwrap()

    def reopen(self) -> None:
        self.memory.close()
        self.memory = self.opened()

    def compact(self) -> None:
        assert self.memory.compact()

    def look(self) -> None:
        agree(self.memory, WIDE, "Alice prefers dark mode in March")


def mirrored(memory: Memory) -> tuple[Mirror, MirrorView]:
    index = memory._opened.search._index()
    index.follow().unwrap()
    held = index.mirror.view().unwrap()
    assert held is not None, index.mirror.state
    return index.mirror, held


def agree(memory: Memory, boundary: Boundary, query: str) -> None:
    """Check everything that a search rests on against what SQL says."""
    found = view(boundary, memory.policy())(memory.deps)
    if isinstance(found, Failure):
        return
    visible = found.unwrap().visible
    _, held = mirrored(memory)
    same_mask(memory, held, visible)
    same_words(memory, held, visible, query)
    same_meaning(memory, visible, query)
    same_candidates(memory, visible, query)
    same_items(memory, boundary, query)


def same_mask(memory: Memory, held: MirrorView, visible: Visibility) -> None:
    seen = seen_in(memory._opened.db, held, visible).unwrap()
    rows = held.columns.row_id[seen.places].tolist()
    assert rows == sorted(search.visible_rows(visible)(memory.deps).unwrap())
    among = utilities_of(held.columns, seen, visible)
    known = population(search.utilities(visible)(memory.deps).unwrap())
    assert among == pytest.approx(known, rel=1e-9, abs=1e-12)


def same_words(memory: Memory, held: MirrorView, visible: Visibility, query: str) -> None:
    terms = memory.deps.tokenizer.query_terms(query)
    seen = seen_in(memory._opened.db, held, visible).unwrap()
    scores = bm25(
        hits_of(held.postings, [term_hash(one) for one in terms], seen), held.columns, seen
    )
    touched = np.flatnonzero(scores)
    for limit in (3, 1_000):
        known = search.lexical_hits(terms, visible, limit=limit)(memory.deps).unwrap()
        kept = touched[best(scores[touched], limit)]
        assert held.columns.row_id[kept].tolist() == list(known)
        assert scores[kept].tolist() == pytest.approx(list(known.values()), rel=1e-9)


def same_meaning(memory: Memory, visible: Visibility, query: str) -> None:
    vector = Outage().embed(query).unwrap()
    for limit in (3, 1_000):
        near = memory.deps.search_index.nearest(vector, visible, limit=limit).unwrap()
        known = memory.deps.vector_index.nearest(vector, visible, limit=limit).unwrap()
        assert list(near.values()) == pytest.approx(list(known.values()), abs=1e-6)
        least = min(known.values(), default=0.0)
        apart = set(near) ^ set(known)
        assert all({**near, **known}[row] == pytest.approx(least, abs=1e-6) for row in apart)
        assert all(
            near[row] == pytest.approx(known[row], abs=1e-6) for row in near if row in known
        )
        assert all(one >= other - 1e-6 for one, other in pairwise(near.values()))


def unmirrored(memory: Memory) -> SearchOnDemand:
    return SearchOnDemand(memory._opened.db, memory._opened.index, limit=0)


def lately(now: float) -> list[tuple[float, float]]:
    return [(now - 9e6, now - 86_400.0)]


def same_candidates(memory: Memory, visible: Visibility, query: str) -> None:
    hashes = sorted({term_hash(one) for one in memory.deps.tokenizer.query_terms(query)})
    sought = Sought(
        terms=tuple(hashes),
        vector=Outage().embed(query).unwrap(),
        k_txt=1_000,
        k_vec=1_000,
        excluded=((term_hash("alic"),),),
        phrases=(tuple(hashes[:1]),),
        periods=lately,
        wider=tuple(Wider((one,), LIKE, 0.4) for one in hashes[:2]),
    )
    for asked in (sought, replace(sought, vector=None, k_txt=2, excluded=())):
        held = memory.deps.search_index.search(asked, visible).unwrap()
        known = unmirrored(memory).search(asked, visible).unwrap()
        assert held.visible == known.visible
        assert held.utilities == pytest.approx(known.utilities, rel=1e-9, abs=1e-12)
        assert list(held.columns) == list(known.columns)
        for name, column in known.columns.items():
            close = 1e-6 if name == "cosine" else 1e-9
            np.testing.assert_allclose(held.columns[name], column, rtol=close, atol=close)


def same_items(memory: Memory, boundary: Boundary, query: str) -> None:
    asked = Query(q=query, top_k=100, include_meta=True)
    reference = replace(memory.deps, search_index=unmirrored(memory))
    held = select(asked, boundary, memory.policy())(memory.deps).unwrap().items
    known = select(asked, boundary, memory.policy())(reference).unwrap().items
    scores = {one.claim.id: one.score for one in known}
    assert {one.claim.id: one.score for one in held} == pytest.approx(scores, abs=1e-6)
    assert [one.score for one in held] == pytest.approx([one.score for one in known], abs=1e-6)


@settings(max_examples=FEW, suppress_health_check=list(HealthCheck))
@example(story=FILLED_LATER, boundary=WIDE, query="boat")
@given(story=st.lists(STEPS, min_size=3, max_size=14), boundary=ANYBODY, query=QUERIES)
def test_after_any_history_both_say_the_same(
    story: list[tuple[Any, ...]], boundary: Boundary, query: str
) -> None:
    with TemporaryDirectory() as folder:
        told = Story(folder)
        try:
            for one in story:
                told.step(*one)
            told.outage(False)
            agree(told.memory, boundary, query)
            # And what has been followed is what is read anew.
            told.reopen()
            agree(told.memory, boundary, query)
        finally:
            told.memory.close()
