"""An embedded memory engine for LLM agents: one local file, under a policy people write.

A name is imported when it is first used: a process that only imports the package pays for nothing.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
    from pce_memory.adapters.expansions import load_expansions
    from pce_memory.critic.refine import make_refinement_decision
    from pce_memory.deps import CoreDeps, QualityJudge, Reranker, RerankingFailed
    from pce_memory.domain.boundary import Boundary, InvariantDefinition
    from pce_memory.domain.claim import Claim, DerivedClaim
    from pce_memory.domain.context import (
        ActivationResult,
        ActiveContext,
        ActiveContextItem,
        ScoredClaim,
    )
    from pce_memory.domain.document import Document, DocumentsResult, NewDocument
    from pce_memory.domain.explanation import Explanation
    from pce_memory.domain.extraction import (
        ExtractionResult,
        IntegrationOptions,
        IntegrationResult,
    )
    from pce_memory.domain.feedback import CriticUpdateResult, Feedback
    from pce_memory.domain.filters import Condition, Range
    from pce_memory.domain.fused import (
        FusionParams,
        FusionResult,
        LaneContributions,
        LaneOutcome,
        LaneRequest,
        MultilaneResult,
        MutateDelta,
        RankedDoc,
        RunHandle,
        RunProvenance,
        Suggestion,
        TargetProfile,
        TuningResult,
        TuningStep,
    )
    from pce_memory.domain.fusion import (
        BlendRunInput,
        FrontierPoint,
        LaneWeights,
        PiWeights,
        StructuralMetrics,
    )
    from pce_memory.domain.graph import Entity, Mention, Relation
    from pce_memory.domain.ids import (
        ActiveContextId,
        ClaimId,
        DocumentId,
        EntityId,
        EvidenceId,
        FeedbackId,
        JudgementId,
        ObservationId,
        PolicyVersion,
        RelationId,
        parse_id,
        parse_policy_version,
    )
    from pce_memory.domain.judged import Judgement
    from pce_memory.domain.lanes import Sort
    from pce_memory.domain.observation import Observation
    from pce_memory.domain.policy import Policy
    from pce_memory.domain.policy_record import PolicyRecord
    from pce_memory.domain.provenance import Evidence, Provenance
    from pce_memory.domain.query import Query
    from pce_memory.domain.ranking import (
        CRAGScore,
        ExpandedQuery,
        MergeConfig,
        QueryExpansionConfig,
        RankedItem,
        RankedLists,
        RRFResult,
        ScoreBreakdown,
        SearchWeights,
        SortOptions,
    )
    from pce_memory.domain.receipt import BatchResult, NewObservation, ObserveResult
    from pce_memory.domain.refinement import RefinementConfig, RefinementResult, RefinementState
    from pce_memory.domain.representatives import Representatives, RepresentativesInput
    from pce_memory.domain.snippets import Snippet, SnippetMeta, SnippetPage
    from pce_memory.domain.vocabulary import (
        BoundaryClass,
        ClaimKind,
        EntityType,
        FeedbackSignal,
        Scope,
        SourceType,
    )
    from pce_memory.engine.module import CoreModule, create_core_module
    from pce_memory.errors import CoreError, MemoryFault, or_raise
    from pce_memory.memory import Memory
    from pce_memory.policy.source import parse_policy
    from pce_memory.scoring.noise import determine_score_direction, is_score_change_significant
    from pce_memory.scoring.normalize import normalize_scores
    from pce_memory.scoring.reciprocal import calculate_rrf_score
    from pce_memory.scoring.relevance import calculate_crag_score
    from pce_memory.scoring.selection import (
        deduplicate_results,
        filter_by_threshold,
        merge_search_results,
        sort_by_relevance,
    )
    from pce_memory.text.expansion import expand_query

__version__ = "0.1.0"

_NAMES: typing.Final = {  # what is public of each module
    "adapters.expansions": "load_expansions",
    "critic.refine": "make_refinement_decision",
    "deps": "CoreDeps QualityJudge Reranker RerankingFailed",
    "domain.boundary": "Boundary InvariantDefinition",
    "domain.claim": "Claim DerivedClaim",
    "domain.context": "ActivationResult ActiveContext ActiveContextItem ScoredClaim",
    "domain.document": "Document DocumentsResult NewDocument",
    "domain.explanation": "Explanation",
    "domain.extraction": "ExtractionResult IntegrationOptions IntegrationResult",
    "domain.feedback": "CriticUpdateResult Feedback",
    "domain.filters": "Condition Range",
    "domain.fused": (
        "FusionParams FusionResult LaneContributions LaneOutcome LaneRequest MultilaneResult "
        "MutateDelta RankedDoc RunHandle RunProvenance "
        "Suggestion TargetProfile TuningResult TuningStep"
    ),
    "domain.fusion": "BlendRunInput FrontierPoint LaneWeights PiWeights StructuralMetrics",
    "domain.graph": "Entity Mention Relation",
    "domain.ids": (
        "ActiveContextId ClaimId DocumentId EntityId EvidenceId FeedbackId JudgementId "
        "ObservationId PolicyVersion RelationId parse_id parse_policy_version"
    ),
    "domain.judged": "Judgement",
    "domain.lanes": "Sort",
    "domain.observation": "Observation",
    "domain.policy": "Policy",
    "domain.policy_record": "PolicyRecord",
    "domain.provenance": "Evidence Provenance",
    "domain.query": "Query",
    "domain.ranking": (
        "CRAGScore ExpandedQuery MergeConfig QueryExpansionConfig RRFResult RankedItem "
        "RankedLists ScoreBreakdown SearchWeights SortOptions"
    ),
    "domain.receipt": "BatchResult NewObservation ObserveResult",
    "domain.refinement": "RefinementConfig RefinementResult RefinementState",
    "domain.representatives": "Representatives RepresentativesInput",
    "domain.snippets": "Snippet SnippetMeta SnippetPage",
    "domain.vocabulary": "BoundaryClass ClaimKind EntityType FeedbackSignal Scope SourceType",
    "engine.module": "CoreModule create_core_module",
    "errors": "CoreError MemoryFault or_raise",
    "memory": "Memory",
    "policy.source": "parse_policy",
    "scoring.noise": "determine_score_direction is_score_change_significant",
    "scoring.normalize": "normalize_scores",
    "scoring.reciprocal": "calculate_rrf_score",
    "scoring.relevance": "calculate_crag_score",
    "scoring.selection": (
        "deduplicate_results filter_by_threshold merge_search_results sort_by_relevance"
    ),
    "text.expansion": "expand_query",
}

_HOMES: typing.Final = {
    name: f"pce_memory.{home}" for home, names in _NAMES.items() for name in names.split()
}


def __getattr__(name: str) -> object:
    """Import a public name from its module."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, getattr(importlib.import_module(_HOMES[name]), name))


