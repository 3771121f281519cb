"""What may be seen of runs now: under the boundary of who reads, whoever made them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from returns.result import Failure, Result, Success

from pce_memory.deps import Arrays, CoreDeps
from pce_memory.engine.ready import Ready
from pce_memory.errors import CoreError, InvalidParameter, RunNotFound
from pce_memory.policy.boundary import narrowed_to
from pce_memory.result import collect
from pce_memory.store import run_listing, runs
from pce_memory.store.runs import Run
from pce_memory.store.visibility import View, view
from pce_memory.text.sanitize import find_unstorable

Keys: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Listed:
    """A run, and those of its documents that are seen, best first, with their places in it."""

    run: Run
    keys: Keys
    scores: Floats
    places: Keys


@dataclass(frozen=True, slots=True)
class Opened:
    """Some runs as they are seen, by their ids."""

    view: View
    runs: Mapping[str, Listed]

    @property
    def seqs(self) -> tuple[int, ...]:
        """The keys of the runs: what backends told in others is not known here."""
        return tuple(one.run.seq for one in self.runs.values())


def reached(
    deps: CoreDeps, ids: Sequence[str], ready: Ready
) -> Result[tuple[View, tuple[Run, ...]], CoreError]:
    """Return living runs under a boundary, without what they list, and what is seen under it."""
    return Result.do(
        (seen, found)
        for _ in collect(_a_name(one) for one in ids)
        for seen in view(ready.boundary, ready.policy)(deps)
        for found in runs.find(
            ids, narrowed_to(ready.boundary, seen.narrowed), ready.policy.version
        )(deps)
    )


def opened(deps: CoreDeps, ids: Sequence[str], ready: Ready) -> Result[Opened, CoreError]:
    """Return living runs under a boundary; one it does not reach is as good as not there."""
    return Result.do(
        Opened(seen, _listed(found, columns))
        for seen, found in reached(deps, ids, ready)
        for columns in run_listing.listed(found, seen.visible)(deps)
    )


def _listed(found: Sequence[Run], each: Sequence[Arrays]) -> Mapping[str, Listed]:
    return {
        run.run_id: Listed(run, columns["key"], columns["score"], columns["place"])
        for run, columns in zip(found, each, strict=True)
    }


def _a_name(given: object) -> Result[None, InvalidParameter]:
    """Return a failure if a caller gave no string, or one that no id has."""
    if not isinstance(given, str):
        reason = f"it is a {type(given).__name__}; give the id of a run"
        return Failure(InvalidParameter("run_id", reason))
    if find_unstorable(given) is not None:
        return Failure(InvalidParameter("run_id", "it has a NUL or a lone surrogate"))
    return Success(None)


def is_of(deps: CoreDeps, run: Run, ready: Ready) -> bool:
    """Return whether a run was made by who asks: what was searched for is told to nobody else."""
    actor = ready.boundary.actor
    return run.made_by == (None if actor is None else deps.digest(actor))


def of_kind(run: Run, kind: str) -> Result[Run, RunNotFound]:
    """Return a run if it is of a kind."""
    return Success(run) if run.kind == kind else Failure(RunNotFound(run.run_id))
