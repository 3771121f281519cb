"""Seed 004 §5: the golden values, the edges, and what the metrics can never be."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from pce_memory.scoring.structure import (
    adjusted_shape,
    band_of,
    class_consistency,
    frontier,
    fusion_proxy,
    lane_agreement,
    score_shape,
    structural_f,
    structural_metrics,
)

UNITS = st.floats(0, 1)
IDS = st.lists(st.sampled_from("abcdefghij"), max_size=10, unique=True)
CODES = st.lists(st.sampled_from("xyzuv"), max_size=20)
SCORES = st.lists(st.floats(0, 1e6), max_size=60).map(lambda given: sorted(given, reverse=True))


@pytest.mark.parametrize(
    ("lanes", "las"),
    [
        (["abcd", "bce", "acf"], 1 / 3),
        (["abc", "abc"], 1.0),
        (["abc", "xyz"], 0.0),
        (["abc"], 0.0),
        ([], 0.0),
        (["", ""], 0.0),
        (["", "a"], 0.0),
    ],
)
def test_lane_agreement(lanes, las):
    assert lane_agreement([set(one) for one in lanes]) == pytest.approx(las)


@pytest.mark.parametrize(
    ("codes", "ccw"),
    [
        ("xxxy", 0.188722),
        ("xxxxxxxxyz", 0.418328),
        ("xy", 0.0),
        ("xxyy", 0.0),
        ("x", 1.0),
        ("xxxx", 1.0),
        ("", 0.0),
    ],
)
def test_class_consistency(codes, ccw):
    assert class_consistency(codes) == pytest.approx(ccw, abs=5e-7)


@pytest.mark.parametrize(
    ("las", "ccw", "shape", "f_struct", "proxy"),
    [(0.45, 0.62, 0.28, 0.521495, 0.5215), (0.52, 0.58, 0.62, 0.5484, 0.3206)],
)
def test_the_worked_examples(las, ccw, shape, f_struct, proxy):
    assert structural_f(las, ccw) == pytest.approx(f_struct, abs=5e-5)
    assert fusion_proxy(structural_f(las, ccw), shape) == pytest.approx(proxy, abs=5e-5)


@pytest.mark.parametrize(
    ("scores", "shape"),
    [([], 0.0), ([1.0, 1.0], 0.0), ([1.0] * 3, 1.0), ([1.0] * 12, 0.25), ([0.0] * 5, 0.0)],
)
def test_score_shape(scores, shape):
    assert score_shape(scores) == pytest.approx(shape)


def test_pure_rrf_of_one_lane_has_the_shapes_the_design_names():
    for documents, shape in ((12, 0.267), (6, 0.512), (50, 0.080)):
        scores = [1 / (60 + rank) for rank in range(1, documents + 1)]
        assert score_shape(scores) == pytest.approx(shape, abs=5e-4)


def test_of_few_documents_what_equal_scores_would_give_is_taken_off():
    assert adjusted_shape(0.25, 12) == pytest.approx(0.0)
    assert adjusted_shape(1.0, 12) == 1.0
    assert adjusted_shape(0.4, 20) == 0.4
    assert adjusted_shape(1.0, 3) == 0.0
    assert adjusted_shape(0.0, 0) == 0.0


def test_only_the_top_fifty_of_a_lane_and_of_the_scores_count():
    lane = [f"d{one}" for one in range(60)]
    other = [*lane[:50], *(f"e{one}" for one in range(10))]
    found = structural_metrics([lane, other], "x", [1.0] * 200)
    assert found.LAS == 1.0
    assert found.S_shape == pytest.approx(0.06)


@pytest.mark.parametrize(
    ("name", "value", "band"),
    [
        ("LAS", 0.4, "ok"),
        ("LAS", 0.35, "fair"),
        ("LAS", 0.29, "warn"),
        ("CCW", 0.5, "ok"),
        ("CCW", 0.3, "fair"),
        ("F_struct", 0.29, "warn"),
        ("Fproxy", 0.5, "ok"),
        ("Fproxy", 0.39, "warn"),
        ("S_shape", 0.15, "ok"),
        ("S_shape", 0.35, "ok"),
        ("S_shape", 0.1, "fair"),
        ("S_shape", 0.5, "fair"),
        ("S_shape", 0.51, "warn"),
    ],
)
def test_bands(name, value, band):
    assert band_of(name, value) == band


class TestFrontier:
    def test_the_sums_of_pi(self):
        found = frontier([1.0, 0.5, 0.0, 0.5], [1, 2, 4, 9, 100, 0, -3])
        assert [(one.k, one.precision, one.recall) for one in found] == [
            (1, 1.0, 0.5),
            (2, 0.75, 0.75),
            (4, 0.5, 1.0),
        ]
        assert found[1].f_beta == pytest.approx(0.75)

    def test_where_every_pi_is_zero_each_counts_one(self):
        found = frontier([0.0] * 4, [2])
        assert (found[0].precision, found[0].recall) == (1.0, 0.5)

    def test_nothing_has_no_frontier(self):
        assert frontier([], [1, 10]) == ()
        assert frontier([1.0], []) == ()


@given(lanes=st.lists(IDS, max_size=5), codes=CODES, scores=SCORES)
def test_every_metric_is_in_0_to_1_and_fproxy_never_above_f_struct(
    lanes: list[list[str]], codes: list[str], scores: list[float]
) -> None:
    found = structural_metrics(lanes, codes, scores)
    assert all(0.0 <= one <= 1.0 for one in found.model_dump().values())
    assert found.Fproxy <= found.F_struct
    turned = structural_metrics(lanes[::-1], codes[::-1], scores)
    assert turned == found


@given(las=UNITS, ccw=UNITS, beta=st.floats(0.1, 10))
def test_f_lies_between_what_it_is_made_of(las: float, ccw: float, beta: float) -> None:
    f = structural_f(las, ccw, beta=beta)
    if math.isclose(las, 0, abs_tol=1e-100) or math.isclose(ccw, 0, abs_tol=1e-100):
        assert f == pytest.approx(0, abs=1e-90)
    else:
        assert min(las, ccw) - 1e-12 <= f <= max(las, ccw) + 1e-12


@given(pi=st.lists(UNITS, max_size=30), grid=st.lists(st.integers(-5, 60), max_size=8))
def test_along_the_frontier_recall_never_falls(pi: list[float], grid: list[int]) -> None:
    found = frontier(pi, grid)
    assert [one.k for one in found] == sorted({one.k for one in found})
    assert all(a.recall <= b.recall for a, b in pairwise(found))
    assert all(1 <= one.k <= len(pi) for one in found)
