"""What a lane by codes says of taxonomies that nothing which is seen has codes of."""

from collections.abc import Sequence

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.fused import TargetProfile
from pce_memory.domain.fusion import Lane
from pce_memory.domain.lanes import LaneAsk
from pce_memory.engine.fusion.opened import Keys
from pce_memory.errors import CoreError, shown
from pce_memory.store.run_documents import FOREIGN
from pce_memory.store.taxonomies import OF_CLAIMS, lacking
from pce_memory.store.visibility import View
from pce_memory.text.codes import base_of


def without_codes(
    deps: CoreDeps, lane: Lane, ask: LaneAsk, seen: View
) -> Result[tuple[str, ...], CoreError]:
    """Return a sentence for each taxonomy that a lane looks for and nothing visible has."""
    if lane != "code":
        return Success(())
    if ask.collection == "documents":
        return _without(deps, list(ask.codes.codes), seen)
    there = ", ".join(OF_CLAIMS)
    missing = (shown(one) for one in ask.codes.codes if base_of(one) not in OF_CLAIMS)
    return Success(tuple(f"no claim has codes of {one}, only of {there}" for one in missing))


def profile_without(
    deps: CoreDeps, profile: TargetProfile, keys: Keys, seen: View
) -> Result[tuple[str, ...], CoreError]:
    """Return a sentence for each taxonomy that a blend is aimed at and nothing visible has.

    What is of a backend may have codes of any.
    """
    beyond = [one for one in profile.codes if base_of(one) not in OF_CLAIMS]
    if (keys >= FOREIGN).any():
        return Success(())
    return _without(deps, beyond, seen)


def _without(
    deps: CoreDeps, names: Sequence[str], seen: View
) -> Result[tuple[str, ...], CoreError]:
    return Result.do(
        tuple(f"no visible document has codes of {shown(one)}" for one in missing)
        for missing in lacking(names, seen.visible)(deps)
    )
