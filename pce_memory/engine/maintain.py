"""Housekeeping: write down decay, forget what expired."""

from typing import Annotated

from pydantic import Field
from returns.result import Result

from pce_memory.deps import CoreDeps
from pce_memory.domain.model import EpochSeconds, Model
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, StoreError
from pce_memory.result import reader
from pce_memory.store import contexts, events, observations, standing


class MaintenanceResult(Model):
    """What a maintenance run did."""

    decayed: Annotated[int, Field(ge=0)]
    observations_scrubbed: Annotated[int, Field(ge=0)]
    at: EpochSeconds


@reader
def maintain(deps: CoreDeps, policy: Policy) -> Result[MaintenanceResult, CoreError]:
    """Decay measures, scrub observations past their time, drop expired contexts: all or none.

    A scrubbed observation keeps its digest and length; its claims stay.
    """
    now = deps.clock()

    def work() -> Result[MaintenanceResult, StoreError]:
        return Result.do(
            MaintenanceResult(decayed=decayed, observations_scrubbed=scrubbed, at=now)
            for decayed in standing.decay(policy, now=now)(deps)
            for scrubbed in observations.scrub_expired(now=now)(deps)
            for _ in contexts.drop_expired(now=now)(deps)
            for _ in events.record(
                "gc",
                {"decayed": decayed, "observations_scrubbed": scrubbed},
                policy_version=policy.version,
            )(deps)
        )

    return deps.db.transaction(work)
