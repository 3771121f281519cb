"""What the mirror is made of: each part grown step by step is the part made at once."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from pce_memory.adapters.mirror import vectors as vectors_module
from pce_memory.adapters.mirror.codes import SignCodes
from pce_memory.adapters.mirror.columns import NAMES, ClaimColumns, Columns
from pce_memory.adapters.mirror.growing import Growing
from pce_memory.adapters.mirror.passages import NO_STREAM, NONE, PassageLinks
from pce_memory.adapters.mirror.postings import Postings, part_of
from pce_memory.adapters.mirror.ranks import best
from pce_memory.adapters.mirror.vectors import Bytes, Vectors, Whole, as_bytes
from pce_memory.domain.vocabulary import CLAIM_KINDS, SCOPES, ClaimKind, Scope
from pce_memory.scoring import columnwise
from pce_memory.scoring.rerank import population, recency_decay, rerank
from pce_memory.scoring.second_stage import Signs, relevance

if TYPE_CHECKING:
    from pce_memory import Memory

numbers: Final = st.floats(-1e6, 1e6, allow_nan=False)
anything: Final = st.floats(allow_nan=False, allow_infinity=False)
positive: Final = st.floats(1e-3, 1e6, allow_nan=False)
flags: Final = st.booleans()


def column(values: list[float]) -> np.ndarray:
    return np.array(values, np.float64)


# --- the formulas over columns


@given(rows=st.lists(st.tuples(anything, anything, anything, anything), min_size=1, max_size=8))
def test_g_is_that_of_one_row(rows: list[tuple[float, float, float, float]]) -> None:
    z, confidence, recency, quality = map(column, map(list, zip(*rows, strict=True)))
    known = [rerank(a, b, c) for a, b, c, _ in rows]
    assert columnwise.rerank_all(z, confidence, recency, None).tolist() == pytest.approx(known)
    known = [rerank(a, b, c, quality=d) for a, b, c, d in rows]
    assert columnwise.rerank_all(z, confidence, recency, quality).tolist() == pytest.approx(known)


@given(rows=st.lists(st.tuples(numbers, positive), min_size=1, max_size=8))
def test_recency_is_that_of_one_row(rows: list[tuple[float, float]]) -> None:
    ages, half_lives = map(column, map(list, zip(*rows, strict=True)))
    known = [recency_decay(age, half_life) for age, half_life in rows]
    assert columnwise.recency_all(ages, half_lives).tolist() == pytest.approx(
        known, rel=1e-12, abs=1e-300
    )


@given(
    rows=st.lists(
        st.builds(
            Signs,
            cosine=st.floats(-1, 1),
            window=st.floats(0, 1),
            whole=st.floats(0, 1),
            period=st.floats(0, 1),
            asks=flags,
            answers=flags,
            timed=flags,
        ),
        min_size=1,
        max_size=8,
    )
)
def test_relevance_is_that_of_one_row(rows: list[Signs]) -> None:
    made = columnwise.relevance_all(
        column([one.cosine for one in rows]),
        (column([one.window for one in rows]), column([one.whole for one in rows])),
        column([one.period for one in rows]),
        asks=np.array([one.asks for one in rows]),
        answers=np.array([one.answers for one in rows]),
        timed=np.array([one.timed for one in rows]),
    )
    assert made.tolist() == pytest.approx([relevance(one) for one in rows], abs=1e-12)


@given(
    rows=st.lists(st.tuples(numbers, st.integers(0, 1 << 31)), min_size=1, max_size=5),
    until=st.integers(0, 1 << 31),
    half_life=positive,
)
def test_a_measure_decays_as_the_macro_has_it(
    memory: Memory, rows: list[tuple[float, int]], until: int, half_life: float
) -> None:
    measures, since = [one for one, _ in rows], [at for _, at in rows]
    found = memory.deps.db.query(
        "select decayed(unnest($measures::double[]), utc(unnest($since::double[])), $until, $half)"
        " as left_over",
        {"measures": measures, "since": since, "until": float(until), "half": half_life},
    ).unwrap()
    known = [float(row["left_over"]) for row in found]
    made = columnwise.decayed_all(
        column(measures), column([float(at) for at in since]), float(until), half_life
    )
    assert made.tolist() == pytest.approx(known, rel=1e-9, abs=1e-300)


@given(used=st.lists(st.floats(-3, 3).filter(bool), max_size=12), unused=st.integers(0, 1_000))
def test_a_population_is_that_of_the_counts(used: list[float], unused: int) -> None:
    counts = [(one, used.count(one)) for one in sorted(set(used))]
    known = population([*counts, (0.0, unused)] if unused else counts)
    made = columnwise.population_of(column(used), unused)
    assert made == pytest.approx(known, rel=1e-9, abs=1e-9)


@given(days=st.lists(positive, min_size=12, max_size=12))
def test_half_lives_are_looked_up_by_kind_and_scope(days: list[float]) -> None:
    table = {
        (kind, scope): days[(3 * row + place) % 12]
        for row, kind in enumerate(CLAIM_KINDS)
        for place, scope in enumerate(SCOPES)
    }

    class Weighing:
        def half_life_days(self, kind: ClaimKind, scope: Scope) -> float:
            return table[kind, scope]

    places = [(row, place) for row in range(len(CLAIM_KINDS)) for place in range(len(SCOPES))]
    made = columnwise.half_lives_of(
        np.array([row + 1 for row, _ in places], np.uint8),
        np.array([place + 1 for _, place in places], np.uint8),
        Weighing(),
    )
    assert made.tolist() == [table[CLAIM_KINDS[row], SCOPES[place]] for row, place in places]


@given(
    scores=st.lists(st.sampled_from([0.0, 1.0, 1.5, 2.0]) | numbers, max_size=30),
    limit=st.integers(-1, 31),
)
def test_the_best_are_the_first_of_a_stable_sort(scores: list[float], limit: int) -> None:
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    assert best(column(scores), limit).tolist() == order[: max(0, limit)]


# --- arrays, postings


@given(
    steps=st.lists(
        st.lists(st.integers(0, 99), max_size=90) | st.tuples(st.integers(0, 99), st.integers(0)),
        max_size=8,
    )
)
def test_what_was_given_out_never_changes(steps: list[list[int] | tuple[int, int]]) -> None:
    known: list[int] = []
    array = Growing(np.empty(0, np.int64))
    given_out: list[tuple[np.ndarray, list[int]]] = []
    for step in steps:
        if isinstance(step, list):
            array.extend(np.array(step, np.int64))
            known = [*known, *step]
        elif known:
            place = step[1] % len(known)
            array.put(np.array([place]), np.array([step[0]]))
            known = [*known[:place], step[0], *known[place + 1 :]]
        given_out.append((array.values, known))
        same = np.arange(0, len(known), 2)
        array.put(same, np.array(known, np.int64)[same])  # nothing is another for it
        assert array.values.base is given_out[-1][0].base
    assert all(values.tolist() == then for values, then in given_out)


@given(
    texts=st.lists(st.lists(st.integers(0, 6), unique=True, max_size=6), max_size=40),
    cuts=st.lists(st.integers(1, 9), max_size=40),
    data=st.data(),
)
def test_postings_in_many_parts_are_those_in_one(
    texts: list[list[int]], cuts: list[int], data: st.DataObject
) -> None:
    every = [
        (term * 0x2000000000000000 + term, place, term + 1)
        for place, terms in enumerate(texts)
        for term in terms
    ]
    grown, start = Postings(), 0
    for size in [*cuts, len(texts)]:
        batch = [one for one in every if start <= one[1] < start + size]
        grown = grown.with_part(part_of(*arrays_of(data.draw(st.permutations(batch)))))
        start += size
    whole = Postings((part_of(*arrays_of(every)),))
    assert grown.size == whole.size == len(every)
    sizes = [len(part.places) for part in grown.parts]
    assert all(one >= 2 * other for one, other in pairwise(sizes))
    for term in [*sorted({one[0] for one in every}), 5, (1 << 64) - 1]:
        (made, made_tf), (known, known_tf) = grown.of(term), whole.of(term)
        assert made.tolist() == known.tolist()
        assert made_tf.tolist() == known_tf.tolist()


def arrays_of(rows: list[tuple[int, int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return (
        np.array([one for one, _, _ in rows], np.uint64),
        np.array([one for _, one, _ in rows], np.int32),
        np.array([one for _, _, one in rows], np.uint16),
    )


# --- passages


def columns_of(sayings: list[tuple[int, float]]) -> Columns:
    """Return columns in which each saying, of a stream and a time, has one to three claims."""
    rows: list[tuple[int, int, float]] = []
    for number, (stream, at) in enumerate(sayings):
        first = len(rows)
        rows += [(first, stream, at)] * (1 + number % 3)
    given: dict[str, np.ndarray] = {name: np.zeros(len(rows), np.float64) for name in NAMES}
    given["row_id"] = np.arange(len(rows), dtype=np.int64)
    given["saying"] = np.array([one for one, _, _ in rows], np.int64)
    given["stream"] = np.array([one for _, one, _ in rows], np.uint64)
    given["said_at"] = np.array([one for _, _, one in rows], np.float64)
    return ClaimColumns(given).columns


def first_of(columns: Columns, size: int) -> Columns:
    return Columns(**{name: getattr(columns, name)[:size] for name in NAMES})


said: Final = st.lists(
    st.tuples(st.sampled_from([NO_STREAM, 1, 1, 2]), st.sampled_from([0.0, 3e3, 2e4, 5e4])),
    max_size=30,
)


@example(sayings=[(1 + one % 80, one * 60.0) for one in range(160)], cuts=[6], tile=1)
@example(sayings=[(1, 0.0), (2, 0.0), (1, 3e3), (1, 3e3), (2, 3e3)], cuts=[1, 3], tile=1)
@given(sayings=said, cuts=st.lists(st.integers(0, 60), max_size=6), tile=st.integers(1, 4))
def test_passages_that_follow_are_those_of_all(
    sayings: list[tuple[int, float]], cuts: list[int], tile: int
) -> None:
    columns = columns_of(sayings * tile)  # more than are linked one by one
    grown = PassageLinks(first_of(columns, 0))
    for cut in [*sorted(cuts), len(columns)]:
        grown.follow(first_of(columns, cut))
    made, known = grown.view(), PassageLinks(columns).view()
    for name in ("head", "before", "after"):
        assert getattr(made, name).tolist() == getattr(known, name).tolist()


@example(sayings=[(1, 0.0)] * 200, seed=3)  # more than are stepped over one by one
@example(sayings=[(1, 0.0), (1, 3e3), (1, 2e4 + 1_601)], seed=1)  # 6 h and a second
@given(sayings=said, seed=st.integers(0, 1 << 16))
def test_neighbours_are_the_next_visible_of_the_stream(
    sayings: list[tuple[int, float]], seed: int
) -> None:
    columns = columns_of(sayings)
    passages = PassageLinks(columns).view()
    random = np.random.default_rng(seed)
    visible = random.random(len(columns)) < random.choice([0.02, 0.3, 0.9])
    heads = np.unique(passages.head).astype(np.int64)
    asked = np.append(heads, NONE)[: len(heads) + bool(len(heads))]
    for forward in (False, True):
        made = passages.neighbours(asked, columns, visible, forward=forward)
        known = [next_of(columns, visible, heads.tolist(), one, forward) for one in asked.tolist()]
        assert made.tolist() == known


def next_of(
    columns: Columns, visible: np.ndarray, heads: list[int], head: int, forward: bool
) -> int:
    beyond = [one for one in heads if (one > head if forward else one < head)]
    for one in beyond if forward else reversed(beyond):
        if head == NONE or columns.stream[head] == NO_STREAM:
            return NONE
        if columns.stream[one] == columns.stream[head] and visible[one]:
            apart = abs(float(columns.said_at[one] - columns.said_at[head]))
            return NONE if apart > 6 * 3_600 else one
    return NONE


# --- vectors

WIDTH: Final = 512


def clustered(size: int, seed: int, *, lean: float = 1.5) -> np.ndarray:
    """Return unit vectors in clusters, all leaning to one side, as embeddings do."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((64, WIDTH)) + lean * random.standard_normal(WIDTH)
    rows = centres[random.integers(0, 64, size)] + 0.8 * random.standard_normal((size, WIDTH))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return np.asarray(rows)


