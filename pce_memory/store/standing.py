"""The critic's columns of the claims table: measures, tombstones, decay."""

from typing import Final

from returns.result import Result

from pce_memory.deps import CoreDeps
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.policy import Policy
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.statements import statements

SQL: Final = statements("claims")


@reader
def set_measures(
    deps: CoreDeps, row_id: int, measures: dict[str, float], *, now: float
) -> Result[None, StoreError]:
    """Write utility, confidence, quality, recency_anchor and decayed_at of one claim."""
    return deps.db.execute(SQL["set_measures"], {"row_id": row_id, "now": now, **measures})


@reader
def tombstone(
    deps: CoreDeps, row_id: int, into: ClaimId, *, utility: float, now: float
) -> Result[None, StoreError]:
    """Let another claim stand for this one."""
    params = {"row_id": row_id, "survivor": into, "utility": utility, "now": now}
    return deps.db.execute(SQL["tombstone"], params)


@reader
def decay(deps: CoreDeps, policy: Policy, *, now: float) -> Result[int, StoreError]:
    """Bring every measure to `now`; return how many claims that touched."""
    params = {
        "now": now,
        "utility_half_life": policy.critic.utility_half_life_days,
        "quality_half_life": policy.critic.quality_half_life_days,
    }
    return Result.do(
        int(counted[0]["n"])
        for counted in deps.db.query(SQL["count_stale"], {"now": now})
        for _ in deps.db.execute(SQL["decay"], params)
    )
