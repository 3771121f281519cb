"""The core module of the design: the four functions and the pure ones, bound to their deps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from returns.result import Result

from pce_memory import critic, extractor, integrator, retriever
from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary, BoundaryValidationResult
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.context import ActivationResult
from pce_memory.domain.extraction import IntegrationResult
from pce_memory.domain.feedback import CriticUpdateResult, Feedback
from pce_memory.domain.model import DAY
from pce_memory.domain.observation import Observation
from pce_memory.domain.policy import Policy
from pce_memory.domain.query import Query
from pce_memory.domain.stamped import stamped
from pce_memory.engine.ready import settled
from pce_memory.errors import CoreError
from pce_memory.policy.boundary import validate
from pce_memory.policy.judged_payload import Judge
from pce_memory.policy.redaction import redact
from pce_memory.scoring.fusion import hybrid_fusion
from pce_memory.scoring.rerank import recency_decay, rerank
from pce_memory.text.content_hash import content_hash

T = TypeVar("T")

Extractor: TypeAlias = Callable[[Observation, Boundary], Result[tuple[AnyClaim, ...], CoreError]]
Integrator: TypeAlias = Callable[
    [Sequence[AnyClaim], Boundary, Policy], Result[IntegrationResult, CoreError]
]
Retriever: TypeAlias = Callable[[Query, Boundary, Policy], Result[ActivationResult, CoreError]]
Critic: TypeAlias = Callable[[Feedback, Policy], Result[CriticUpdateResult, CoreError]]
BoundaryValidator: TypeAlias = Callable[
    [str, Boundary, Policy], Result[BoundaryValidationResult, CoreError]
]


@dataclass(frozen=True, slots=True)
class BoundaryFunctions:
    """Judge and redact a payload."""

    validate: BoundaryValidator
    redact: Callable[[str, Policy], str]


@dataclass(frozen=True, slots=True)
class ScoringFunctions:
    """The formulas of the ranking; `recency_decay(ts, half_life_days)` counts from now."""

    hybrid_fusion: Callable[[float, float, float], float]
    rerank: Callable[[float, float, float], float]
    recency_decay: Callable[[float, float], float]


@dataclass(frozen=True, slots=True)
class CoreModule:
    """The four functions of one memory, and the pure functions beside them."""

    extractor: Extractor
    integrator: Integrator
    retriever: Retriever
    critic: Critic
    boundary: BoundaryFunctions
    scoring: ScoringFunctions
    hash: Callable[[str], str]


def create_core_module(deps: CoreDeps) -> CoreModule:
    """Return the core module over `deps`; results name the policy they were made under."""
    judge = Judge(deps.invariant_evaluator, deps.clock)
    return CoreModule(
        extractor=lambda observation, boundary: settled(
            lambda: extractor.extract(observation, boundary)(deps)
        ),
        integrator=lambda claims, boundary, policy: _named(
            lambda: integrator.integrate(claims, boundary, policy)(deps), policy
        ),
        retriever=lambda query, boundary, policy: settled(
            lambda: retriever.activate(query, boundary, policy)(deps)
        ),
        critic=lambda feedback, policy: _named(
            lambda: critic.process_feedback(feedback, policy)(deps), policy
        ),
        boundary=BoundaryFunctions(
            validate=lambda payload, boundary, policy: settled(
                lambda: validate(payload, boundary, policy, judge=judge)
            ),
            redact=redact,
        ),
        scoring=ScoringFunctions(
            hybrid_fusion=hybrid_fusion,
            rerank=rerank,
            recency_decay=lambda ts, half_life_days: recency_decay(
                (deps.clock() - ts) / DAY, half_life_days
            ),
        ),
        hash=content_hash,
    )


def _named(work: Callable[[], Result[T, CoreError]], policy: Policy) -> Result[T, CoreError]:
    return settled(work).map(lambda value: stamped(value, policy.version))
