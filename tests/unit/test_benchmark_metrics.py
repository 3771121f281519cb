"""The measures of the benchmarks: doctested where they stand, and on whole rankings here."""

import doctest
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from benchmarks import locomo, metrics

rankings = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)
wanted = st.frozensets(st.sampled_from("abcdefgh"), min_size=1, max_size=4)


def test_the_doctests_hold():
    assert doctest.testmod(locomo).failed == 0


@given(ranked=rankings, evidence=wanted, k=st.integers(1, 12))
def test_measures_are_shares(ranked: list[str], evidence: frozenset[str], k: int):
    for measure in (
        metrics.recall(ranked, evidence, k),
        metrics.ndcg(ranked, evidence, k),
        metrics.reciprocal_rank(ranked, evidence),
    ):
        assert 0 <= measure <= 1 + 1e-12


@given(evidence=wanted)
def test_a_perfect_ranking_has_every_measure_at_one(evidence: frozenset[str]):
    ranked = sorted(evidence)
    assert metrics.recall(ranked, evidence, 12) == 1
    assert metrics.ndcg(ranked, evidence, 12) == pytest.approx(1)
    assert metrics.reciprocal_rank(ranked, evidence) == 1


@given(ranked=rankings, evidence=wanted)
def test_recall_never_falls_with_depth(ranked: list[str], evidence: frozenset[str]):
    depths = [metrics.recall(ranked, evidence, k) for k in range(1, 13)]
    assert depths == sorted(depths)


def test_the_policies_are_valid_and_in_order(memory):
    for variant in locomo.POLICIES.values():
        assert memory.apply_policy(variant) in ("1.0.1", "1.0.2")
    assert list(locomo.POLICIES) == [name for name in locomo.VARIANTS if name in locomo.POLICIES]


def test_missing_data_is_a_reason_and_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    monkeypatch.setattr("sys.argv", ["locomo", "--data", str(tmp_path / "no.json")])
    locomo.main()
    assert capsys.readouterr().out.startswith("skipped: there is no no.json")
