"""The operation that takes over very many claims at once, as a Result."""

from collections.abc import Iterable

from returns.result import Result

from pce_memory.deps import Vector
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.receipt import BulkResult
from pce_memory.engine import bulk, many
from pce_memory.engine.governing import Governed
from pce_memory.errors import CoreError


class Importing(Governed):
    """What takes in claims by the hundred thousand."""

    def integrate_many(
        self,
        claims: Iterable[bulk.Given],
        *,
        vectors: Iterable[Vector] | None = None,
        boundary: Boundary | None = None,
        progress: many.Progress | None = None,
    ) -> Result[BulkResult, CoreError]:
        """Write very many claims that were made elsewhere, thousands to a transaction.

        `vectors`: the unit vector of each, as this memory's embedder would give it; without them
        the embedder is asked. Claims that cannot be taken are named and stop no other; near
        duplicates are not looked for. `progress` is told how many claims are done.
        """
        return self.run(
            "integrate_many",
            boundary,
            lambda ready: Result.do(
                done
                for given in bulk.handed(claims, vectors)
                for watch in many.watching(progress, None)
                for done in bulk.integrate_many(
                    self.deps, given, ready.boundary, ready.policy, watch=watch
                )
            ),
        )
