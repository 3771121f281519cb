"""`memory.fusion` for callers who prefer exceptions."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from returns.result import Result

from pce_memory.domain.boundary import Boundary
from pce_memory.domain.fused import (
    FusionResult,
    LaneRequest,
    MultilaneResult,
    MutateDelta,
    RunHandle,
    RunProvenance,
    Suggestion,
    TargetProfile,
    TuningResult,
)
from pce_memory.domain.fusion import BlendRunInput, StructuralMetrics
from pce_memory.domain.fusion_arguments import BlendFields, LaneFields, PeekFields
from pce_memory.domain.refinement import RefinementConfig
from pce_memory.domain.representatives import Representatives
from pce_memory.domain.snippets import Snippet, SnippetPage
from pce_memory.domain.stamped import SearchResult
from pce_memory.engine.fusion.inputs import backend_name, noun, shares_of, within
from pce_memory.engine.fusion.results import NOTHING, TOLD, FusionResults
from pce_memory.errors import or_raise
from pce_memory.scoring.suggesting import suggest_mutation, target_profile_of

if TYPE_CHECKING:
    from pce_memory.adapters.backends import Searches


class Fusion:
    """Lanes, runs and what they are blended into. Methods raise `MemoryFault`."""

    def __init__(self, results: FusionResults) -> None:
        self._results = results

    def over(self, name: str, backend: "Searches") -> "Fusion":
        """Return the same operations with lanes that look in a backend of the host's.

        What it returns, no boundary of ours has seen: such documents have its name as `source`.
        Any name but claims and documents, which are this memory's own.
        """
        return Fusion(self._results.over(or_raise(backend_name(name)), backend))

    def rrf_search_fulltext_raw(self, query: str, **fields: Unpack[LaneFields]) -> RunHandle:
        """Search by words, and keep what was found as a run; keywords: see `LaneFields`."""
        return or_raise(self._results.rrf_search_fulltext_raw(query, **fields))

    def rrf_search_semantic_raw(self, text: str, **fields: Unpack[LaneFields]) -> RunHandle:
        """Search by meaning, and keep what was found as a run; keywords: see `LaneFields`."""
        return or_raise(self._results.rrf_search_semantic_raw(text, **fields))

    def rrf_search_original_dense_raw(self, text: str, **fields: Unpack[LaneFields]) -> RunHandle:
        """Search by what whole observations mean: by the mean of their visible claims' vectors."""
        return or_raise(self._results.rrf_search_original_dense_raw(text, **fields))

    def rrf_search_graph_raw(self, text: str, **fields: Unpack[LaneFields]) -> RunHandle:
        """Search over the entities that the best claims name; keywords: see `LaneFields`."""
        return or_raise(self._results.rrf_search_graph_raw(text, **fields))

    def rrf_search_code_raw(
        self,
        codes: TargetProfile | Mapping[str, Mapping[str, float]],
        **fields: Unpack[LaneFields],
    ) -> RunHandle:
        """Search by codes and what they weigh; keywords: see `LaneFields`."""
        return or_raise(self._results.rrf_search_code_raw(codes, **fields))

    def search_fulltext(self, query: str, **fields: Unpack[LaneFields]) -> SearchResult[str]:
        """Return the ids found by words, 50 if not said otherwise; nothing is kept."""
        return or_raise(self._results.search_fulltext(query, **fields))

    def search_semantic(self, text: str, **fields: Unpack[LaneFields]) -> SearchResult[str]:
        """Return the ids found by meaning, 50 if not said otherwise; nothing is kept."""
        return or_raise(self._results.search_semantic(text, **fields))

    def run_multilane_search(
        self,
        lanes: Sequence[LaneRequest | Mapping[str, object]],
        *,
        trace_id: str | None = None,
        boundary: Boundary | None = None,
    ) -> MultilaneResult:
        """Run lanes one after the other; one that fails stops no other."""
        return or_raise(
            self._results.run_multilane_search(lanes, trace_id=trace_id, boundary=boundary)
        )

    def rrf_blend_frontier(
        self,
        runs: Sequence[RunHandle | BlendRunInput | Mapping[str, object]],
        **fields: Unpack[BlendFields],
    ) -> FusionResult:
        """Blend runs: weighted RRF, boosted; keep and return it. Keywords: see `BlendFields`."""
        return or_raise(self._results.rrf_blend_frontier(runs, **fields))

    def register_representatives(
        self,
        ids: Sequence[str] | None = None,
        category: str | None = None,
        *,
        pub_ids: Sequence[str] | None = None,
        boundary: Boundary | None = None,
    ) -> Representatives:
        """Mark claims and documents, by id or pub_id, as typical of a category.

        They live as a run does. A blend that is given them lifts what carries the same codes.
        `pub_ids` is another word for `ids`.
        """
        return or_raise(
            self._results.register_representatives(
                ids, category, pub_ids=pub_ids, boundary=boundary
            )
        )

    def rrf_mutate_run(
        self,
        base_run_id: str,
        mutate_delta: MutateDelta | Mapping[str, object] = NOTHING,
        *,
        top_k: int = TOLD,
        boundary: Boundary | None = None,
    ) -> FusionResult:
        """Weigh a fused run anew: what the delta says takes the place of what was; no search.

        The delta may say weights, lane_weights, pi_weights, facet_terms, facet_weights,
        category_weights, runs (run id: weight), rrf_k and beta_fuse.
        """
        return or_raise(
            self._results.rrf_mutate_run(base_run_id, mutate_delta, top_k=top_k, boundary=boundary)
        )

    def get_provenance(
        self,
        run_id: str,
        *,
        top_k_lane: int = 20,
        top_k_code: int = 30,
        boundary: Boundary | None = None,
    ) -> RunProvenance:
        """Return where a run comes from: codes, what each lane gives, metrics, lineage."""
        return or_raise(
            self._results.get_provenance(
                run_id, top_k_lane=top_k_lane, top_k_code=top_k_code, boundary=boundary
            )
        )

    def peek_snippets(self, run_id: str, **fields: Unpack[PeekFields]) -> SnippetPage:
        """Return the beginnings of what a run lists; keywords: see `PeekFields`."""
        return or_raise(self._results.peek_snippets(run_id, **fields))

    def get_snippets(
        self, ids: Sequence[str], **fields: Unpack[PeekFields]
    ) -> tuple[Snippet, ...]:
        """Return the beginnings of claims and documents by their ids; what is hidden is absent."""
        return or_raise(self._results.get_snippets(ids, **fields))

    def tune(
        self,
        run_id: str,
        *,
        config: RefinementConfig | Mapping[str, object] | None = None,
        boundary: Boundary | None = None,
    ) -> TuningResult:
        """Mutate a fused run as its structure suggests; keep what is better beyond the noise.

        What is noise, and when it ends, `config` says, else `refinement` of the policy in force.
        """
        return or_raise(self._results.tune(run_id, config=config, boundary=boundary))

    @staticmethod
    def build_target_profile(provenance: RunProvenance, *, top: int = 15) -> TargetProfile:
        """Return what the most frequent codes of a run are worth, to blend by."""
        return or_raise(
            Result.do(
                target_profile_of(known.code_freqs, top=most)
                for known in noun(RunProvenance, provenance)
                for most in within("top", top)
            )
        )

    @staticmethod
    def suggest_mutation(
        metrics: StructuralMetrics, contributions: Mapping[str, float] | None = None
    ) -> Suggestion:
        """Return what the structure of a run suggests to overwrite."""
        return or_raise(
            Result.do(
                suggest_mutation(known, shares)
                for known in noun(StructuralMetrics, metrics)
                for shares in shares_of(contributions)
            )
        )
