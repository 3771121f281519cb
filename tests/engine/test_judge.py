"""Scores from outside: what a judge is shown, what its score does, what becomes of its faults."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, cast

import numpy as np
import pytest
from returns.result import Failure, Success

from pce_memory import (
    Boundary,
    Claim,
    ClaimId,
    Judgement,
    Memory,
    MemoryFault,
    ObservationId,
    QualityJudge,
)
from pce_memory.adapters.judges import resolve_judge
from pce_memory.domain.claim import AnyClaim
from pce_memory.errors import InvalidParameter, JudgeFailed, UnknownClaim
from pce_memory.store import events
from tests.conftest import START, FakeClock, rows
from tests.policies import LASTING, REDACTING

LAMP: Final = "The lamp in the hall is red."
PUBLIC: Final = Claim(
    id=ClaimId("clm_lamp"),
    text=LAMP,
    kind="fact",
    scope="project",
    boundary_class="public",
    origin_observation_id=ObservationId("obs_1"),
    created_at=START,
    updated_at=START,
)
NARROW: Final = Boundary(
    scope=("principle",), allow=("answer:task",), boundary_classes=("public",)
)


class Spy:
    """A judge that says what it is told to, and remembers the claims it was shown."""

    model_id = "spy@1"

    def __init__(self, *says: object) -> None:
        self.says = list(says)
        self.shown: list[AnyClaim] = []

    def judge(self, claim: AnyClaim) -> float | None:
        self.shown.append(claim)
        said = self.says.pop(0)
        return cast("float | None", said() if callable(said) else said)


@pytest.fixture
def open_with(clock, ids) -> Iterator[Callable[..., Memory]]:
    """Return `open(judge)`: a lasting memory in RAM with a judge."""
    with ExitStack() as opened:

        def open_it(judge: Any = None, **how: Any) -> Memory:
            settled = {"policy": LASTING, "embedder": "hashing", "clock": clock, "ids": ids, **how}
            return opened.enter_context(Memory.open(":memory:", judge=judge, **settled))

        yield open_it


def told(memory: Memory, text: str = LAMP) -> str:
    return memory.observe(text).claims[0].id


def stored(memory: Memory) -> list[dict[str, object]]:
    """Return all that the file says of how claims stand."""
    found = memory.deps.db.query("select * exclude (retrieval_count) from claims order by row_id")
    return [dict(row) for row in found.unwrap()]


def compared(done: Judgement) -> tuple[object, ...]:
    return (done.score, done.previous_score, done.score_direction, done.counted)


class TestSeed003:
    def test_the_scores_of_one_claim_are_compared(self, open_with):
        judge = Spy(70, 72, 75, 66)
        memory = open_with(judge)
        claim_id = told(memory)
        done = [memory.judge(claim_id) for _ in range(4)]
        assert [compared(one) for one in done] == [
            (70, None, "unknown", True),
            (72, 70, "stable", False),
            (75, 70, "improved", True),
            (66, 75, "degraded", True),
        ]
        assert {(one.judge, one.noise_threshold) for one in done} == {("spy@1", 3)}
        assert {one.policy_version for one in done} == {memory.policy().version}
        assert [claim.text for claim in judge.shown] == [LAMP] * 4

    def test_it_moves_as_feedback_of_that_strength_does(self, open_with):
        memory = open_with(None)
        claim_id = told(memory)
        first = memory.judge(claim_id, score=90)  # the policy's quality_threshold is 60
        assert first.previous.utility == 0.0
        assert first.updated.utility == pytest.approx(0.1 * 0.3)
        assert first.updated.confidence == pytest.approx(first.previous.confidence + 0.05 * 0.3)
        worse = memory.judge(claim_id, score=40)
        assert worse.updated.utility == pytest.approx(0.03 - 0.2 * 0.5)
        assert worse.updated.confidence == pytest.approx(first.updated.confidence - 0.1 * 0.5)
        claim = memory.claim(claim_id)
        assert (claim.utility, claim.confidence) == (
            worse.updated.utility,
            worse.updated.confidence,
        )

    def test_within_the_noise_nothing_is_written_of_the_claim(self, open_with, clock: FakeClock):
        memory = open_with(None)
        claim_id = told(memory)
        _ = memory.judge(claim_id, score=70)
        before = stored(memory)
        clock.advance(days=3)
        for score in (72, 68, 70, 72.9, 67.1):
            done = memory.judge(claim_id, score=score)
            assert (done.score_direction, done.counted) == ("stable", False)
            assert done.updated == done.previous
        assert stored(memory) == before
        assert rows(memory, "judgements") == 6

    def test_small_steps_add_up(self, open_with):
        memory = open_with(None)
        claim_id = told(memory)
        directions = [memory.judge(claim_id, score=70 + n).score_direction for n in range(0, 7, 2)]
        assert directions == ["unknown", "stable", "improved", "stable"]

    def test_being_judged_makes_a_claim_no_fresher(self, open_with, clock: FakeClock):
        memory = open_with(None)
        claim_id = told(memory)
        clock.advance(days=30)
        done = memory.judge(claim_id, score=95)
        assert done.updated.recency == done.previous.recency < 1

    def test_the_policy_says_what_is_noise_and_what_a_first_score_is_held_against(self, open_with):
        policy = LASTING.replace("noise_threshold: 3 ", "noise_threshold: 4.5 ").replace(
            "quality_threshold: 60", "quality_threshold: 90"
        )
        memory = open_with(None, policy=policy)
        claim_id = told(memory)
        assert memory.judge(claim_id, score=70).updated.utility == pytest.approx(-0.2 * 0.2)
        done = memory.judge(claim_id, score=74)
        assert (done.score_direction, done.noise_threshold) == ("stable", 4.5)

    def test_what_was_judged_is_kept_in_the_file(self, memory_at):
        with memory_at(policy=LASTING) as memory:
            claim_id = told(memory)
            first = memory.judge(claim_id, score=70, judgement_id="jdg_a")
        with memory_at() as memory:
            assert compared(memory.judge(claim_id, score=71)) == (71, 70, "stable", False)
            assert memory.judge(claim_id, score=70, judgement_id="jdg_a") == first


class TestReplay:
    def test_the_same_score_counts_once(self, open_with):
        judge = Spy(20)
        memory = open_with(judge)
        claim_id = told(memory)
        first = memory.judge(claim_id, judgement_id="jdg_a")
        before = stored(memory)
        assert memory.judge(claim_id, judgement_id="jdg_a") == first
        assert memory.judge(claim_id, judgement_id="jdg_a", score=20) == first
        assert (stored(memory), rows(memory, "judgements")) == (before, 1)
        assert len(judge.shown) == 1

    @pytest.mark.parametrize("other", ["score", "claim"])
    def test_an_id_is_of_one_judgement(self, open_with, other):
        memory = open_with(None)
        claim_id, second = told(memory), told(memory, "The lamp on the desk is green.")
        _ = memory.judge(claim_id, score=20, judgement_id="jdg_a")
        again = (claim_id, 21) if other == "score" else (second, 20)
        error = memory.results.judge(again[0], score=again[1], judgement_id="jdg_a").failure()
        assert isinstance(error, InvalidParameter)
        assert error.name == "judgement_id"

    def test_what_was_merged_away_is_judged_as_what_stands_for_it(self, open_with):
        memory = open_with(None)
        one, other = told(memory), told(memory, "The lamp on the desk is green.")
        first = memory.judge(one, score=90, judgement_id="jdg_a")
        _ = memory.feedback(one, "duplicate", duplicate_of=other)
        assert memory.judge(one, score=40).claim_id == other
        assert memory.judge(one, score=90, judgement_id="jdg_a") == first


class TestWhatIsShown:
    def test_the_judge_is_shown_what_leaves(self, open_with):
        judge = Spy(80)
        memory = open_with(judge, policy=REDACTING)
        claim_id = memory.integrate([PUBLIC]).created[0]
        before = memory.claim(claim_id)
        _ = memory.judge(claim_id)
        assert judge.shown == [before]
        assert judge.shown[0].text == "The [thing] in the hall is red."
        assert judge.shown[0].content_hash is None

    def test_what_is_hidden_is_not_there(self, open_with):
        judge = Spy()
        memory = open_with(judge)
        claim_id = told(memory)
        for how in ({}, {"score": 50.0}):
            error = memory.results.judge(claim_id, boundary=NARROW, **how).failure()
            assert error == UnknownClaim(claim_id)
        assert (judge.shown, rows(memory, "judgements")) == ([], 0)
        assert {one.decision for one in memory.audit(tool="judge")} == {"denied"}

    def test_a_replay_shows_no_more_than_the_boundary(self, open_with):
        memory = open_with(None)
        claim_id = told(memory)
        _ = memory.judge(claim_id, score=50, judgement_id="jdg_a")
        again = memory.results.judge(claim_id, judgement_id="jdg_a", boundary=NARROW)
        assert again == Failure(UnknownClaim(claim_id))

    def test_the_record_says_that_it_was_shown_even_if_the_judge_fails(self, open_with):
        memory = open_with(Spy(lambda: sys.exit(3)))
        claim_id = told(memory)
        assert isinstance(memory.results.judge(claim_id), Failure)
        [record] = memory.audit(tool="judge")
        assert (record.decision, dict(record.counts)) == ("allowed", {"claims": 1})

    def test_an_event_tells_the_comparison_and_no_text(self, open_with):
        memory = open_with(Spy(70, 80))
        claim_id = told(memory)
        done = [memory.judge(claim_id) for _ in range(2)][-1]
        payload = events.newest(topic="critic")(memory.deps).unwrap()[0].payload
        assert {
            "judgement": memory.deps.digest(done.id),
            "claim": claim_id,
            "judge": "spy@1",
            "signal": "helpful",
            "score": 80.0,
            "previous_score": 70.0,
            "score_direction": "improved",
            "noise_threshold": 3.0,
        }.items() <= payload.items()
        assert "lamp" not in str(payload)

    def test_forgetting_a_claim_forgets_how_it_was_judged(self, open_with):
        memory = open_with(None)
        claim_id, other = told(memory), told(memory, "The lamp on the desk is green.")
        for one in (claim_id, other):
            _ = memory.judge(one, score=50)
        _ = memory.forget(claim_id=claim_id)
        left = memory.deps.db.query("select claim_id from judgements").unwrap()
        assert [row["claim_id"] for row in left] == [other]


def raising(fault: BaseException) -> Callable[[], object]:
    def raises() -> object:
        raise fault

    return raises


class TestFaults:
    @pytest.mark.parametrize(
        ("says", "reason"),
        [
            (raising(ValueError(LAMP)), "it raised ValueError"),
            (raising(SystemExit(LAMP)), "it raised SystemExit"),
            (raising(GeneratorExit()), "it raised GeneratorExit"),
            (raising(MemoryFault(UnknownClaim("clm_x"))), "it raised MemoryFault"),
            (Failure(LAMP), "it returned a Failure"),
            ("80", "it gave no number"),
            (True, "it gave no number"),
            ([80], "it gave no number"),
            (Decimal(80), "it gave no number"),
            (np.array([80.0]), "it gave no number"),
            (1j, "it gave no number"),
            (10**400, "it gave no number"),
            (float("nan"), "its score is not from 0 to 100"),
            (float("inf"), "its score is not from 0 to 100"),
            (-0.001, "its score is not from 0 to 100"),
            (100.1, "its score is not from 0 to 100"),
        ],
    )
    def test_a_fault_is_an_error_and_changes_nothing(self, open_with, says, reason):
        memory = open_with(Spy(says, 70))
        claim_id = told(memory)
        before = stored(memory)
        error = memory.results.judge(claim_id).failure()
        assert error == JudgeFailed("spy@1", reason)
        assert "lamp" not in f"{error!r} {error.message} {dict(error.details)}"
        assert (stored(memory), rows(memory, "judgements")) == (before, 0)
        assert memory.judge(claim_id).counted

    @pytest.mark.parametrize(
        ("says", "score"),
        [
            (0, 0.0),
            (100, 100.0),
            (np.float32(72.5), 72.5),
            (np.int64(80), 80.0),
            (Fraction(141, 2), 70.5),
            (Success(64.0), 64.0),
        ],
    )
    def test_numbers_of_many_kinds_are_scores(self, open_with, says, score):
        memory = open_with(Spy(says))
        assert memory.judge(told(memory)).score == score

    def test_an_interrupt_passes(self, open_with):
        memory = open_with(Spy(raising(KeyboardInterrupt())))
        claim_id = told(memory)
        with pytest.raises(KeyboardInterrupt):
            memory.judge(claim_id)
        assert memory.judge(claim_id, score=70).counted

    @pytest.mark.parametrize("none", [None, Success(None)])
    def test_none_is_no_score_and_no_fault(self, open_with, none):
        memory = open_with(Spy(70, none, 75))
        claim_id = told(memory)
        _ = memory.judge(claim_id)
        before = stored(memory)
        assert compared(memory.judge(claim_id)) == (None, 70, "unknown", False)
        assert stored(memory) == before
        assert compared(memory.judge(claim_id)) == (75, 70, "improved", True)

    def test_a_judge_may_use_the_memory(self, open_with):
        said: list[int] = []

        def by_evidence(claim: AnyClaim) -> float:
            said.append(len(memory.evidence(claim.id)))
            _ = memory.observe("The desk is green.")
            return 50.0 + said[0]

        memory = open_with(by_evidence)
        claim_id = told(memory)
        done = memory.judge(claim_id)
        assert (done.score, done.judge) == (51.0, f"function:{by_evidence.__qualname__}")

    def test_what_is_forgotten_while_it_is_judged_is_not_there(self, open_with):
        judge = Spy()
        memory = open_with(judge)
        claim_id = told(memory)
        judge.says = [lambda: memory.forget(claim_id=claim_id) and 70.0]
        assert memory.results.judge(claim_id) == Failure(UnknownClaim(claim_id))
        assert rows(memory, "judgements") == 0

    def test_a_memory_that_may_only_be_read_asks_nobody(self, memory_at):
        with memory_at(policy=LASTING) as memory:
            claim_id = told(memory)
        judge = Spy(70)
        reading = memory_at(read_only=True, judge=judge)
        for how in ({}, {"score": 50.0}):
            assert reading.results.judge(claim_id, **how).failure().code == "READ_ONLY"
        assert judge.shown == []


class TestGivenScores:
    @pytest.mark.parametrize("score", ["80", True, float("nan"), float("inf"), -1, 100.5, [80]])
    def test_what_is_no_score_is_refused(self, open_with, score):
        memory = open_with(Spy())
        error = memory.results.judge(told(memory), score=score).failure()
        assert isinstance(error, InvalidParameter)
        assert error.name == "score"

    def test_without_a_judge_there_has_to_be_a_score(self, open_with):
        memory = open_with(None)
        error = memory.results.judge(told(memory)).failure()
        assert error.code == "INVALID_PARAMETER"
        assert "there is no judge" in error.message

    def test_a_given_score_is_held_against_the_judges(self, open_with):
        memory = open_with(Spy(72))
        claim_id = told(memory)
        _ = memory.judge(claim_id)
        done = memory.judge(claim_id, score=74)
        assert (done.judge, *compared(done)) == (None, 74, 72, "stable", False)

    @pytest.mark.parametrize(
        ("claim_id", "how", "code"),
        [
            ("x", {}, "INVALID_ID"),
            ("clm_ghost", {}, "UNKNOWN_CLAIM"),
            ("clm_ghost", {"judgement_id": "fb_1"}, "INVALID_ID"),
            ("clm_ghost", {"judgement_id": 5}, "INVALID_ID"),
            ("clm_ghost", {"judgement_id": "jdg_ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"}, "INVALID_PARAMETER"),
            ("clm_ghost", {"judge": "me"}, "INVALID_PARAMETER"),
        ],
    )  # fmt: skip
    def test_wrong_arguments_are_told(self, open_with, claim_id, how, code):
        memory = open_with(None)
        assert memory.results.judge(claim_id, score=50, **how).failure().code == code


class _Broken:
    @property
    def judge(self) -> object:
        raise SystemExit

    model_id = "broken"


class _Nameless:
    def judge(self, claim: AnyClaim) -> float:
        return claim.utility


class TestOpening:
    @pytest.mark.parametrize(
        ("given", "reason"),
        [
            ("gpt", "has no judge"),
            (5, "has no judge"),
            (Spy, "give an object"),
            (_Broken(), "its judge raised SystemExit"),
            (_Nameless(), "its model_id"),
        ],
    )
    def test_what_is_no_judge_is_told(self, given, reason):
        error = Memory.try_open(":memory:", embedder="hashing", judge=given).failure()
        assert isinstance(error, InvalidParameter)
        assert error.name == "judge"
        assert reason in error.reason

    def test_its_name_is_read_once(self, open_with):
        spy: QualityJudge = Spy(70)
        memory = open_with(spy)
        Spy.model_id, before = "another", Spy.model_id
        try:
            assert memory.judge(told(memory)).judge == "spy@1"
        finally:
            Spy.model_id = before
        assert resolve_judge(None) == Success(None)
