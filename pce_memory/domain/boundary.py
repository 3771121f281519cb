"""Boundaries: which part of the memory a caller may see and write."""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from pydantic import Field, StringConstraints

from pce_memory.domain.ids import PolicyVersionField
from pce_memory.domain.model import Model
from pce_memory.domain.vocabulary import SCOPES, BoundaryClass, Scope

Scalar: TypeAlias = bool | int | float | str
ContextValue: TypeAlias = Scalar | tuple[Scalar, ...]
AllowTag: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=256)]


class InvariantDefinition(Model):
    """A rule that must hold for every claim of the scopes in `applies_to` (`*` is all)."""

    name: Annotated[
        str,
        Field(
            min_length=1,
            max_length=256,
            description="How a refusal names the rule.",
            examples=["no_destructive_change"],
        ),
    ]
    applies_to: Annotated[
        tuple[str, ...],
        Field(
            description="The layers it holds in; `*` is all of them.",
            json_schema_extra={"items": {"enum": [*SCOPES, "*"], "type": "string"}},
        ),
    ]
    rule: Annotated[
        str,
        Field(
            min_length=1,
            max_length=1000,
            description="What must be true of every claim there.",
            examples=["api.breaking_change == false", "prompt.contains_pii == false"],
        ),
    ]


class Boundary(Model):
    """The part of the memory a caller may reach.

    `context` gives values for the identifiers of invariant rules that no claim carries, such as
    `network.egress`. `actor` is who acts under it: audit records name it.
    """

    scope: tuple[Scope, ...]
    allow: tuple[AllowTag, ...]
    boundary_classes: tuple[BoundaryClass, ...]
    invariants: tuple[InvariantDefinition, ...] = ()
    context: Mapping[str, ContextValue] = Field(default_factory=dict)
    actor: Annotated[str, Field(min_length=1, max_length=512)] | None = None


class BoundaryValidationResult(Model):
    """The judgement of a payload: allowed or not, why, and what it reads like when redacted."""

    allowed: bool
    reason: str | None = None
    redacted: str | None = None
    policy_version: PolicyVersionField
