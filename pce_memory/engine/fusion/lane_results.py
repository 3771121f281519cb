"""The lanes of `memory.fusion` as Results."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Unpack

from returns.result import Failure, Result, Success

from pce_memory.deps.backend import SearchBackend
from pce_memory.domain.fused import RunHandle, TargetProfile
from pce_memory.domain.fusion import Lane
from pce_memory.domain.fusion_arguments import LaneFields
from pce_memory.domain.lanes import LaneAsk
from pce_memory.domain.model import parse
from pce_memory.domain.stamped import SearchResult
from pce_memory.engine.ready import Ready
from pce_memory.engine.running import Runner, apart, shown
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.policy.tags import warned_tags

if TYPE_CHECKING:
    from pce_memory.engine.fusion.lanes import Asking

# What needs numpy comes in with the first call, not with `import pce_memory`.

CODE_TOP_K: Final = 800


class LaneResults:
    """Lanes and the runs they leave, each operation returning a Result."""

    def __init__(
        self,
        runner: Runner,
        backends: Mapping[str, SearchBackend] | None = None,
        source: str | None = None,
        refused: InvalidParameter | None = None,
    ) -> None:
        self._runner = runner
        self._backends = backends or {}
        self._source = source
        self._refused = refused

    def rrf_search_fulltext_raw(
        self, query: str, **fields: Unpack[LaneFields]
    ) -> Result[RunHandle, CoreError]:
        """Search by words, and keep what was found as a run."""
        return self._lane("fulltext", {"query": query, **fields})

    def rrf_search_semantic_raw(
        self, text: str, **fields: Unpack[LaneFields]
    ) -> Result[RunHandle, CoreError]:
        """Search by meaning, and keep what was found as a run."""
        return self._lane("semantic", {"query": text, **fields})

    def rrf_search_original_dense_raw(
        self, text: str, **fields: Unpack[LaneFields]
    ) -> Result[RunHandle, CoreError]:
        """Search by what whole observations mean: by the mean of their visible claims' vectors."""
        return self._lane("original_dense", {"query": text, **fields})

    def rrf_search_graph_raw(
        self, text: str, **fields: Unpack[LaneFields]
    ) -> Result[RunHandle, CoreError]:
        """Search over the entities that the best claims name, and keep what was found as a run."""
        return self._lane("graph", {"query": text, **fields})

    def rrf_search_code_raw(
        self,
        codes: TargetProfile | Mapping[str, Mapping[str, float]],
        **fields: Unpack[LaneFields],
    ) -> Result[RunHandle, CoreError]:
        """Search by codes and what they weigh, and keep what was found as a run."""
        return self._lane("code", {"top_k": CODE_TOP_K, **fields, "codes": codes})

    def search_fulltext(
        self, query: str, **fields: Unpack[LaneFields]
    ) -> Result[SearchResult[str], CoreError]:
        """Return the ids found by words, 50 if not said otherwise; nothing is kept."""
        return self._ids("fulltext", {"top_k": 50, "query": query, **fields})

    def search_semantic(
        self, text: str, **fields: Unpack[LaneFields]
    ) -> Result[SearchResult[str], CoreError]:
        """Return the ids found by meaning, 50 if not said otherwise; nothing is kept."""
        return self._ids("semantic", {"top_k": 50, "query": text, **fields})

    def _asking(
        self, lane: Lane, fields: Mapping[str, object], ready: Ready
    ) -> Result["Asking", CoreError]:
        from pce_memory.engine.fusion.lanes import Asking  # noqa: PLC0415

        backend = None if self._source is None else self._backends[self._source]
        return Result.do(
            Asking(styled, ask, ready, self._source or ask.collection, backend)
            for _ in self._usable()
            for ask in parse(LaneAsk, fields)
            for _ in self._of_its_own(ask)
            for styled in _styled(lane, ask)
        )

    def _usable(self) -> Result[None, InvalidParameter]:
        """Return a failure if these lanes were to look in a backend that may not be called so."""
        return Success(None) if self._refused is None else Failure(self._refused)

    def _of_its_own(self, ask: LaneAsk) -> Result[None, InvalidParameter]:
        if self._source is None or "collection" not in ask.model_fields_set:
            return Success(None)
        reason = "a backend of the host's has none; leave it out"
        return Failure(InvalidParameter("collection", reason))

    def _lane(self, lane: Lane, fields: Mapping[str, object]) -> Result[RunHandle, CoreError]:
        from pce_memory.engine.fusion.lanes import run_lane  # noqa: PLC0415

        boundary, rest = apart(fields)

        def work(ready: Ready) -> Result[RunHandle, CoreError]:
            slips = warned_tags(ready.boundary.allow, ready.policy)
            return Result.do(
                handle.warned(slips)
                for asking in self._asking(lane, rest, ready)
                for handle in run_lane(asking)(self._runner.deps)
            )

        return self._runner.run(f"fusion.{lane}", boundary, work)

    def _ids(
        self, lane: Lane, fields: Mapping[str, object]
    ) -> Result[SearchResult[str], CoreError]:
        from pce_memory.engine.fusion.lanes import ids  # noqa: PLC0415

        boundary, rest = apart(fields)

        def work(ready: Ready) -> Result[SearchResult[str], CoreError]:
            return Result.do(
                SearchResult(found)
                for asking in self._asking(lane, rest, ready)
                for found in ids(asking)(self._runner.deps)
            )

        tool = f"fusion.search_{lane}"
        return self._runner.run(
            tool, boundary, work, lambda ready, found: shown(tool, ready, len(found))
        )


def _styled(lane: Lane, ask: LaneAsk) -> Result[Lane, InvalidParameter]:
    """Return which lane a style of the semantic lane is; no other lane has styles."""
    if lane == "semantic":
        return Success("original_dense" if ask.semantic_style == "original_dense" else lane)
    if ask.semantic_style in {"default", lane}:
        return Success(lane)
    reason = f"the lane {lane} has no styles; leave it out"
    return Failure(InvalidParameter("semantic_style", reason))
