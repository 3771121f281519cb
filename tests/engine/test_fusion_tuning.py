"""What a step of the tuning loop is judged by: what its pattern is about, and the whole."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from pce_memory import Memory
from pce_memory.domain.fused import FusionResult
from pce_memory.domain.refinement import RefinementConfig, RefinementPolicy
from pce_memory.store import events

AIM: Final = {"fi": {"H05B": 1.0}}
DOCUMENTS: Final = 140


class Shelf:
    """A search that finds documents in one order, each with one code."""

    def __init__(self, codes: Mapping[int, str]) -> None:
        self._codes = codes

    def fulltext_search(self, _query: str, _filters: Any, _top_k: int) -> object:
        return [
            {
                "doc_id": f"b{rank}",
                "score": 1 / rank,
                "metadata": {"codes": {"fi": [self._codes.get(rank, f"X{rank}")]}},
            }
            for rank in range(1, DOCUMENTS + 1)
        ]

    def semantic_search(self, text: str, _feature_scope: str, top_k: int) -> object:
        return self.fulltext_search(text, (), top_k)

    def get_document(self, _doc_id: str, _fields: Any) -> object:
        return None


def blended(memory: Memory, codes: Mapping[int, str], *, lanes: int, **how: Any) -> FusionResult:
    """Return the blend of one lane, or of two that agree, with all that is boosted by codes."""
    books = memory.fusion.over("books", Shelf(codes))
    runs = [books.rrf_search_fulltext_raw("x"), books.rrf_search_semantic_raw("x")]
    return books.rrf_blend_frontier(runs[:lanes], target_profile=AIM, beta_fuse=2.0, **how)


def test_codes_that_agree_more_are_kept_though_fproxy_cannot_move(memory: Memory):
    # One lane agrees with none: LAS and so Fproxy are 0, whatever the codes do.
    base = blended(memory, dict.fromkeys(range(76, 140), "H05B"), lanes=1)
    done = memory.fusion.tune(base.run_id)
    step = done.steps[0]
    assert (step.pattern, step.measure, step.kept) == ("low_precision", "CCW", True)
    assert (step.fproxy_before, step.fproxy_after) == (0.0, 0.0)
    assert step.before == pytest.approx(100 * base.metrics.CCW)
    assert step.after == pytest.approx(100 * done.metrics.CCW)
    assert step.after >= step.before + step.decision.noise_threshold
    assert (step.decision.previous_score, step.decision.current_score) == (step.before, step.after)
    assert done.run_id == step.run_id
    said = [one.payload for one in events.newest(topic="fusion")(memory.deps).unwrap()]
    assert [one["measure"] for one in said if one.get("tuned") == step.run_id] == ["CCW"]


def test_codes_that_agree_more_are_gone_back_from_where_fproxy_falls(memory: Memory):
    # Of a steep blend the boost lifts the first three most; one more code of theirs comes in.
    codes = {**dict.fromkeys((1, 2, 3, 80), "H05B"), **dict.fromkeys(range(4, 30), "G06V")}
    base = blended(memory, codes, lanes=2, rrf_k=1)
    fine = RefinementConfig(noise_threshold=0.1)
    done = memory.fusion.tune(base.run_id, config=fine)
    step = done.steps[0]
    assert (step.measure, step.decision.score_direction) == ("CCW", "improved")
    assert step.fproxy_after < step.fproxy_before - 0.1
    assert (step.kept, done.stopped, done.run_id) == (False, "degraded", base.run_id)


class TwoShelves(Shelf):
    """A search that finds by words what it does not find by meaning; only the latter is coded."""

    def fulltext_search(self, query: str, filters: Any, top_k: int) -> object:
        found: Any = Shelf({}).fulltext_search(query, filters, top_k)
        return [{**one, "doc_id": f"w{one['doc_id']}"} for one in found]

    def semantic_search(self, text: str, _feature_scope: str, top_k: int) -> object:
        return super().fulltext_search(text, (), top_k)


def two_shelves(memory: Memory) -> FusionResult:
    """Return a blend that more weight on codes helps, and less weight on meaning harms."""
    books = memory.fusion.over("books", TwoShelves(dict.fromkeys(range(20, 60), "H05B")))
    runs = [books.rrf_search_fulltext_raw("x"), books.rrf_search_semantic_raw("x")]
    return books.rrf_blend_frontier(runs, target_profile=AIM, weights={"semantic": 0.6})


def test_where_the_whole_does_not_help_its_part_for_codes_is_tried(memory: Memory):
    base = two_shelves(memory)
    done = memory.fusion.tune(base.run_id)
    whole, part = done.steps
    assert (whole.kept, part.kept) == (False, True)
    assert whole.pattern == part.pattern == "low_precision"
    assert part.delta == {"pi_weights": {"code": 0.6}}
    assert whole.delta["pi_weights"] == part.delta["pi_weights"]
    # The part is weighed against what was gone back to.
    assert part.before == whole.before == pytest.approx(100 * base.metrics.CCW)
    assert (done.run_id, done.stopped) == (part.run_id, "attempts")


def test_a_part_is_no_more_than_the_attempts_allow(memory: Memory):
    base = two_shelves(memory)
    once = RefinementConfig(max_refinement_attempts=1, noise_threshold=0.3)
    done = memory.fusion.tune(base.run_id, config=once)
    assert [step.kept for step in done.steps] == [False]
    assert (done.run_id, done.stopped) == (base.run_id, "noise")


def test_two_changes_within_the_noise_end_it(memory: Memory):
    done = memory.fusion.tune(blended(memory, {}, lanes=1).run_id)
    assert [step.decision.score_direction for step in done.steps] == ["stable", "stable"]
    assert [step.decision.decision for step in done.steps] == ["replan", "reject"]
    assert done.stopped == "noise"


def test_what_is_judged_and_what_is_computed_have_a_noise_each():
    how = RefinementPolicy(noise_threshold=2, tuning_noise_threshold=0.5, target_score=70)
    assert how.for_tuning == RefinementConfig(
        noise_threshold=0.5, delta_threshold=1.25, delta_threshold_percent=1.25, target_score=70
    )
    assert RefinementPolicy(noise_threshold=0.001).for_tuning.delta_threshold == 100


def test_where_the_codes_agree_the_whole_is_judged(memory: Memory):
    base = blended(memory, dict.fromkeys(range(1, 43), "H05B"), lanes=1)
    step = memory.fusion.tune(base.run_id).steps[0]
    assert (step.pattern, step.measure) == ("low_recall", "Fproxy")
    assert (step.before, step.after) == (step.fproxy_before, step.fproxy_after)


def test_a_target_that_codes_reach_does_not_end_what_is_poor(memory: Memory):
    base = blended(memory, dict.fromkeys(range(76, 140), "H05B"), lanes=1)
    low = RefinementConfig(target_score=1)
    done = memory.fusion.tune(base.run_id, config=low)
    assert done.steps[0].decision.decision == "accept"
    assert done.steps[0].kept
    assert done.stopped != "accepted"
