"""The pure parts of the benchmark of fusion: the planted corpus, the verdicts, what is suggested."""

import doctest
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from benchmarks import fusion_planted, fusion_runs, fusion_verdicts
from benchmarks.fusion_planted import Shape, SynonymEmbedder, asked, planted, said, word
from benchmarks.fusion_study import DELTAS
from benchmarks.fusion_verdicts import Step, counted, false_ones, rank_correlation
from pce_memory.domain.fusion import StructuralMetrics
from pce_memory.scoring.blend import distinct
from pce_memory.scoring.suggesting import suggest_mutation

SMALL = Shape(documents=400, families=4, topics=8, relevant=15, siblings=30)
points = st.floats(0, 100)
shares = st.floats(0, 1)
steps = st.builds(Step, st.just("low_recall"), points, points, shares, shares)


@pytest.mark.parametrize("module", [fusion_planted, fusion_verdicts])
def test_the_doctests_hold(module: object):
    done = doctest.testmod(module)  # type: ignore[arg-type]
    assert (done.failed, done.attempted > 0) == (0, True)


def test_another_number_is_another_word():
    assert len({word(number) for number in range(20_000)}) == 20_000


def test_a_corpus_is_the_same_from_the_same_seed_and_another_from_another():
    assert planted(SMALL, 3) == planted(SMALL, 3) != planted(SMALL, 4)


def test_every_topic_has_documents_that_say_its_concepts_and_others_hardly_do():
    corpus = planted(SMALL, 5)
    for number, topic in enumerate(corpus.topics):
        relevant = corpus.relevant(number)
        own = {said(one, synonym) for one in topic.concepts for synonym in range(3)}
        told = {one.name: own & set(f"{one.title} {one.abst}".split()) for one in corpus.documents}
        assert relevant
        assert all(len(told[name]) >= 2 for name in relevant)
        others = [len(told[name]) for name in told.keys() - relevant]
        assert np.mean(others) < 0.5


def test_codes_are_forgotten_as_often_as_the_shape_says():
    corpus = planted(Shape(documents=2_000, topics=20, relevant=60, forgotten=0.3), 7)
    own = [one for one in corpus.documents if one.topic >= 0]
    kept = sum(code.startswith(f"T{one.topic}-") for one in own for code in one.codes)
    assert kept / (3 * len(own)) == pytest.approx(0.7, abs=0.03)


def test_synonyms_are_near_and_other_words_are_not():
    embedder = SynonymEmbedder(error=0.0)
    one, same, other = (
        np.array(embedder.embed(text).unwrap()) for text in (said(1, 0), said(1, 2), said(2, 0))
    )
    assert one @ same == pytest.approx(1.0)
    assert abs(one @ other) < 0.5


def test_who_asks_uses_words_of_the_topic_only():
    topic = planted(SMALL, 1).topics[2]
    own = {said(one, synonym) for one in topic.concepts for synonym in range(3)}
    who = asked(topic, 9)
    assert set(who.text.split()) <= own
    assert set(who.exact.split()) < set(who.wide.split()) < set(who.text.split())


@given(some=st.lists(steps, max_size=20), noise=st.floats(0, 10))
def test_every_rise_is_false_or_true_and_stopped_or_passed(some: list[Step], noise: float):
    rises = sum(one.after > one.before for one in some)
    assert sum(false_ones(some, noise)) == rises
    assert counted(some, noise).total() == len(some)


@given(some=st.lists(steps, max_size=20), noise=st.floats(0, 10))
def test_without_tolerance_nothing_is_stopped_and_with_more_no_more_passes(
    some: list[Step], noise: float
):
    stopped, passed, lost, won = false_ones(some, noise)
    all_false, all_true = stopped + passed, lost + won
    assert false_ones(some, 0.0) == (0, all_false, 0, all_true)
    assert false_ones(some, noise + 1)[1] <= passed


@given(values=st.lists(st.integers(0, 9), min_size=2, max_size=12))
def test_a_ranking_agrees_with_itself_and_is_opposed_to_its_mirror(values: list[int]):
    if len(set(values)) > 1:
        assert rank_correlation(values, values) == pytest.approx(1.0)
        assert rank_correlation(values, [-one for one in values]) == pytest.approx(-1.0)
    else:
        assert rank_correlation(values, values) == 0.0


def metrics(**known: float) -> StructuralMetrics:
    return StructuralMetrics(
        **{"LAS": 0.1, "CCW": 0.1, "S_shape": 0.2, "F_struct": 0.1, "Fproxy": 0.1, **known}
    )


def test_the_changes_that_are_studied_are_those_that_are_suggested():
    fitting = {
        "low_recall": metrics(CCW=0.6),
        "low_precision": metrics(CCW=0.1),
        "semantic_dominance": metrics(CCW=0.45, LAS=0.4, S_shape=0.6),
    }
    for pattern, structure in fitting.items():
        suggestion = suggest_mutation(structure, {"semantic": 0.9})
        assert suggestion.pattern == pattern
        assert suggestion.delta is not None
        assert suggestion.delta.said == DELTAS[pattern]


def test_lanes_of_the_speed_test_overlap_much_at_the_top_and_less_below():
    first, second = fusion_runs.orders(3_000, 2, 1_000, 1)
    top = len(np.intersect1d(first[:200], second[:200])) / 200
    assert len(np.unique(first)) == 1_000
    assert 0.2 < top < 1
    assert not np.array_equal(first, second)


@settings(max_examples=200)
@given(
    keys=st.lists(st.integers(0, 50), max_size=30),
    base=st.sampled_from((0, 7, 1 << 56, (1 << 57) + 5)),
    stretch=st.sampled_from((1, 3, 1_000, 1 << 40)),
)
def test_distinct_keys_are_those_of_a_sort_however_far_apart(
    keys: list[int], base: int, stretch: int
):
    every = np.array([base + key * stretch for key in keys], np.int64)
    found, rows = distinct(every)
    assert found.tolist() == sorted(set(every.tolist()))
    assert found[rows].tolist() == every.tolist()
    assert Counter(rows.tolist()).keys() == set(range(len(found)))
