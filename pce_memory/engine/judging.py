"""Have a claim judged by a judge of the host's, or take the score that somebody gives it."""

from typing import Unpack

from returns.result import Failure, Result, Success

from pce_memory import critic
from pce_memory.adapters.judges import judged_by
from pce_memory.deps import QualityJudge
from pce_memory.domain.arguments import JudgeFields
from pce_memory.domain.ids import ClaimId, JudgementId, parse_id
from pce_memory.domain.judged import GivenScore, Judgement
from pce_memory.domain.model import parse
from pce_memory.engine.lookup import find_claim
from pce_memory.engine.publishing import Publishing
from pce_memory.engine.ready import Ready, keyless
from pce_memory.engine.running import apart, shown
from pce_memory.errors import CoreError, InvalidParameter, ReadOnly
from pce_memory.store.visibility import standing_for


class Judging(Publishing):
    """What takes scores of claims from outside."""

    def judge(self, claim_id: str, **fields: Unpack[JudgeFields]) -> Result[Judgement, CoreError]:
        """Compare a score of a claim with the one before; a change beyond the noise moves it.

        The score is the one given, else what the memory's judge says of the claim as the boundary
        shows it. A `judgement_id` makes a retry harmless.
        """
        boundary, said = apart(fields)
        given_id = said.pop("judgement_id", None)

        def work(ready: Ready) -> Result[Judgement, CoreError]:
            one = self.deps.ids("jdg_") if given_id is None else given_id
            return Result.do(
                done
                for _ in parse_id(ClaimId, claim_id)
                for name in parse_id(JudgementId, one)
                for _ in keyless([name], "judgement_id")
                for given in parse(GivenScore, {**said, "id": name, "claim_id": claim_id})
                for known in self._known(given, ready)
                for done in (
                    self._asked(given, ready)
                    if given.score is None and not known
                    else self._taken(given, ready)
                )
            )

        return self.run("judge", boundary, work)

    def _known(self, given: GivenScore, ready: Ready) -> Result[bool, CoreError]:
        """Return whether this caller used the id of the judgement before."""
        now, under = self.deps.clock(), ready.boundary
        return Result.do(
            known
            for stored in standing_for(given.claim_id, under, ready.policy, now=now)(self.deps)
            for known in critic.is_known(given, stored, ready.policy, boundary=under)(self.deps)
        )

    def _asked(self, given: GivenScore, ready: Ready) -> Result[Judgement, CoreError]:
        """Ask the judge between two views of the file: nobody waits for it who reads or writes."""
        return Result.do(
            done
            for judge in self._judge()
            for found in find_claim([given.claim_id], ready.boundary, ready.policy)(self.deps)
            # It is written down who is shown the claim before it is.
            for _ in self._record(shown("judge", ready, 1))
            for score in judged_by(judge, found[0].claim)
            for scored in Success(given.model_copy(update={"score": score}))
            for done in self._counted(scored, ready, judge.model_id)
        )

    def _taken(self, given: GivenScore, ready: Ready) -> Result[Judgement, CoreError]:
        return Result.do(
            done
            for done in self._counted(given, ready, None)
            for _ in self._record(shown("judge", ready, 1))
        )

    def _counted(
        self, given: GivenScore, ready: Ready, judge: str | None
    ) -> Result[Judgement, CoreError]:
        """Look for the claim once more: the judge may have taken long."""

        def work() -> Result[Judgement, CoreError]:
            return Result.do(
                done
                for _ in find_claim([given.claim_id], ready.boundary, ready.policy)(self.deps)
                for done in critic.process_score(
                    given, ready.policy, judge=judge, boundary=ready.boundary
                )(self.deps)
            )

        return self.deps.db.transaction(work)

    def _judge(self) -> Result[QualityJudge, CoreError]:
        if self.deps.judge is None:
            reason = "there is no judge; give a score of 0 to 100, or open the memory with a judge"
            return Failure(InvalidParameter("score", reason))
        if self.deps.db.read_only:
            return Failure(ReadOnly("judge"))
        return Success(self.deps.judge)
