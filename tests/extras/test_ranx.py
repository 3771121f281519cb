"""Our fusion beside that of the ranx package, on random runs: the same numbers."""

import importlib
import random
import warnings
from typing import Any

import numpy as np
import pytest

from pce_memory.domain.ranking import RankedItem, RankedLists, SearchWeights
from pce_memory.scoring.blend import WeighedRun, blend
from pce_memory.scoring.normalize import normalize_scores
from pce_memory.scoring.reciprocal import calculate_rrf_score

pytestmark = pytest.mark.extras

ranx: Any = pytest.importorskip("ranx")

SEEDS = range(40)
THIRD = 1 / 3


def runs(seed: int) -> list[dict[str, float]]:
    """Return three rankings, each of its own documents; no two scores of one are equal."""
    chance = random.Random(seed)
    made = [
        {
            f"d{one}": chance.uniform(-5, 50)
            for one in chance.sample(range(60), chance.randint(2, 40))
        }
        for _ in range(3)
    ]
    return [dict(sorted(run.items(), key=lambda pair: -pair[1])) for run in made]


def fused(given: list[dict[str, float]], k: int) -> dict[str, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked = [ranx.Run({"q": run}) for run in given]
        found = ranx.fuse(asked, norm=None, method="rrf", params={"k": k})
        return dict(found.to_dict()["q"])


@pytest.mark.parametrize("seed", SEEDS)
def test_reciprocal_rank_fusion(seed: int):
    given, k = runs(seed), 10 + 5 * seed
    theirs = fused(given, k)
    lists = RankedLists(
        *([RankedItem(one, rank) for rank, one in enumerate(run, start=1)] for run in given)
    )
    ours = calculate_rrf_score(lists, SearchWeights(THIRD, THIRD, THIRD), k).unwrap()
    assert {one.id: one.rrf_score * 3 for one in ours} == pytest.approx(theirs, rel=1e-9)
    keys = [np.array([int(one[1:]) for one in run], np.int64) for run in given]
    done = blend([WeighedRun(one, 1.0) for one in keys], k)
    blended = {f"d{key}": score for key, score in zip(done.keys, done.rrf, strict=True)}
    assert blended == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_min_max(seed: int):
    given = runs(seed)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        norm = importlib.import_module("ranx.normalization").min_max_norm
        theirs = norm(ranx.Run({"q": given})).to_dict()["q"]
    ours = dict(zip(given, normalize_scores(list(given.values())).unwrap(), strict=True))
    assert ours == pytest.approx(theirs, abs=1e-9)
