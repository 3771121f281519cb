"""`memory.fusion` as Results: lanes leave runs, runs blend, a blend is weighed anew and read."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Unpack

from returns.result import Result

from pce_memory.domain.boundary import Boundary
from pce_memory.domain.fused import (
    FusionResult,
    LaneOutcome,
    LaneRequest,
    MultilaneResult,
    MutateDelta,
    RunHandle,
    RunProvenance,
    TuningResult,
)
from pce_memory.domain.fusion import BlendRunInput
from pce_memory.domain.fusion_arguments import BlendFields, PeekFields
from pce_memory.domain.model import parse
from pce_memory.domain.refinement import RefinementConfig
from pce_memory.domain.representatives import Marking, Representatives
from pce_memory.domain.snippets import Snippet, SnippetPage
from pce_memory.engine.fusion.inputs import (
    backend_name,
    fields_of,
    lane_of,
    lanes_of,
    name_of_lane,
    names_of,
    noun,
    one_of,
    params_of_blend,
    peek_fields,
    storable_names,
    within,
)
from pce_memory.engine.fusion.lane_results import LaneResults
from pce_memory.engine.ready import Ready
from pce_memory.engine.running import apart, shown
from pce_memory.errors import CoreError
from pce_memory.result import fold
from pce_memory.text.secrecy import storable

if TYPE_CHECKING:
    from pce_memory.adapters.backends import Searches

# What needs numpy comes in with the first call, not with `import pce_memory`.

TOLD: Final = 100
SUMMED: Final = 3
NOTHING: Final[Mapping[str, object]] = {}


def _failed(name: str, error: CoreError) -> LaneOutcome:
    return LaneOutcome(
        lane_name=name, status="error", error_code=error.code, error_message=error.message
    )


class FusionResults(LaneResults):
    """Lanes, runs and what they are blended into, each operation returning a Result."""

    def over(self, name: str, backend: "Searches") -> "FusionResults":
        """Return the same operations with lanes that look in a backend of the host's.

        What it returns, no boundary of ours has seen: such documents have its name as `source`.
        Where it may not be called so, that is what every lane returns: no name, or claims or
        documents, which are this memory's own.
        """
        from pce_memory.adapters.backends import GivenBackend  # noqa: PLC0415

        return fold(
            backend_name(name),
            ok=lambda source: FusionResults(
                self._runner, {**self._backends, source: GivenBackend(source, backend)}, source
            ),
            err=lambda wrong: FusionResults(self._runner, self._backends, refused=wrong),
        )

    def run_multilane_search(
        self,
        lanes: Sequence[LaneRequest | Mapping[str, object]],
        *,
        trace_id: str | None = None,
        boundary: Boundary | None = None,
    ) -> Result[MultilaneResult, CoreError]:
        """Run lanes one after the other; one that fails, or is no lane, stops no other.

        One without a name of its own goes by its place: lanes.0 is the first.
        """
        begun = self._runner.deps.clock()

        def outcome(place: int, given: object) -> LaneOutcome:
            return fold(
                noun(LaneRequest, given),
                ok=lambda request: self._outcome(request, boundary),
                err=lambda error: _failed(name_of_lane(given, place), error),
            )

        def outcomes(requests: Sequence[object]) -> MultilaneResult:
            done = tuple(outcome(place, one) for place, one in enumerate(requests))
            failed = sum(one.status == "error" for one in done)
            return MultilaneResult(
                lanes=done,
                success_count=len(done) - failed,
                error_count=failed,
                took_ms_total=1000 * (self._runner.deps.clock() - begun),
                trace_id=trace_id,
            )

        return lanes_of(lanes, trace_id).map(outcomes).alt(lambda error: error)

    def _outcome(self, request: LaneRequest, boundary: Boundary | None) -> LaneOutcome:
        def came_through(handle: RunHandle) -> LaneOutcome:
            summary = fold(
                self.get_provenance(handle.run_id, top_k_code=SUMMED, boundary=boundary),
                ok=lambda known: {name: tuple(some) for name, some in known.code_freqs.items()},
                err=lambda _: {},
            )
            return LaneOutcome(
                lane_name=request.lane_name,
                status="success" if handle.hit_count else "partial",
                handle=handle,
                code_summary=summary,
            )

        fields = dict(fields_of(request))
        if boundary is not None:
            fields["boundary"] = boundary
        made: Result[RunHandle, CoreError] = Result.do(
            handle for lane in lane_of(request) for handle in self._lane(lane, fields)
        )
        return fold(made, ok=came_through, err=partial(_failed, request.lane_name))

    def rrf_blend_frontier(
        self,
        runs: Sequence[RunHandle | BlendRunInput | Mapping[str, object]],
        **fields: Unpack[BlendFields],
    ) -> Result[FusionResult, CoreError]:
        """Blend runs: weighted RRF, boosted by codes, facets and lanes; keep and return it."""
        from pce_memory.engine.fusion.fused import blend  # noqa: PLC0415

        boundary, rest = apart(fields)
        top_k = rest.pop("top_k", TOLD)

        def work(ready: Ready) -> Result[FusionResult, CoreError]:
            return Result.do(
                result
                for told in within("top_k", top_k)
                for params in params_of_blend(ready.policy, runs, rest)
                for _ in storable_names(params)
                for result in blend(params, ready, top_k=told)(self._runner.deps)
            )

        return self._runner.run("fusion.blend", boundary, work)

    def register_representatives(
        self,
        ids: Sequence[str] | None = None,
        category: str | None = None,
        *,
        pub_ids: Sequence[str] | None = None,
        boundary: Boundary | None = None,
    ) -> Result[Representatives, CoreError]:
        """Mark claims and documents as typical of a category, for blends that are given them.

        `pub_ids` is another word for `ids`: either takes both kinds.
        """
        from pce_memory.engine.fusion.representatives import register  # noqa: PLC0415

        def work(ready: Ready) -> Result[Representatives, CoreError]:
            return Result.do(
                done
                for _ in self._usable()
                for named in one_of("ids", ids, "pub_ids", pub_ids)
                for marking in parse(Marking, {"ids": named, "category": category})
                for done in register(marking, ready, self._source)(self._runner.deps)
            )

        return self._runner.run("fusion.register_representatives", boundary, work)

    def rrf_mutate_run(
        self,
        base_run_id: str,
        mutate_delta: MutateDelta | Mapping[str, object] = NOTHING,
        *,
        top_k: int = TOLD,
        boundary: Boundary | None = None,
    ) -> Result[FusionResult, CoreError]:
        """Weigh a fused run anew: what the delta says takes the place of what was; no search."""
        from pce_memory.engine.fusion.fused import mutate  # noqa: PLC0415

        return self._runner.run(
            "fusion.mutate",
            boundary,
            lambda ready: Result.do(
                result
                for told in within("top_k", top_k)
                for delta in noun(MutateDelta, mutate_delta)
                for _ in storable(
                    weights=(delta.lane_weights, delta.category_weights, delta.facet_weights),
                    facets=delta.facet_terms,
                )
                for result in mutate(base_run_id, delta, ready, top_k=told)(self._runner.deps)
            ),
        )

    def get_provenance(
        self,
        run_id: str,
        *,
        top_k_lane: int = 20,
        top_k_code: int = 30,
        boundary: Boundary | None = None,
    ) -> Result[RunProvenance, CoreError]:
        """Return where a run comes from: codes, what each lane gives, metrics, lineage."""
        from pce_memory.engine.fusion.provenance import provenance  # noqa: PLC0415

        return self._runner.run(
            "fusion.provenance",
            boundary,
            lambda ready: Result.do(
                known
                for lane in within("top_k_lane", top_k_lane)
                for code in within("top_k_code", top_k_code)
                for known in provenance(run_id, ready, top_k_lane=lane, top_k_code=code)(
                    self._runner.deps
                )
            ),
            lambda ready, _: shown("fusion.provenance", ready, 0),
        )

    def peek_snippets(
        self, run_id: str, **fields: Unpack[PeekFields]
    ) -> Result[SnippetPage, CoreError]:
        """Return the beginnings of what a run lists, as many as a budget of bytes holds."""
        from pce_memory.engine.fusion.peeking import PeekAsk, peek  # noqa: PLC0415

        boundary, rest = apart(fields)
        return self._runner.run(
            "fusion.peek",
            boundary,
            lambda ready: Result.do(
                page
                for named in peek_fields(rest)
                for ask in parse(PeekAsk, named)
                for page in peek(run_id, ask, ready, self._backends)(self._runner.deps)
            ),
            lambda ready, page: shown("fusion.peek", ready, len(page.snippets)),
        )

    def get_snippets(
        self, ids: Sequence[str], **fields: Unpack[PeekFields]
    ) -> Result[tuple[Snippet, ...], CoreError]:
        """Return the beginnings of claims and documents by their ids; what is hidden is absent.

        As many as `budget_bytes` holds, and at most `limit`, 100 if not said: ask again for more.
        """
        from pce_memory.engine.fusion.peeking import MOST, PeekAsk, snippets  # noqa: PLC0415

        boundary, rest = apart(fields)
        return self._runner.run(
            "fusion.snippets",
            boundary,
            lambda ready: Result.do(
                found
                for named in peek_fields(rest)
                for ask in parse(PeekAsk, {"limit": MOST, **named})
                for names in names_of("ids", ids)
                for found in snippets(names, ask, ready)(self._runner.deps)
            ),
            lambda ready, found: shown("fusion.snippets", ready, len(found)),
        )

    def tune(
        self,
        run_id: str,
        *,
        config: RefinementConfig | Mapping[str, object] | None = None,
        boundary: Boundary | None = None,
    ) -> Result[TuningResult, CoreError]:
        """Mutate a fused run as its structure suggests; keep what is better beyond the noise.

        What is noise, and when it ends, `config` says, else `refinement` of the policy in force.
        """
        from pce_memory.engine.fusion.tuning import tune  # noqa: PLC0415

        return self._runner.run(
            "fusion.tune",
            boundary,
            lambda ready: tune(run_id, ready, config=config)(self._runner.deps),
        )
