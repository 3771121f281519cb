"""The algebra of the ranking (one-engine G1): ranges, monotony, and no say of order."""

import math

import pytest
from hypothesis import given, strategies as st

from pce_memory.scoring.fusion import hybrid_fusion
from pce_memory.scoring.normalize import normalize_cosine, normalize_text_scores
from pce_memory.scoring.rerank import population, recency_decay, rerank, sigmoid, z_score

UNITS = st.floats(0, 1)
REALS = st.floats(-1e6, 1e6)


@given(z=REALS, confidence=REALS, recency=REALS)
def test_g_is_in_its_range(z: float, confidence: float, recency: float) -> None:
    assert 0.09 - 1e-12 <= rerank(z, confidence, recency) <= 1 + 1e-12
    assert 0.045 - 1e-12 <= rerank(z, confidence, recency, quality=0.0) <= 0.5 + 1e-12


@given(z=REALS, more=st.floats(0, 1e6), c=UNITS, c2=UNITS, r=UNITS, r2=UNITS)
def test_g_grows_with_each_argument(
    z: float, more: float, c: float, c2: float, r: float, r2: float
) -> None:
    assert rerank(z + more, c, r) >= rerank(z, c, r)
    assert rerank(z, max(c, c2), r) >= rerank(z, min(c, c2), r)
    assert rerank(z, c, max(r, r2)) >= rerank(z, c, min(r, r2))


@pytest.mark.parametrize(
    ("z", "confidence", "recency", "g"),
    [
        (0, 0.5, 1, 0.6),
        (0, 0.5, 0.5, 0.39),
        (0, 1, 1, 0.8),
        (2, 0.9, 1, 0.904703),
        (1, 0.72, 0.93, 0.729877),
        (-1e9, 0, 0, 0.09),
        (1e9, 1, 1, 1.0),
    ],
)
def test_g_has_its_golden_values(z: float, confidence: float, recency: float, g: float) -> None:
    assert rerank(z, confidence, recency) == pytest.approx(g, abs=5e-7)


@pytest.mark.parametrize(
    ("days", "half_life", "recency"),
    [
        (30, 120, 0.840896),
        (120, 120, 0.5),
        (365, 120, 0.121441),
        (7, 14, 0.707107),
        (30, 14, 0.226431),
        (7, 30, 0.850667),
        (120, 30, 0.0625),
        (-5, 30, 1.0),
        (5, 0, 0.0),
        (5, -1, 0.0),
        (5, math.nan, 0.0),
        (math.nan, 30, 0.0),
        (1e12, 30, 0.0),
    ],
)
def test_recency_has_its_golden_values(days: float, half_life: float, recency: float) -> None:
    assert recency_decay(days, half_life) == pytest.approx(recency, abs=5e-7)


@given(text=UNITS, vector=UNITS, alpha=UNITS)
def test_s_is_between_its_parts(text: float, vector: float, alpha: float) -> None:
    s = hybrid_fusion(text, vector, alpha)
    assert min(text, vector) - 1e-12 <= s <= max(text, vector) + 1e-12


@given(scores=st.lists(st.floats(0, 1e9), max_size=20), how=st.sampled_from(["max", "minmax"]))
def test_text_scores_keep_their_order(scores: list[float], how) -> None:
    normal = normalize_text_scores(scores, how=how)
    assert len(normal) == len(scores)
    assert all(0 <= one <= 1 for one in normal)
    if scores and max(scores) > 0:
        assert normal[scores.index(max(scores))] == 1.0
    for (a, x), (b, y) in zip(
        zip(scores, normal, strict=True), zip(scores[1:], normal[1:], strict=True), strict=False
    ):
        assert (a <= b) == (x <= y) or math.isclose(x, y)


def test_a_score_that_is_no_number_counts_nothing() -> None:
    assert normalize_text_scores([math.nan, math.inf, -1.0, 2.0]) == [0.0, 0.0, 0.0, 1.0]
    assert normalize_text_scores([0.0, 0.0]) == [0.0, 0.0]
    assert normalize_text_scores([], how="minmax") == []


@given(cosine=st.floats(-1.01, 1.01))
def test_a_cosine_becomes_a_unit(cosine: float) -> None:
    assert 0 <= normalize_cosine(cosine) <= 1


@given(x=st.floats(-1e308, 1e308))
def test_the_sigmoid_is_symmetric_and_never_overflows(x: float) -> None:
    assert sigmoid(x) + sigmoid(-x) == pytest.approx(1.0)


@given(pairs=st.lists(st.tuples(st.floats(-9, 9), st.integers(1, 9)), max_size=9), data=st.data())
def test_a_population_has_no_order(pairs: list[tuple[float, int]], data: st.DataObject) -> None:
    distinct = list(dict(pairs).items())
    found = population(distinct)
    assert population(data.draw(st.permutations(distinct))) == found
    assert found.std > 0
    assert math.isfinite(z_score(1.0, found))


def test_a_population_without_spread_has_a_deviation_of_one() -> None:
    assert population([]) == (0.0, 1.0)
    assert population([(0.1, 1)]) == (0.1, 1.0)
    assert population([(0.1, 3), (0.1 + 1e-17, 2)]).std == 1.0
    assert population([(1.0, 1), (1.0 + 1e-12, 1)]).std == 1.0