def nearest_of(matrix: np.ndarray, query: np.ndarray, among: np.ndarray, limit: int) -> list[int]:
    cosines = matrix[among].astype(np.float64) @ query.astype(np.float64)
    return [int(place) for place in among[np.argsort(-cosines, kind="stable")[:limit]]]


@pytest.mark.slow
@pytest.mark.parametrize("whole", [True, False])
def test_the_first_stage_passes_on_the_nearest(whole: bool) -> None:
    size = 30_000
    matrix = clustered(size, 7)
    random = np.random.default_rng(8)
    queries = clustered(size + 100, 7)[size:]
    vectors = Vectors(matrix[::20].mean(axis=0), whole=whole)
    for start in range(0, size, 7_000):  # the codes are begun in the middle of one
        rows = matrix[start : start + 7_000]
        vectors.extend(np.ones(len(rows), np.bool_), rows)
    view = vectors.view()
    assert view.codes is not None
    half = np.sort(random.permutation(size)[: size // 2])
    for among in (np.arange(size), half):
        found = 0
        for query in queries:
            # As many as a search has candidates: their cosines are looked up exactly.
            places, _ = view.nearest(query, among, 10 if whole else 96)
            assert np.isin(places, among).all()
            found += len({*places.tolist()} & {*nearest_of(matrix, query, among, 10)})
        assert found / (10 * len(queries)) >= 0.995


def test_codes_never_name_a_row_that_was_not_asked_for() -> None:
    matrix = clustered(3_000, 1)
    codes = SignCodes(matrix.mean(axis=0))
    codes.extend(matrix)
    among = np.arange(5, 3_000, 7)
    for limit in (1, 10, 428, 10_000):
        places = codes.view().nearest(matrix[0], among, limit)
        assert np.isin(places, among).all()
        assert len(places) >= min(limit, len(among))
        assert places.tolist() == sorted(set(places.tolist()))


def test_codes_of_other_widths_are_whole_words() -> None:
    for width in (1, 63, 64, 65, 130):
        rows = np.random.default_rng(width).standard_normal((50, width)).astype(np.float32)
        codes = SignCodes(np.zeros(width, np.float32))
        codes.extend(rows)
        nearest = codes.view().nearest(rows[9], None, 1)
        differing = ((rows > 0) != (rows[9] > 0)).sum(axis=1)
        assert nearest.tolist() == np.flatnonzero(differing == 0).tolist()


def test_bytes_tell_a_cosine_to_a_hundredth() -> None:
    matrix = clustered(2_000, 3)
    codes, scales = as_bytes(matrix)
    query = matrix[11]
    made = Bytes(codes, scales).cosines(query, np.arange(2_000))
    assert np.abs(made - Whole(matrix).cosines(query, np.arange(2_000))).max() < 0.01
    zero, one = as_bytes(np.zeros((1, WIDTH), np.float32))
    assert (zero.tolist(), one.tolist()) == ([[0] * WIDTH], [1.0])


@given(seed=st.integers(0, 1 << 16), size=st.integers(1, 40))
def test_a_cosine_does_not_depend_on_what_stands_beside(seed: int, size: int) -> None:
    matrix, query = clustered(size, seed), clustered(1, seed + 1)[0]
    order = np.random.default_rng(seed).permutation(size)
    known = Whole(matrix).cosines(query, np.arange(size))
    assert Whole(matrix).cosines(query, order).tolist() == known[order].tolist()
    assert Whole(matrix[order]).cosines(query, np.arange(size)).tolist() == known[order].tolist()
    alone = [Whole(matrix).cosines(query, np.array([place]))[0] for place in range(size)]
    assert alone == known.tolist()
    np.testing.assert_allclose(known, matrix @ query, atol=1e-6)


@given(seed=st.integers(0, 1 << 16), size=st.integers(1, 40), limit=st.integers(1, 50))
def test_few_vectors_are_compared_exactly(seed: int, size: int, limit: int) -> None:
    random = np.random.default_rng(seed)
    matrix = clustered(size, seed)
    has = random.random(size) < 0.8
    matrix[~has] = 0
    vectors = Vectors(matrix.mean(axis=0), whole=True)
    for start in range(0, size, 7):
        vectors.extend(has[start : start + 7], matrix[start : start + 7])
    query = -matrix[0] if has[0] else clustered(1, seed)[0]  # a zero would be nearer than these
    among = np.flatnonzero(random.random(size) < 0.7)
    places, cosines = vectors.view().nearest(query, among, limit)
    shown = among[has[among]]
    known = np.sort((matrix[shown] @ query).astype(np.float64))[::-1][:limit]
    assert np.isin(places, shown).all()
    np.testing.assert_allclose(cosines, known, atol=1e-6)
    np.testing.assert_allclose(vectors.view().exact.cosines(query, places), cosines, atol=1e-6)


@pytest.mark.parametrize("whole", [True, False])
@given(
    seed=st.integers(0, 1 << 16),
    has=st.lists(st.sampled_from([0, 1, 2]), min_size=1, max_size=40),
    filled=st.integers(1, 6),
)
def test_vectors_that_come_later_are_as_if_they_had_been_there(
    whole: bool, seed: int, has: list[int], filled: int
) -> None:
    """0 is a claim that gets no vector, 1 one that has it, 2 one that gets it later."""
    matrix = clustered(len(has), seed)
    state = np.array(has)
    first, last = state == 1, state > 0
    grown, known = (Vectors(matrix.mean(axis=0), whole=whole) for _ in range(2))
    grown.extend(first, np.where(first[:, None], matrix, np.float32(0)))
    known.extend(last, np.where(last[:, None], matrix, np.float32(0)))
    every, before = np.arange(len(has)), grown.view()
    then = before.nearest(matrix[0], every, 50)
    places = np.flatnonzero(state != 1)
    for start in range(0, len(places), filled):
        some = places[start : start + filled]
        grown.fill(some, last[some], matrix[some])
    made, whole_view = grown.view(), known.view()
    assert made.has.tolist() == last.tolist()
    for now, there in zip(
        made.nearest(matrix[0], every, 50), whole_view.nearest(matrix[0], every, 50), strict=True
    ):
        assert now.tolist() == there.tolist()
    # Who held a view goes on to see what there was.
    for now, there in zip(before.nearest(matrix[0], every, 50), then, strict=True):
        assert now.tolist() == there.tolist()


@pytest.mark.parametrize("whole", [True, False])
def test_codes_of_vectors_that_come_later_are_theirs(
    whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_module, "FEW", 400)
    matrix = clustered(2_000, 5)
    has = np.arange(2_000) % 3 == 0
    grown, known = (Vectors(matrix.mean(axis=0), whole=whole) for _ in range(2))
    grown.extend(has, np.where(has[:, None], matrix, np.float32(0)))
    known.extend(np.ones(2_000, np.bool_), matrix)
    grown.fill(np.flatnonzero(~has), np.ones(np.count_nonzero(~has), np.bool_), matrix[~has])
    assert grown._codes is not None
    assert known._codes is not None
    made, there = grown.view().codes, known.view().codes
    assert made is not None
    assert there is not None
    if not whole:  # else their means are of other vectors
        assert made.nearest(matrix[1], None, 50).tolist() == (
            there.nearest(matrix[1], None, 50).tolist()
        )
    assert 1 in made.nearest(matrix[1], None, 50)


def test_codes_centred_on_nothing_are_outgrown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "FEW", 40)
    matrix, none = clustered(30, 5), np.zeros(30, np.bool_)
    vectors = Vectors(np.zeros(WIDTH, np.float32), whole=False)
    vectors.extend(none, np.zeros_like(matrix))
    assert not vectors.outgrown
    vectors.fill(np.arange(10), np.ones(10, np.bool_), matrix[:10])
    assert not vectors.outgrown
    vectors.fill(np.arange(10, 30), np.ones(20, np.bool_), matrix[10:])
    assert vectors.outgrown


@pytest.mark.parametrize("first", [0, 1, 100, 400])
def test_codes_are_the_same_however_vectors_came(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_module, "FEW", 400)
    monkeypatch.setattr(vectors_module, "ROUGH", (200, 1, 1_000))
    monkeypatch.setattr(vectors_module, "FINE", (100, 1, 1_000))
    matrix = clustered(3_000, 5, lean=8.0)
    has = np.arange(3_000) % 11 != 0
    matrix[~has] = 0
    start = matrix[:first]
    grown = Vectors(start.mean(axis=0) if first else np.zeros(WIDTH, np.float32), whole=True)
    grown.extend(has[:first], start)
    for one in range(first, 500, 50):
        grown.extend(has[one : one + 50], matrix[one : one + 50])
    at = len(grown.view().has)
    grown.extend(has[at:], matrix[at:])
    loaded = Vectors(matrix[has].mean(axis=0), whole=True)
    loaded.extend(has, matrix)
    among, hits = np.arange(3_000), 0
    for query in clustered(3_040, 5, lean=8.0)[3_000:]:
        places, _ = grown.view().nearest(query, among, 10)
        known, _ = loaded.view().nearest(query, among, 10)
        assert has[places].all()
        assert has[known].all()
        hits += len({*places.tolist()} & {*known.tolist()})
    assert hits >= 0.99 * 400


def test_what_has_no_vector_is_nearest_to_nothing() -> None:
    vectors = Vectors(np.zeros(WIDTH, np.float32), whole=True)
    vectors.extend(np.zeros(5, np.bool_), np.zeros((5, WIDTH), np.float32))
    places, cosines = vectors.view().nearest(clustered(1, 1)[0], np.arange(5), 3)
    assert (places.tolist(), cosines.tolist()) == ([], [])
    assert math.isclose(float(np.linalg.norm(clustered(1, 1)[0])), 1.0, rel_tol=1e-6)
