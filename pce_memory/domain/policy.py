"""The policy people write: every key that has an effect, its default, its unit and its meaning.

The models are closed and frozen. What needs the detectors or the rule language (do the names to
redact exist, do the rules compile) is checked where a policy is read, in `policy.source`.
"""

from collections.abc import Mapping
from typing import Annotated, Self, TypeAlias

from pydantic import AfterValidator, Field, PrivateAttr

from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.dictionary import Dictionary
from pce_memory.domain.ids import PolicyVersionField
from pce_memory.domain.model import Model
from pce_memory.domain.policy_boundary import (
    BoundaryClasses,
    ClassPolicy,
    Name,
    RedactPolicies,
    RedactPolicy,
    RedactRule,
    Retention,
    Review,
    ScopePolicy,
    Scopes,
    seconds,
)
from pce_memory.domain.policy_fusion import Fusion
from pce_memory.domain.policy_tests import PolicyTest
from pce_memory.domain.policy_tuning import (
    Critic,
    Delta,
    Deltas,
    Extraction,
    Hybrid,
    Limits,
    Recency,
    Rerank,
    Retrieval,
)
from pce_memory.domain.refinement import RefinementPolicy

__all__ = [
    "BoundaryClasses",
    "ClassPolicy",
    "Critic",
    "Delta",
    "Deltas",
    "Extraction",
    "Fusion",
    "Hybrid",
    "Limits",
    "Meta",
    "Policy",
    "PolicyTest",
    "Recency",
    "RedactPolicies",
    "RedactPolicy",
    "RedactRule",
    "RefinementPolicy",
    "Rerank",
    "Retention",
    "Retrieval",
    "Review",
    "ScopePolicy",
    "Scopes",
    "seconds",
]


class Meta(Model):
    """Who keeps the policy; nothing is decided by it."""

    name: Annotated[
        Name | None, Field(description="What the policy is called.", examples=["team"])
    ] = None
    owner: Annotated[
        Name | None, Field(description="Who answers for it.", examples=["security"])
    ] = None
    updated_at: Annotated[
        Name | None, Field(description="When it was last changed.", examples=["2025-12-18"])
    ] = None


def _reason(text: str) -> str:
    if not text.strip():
        raise ValueError("must say why, in words")
    return text


Reason: TypeAlias = Annotated[Name, AfterValidator(_reason)]


class Policy(Model):
    """What the memory may keep, show and forget, and how it ranks."""

    version: Annotated[
        PolicyVersionField,
        Field(description='SemVer in quotes, such as "1.0.0".', examples=["1.0.0"]),
    ]
    meta: Annotated[Meta, Field(description="Who keeps the policy.")] = Meta()
    extends: Annotated[
        Name | None,
        Field(
            description="The policy it stands on: default, dev, team, org or ./base.yaml.",
            examples=["default", "team", "./base.yaml"],
        ),
    ] = None
    relax: Mapping[Name, Reason] = Field(
        default_factory=dict,
        description="Why it is looser than the policy it extends, by the path of the key.",
        examples=[{"scopes.session.ttl": "sprints of two weeks"}],
        json_schema_extra={"default": {}},
    )
    scopes: Annotated[Scopes, Field(description="The three layers of the memory.")] = Scopes()
    boundary_classes: Annotated[
        BoundaryClasses, Field(description="The four classes of claims; all are required.")
    ]
    invariants: Annotated[
        tuple[InvariantDefinition, ...],
        Field(max_length=256, description="Rules that hold for every claim."),
    ] = ()
    redact_policies: RedactPolicies = Field(
        default_factory=dict,
        description="Your own rules of redaction, by name.",
        json_schema_extra={"default": {}},
    )
    extraction: Annotated[Extraction, Field(description="How observations become claims.")] = (
        Extraction()
    )
    retrieval: Annotated[Retrieval, Field(description="How claims are found, ranked and cut.")] = (
        Retrieval()
    )
    fusion: Annotated[Fusion, Field(description="How runs of lanes are kept and blended.")] = (
        Fusion()
    )
    critic: Annotated[Critic, Field(description="How feedback and time move a claim.")] = Critic()
    refinement: Annotated[
        RefinementPolicy, Field(description="When a change of a score counts, and when to stop.")
    ] = RefinementPolicy()
    review: Annotated[Review, Field(description="How the review queue is kept.")] = Review()
    retention: Annotated[Retention, Field(description="How long records are kept.")] = Retention()
    limits: Annotated[Limits, Field(description="How large a request may be.")] = Limits()
    tests: Annotated[
        tuple[PolicyTest, ...],
        Field(max_length=500, description="Cases that `pce-memory policy test` runs."),
    ] = ()
    # The host's, not the author's: no key of the file.
    _dictionaries: Mapping[str, Dictionary] = PrivateAttr(default_factory=dict[str, Dictionary])

    @property
    def dictionaries(self) -> Mapping[str, Dictionary]:
        """Return what the host gave to find names and addresses with, by kind."""
        return self._dictionaries

    def with_dictionaries(self, dictionaries: Mapping[str, Dictionary]) -> Self:
        """Return the same policy, with what the host knows."""
        policy = self.model_copy()
        policy._dictionaries = dictionaries  # noqa: SLF001 - a new one of its own class
        return policy

    @property
    def context_ttl_seconds(self) -> float:
        """How long an active context lives: the session's ttl, capped by retrieval's."""
        return min(seconds(self.scopes.session.ttl), seconds(self.retrieval.context_ttl))
