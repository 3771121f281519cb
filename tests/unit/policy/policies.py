"""Policies, boundaries and claims for the tests of this folder."""

from typing import Any

from pce_memory.domain.boundary import Boundary, InvariantDefinition
from pce_memory.domain.claim import Claim
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.policy import Policy

CLASSES: dict[str, Any] = {
    "public": {"allow": ["*"]},
    "internal": {"allow": ["answer:task", "tool:*"]},
    "pii": {
        "allow": ["tool:contact-lookup"],
        "redact": ["email", "phone"],
        "escalation": "human_review",
    },
    "secret": {"allow": [], "escalation": "deny"},
}
NO_BREAK = {
    "name": "no_destructive_change",
    "applies_to": ["project", "principle"],
    "rule": "api.breaking_change == false",
}
NO_PII = {"name": "pii_not_in_prompt", "applies_to": ["*"], "rule": "prompt.contains_pii == false"}


def policy(*invariants: dict[str, Any], **sections: Any) -> Policy:
    """Return the base policy with these invariants; `classes` overrides single classes."""
    classes = {**CLASSES, **sections.pop("classes", {})}
    return Policy.model_validate(
        {"version": "1.0.0", "boundary_classes": classes, "invariants": invariants, **sections}
    )


def boundary(
    *classes: str,
    allow: tuple[str, ...] = ("answer:task",),
    scope: tuple[str, ...] = ("session", "project", "principle"),
    invariants: tuple[dict[str, Any], ...] = (),
    **context: Any,
) -> Boundary:
    """Return a boundary over these classes, public and internal if none is named."""
    return Boundary.model_validate(
        {
            "scope": scope,
            "allow": allow,
            "boundary_classes": classes or ("public", "internal"),
            "invariants": invariants,
            "context": {name.replace("__", "."): value for name, value in context.items()},
        }
    )


def invariant(rule: str, *scopes: str, name: str = "rule") -> InvariantDefinition:
    """Return an invariant of all scopes, or of these."""
    return InvariantDefinition(name=name, applies_to=scopes or ("*",), rule=rule)


def claim(text: str = "the sky is blue", number: int = 1, **fields: Any) -> Claim:
    """Return a claim with defaults for all that is not given."""
    return Claim.model_validate(
        {
            "id": ClaimId(f"clm_{number}"),
            "text": text,
            "kind": "fact",
            "scope": "project",
            "boundary_class": "internal",
            "created_at": 0,
            "updated_at": 0,
            "origin_observation_id": ObservationId("obs_1"),
            **fields,
        }
    )
