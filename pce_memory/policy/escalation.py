"""What becomes of a new claim of a class: it is kept, it waits for a human, or it is denied."""

from typing import Literal

from pce_memory.domain.boundary import Boundary
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, BoundaryClass


def awaiting(boundary: Boundary, policy: Policy) -> Boundary:
    """Return a boundary with the classes beside its own whose claims may wait for a human."""
    waiting = [name for name in BOUNDARY_CLASSES if escalation_of(name, policy) == "human_review"]
    classes = tuple(dict.fromkeys((*boundary.boundary_classes, *waiting)))
    return boundary.model_copy(update={"boundary_classes": classes})


def escalation_of(
    boundary_class: BoundaryClass, policy: Policy
) -> Literal["human_review", "deny"] | None:
    """Return what becomes of a new claim of a class; one of class secret is always denied."""
    if boundary_class == "secret":
        return "deny"
    return policy.boundary_classes.of(boundary_class).escalation