def __dir__() -> list[str]:
    """Return the public names, whether or not they were imported yet."""
    return sorted({*globals(), *__all__})


__all__ = [
    "ActivationResult",
    "ActiveContext",
    "ActiveContextId",
    "ActiveContextItem",
    "BatchResult",
    "BlendRunInput",
    "Boundary",
    "BoundaryClass",
    "CRAGScore",
    "Claim",
    "ClaimId",
    "ClaimKind",
    "Condition",
    "CoreDeps",
    "CoreError",
    "CoreModule",
    "CriticUpdateResult",
    "DerivedClaim",
    "Document",
    "DocumentId",
    "DocumentsResult",
    "Entity",
    "EntityId",
    "EntityType",
    "Evidence",
    "EvidenceId",
    "ExpandedQuery",
    "Explanation",
    "ExtractionResult",
    "Feedback",
    "FeedbackId",
    "FeedbackSignal",
    "FrontierPoint",
    "FusionParams",
    "FusionResult",
    "IntegrationOptions",
    "IntegrationResult",
    "InvariantDefinition",
    "Judgement",
    "JudgementId",
    "LaneContributions",
    "LaneOutcome",
    "LaneRequest",
    "LaneWeights",
    "Memory",
    "MemoryFault",
    "Mention",
    "MergeConfig",
    "MultilaneResult",
    "MutateDelta",
    "NewDocument",
    "NewObservation",
    "Observation",
    "ObservationId",
    "ObserveResult",
    "PiWeights",
    "Policy",
    "PolicyRecord",
    "PolicyVersion",
    "Provenance",
    "QualityJudge",
    "Query",
    "QueryExpansionConfig",
    "RRFResult",
    "Range",
    "RankedDoc",
    "RankedItem",
    "RankedLists",
    "RefinementConfig",
    "RefinementResult",
    "RefinementState",
    "Relation",
    "RelationId",
    "Representatives",
    "RepresentativesInput",
    "Reranker",
    "RerankingFailed",
    "RunHandle",
    "RunProvenance",
    "Scope",
    "ScoreBreakdown",
    "ScoredClaim",
    "SearchWeights",
    "Snippet",
    "SnippetMeta",
    "SnippetPage",
    "Sort",
    "SortOptions",
    "SourceType",
    "StructuralMetrics",
    "Suggestion",
    "TargetProfile",
    "TuningResult",
    "TuningStep",
    "calculate_crag_score",
    "calculate_rrf_score",
    "create_core_module",
    "deduplicate_results",
    "determine_score_direction",
    "expand_query",
    "filter_by_threshold",
    "is_score_change_significant",
    "load_expansions",
    "make_refinement_decision",
    "merge_search_results",
    "normalize_scores",
    "or_raise",
    "parse_id",
    "parse_policy",
    "parse_policy_version",
    "sort_by_relevance",
]
