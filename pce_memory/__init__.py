"""An embedded memory engine for LLM agents: one local file, under a policy people write.

A name is imported when it is first used: a process that only imports the package pays for nothing.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
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
    from pce_memory.domain.filters import Condition
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

_HOMES: typing.Final = {
    "ActivationResult": "pce_memory.domain.context",
    "ActiveContext": "pce_memory.domain.context",
    "ActiveContextId": "pce_memory.domain.ids",
    "ActiveContextItem": "pce_memory.domain.context",
    "BatchResult": "pce_memory.domain.receipt",
    "Boundary": "pce_memory.domain.boundary",
    "BoundaryClass": "pce_memory.domain.vocabulary",
    "CRAGScore": "pce_memory.domain.ranking",
    "Claim": "pce_memory.domain.claim",
    "ClaimId": "pce_memory.domain.ids",
    "ClaimKind": "pce_memory.domain.vocabulary",
    "Condition": "pce_memory.domain.filters",
    "CoreDeps": "pce_memory.deps",
    "CoreError": "pce_memory.errors",
    "CoreModule": "pce_memory.engine.module",
    "CriticUpdateResult": "pce_memory.domain.feedback",
    "DerivedClaim": "pce_memory.domain.claim",
    "Document": "pce_memory.domain.document",
    "DocumentId": "pce_memory.domain.ids",
    "DocumentsResult": "pce_memory.domain.document",
    "Entity": "pce_memory.domain.graph",
    "EntityId": "pce_memory.domain.ids",
    "EntityType": "pce_memory.domain.vocabulary",
    "Evidence": "pce_memory.domain.provenance",
    "EvidenceId": "pce_memory.domain.ids",
    "ExpandedQuery": "pce_memory.domain.ranking",
    "Explanation": "pce_memory.domain.explanation",
    "ExtractionResult": "pce_memory.domain.extraction",
    "Feedback": "pce_memory.domain.feedback",
    "FeedbackId": "pce_memory.domain.ids",
    "FeedbackSignal": "pce_memory.domain.vocabulary",
    "IntegrationOptions": "pce_memory.domain.extraction",
    "IntegrationResult": "pce_memory.domain.extraction",
    "InvariantDefinition": "pce_memory.domain.boundary",
    "Judgement": "pce_memory.domain.judged",
    "JudgementId": "pce_memory.domain.ids",
    "Memory": "pce_memory.memory",
    "MemoryFault": "pce_memory.errors",
    "Mention": "pce_memory.domain.graph",
    "MergeConfig": "pce_memory.domain.ranking",
    "NewDocument": "pce_memory.domain.document",
    "NewObservation": "pce_memory.domain.receipt",
    "Observation": "pce_memory.domain.observation",
    "ObservationId": "pce_memory.domain.ids",
    "ObserveResult": "pce_memory.domain.receipt",
    "Policy": "pce_memory.domain.policy",
    "PolicyRecord": "pce_memory.domain.policy_record",
    "PolicyVersion": "pce_memory.domain.ids",
    "Provenance": "pce_memory.domain.provenance",
    "QualityJudge": "pce_memory.deps",
    "Query": "pce_memory.domain.query",
    "QueryExpansionConfig": "pce_memory.domain.ranking",
    "RRFResult": "pce_memory.domain.ranking",
    "RankedItem": "pce_memory.domain.ranking",
    "RankedLists": "pce_memory.domain.ranking",
    "RefinementConfig": "pce_memory.domain.refinement",
    "RefinementResult": "pce_memory.domain.refinement",
    "RefinementState": "pce_memory.domain.refinement",
    "Relation": "pce_memory.domain.graph",
    "RelationId": "pce_memory.domain.ids",
    "Reranker": "pce_memory.deps",
    "RerankingFailed": "pce_memory.deps",
    "Scope": "pce_memory.domain.vocabulary",
    "ScoreBreakdown": "pce_memory.domain.ranking",
    "ScoredClaim": "pce_memory.domain.context",
    "SearchWeights": "pce_memory.domain.ranking",
    "SortOptions": "pce_memory.domain.ranking",
    "SourceType": "pce_memory.domain.vocabulary",
    "calculate_crag_score": "pce_memory.scoring.relevance",
    "calculate_rrf_score": "pce_memory.scoring.reciprocal",
    "create_core_module": "pce_memory.engine.module",
    "deduplicate_results": "pce_memory.scoring.selection",
    "determine_score_direction": "pce_memory.scoring.noise",
    "expand_query": "pce_memory.text.expansion",
    "filter_by_threshold": "pce_memory.scoring.selection",
    "is_score_change_significant": "pce_memory.scoring.noise",
    "make_refinement_decision": "pce_memory.critic.refine",
    "merge_search_results": "pce_memory.scoring.selection",
    "normalize_scores": "pce_memory.scoring.normalize",
    "or_raise": "pce_memory.errors",
    "parse_id": "pce_memory.domain.ids",
    "parse_policy": "pce_memory.policy.source",
    "parse_policy_version": "pce_memory.domain.ids",
    "sort_by_relevance": "pce_memory.scoring.selection",
}


def __getattr__(name: str) -> object:
    """Import a public name from its module."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, whether or not they were imported yet."""
    return sorted({*globals(), *__all__})


__all__ = [
    "ActivationResult",
    "ActiveContext",
    "ActiveContextId",
    "ActiveContextItem",
    "BatchResult",
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
    "IntegrationOptions",
    "IntegrationResult",
    "InvariantDefinition",
    "Judgement",
    "JudgementId",
    "Memory",
    "MemoryFault",
    "Mention",
    "MergeConfig",
    "NewDocument",
    "NewObservation",
    "Observation",
    "ObservationId",
    "ObserveResult",
    "Policy",
    "PolicyRecord",
    "PolicyVersion",
    "Provenance",
    "QualityJudge",
    "Query",
    "QueryExpansionConfig",
    "RRFResult",
    "RankedItem",
    "RankedLists",
    "RefinementConfig",
    "RefinementResult",
    "RefinementState",
    "Relation",
    "RelationId",
    "Reranker",
    "RerankingFailed",
    "Scope",
    "ScoreBreakdown",
    "ScoredClaim",
    "SearchWeights",
    "SortOptions",
    "SourceType",
    "calculate_crag_score",
    "calculate_rrf_score",
    "create_core_module",
    "deduplicate_results",
    "determine_score_direction",
    "expand_query",
    "filter_by_threshold",
    "is_score_change_significant",
    "make_refinement_decision",
    "merge_search_results",
    "normalize_scores",
    "or_raise",
    "parse_id",
    "parse_policy",
    "parse_policy_version",
    "sort_by_relevance",
]
