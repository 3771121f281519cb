"""Seed 004: the blend of runs says nothing of their order, and is the sum the design writes."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pce_memory.domain.fusion import PiWeights
from pce_memory.domain.ranking import RankedItem, RankedLists, SearchWeights
from pce_memory.scoring.blend import (
    WeighedRun,
    blend,
    boosted,
    joined_ranks,
    pi_code,
    pi_facet,
    pi_of,
    ranked,
)
from pce_memory.scoring.reciprocal import calculate_rrf_score

RUNS = st.lists(
    st.builds(
        lambda keys, weight: WeighedRun(np.array(keys, np.int64), weight),
        st.lists(st.integers(0, 40), unique=True, max_size=15),
        st.floats(0, 3),
    ),
    max_size=5,
)
KS = st.floats(1, 200)


def by_hand(runs: Sequence[WeighedRun], k: float) -> dict[int, float]:
    found: dict[int, list[float]] = {}
    for run in runs:
        for rank, key in enumerate(run.keys.tolist(), start=1):
            found.setdefault(key, []).append(run.weight / (k + rank))
    return {key: math.fsum(parts) for key, parts in found.items()}


@given(runs=RUNS, k=KS)
def test_a_blend_is_the_sum_over_runs(runs: list[WeighedRun], k: float) -> None:
    done = blend(runs, k)
    assert dict(zip(done.keys.tolist(), done.rrf.tolist(), strict=True)) == pytest.approx(
        by_hand(runs, k), abs=1e-15
    )
    bound = sum(run.weight for run in runs) / (k + 1)
    assert (done.rrf <= bound + 1e-12).all()


@given(runs=RUNS, k=KS, turn=st.randoms(use_true_random=False))
def test_the_order_of_the_runs_says_nothing(runs: list[WeighedRun], k: float, turn) -> None:
    one = blend(runs, k)
    turned = list(runs)
    turn.shuffle(turned)
    other = blend(turned, k)
    assert (one.keys.tolist(), one.rrf.tolist()) == (other.keys.tolist(), other.rrf.tolist())
    assert ranked(one.rrf, one.keys).tolist() == ranked(other.rrf, other.keys).tolist()


@given(
    lanes=st.lists(
        st.tuples(st.floats(0, 1) | st.just(math.nan), st.floats(0, 1) | st.just(math.nan)),
        min_size=1,
        max_size=30,
    ),
    alpha=st.floats(0.01, 0.99),
    k=KS,
)
def test_ranks_are_joined_as_the_search_utilities_join_them(
    lanes: list[tuple[float, float]], alpha: float, k: float
) -> None:
    """One formula: weighted RRF over two lanes, over the most that it can be."""
    keys = np.arange(len(lanes))[::-1].copy()
    columns = np.array(lanes, np.float64).T
    joined = joined_ranks(keys, [(1 - alpha, columns[0]), (alpha, columns[1])], k)
    assert ((joined >= 0) & (joined <= 1 + 1e-12)).all()

    def listed(scores: np.ndarray) -> list[RankedItem]:
        kept = np.flatnonzero(~np.isnan(scores))
        best = sorted(kept.tolist(), key=lambda at: (-scores[at], keys[at]))
        return [RankedItem(str(keys[at]), rank) for rank, at in enumerate(best, start=1)]

    lists = RankedLists(keyword=listed(columns[0]), semantic=listed(columns[1]))
    weights = SearchWeights(keyword=1 - alpha, semantic=alpha, graph=0)
    found = calculate_rrf_score(lists, weights, k).value_or([])
    expected = {one.id: one.rrf_score * (k + 1) for one in found}
    for key, score in zip(keys.tolist(), joined.tolist(), strict=True):
        assert score == pytest.approx(expected.get(str(key), 0.0), abs=1e-12)


def test_two_runs_of_one_lane_keep_their_own_ranks():
    one, other = np.array([1, 2], np.int64), np.array([3, 1], np.int64)
    done = blend([WeighedRun(one, 1.0), WeighedRun(other, 0.5)], 60)
    assert done.parts.tolist() == [[1 / 61, 0.5 / 62], [1 / 62, 0.0], [0.0, 0.5 / 61]]
    assert done.found_by.tolist() == [1.0, 0.5, 0.5]


@given(runs=RUNS, k=KS)
def test_what_a_run_weighs_says_nothing_of_what_it_lists(runs: list[WeighedRun], k: float) -> None:
    # A run of weight 0 was counted among the runs, and not as one that lists a document.
    light = [WeighedRun(run.keys, 0.0) for run in runs]
    assert blend(light, k).found_by.tolist() == blend(runs, k).found_by.tolist()
    for key, share in zip(blend(runs, k).keys, blend(runs, k).found_by, strict=True):
        assert share == pytest.approx(sum(key in run.keys for run in runs) / len(runs))


def test_no_runs_are_no_documents():
    done = blend([], 60)
    assert (len(done.keys), len(done.rrf), len(done.found_by)) == (0, 0, 0)


UNITS = st.lists(st.floats(0, 1), min_size=3, max_size=3).map(np.array)


@given(code=UNITS, facet=UNITS, lane=UNITS, beta=st.floats(0, 3), rrf=UNITS)
def test_a_boost_only_ever_lifts_and_at_most_by_one_plus_beta(code, facet, lane, beta, rrf):
    pi = pi_of(code, facet, lane, PiWeights())
    assert ((pi >= 0) & (pi <= 1)).all()
    final = boosted(rrf, pi, beta)
    assert ((final >= rrf) & (final <= rrf * (1 + beta) + 1e-12)).all()


def test_pi_of_codes_is_the_share_of_the_targets_weight():
    assert pi_code(np.array([1.5, 0.0]), np.array([0.0, 0.0]), 3.0).tolist() == [0.5, 0.0]
    assert pi_code(np.array([3.0]), np.array([3.0]), 3.0).tolist() == [1.0]
    assert pi_code(np.array([1.0]), np.array([1.0]), 2.0).tolist() == [0.55]
    assert pi_code(np.array([1.0]), np.array([0.0]), 0.0).tolist() == [0.0]


def test_pi_of_facets_is_the_weighted_mean_of_their_coverage():
    coverage = np.array([[1.0, 0.5], [0.0, 0.0]])
    assert pi_facet(coverage, [1.0, 1.0]).tolist() == [0.75, 0.0]
    assert pi_facet(coverage, [3.0, 1.0]).tolist() == [0.875, 0.0]
    assert pi_facet(coverage, []).tolist() == [0.0, 0.0]
