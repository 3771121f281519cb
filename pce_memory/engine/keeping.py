"""The operations that keep a file in order, as Results: how it does, what is made anew, repair."""

from functools import partial

from returns.result import Failure, Result, Success

from pce_memory.adapters.duck import DuckDatabase
from pce_memory.adapters.on_demand import SearchOnDemand
from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import CoreDeps
from pce_memory.deps.callables import DONE_OF_TOTAL, callback
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.health import Health, RepairResult
from pce_memory.engine.health import health
from pce_memory.engine.ready import settled, truth
from pce_memory.engine.reembed import Progress, reembed
from pce_memory.engine.reindex import reindex
from pce_memory.engine.repairing import repair, repaired
from pce_memory.engine.results import Results
from pce_memory.errors import CoreError, FileDamaged


class Keeping(Results):
    """What can be done with the file of a memory, each operation returning a Result."""

    def __init__(
        self,
        deps: CoreDeps,
        boundary: Boundary,
        db: DuckDatabase,
        index: SqlVectorIndex,
        search: SearchOnDemand,
    ) -> None:
        super().__init__(deps, boundary)
        self._db = db
        self._index = index
        self._search = search

    def reembed(self, *, progress: Progress | None = None) -> Result[int, CoreError]:
        """Give every claim a vector of this embedder; a run broken off is taken up again."""
        work = partial(reembed, self.deps, self._index, progress=progress)
        return Result.do(
            count for _ in callback("progress", progress, DONE_OF_TOTAL) for count in settled(work)
        )

    def reindex(self, *, progress: Progress | None = None) -> Result[int, CoreError]:
        """Index every claim anew, by this tokenizer and policy; a run broken off is taken up."""
        work = partial(reindex, self.deps, self._index, progress=progress)
        return Result.do(
            count for _ in callback("progress", progress, DONE_OF_TOTAL) for count in settled(work)
        )

    def health(self, *, deep: bool = False) -> Result[Health, CoreError]:
        """Return how this memory does: what it was made by and is used with, counts, the index.

        With `deep`, everything that is derived is compared with what it is derived from, which
        reads the whole file; the rows that do not agree are named by their ids.
        """
        return self.run(
            "health",
            None,
            lambda ready: Result.do(
                told
                for deeply in truth("deep", deep)
                for _ in (self._sound() if deeply else Success(None))
                for told in health(
                    self.deps,
                    self._index,
                    ready.policy,
                    db=self._db,
                    mirror=self._search.state,
                    deeply=deeply,
                )
                for _ in (self._sound() if deeply else Success(None))
            ),
        )

    def repair(self, *, dry_run: bool = True) -> Result[RepairResult, CoreError]:
        """Say what `health(deep=True)` finds and what of it can be mended; mend it if not dry.

        What cannot be made of what is left is named as lost, and stays as it is.
        """
        return self.run(
            "repair",
            None,
            lambda ready: Result.do(
                done
                for dry in truth("dry_run", dry_run)
                for _ in self._sound()
                for done in repair(self.deps, self._index, ready.policy, dry_run=dry)
                for _ in self._sound()
            ),
            lambda ready, done: None if done.dry_run else repaired(ready, done),
        )

    def _sound(self) -> Result[None, FileDamaged]:
        """Return a failure where the file is known to be damaged.

        What of it was compared agrees, and says nothing of the rest.
        """
        fault = self._db.damage.fault
        return Success(None) if fault is None else Failure(fault)
