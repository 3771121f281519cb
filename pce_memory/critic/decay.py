"""Periodic decay: bring every measure to now."""

from returns.result import Result

from pce_memory.deps import CoreDeps
from pce_memory.domain.feedback import DecayResult
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError
from pce_memory.result import reader
from pce_memory.store import events, standing


@reader
def decay(deps: CoreDeps, policy: Policy) -> Result[DecayResult, CoreError]:
    """Write the decayed utility and quality of every claim, once for each moment.

    Rankings do not move: they read measures as they stand at the moment of the query. Decay in
    two steps is decay in one.
    """
    now = deps.clock()

    def work() -> Result[DecayResult, CoreError]:
        return Result.do(
            DecayResult(claims=touched, at=now)
            for touched in standing.decay(policy, now=now)(deps)
            for _ in events.record("decay", {"claims": touched}, policy_version=policy.version)(
                deps
            )
        )

    return deps.db.transaction(work)
