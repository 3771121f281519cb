"""An embedded memory engine for LLM agents: one local file, under a policy people write."""

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary, InvariantDefinition
from pce_memory.domain.claim import Claim, DerivedClaim
from pce_memory.domain.context import (
    ActivationResult,
    ActiveContext,
    ActiveContextItem,
    ScoredClaim,
)
from pce_memory.domain.extraction import ExtractionResult, IntegrationOptions, IntegrationResult
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
    "PolicyVersion",
    "Provenance",
    "Query",
    "Relation",
    "RelationId",
    "Scope",
    "ScoredClaim",
    "SourceType",
    "create_core_module",
    "or_raise",
    "parse_id",
    "parse_policy",
    "parse_policy_version",
]
