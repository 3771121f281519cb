"""An embedded memory engine for LLM agents: one local file, under a policy people write.

A name is imported when it is first used: a process that only imports the package pays for nothing.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
    from pce_memory.deps import CoreDeps, Reranker, RerankingFailed
    from pce_memory.domain.boundary import Boundary, InvariantDefinition
    from pce_memory.domain.claim import Claim, DerivedClaim
    from pce_memory.domain.context import (
        ActivationResult,
        ActiveContext,
        ActiveContextItem,
        ScoredClaim,
    )
    from pce_memory.domain.extraction import (
        ExtractionResult,
        IntegrationOptions,
        IntegrationResult,
    )
    from pce_memory.domain.feedback import CriticUpdateResult, Feedback
    from pce_memory.domain.graph import Entity, Mention, Relation
    from pce_memory.domain.ids import (
        ActiveContextId,
        ClaimId,
        EntityId,
        EvidenceId,
        FeedbackId,
        ObservationId,
        PolicyVersion,
        RelationId,
        parse_id,
        parse_policy_version,
    )
    from pce_memory.domain.observation import Observation
    from pce_memory.domain.policy import Policy
    from pce_memory.domain.policy_record import PolicyRecord
    from pce_memory.domain.provenance import Evidence, Provenance
    from pce_memory.domain.query import Query
    from pce_memory.domain.receipt import BatchResult, NewObservation, ObserveResult
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

__version__ = "0.1.0"

_HOMES: typing.Final = {
    "ActivationResult": "pce_memory.domain.context",
    "ActiveContext": "pce_memory.domain.context",
    "ActiveContextId": "pce_memory.domain.ids",
    "ActiveContextItem": "pce_memory.domain.context",
    "BatchResult": "pce_memory.domain.receipt",
    "Boundary": "pce_memory.domain.boundary",
    "BoundaryClass": "pce_memory.domain.vocabulary",
    "Claim": "pce_memory.domain.claim",
    "ClaimId": "pce_memory.domain.ids",
    "ClaimKind": "pce_memory.domain.vocabulary",
    "CoreDeps": "pce_memory.deps",
    "CoreError": "pce_memory.errors",
    "CoreModule": "pce_memory.engine.module",
    "CriticUpdateResult": "pce_memory.domain.feedback",
    "DerivedClaim": "pce_memory.domain.claim",
    "Entity": "pce_memory.domain.graph",
    "EntityId": "pce_memory.domain.ids",
    "EntityType": "pce_memory.domain.vocabulary",
    "Evidence": "pce_memory.domain.provenance",
    "EvidenceId": "pce_memory.domain.ids",
    "ExtractionResult": "pce_memory.domain.extraction",
    "Feedback": "pce_memory.domain.feedback",
    "FeedbackId": "pce_memory.domain.ids",
    "FeedbackSignal": "pce_memory.domain.vocabulary",
    "IntegrationOptions": "pce_memory.domain.extraction",
    "IntegrationResult": "pce_memory.domain.extraction",
    "InvariantDefinition": "pce_memory.domain.boundary",
    "Memory": "pce_memory.memory",
    "MemoryFault": "pce_memory.errors",
    "Mention": "pce_memory.domain.graph",
    "NewObservation": "pce_memory.domain.receipt",
    "Observation": "pce_memory.domain.observation",
    "ObservationId": "pce_memory.domain.ids",
    "ObserveResult": "pce_memory.domain.receipt",
    "Policy": "pce_memory.domain.policy",
    "PolicyRecord": "pce_memory.domain.policy_record",
    "PolicyVersion": "pce_memory.domain.ids",
    "Provenance": "pce_memory.domain.provenance",
    "Query": "pce_memory.domain.query",
    "Relation": "pce_memory.domain.graph",
    "RelationId": "pce_memory.domain.ids",
    "Reranker": "pce_memory.deps",
    "RerankingFailed": "pce_memory.deps",
    "Scope": "pce_memory.domain.vocabulary",
    "ScoredClaim": "pce_memory.domain.context",
    "SourceType": "pce_memory.domain.vocabulary",
    "create_core_module": "pce_memory.engine.module",
    "or_raise": "pce_memory.errors",
    "parse_id": "pce_memory.domain.ids",
    "parse_policy": "pce_memory.policy.source",
    "parse_policy_version": "pce_memory.domain.ids",
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
    "Claim",
    "ClaimId",
    "ClaimKind",
    "CoreDeps",
    "CoreError",
    "CoreModule",
    "CriticUpdateResult",
    "DerivedClaim",
    "Entity",
    "EntityId",
    "EntityType",
    "Evidence",
    "EvidenceId",
    "ExtractionResult",
    "Feedback",
    "FeedbackId",
    "FeedbackSignal",
    "IntegrationOptions",
    "IntegrationResult",
    "InvariantDefinition",
    "Memory",
    "MemoryFault",
    "Mention",
    "NewObservation",
    "Observation",
    "ObservationId",
    "ObserveResult",
    "Policy",
    "PolicyRecord",
    "PolicyVersion",
    "Provenance",
    "Query",
    "Relation",
    "RelationId",
    "Reranker",
    "RerankingFailed",
    "Scope",
    "ScoredClaim",
    "SourceType",
    "create_core_module",
    "or_raise",
    "parse_id",
    "parse_policy",
    "parse_policy_version",
]
