"""Whether what is found answers: the verdict of an activation, and what the policy makes of it."""

import json

import pytest
from hypothesis import given, strategies as st

from pce_memory import Memory
from pce_memory.domain.context import Scores
from pce_memory.retriever.verdict import verdict_on
from pce_memory.scoring.relevance import calibrated
from tests.policies import LASTING

UNITS = st.floats(0, 1)


def scores(relevance: float | None, combined: float = 0.5) -> Scores:
    made = {"text": 0.5, "vector": 0.5, "combined": combined, "utility": 0.0, "utility_z": 0.0}
    rest = {"confidence": 0.5, "quality": 0.0, "recency": 1.0, "g": 0.6, "relevance": relevance}
    return Scores.model_validate({**made, **rest})


def policy(**keys: str) -> str:
    text = LASTING
    for key, value in keys.items():
        old = {"on_ambiguous": "on_ambiguous: keep", "on_incorrect": "on_incorrect: flag"}[key]
        assert old in text
        text = text.replace(old, f"{key}: {value}")
    return text


@pytest.fixture
def lamps(memory: Memory) -> Memory:
    _ = memory.apply_policy(LASTING)
    for text in (
        "The red lamp stands in the office.",
        "納期は金曜日です。",
        "Ken bought a kettle.",
    ):
        _ = memory.observe(text)
    return memory


class TestVerdict:
    def test_what_says_all_that_is_asked_is_correct(self, lamps):
        verdict = lamps.activate("the red lamp stands in the office").verdict
        assert (verdict.verdict, verdict.needs_external, verdict.passes) == ("correct", False, 1)
        assert verdict.relevance >= 0.7
        assert verdict.score_direction is None

    def test_what_has_nothing_of_it_is_incorrect(self, lamps):
        verdict = lamps.activate("quarterly marzipan exports of Uruguay").verdict
        assert (verdict.verdict, verdict.needs_external) == ("incorrect", True)
        assert verdict.relevance <= 0.3

    def test_nothing_found_is_incorrect_with_no_confidence(self, memory):
        verdict = memory.activate("anything").verdict
        assert (verdict.verdict, verdict.relevance, verdict.confidence) == ("incorrect", 0.0, 0.0)

    def test_who_asks_nothing_is_told_nothing(self, lamps):
        assert lamps.activate("").verdict is None

    def test_the_policy_can_do_without(self, lamps):
        _ = lamps.apply_policy(
            LASTING.replace("1.0.1", "1.1.0").replace(
                "  crag:                        # whether what is found answers: correct, "
                "ambiguous, incorrect\n    enabled: true",
                "  crag:\n    enabled: false",
            )
        )
        assert lamps.activate("red lamp").verdict is None

    def test_an_event_tells_the_verdict_and_no_text(self, lamps):
        _ = lamps.activate("red lamp")
        rows = lamps.deps.db.query(
            "select payload from events where topic = 'activate' order by ts desc limit 1"
        ).unwrap()
        told = json.loads(rows[0]["payload"])["verdict"]
        assert told["verdict"] in {"correct", "ambiguous", "incorrect"}
        assert "lamp" not in json.dumps(told)


class TestWhatFollows:
    def test_what_does_not_answer_is_dropped_where_the_policy_says_so(self, lamps):
        asked = "quarterly marzipan exports of Uruguay"
        _ = lamps.apply_policy(policy(on_incorrect="drop").replace("1.0.1", "1.1.0"))
        found = lamps.activate(asked)
        assert (found.items, found.verdict.verdict) == ((), "incorrect")
        assert lamps.activate("the red lamp stands in the office").items

    def test_an_ambiguous_answer_is_looked_for_once_more_in_other_words(self, memory):
        _ = memory.apply_policy(policy(on_ambiguous="expand"))
        for text in ("The deadline of the report is Friday.", "Ken likes tea."):
            _ = memory.observe(text)
        seen = {
            memory.activate(f"the due date is {word}").verdict.passes for word in ("Friday", "tea")
        }
        assert 2 in seen

    def test_a_second_pass_counts_only_beyond_the_noise(self, memory):
        _ = memory.apply_policy(policy(on_ambiguous="expand"))
        for text in ("The deadline of the report is Friday.", "Ken likes tea."):
            _ = memory.observe(text)
        before = memory.activate("the due date is Friday")
        assert before.verdict.passes == 2
        assert before.verdict.noise_threshold == 3.0
        assert before.verdict.score_direction in {"improved", "stable", "degraded"}
        _ = memory.apply_policy(LASTING.replace("1.0.1", "1.1.0"))
        kept = memory.activate("the due date is Friday")
        if before.verdict.score_direction != "improved":
            assert [one.claim.id for one in kept.items] == [one.claim.id for one in before.items]
            assert kept.verdict.confidence == before.verdict.confidence
        else:
            assert before.verdict.confidence > kept.verdict.confidence

    @pytest.mark.parametrize("noise", [3, 50])
    def test_what_is_noise_the_policy_says(self, memory, noise):
        text = policy(on_ambiguous="expand").replace(
            "noise_threshold: 3 ", f"noise_threshold: {noise} "
        )
        _ = memory.apply_policy(text)
        for text in ("The deadline of the report is Friday.", "Ken likes tea."):
            _ = memory.observe(text)
        verdict = memory.activate("the due date is Friday").verdict
        assert verdict.passes == 2
        assert verdict.noise_threshold == noise
        assert verdict.score_direction == ("stable" if noise == 50 else "improved")


@given(found=st.lists(UNITS, max_size=6))
def test_the_best_decides_and_the_best_three_are_how_sure_it_is(found: list[float]) -> None:
    verdict = verdict_on([scores(one) for one in found])
    assert verdict == verdict_on([scores(one) for one in reversed(found)])
    best = sorted(map(calibrated, found), reverse=True)[:3]
    assert verdict.relevance == (best[0] if best else 0.0)
    assert verdict.confidence == pytest.approx(sum(best) / len(best) if best else 0.0)
    assert verdict.needs_external == (verdict.verdict != "correct")


@given(one=UNITS, other=UNITS)
def test_more_relevance_never_counts_less(one: float, other: float) -> None:
    low, high = sorted([one, other])
    assert 0 <= calibrated(low) <= calibrated(high) <= 1


def test_without_a_second_stage_s_is_the_relevance():
    assert verdict_on([scores(None, 0.9)]) == verdict_on([scores(0.9)])
