"""What query expansion promises: asked words come first, nothing hidden is seen or moves anything."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import pytest
from hypothesis import given, strategies as st
from returns.result import Failure

from pce_memory import Boundary, BoundaryClass, Claim, Memory
from pce_memory.adapters.mirror.words import bm25_idf
from pce_memory.domain.ranking import QueryExpansionConfig
from pce_memory.engine.ready import default_boundary
from pce_memory.retriever.wider import _terms_of
from pce_memory.store import search
from pce_memory.store.visibility import view
from pce_memory.text.asked import read_query
from pce_memory.text.tokens import terms
from pce_memory.text.widening import widen
from tests.conftest import FakeClock, wipe
from tests.policies import LASTING, expanding
from tests.strategies import boundaries, claim_id, claims

WORDS: Final = (
    *("deadline", "due date", "k8s", "Kubernetes", "sign-in", "login", "meeting", "cat"),
    *("締め切り", "納期", "期限", "会議", "打ち合わせ", "デプロイ", "リリース", "切手", "猫"),
)
FILLERS: Final = ("the", "is", "of us all", "today", "は", "を", "に", "という", "blue and red")
TEXTS: Final = st.lists(st.sampled_from((*WORDS, *FILLERS)), min_size=1, max_size=9).map(" ".join)
QUERIES: Final = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
WIDE: Final = default_boundary().model_copy(
    update={
        "boundary_classes": ("public", "internal", "pii"),
        "allow": ("answer:task", "tool:contact-lookup"),
    }
)
WEIGHT: Final = 0.4
OFF: Final = expanding(LASTING, enabled=False, max_expansions=50, weight=0.9)


def opened(policy: str) -> Iterator[Memory]:
    with Memory.open(embedder="hashing", policy=policy, clock=FakeClock()) as memory:
        yield memory


@pytest.fixture(scope="module")
def on() -> Iterator[Memory]:
    yield from opened(expanding(LASTING.replace("threshold: 0.15", "threshold: 0")))


@pytest.fixture(scope="module")
def spreading() -> Iterator[Memory]:
    text = LASTING.replace("threshold: 0.15", "threshold: 0")
    yield from opened(expanding(text.replace("text_normalizer: max", "text_normalizer: minmax")))


@pytest.fixture(scope="module")
def off() -> Iterator[Memory]:
    yield from opened(LASTING)


@pytest.fixture(scope="module")
def off_too() -> Iterator[Memory]:
    yield from opened(OFF)


@st.composite
def told(
    draw: st.DrawFn,
    classes: Sequence[BoundaryClass] = ("internal",),
    also: Sequence[str] = (),
) -> list[Claim]:
    """Draw claims of distinct texts; `also` are texts that are among them."""
    texts = dict.fromkeys([*also, *draw(st.lists(TEXTS, min_size=1, max_size=9))])
    return [
        draw(claims(text=st.just(text), boundary_class=st.sampled_from(classes))).model_copy(
            update={"id": claim_id(number + 1)}
        )
        for number, text in enumerate(texts)
    ]


def fill(memory: Memory, given: Sequence[Claim]) -> None:
    wipe(memory)
    _ = memory.integrate(given, boundary=WIDE)


def standing(memory: Memory, query: str) -> dict[str, tuple[float, float | None]]:
    """Return S_text and BM25 by the text of a claim."""
    items = memory.activate(query, top_k=100, include_meta=True).items
    return {item.claim.text: (item.scores.text, item.scores.bm25) for item in items}  # type: ignore[union-attr]


STANDING_FOR: Final = {
    "deadline": "due date",
    "k8s": "Kubernetes",
    "login": "sign-in",
    "締め切り": "納期",
    "会議": "打ち合わせ",
}
ASKED_AND_TOLD: Final = st.sampled_from(sorted(STANDING_FOR)).flatmap(
    lambda word: st.tuples(
        st.just(word), told(also=(STANDING_FOR[word], f"{word} {' '.join(FILLERS)}"))
    )
)


@pytest.mark.parametrize("how", ["max", "minmax"])
@given(case=ASKED_AND_TOLD)
def test_an_expansion_alone_never_comes_up_to_the_asked_word(
    on: Memory, spreading: Memory, how: str, case: tuple[str, list[Claim]]
) -> None:
    memory = on if how == "max" else spreading
    word, given = case
    fill(memory, given)
    found = {text: score for text, (score, _) in standing(memory, word).items()}
    asked = set(read_query(word).terms)
    least = min(score for text, score in found.items() if word in text.split())
    alone = [score for text, score in found.items() if not asked & set(terms(text))]
    assert STANDING_FOR[word] in found
    assert found[STANDING_FOR[word]] in alone
    for score in alone:
        assert score < least
        assert how == "minmax" or score <= WEIGHT * least * (1 + 1e-12)


@given(given=told(("internal", "pii", "public")), query=QUERIES, boundary=boundaries)
def test_it_shows_nothing_that_is_not_visible(
    on: Memory, given: list[Claim], query: str, boundary: Boundary
) -> None:
    fill(on, given)
    seen = view(boundary, on.policy())(on.deps)
    shown = on.results.activate(query, top_k=100, boundary=boundary)
    if isinstance(seen, Failure) or isinstance(shown, Failure):
        return
    rows = search.visible_rows(seen.unwrap().visible)(on.deps).unwrap()
    known = on.deps.db.query("select id, row_id from claims").unwrap()
    visible = {str(row["id"]) for row in known if row["row_id"] in rows}
    assert {item.claim.id for item in shown.unwrap().items} <= visible


@given(shown=told(), hidden=told(("pii",)), query=QUERIES)
def test_what_is_hidden_changes_nothing(
    on: Memory, shown: list[Claim], hidden: list[Claim], query: str
) -> None:
    texts = {one.content_hash for one in shown}
    others = [one for one in hidden if one.content_hash not in texts]
    others = [
        one.model_copy(update={"id": claim_id(100 + place)}) for place, one in enumerate(others)
    ]
    fill(on, shown)
    before = [(i.claim.id, i.score) for i in on.activate(query, top_k=100).items]
    _ = on.integrate(others, boundary=WIDE)
    after = [(i.claim.id, i.score) for i in on.activate(query, top_k=100).items]
    assert after == before


@given(given=told(), query=QUERIES)
def test_disabled_it_changes_nothing_whatever_its_other_keys_say(
    off: Memory, off_too: Memory, given: list[Claim], query: str
) -> None:
    for memory in (off, off_too):
        fill(memory, given)
    one, other = (
        [(item.claim, item.score, item.scores, item.reason) for item in items]
        for items in (
            memory.activate(query, top_k=100, include_meta=True).items for memory in (off, off_too)
        )
    )
    assert one == other


@given(given=told(), query=QUERIES)
def test_no_claim_has_less_by_its_words_than_without(
    on: Memory, off: Memory, given: list[Claim], query: str
) -> None:
    for memory in (on, off):
        fill(memory, given)
    without = standing(off, query)
    for text, (_, score) in standing(on, query).items():
        before = without.get(text, (0.0, None))[1]
        assert before is None or (score is not None and score >= before)


@given(given=told(), query=QUERIES)
def test_it_counts_what_sql_counts(on: Memory, given: list[Claim], query: str) -> None:
    fill(on, given)
    known = reference(on, query)
    found = {
        item.claim.id: item.scores.bm25  # type: ignore[union-attr]
        for item in on.activate(query, top_k=100, include_meta=True).items
    }
    assert {one: score for one, score in found.items() if score is not None} == pytest.approx(
        known, rel=1e-9
    )


def reference(memory: Memory, query: str) -> dict[str, float]:
    """Return BM25 with expansions by the id of a claim, from what SQL says of single terms."""
    deps = memory.deps
    seen = view(default_boundary(), memory.policy())(deps).unwrap().visible
    asked = read_query(query)

    def hits(some: Sequence[str]) -> dict[int, float]:
        return dict(search.lexical_hits(some, seen, limit=1_000)(deps).unwrap())

    def holders(needed: Sequence[str]) -> set[int]:
        every = [set(hits([term])) for term in needed]
        return set.intersection(*every) if every else set()

    count = len(search.visible_rows(seen)(deps).unwrap())
    scores = hits(asked.terms)
    for one in widen(asked.text, deps.thesaurus(), QueryExpansionConfig()):
        word_terms = [t for t in deps.tokenizer.query_terms(one.asked) if t in asked.terms]
        own, best = hits(word_terms), dict[int, float]()
        for word in one.words:
            parts = _terms_of(word, deps.tokenizer)
            for row in holders(parts):
                best[row] = max(best.get(row, 0.0), hits(parts)[row])
        least = [own[row] for row in holders(word_terms)]
        most = min(least) if least else sum(bm25_idf(count, len(hits([t]))) for t in word_terms)
        for row, score in best.items():
            more = max(0.0, WEIGHT * min(score, most) - own.get(row, 0.0))
            scores[row] = scores.get(row, 0.0) + more
    rows = deps.db.query("select id, row_id from claims").unwrap()
    ids = {int(row["row_id"]): str(row["id"]) for row in rows}
    assert all(math.isfinite(score) for score in scores.values())
    return {ids[row]: score for row, score in scores.items()}
